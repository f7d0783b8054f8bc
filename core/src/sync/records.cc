#include "sync/records.h"

#include "base/coding.h"
#include "base/utf.h"
#include "model/etag.h"

namespace entitable::sync {
namespace {

constexpr std::uint8_t kVersion = 1;

constexpr std::uint8_t kNone = 0;
constexpr std::uint8_t kThere = 1;
constexpr std::uint8_t kEtagTicks = 1;
constexpr std::uint8_t kEtagText = 2;

// ------------------------------------------------------------------- encoding

void AppendTime(DateTime time, std::string& out) {
  AppendU64(static_cast<std::uint64_t>(time.ticks), out);
}

void AppendFlag(bool flag, std::string& out) { AppendU8(flag ? 1 : 0, out); }

void AppendEtag(std::string_view etag, std::string& out) {
  if (etag.empty()) return AppendU8(kNone, out);
  if (const auto time = TimeOfEtag(etag)) {
    AppendU8(kEtagTicks, out);
    return AppendTime(*time, out);
  }
  AppendU8(kEtagText, out);
  AppendText(etag, out);
}

void AppendRow(const RowValue& row, std::string& out) {
  AppendU8(row ? kThere : kNone, out);
  if (row) AppendText(row->bytes(), out);
}

// ------------------------------------------------------------------- decoding

DateTime TakeTime(Decoder& bytes) {
  const std::uint64_t ticks = bytes.ReadU64();
  if (ticks > static_cast<std::uint64_t>(kMaxDateTime.ticks)) bytes.Fail();
  return {static_cast<std::int64_t>(ticks)};
}

bool TakeFlag(Decoder& bytes) {
  const std::uint8_t flag = bytes.ReadU8();
  if (flag > 1) bytes.Fail();
  return flag == 1;
}

std::string TakeString(Decoder& bytes) {
  const std::string_view text = bytes.ReadText();
  if (!IsValidUtf8(text)) bytes.Fail();
  return std::string(text);
}

std::string TakeEtag(Decoder& bytes) {
  switch (bytes.ReadU8()) {
    case kNone:
      return {};
    case kEtagTicks: {
      const DateTime time = TakeTime(bytes);
      return bytes.failed() ? std::string() : FormatEtag(time);
    }
    case kEtagText:
      return TakeString(bytes);
    default:
      bytes.Fail();
      return {};
  }
}

RowValue TakeRow(Decoder& bytes) {
  if (!TakeFlag(bytes)) return std::nullopt;
  auto row = PropertyList::FromBytes(bytes.ReadText());
  if (!row) bytes.Fail();
  return row;
}

Entry TakeEntry(Decoder& bytes) {
  Entry entry{.group = bytes.ReadVarint()};
  if (TakeFlag(bytes)) entry.frozen = TakeRow(bytes);
  return entry;
}

SentValue TakeSent(Decoder& bytes) {
  SentValue sent;
  sent.value = TakeRow(bytes);
  sent.is_insert = TakeFlag(bytes);
  sent.until = TakeTime(bytes);
  return sent;
}

// As many as the number before them says, or until the bytes fail.
template <typename T, typename Take>
std::vector<T> TakeMany(Decoder& bytes, Take take) {
  std::vector<T> all;
  for (std::uint64_t count = bytes.ReadVarint(); count > 0 && !bytes.failed();
       --count) {
    all.push_back(take(bytes));
  }
  return all;
}

template <typename T>
std::optional<T> Whole(const Decoder& bytes, T value) {
  if (bytes.failed() || !bytes.at_end()) return std::nullopt;
  return value;
}

}  // namespace

std::string WithVersion(std::string_view bytes) {
  std::string stored;
  AppendU8(kVersion, stored);
  return stored.append(bytes);
}

Result<std::string> WithoutVersion(std::string_view stored) {
  Decoder rest(stored);
  const std::uint8_t version = rest.ReadU8();
  if (version > kVersion) return Fail(ErrorCode::kStorageVersionNewer);
  if (version < kVersion) return Fail(ErrorCode::kStorageDamaged);
  return std::string(rest.rest());
}

std::string EncodeEtag(std::string_view etag) {
  std::string out;
  AppendEtag(etag, out);
  return out;
}

std::string EncodeMark(const Mark& mark) {
  std::string out;
  AppendEtag(mark.base ? mark.base->etag : "", out);
  AppendRow(ValueOf(mark.base), out);
  AppendVarint(mark.entries.size(), out);
  for (const Entry& entry : mark.entries) {
    AppendVarint(entry.group, out);
    AppendFlag(entry.frozen.has_value(), out);
    if (entry.frozen) AppendRow(*entry.frozen, out);
  }
  AppendVarint(mark.sent.size(), out);
  for (const SentValue& sent : mark.sent) {
    AppendRow(sent.value, out);
    AppendFlag(sent.is_insert, out);
    AppendTime(sent.until, out);
  }
  AppendEtag(mark.deleted_etag, out);
  AppendTime(mark.deleted_until, out);
  return out;
}

std::string EncodeGroup(const Group& group) {
  std::string out;
  AppendVarint(group.id, out);
  AppendU8(static_cast<std::uint8_t>(group.state), out);
  AppendText(group.partition_key, out);
  AppendVarint(group.row_keys.size(), out);
  for (const std::string& row_key : group.row_keys) AppendText(row_key, out);
  AppendVarint(group.bytes, out);
  AppendVarint(group.request, out);
  AppendTime(group.sent_at, out);
  AppendTime(group.doubt_until, out);
  AppendFlag(group.is_alone, out);
  AppendVarint(group.conflicts, out);
  AppendTime(group.not_before, out);
  AppendText(group.error, out);
  return out;
}

std::string EncodePull(const PullState& state) {
  std::string out;
  AppendFlag(state.is_complete, out);
  AppendText(state.token, out);
  AppendTime(state.from, out);
  AppendTime(state.next_from, out);
  AppendFlag(state.is_held_back, out);
  AppendTime(state.wide_from, out);
  AppendU64(state.refused_by, out);
  AppendVarint(state.step, out);
  return out;
}

std::string EncodeConflict(const ConflictRecord& conflict) {
  std::string out;
  AppendText(conflict.key.partition_key, out);
  AppendText(conflict.key.row_key, out);
  for (const RowValue* row :
       {&conflict.base, &conflict.local, &conflict.remote, &conflict.result}) {
    AppendRow(*row, out);
  }
  AppendVarint(conflict.group, out);
  return out;
}

std::optional<std::string> DecodeEtag(std::string_view encoded) {
  Decoder bytes(encoded);
  std::string etag = TakeEtag(bytes);
  return Whole(bytes, std::move(etag));
}

std::optional<Mark> DecodeMark(std::string_view encoded) {
  Decoder bytes(encoded);
  Mark mark;
  std::string etag = TakeEtag(bytes);
  if (RowValue base = TakeRow(bytes)) {
    mark.base = Version{std::move(etag), *std::move(base)};
  }
  mark.entries = TakeMany<Entry>(bytes, TakeEntry);
  mark.sent = TakeMany<SentValue>(bytes, TakeSent);
  mark.deleted_etag = TakeEtag(bytes);
  mark.deleted_until = TakeTime(bytes);
  return Whole(bytes, std::move(mark));
}

std::optional<Group> DecodeGroup(std::string_view encoded) {
  Decoder bytes(encoded);
  Group group;
  group.id = bytes.ReadVarint();
  const std::uint8_t state = bytes.ReadU8();
  if (state > static_cast<std::uint8_t>(Group::State::kRejected)) bytes.Fail();
  group.state = static_cast<Group::State>(state);
  group.partition_key = TakeString(bytes);
  group.row_keys = TakeMany<std::string>(bytes, TakeString);
  group.bytes = static_cast<std::size_t>(bytes.ReadVarint());
  group.request = bytes.ReadVarint();
  group.sent_at = TakeTime(bytes);
  group.doubt_until = TakeTime(bytes);
  group.is_alone = TakeFlag(bytes);
  group.conflicts = static_cast<std::uint32_t>(bytes.ReadVarint());
  group.not_before = TakeTime(bytes);
  group.error = TakeString(bytes);
  return Whole(bytes, std::move(group));
}

std::optional<PullState> DecodePull(std::string_view encoded) {
  Decoder bytes(encoded);
  PullState state;
  state.is_complete = TakeFlag(bytes);
  state.token = TakeString(bytes);
  state.from = TakeTime(bytes);
  state.next_from = TakeTime(bytes);
  state.is_held_back = TakeFlag(bytes);
  state.wide_from = TakeTime(bytes);
  state.refused_by = bytes.ReadU64();
  state.step = bytes.ReadVarint();
  return Whole(bytes, std::move(state));
}

std::optional<ConflictRecord> DecodeConflict(std::string_view encoded) {
  Decoder bytes(encoded);
  ConflictRecord conflict;
  conflict.key.partition_key = TakeString(bytes);
  conflict.key.row_key = TakeString(bytes);
  for (RowValue* row :
       {&conflict.base, &conflict.local, &conflict.remote, &conflict.result}) {
    *row = TakeRow(bytes);
  }
  conflict.group = bytes.ReadVarint();
  return Whole(bytes, std::move(conflict));
}

}  // namespace entitable::sync
