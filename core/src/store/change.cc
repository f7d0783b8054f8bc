#include "store/change.h"

#include <optional>
#include <utility>

#include "base/visit.h"
namespace entitable {
namespace {

enum class ChangeKind : std::uint8_t {
  kTableCreated = 1,
  kTableDropped = 2,
  kEntityPut = 3,
  kEntityDeleted = 4,
  kRangeLoaded = 5,
};

void AppendHead(ChangeKind kind, TableId table, std::string& out) {
  AppendU8(static_cast<std::uint8_t>(kind), out);
  AppendVarint(table, out);
}

void AppendKey(const EntityKey& key, std::string& out) {
  AppendText(key.partition_key, out);
  AppendText(key.row_key, out);
}

struct ChangeAppender {
  std::string& out;

  void operator()(const TableCreated& change) const {
    AppendHead(ChangeKind::kTableCreated, change.table, out);
    AppendText(change.name, out);
  }
  void operator()(const TableDropped& change) const {
    AppendHead(ChangeKind::kTableDropped, change.table, out);
    AppendText(change.name, out);
  }
  void operator()(const EntityPut& change) const {
    AppendHead(ChangeKind::kEntityPut, change.table, out);
    AppendKey(change.key, out);
    AppendU64(static_cast<std::uint64_t>(change.entity.timestamp.ticks), out);
    AppendText(change.entity.properties.bytes(), out);
  }
  void operator()(const EntityDeleted& change) const {
    AppendHead(ChangeKind::kEntityDeleted, change.table, out);
    AppendKey(change.key, out);
  }
  void operator()(const RangeLoaded& change) const {
    AppendHead(ChangeKind::kRangeLoaded, change.table, out);
    AppendKey(change.first, out);
    AppendKey(change.last, out);
    AppendVarint(change.count, out);
  }
};

// The bytes of a change without its texts, rounded up.
constexpr std::size_t kChangeOverhead = 48;

std::size_t SizeOf(const EntityKey& key) {
  return key.partition_key.size() + key.row_key.size();
}

struct TextSize {
  std::size_t operator()(const TableCreated& change) const {
    return change.name.size();
  }
  std::size_t operator()(const TableDropped& change) const {
    return change.name.size();
  }
  std::size_t operator()(const EntityPut& change) const {
    return SizeOf(change.key) + change.entity.properties.bytes().size();
  }
  std::size_t operator()(const EntityDeleted& change) const {
    return SizeOf(change.key);
  }
  std::size_t operator()(const RangeLoaded& change) const {
    return SizeOf(change.first) + SizeOf(change.last);
  }
};

std::string TakeUtf8(Decoder& bytes) {
  const std::string_view text = bytes.TakeText();
  if (!IsValidUtf8(text)) bytes.Fail();
  return std::string(text);
}

EntityKey TakeKey(Decoder& bytes) {
  std::string partition_key = TakeUtf8(bytes);
  return {std::move(partition_key), TakeUtf8(bytes)};
}

Entity TakeEntity(Decoder& bytes) {
  const DateTime timestamp{static_cast<std::int64_t>(bytes.TakeU64())};
  if (timestamp < kMinDateTime || timestamp > kMaxDateTime) bytes.Fail();
  auto properties = PropertyList::FromBytes(bytes.TakeText());
  if (!properties) {
    bytes.Fail();
    return {};
  }
  return {timestamp, *std::move(properties)};
}

}  // namespace

std::size_t MaxEncodedSize(const Change& change) {
  return kChangeOverhead + Visit(TextSize{}, change);
}

void AppendChange(const Change& change, std::string& out) {
  Visit(ChangeAppender{out}, change);
}

Change TakeChange(Decoder& bytes) {
  const auto kind = static_cast<ChangeKind>(bytes.TakeU8());
  const TableId table = bytes.TakeVarint();
  const bool may_be_catalogue = kind == ChangeKind::kEntityPut;
  if ((table == 0 && !may_be_catalogue) || table > kMaxTableId) bytes.Fail();
  switch (kind) {
    case ChangeKind::kTableCreated:
      return TableCreated{table, TakeUtf8(bytes)};
    case ChangeKind::kTableDropped:
      return TableDropped{table, TakeUtf8(bytes)};
    case ChangeKind::kEntityPut: {
      EntityKey key = TakeKey(bytes);
      return EntityPut{table, std::move(key), TakeEntity(bytes)};
    }
    case ChangeKind::kEntityDeleted:
      return EntityDeleted{table, TakeKey(bytes)};
    case ChangeKind::kRangeLoaded: {
      EntityKey first = TakeKey(bytes);
      EntityKey last = TakeKey(bytes);
      return RangeLoaded{table, std::move(first), std::move(last),
                         bytes.TakeVarint()};
    }
  }
  bytes.Fail();
  return TableDropped{};
}

}  // namespace entitable
