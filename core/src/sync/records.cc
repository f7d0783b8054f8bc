#include "sync/records.h"

#include <utility>

#include "base/coding.h"
#include "base/fields.h"
#include "model/etag.h"

namespace entitable::sync {
namespace {

constexpr std::uint8_t kVersion = 1;

enum class EtagForm : std::uint8_t { kNone = 0, kTicks = 1, kText = 2 };

template <typename Io>
void Time(Io& io, Of<Io, DateTime>& time) {
  io.U64(time.ticks);
  io.Check([&] { return time >= DateTime{} && time <= kMaxDateTime; });
}

template <typename Io>
void Etag(Io& io, Of<Io, std::string>& etag) {
  const auto known = TimeOfEtag(etag);
  EtagForm form = known ? EtagForm::kTicks : EtagForm::kText;
  if (etag.empty()) form = EtagForm::kNone;
  io.Choice(form, EtagForm::kText);
  if (form == EtagForm::kText) io.Utf8(etag);
  if (form != EtagForm::kTicks) return;
  DateTime time = known.value_or(DateTime{});
  Time(io, time);
  if constexpr (Io::kReads) {
    if (!io.failed()) etag = FormatEtag(time);
  }
}

template <typename Io>
void Row(Io& io, Of<Io, RowValue>& row) {
  io.Maybe(row, [&](auto& properties) { io.Properties(properties); });
}

template <typename Io>
void Base(Io& io, Of<Io, RemoteRow>& base) {
  std::string etag = base ? base->etag : "";
  RowValue row = ValueOf(base);
  Etag(io, etag);
  Row(io, row);
  if constexpr (Io::kReads) {
    if (row) base = Version{std::move(etag), *std::move(row)};
  }
}

}  // namespace

template <typename Io>
void Fields(Io& io, Of<Io, Mark>& mark) {
  Base(io, mark.base);
  io.Many(mark.entries, [&](auto& entry) {
    io.Varint(entry.group);
    io.Maybe(entry.frozen, [&](auto& row) { Row(io, row); });
  });
  io.Many(mark.sent, [&](auto& sent) {
    Row(io, sent.value);
    io.Flag(sent.is_insert);
    Time(io, sent.until);
  });
  Etag(io, mark.deleted_etag);
  Time(io, mark.deleted_until);
}

template <typename Io>
void Fields(Io& io, Of<Io, Group>& group) {
  io.Varint(group.id);
  io.Choice(group.state, Group::State::kRejected);
  io.Utf8(group.partition_key);
  io.Many(group.row_keys, [&](auto& row_key) { io.Utf8(row_key); });
  io.Varint(group.bytes);
  io.Varint(group.request);
  Time(io, group.sent_at);
  Time(io, group.doubt_until);
  io.Flag(group.is_alone);
  io.Varint(group.conflicts);
  Time(io, group.not_before);
  io.Utf8(group.error);
}

template <typename Io>
void Fields(Io& io, Of<Io, PullState>& state) {
  io.Flag(state.is_complete);
  io.Utf8(state.token);
  Time(io, state.from);
  Time(io, state.next_from);
  io.Flag(state.is_held_back);
  Time(io, state.wide_from);
  io.U64(state.refused_by);
  io.Varint(state.step);
}

template <typename Io>
void Fields(Io& io, Of<Io, ConflictRecord>& conflict) {
  io.Utf8(conflict.key.partition_key);
  io.Utf8(conflict.key.row_key);
  for (auto* row :
       {&conflict.base, &conflict.local, &conflict.remote, &conflict.result}) {
    Row(io, *row);
  }
  io.Varint(conflict.group);
}

template <typename Record>
std::optional<Record> Decoded(std::string_view bytes) {
  std::optional<Record> record(std::in_place);
  if (!DecodeFields(bytes, *record)) record.reset();
  return record;
}

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
  const std::string text(etag);
  std::string bytes;
  FieldWriter io(bytes);
  Etag(io, text);
  return bytes;
}
std::string EncodeMark(const Mark& mark) { return EncodeFields(mark); }
std::string EncodeGroup(const Group& group) { return EncodeFields(group); }
std::string EncodePull(const PullState& state) { return EncodeFields(state); }
std::string EncodeConflict(const ConflictRecord& conflict) {
  return EncodeFields(conflict);
}

std::optional<std::string> DecodeEtag(std::string_view bytes) {
  FieldReader io(bytes);
  std::string etag;
  Etag(io, etag);
  if (io.failed() || !io.at_end()) return std::nullopt;
  return etag;
}
std::optional<Mark> DecodeMark(std::string_view bytes) {
  return Decoded<Mark>(bytes);
}
std::optional<Group> DecodeGroup(std::string_view bytes) {
  return Decoded<Group>(bytes);
}
std::optional<PullState> DecodePull(std::string_view bytes) {
  return Decoded<PullState>(bytes);
}
std::optional<ConflictRecord> DecodeConflict(std::string_view bytes) {
  return Decoded<ConflictRecord>(bytes);
}

}  // namespace entitable::sync
