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
  kRemotePut = 6,
  kRemoteDeletion = 7,
};

void AppendHead(ChangeKind kind, TableId table, std::string& out) {
  AppendU8(static_cast<std::uint8_t>(kind), out);
  AppendVarint(table, out);
}

void AppendKey(EntityKeyView key, std::string& out) {
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
    AppendPut(change.table, change.key.view(), change.entity, change.origin,
              out);
  }
  void operator()(const EntityDeleted& change) const {
    AppendDeletion(change.table, change.key.view(), change.origin, out);
  }
  void operator()(const RangeLoaded& change) const {
    AppendHead(ChangeKind::kRangeLoaded, change.table, out);
    AppendKey(change.first.view(), out);
    AppendKey(change.last.view(), out);
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

EntityKey CopyOf(EntityKeyView key) {
  return {std::string(key.partition_key), std::string(key.row_key)};
}

// Takes the parts of a change, and checks their texts if that is needed.
class Taker {
 public:
  Taker(Decoder& bytes, bool are_checked)
      : bytes_(bytes), are_checked_(are_checked) {}

  std::string_view Utf8() {
    const std::string_view text = bytes_.ReadText();
    if (!are_checked_ && !IsValidUtf8(text)) bytes_.Fail();
    return text;
  }

  EntityKeyView Key() {
    const std::string_view partition_key = Utf8();
    return {partition_key, Utf8()};
  }

  EntityView Properties() {
    const DateTime timestamp{static_cast<std::int64_t>(bytes_.ReadU64())};
    const std::string_view properties = bytes_.ReadText();
    const bool is_sound = are_checked_ || (timestamp >= kMinDateTime &&
                                           timestamp <= kMaxDateTime &&
                                           PropertyList::CountIn(properties));
    if (!is_sound) bytes_.Fail();
    return {timestamp, properties};
  }

  ChangeInRecord Change() {
    const auto kind = static_cast<ChangeKind>(bytes_.ReadU8());
    const TableId table = bytes_.ReadVarint();
    const bool may_be_catalogue = kind == ChangeKind::kEntityPut;
    if ((table == 0 && !may_be_catalogue) || table > kMaxTableId) {
      bytes_.Fail();
    }
    switch (kind) {
      case ChangeKind::kTableCreated:
        return TableCreated{table, std::string(Utf8())};
      case ChangeKind::kTableDropped:
        return TableDropped{table, std::string(Utf8())};
      case ChangeKind::kEntityPut: {
        const EntityKeyView key = Key();
        return PutInRecord{table, key, Properties()};
      }
      case ChangeKind::kRemotePut: {
        const EntityKeyView key = Key();
        return PutInRecord{table, key, Properties(), Origin::kRemote};
      }
      case ChangeKind::kEntityDeleted:
        return DeletionInRecord{table, Key()};
      case ChangeKind::kRemoteDeletion:
        return DeletionInRecord{table, Key(), Origin::kRemote};
      case ChangeKind::kRangeLoaded: {
        EntityKey first = CopyOf(Key());
        EntityKey last = CopyOf(Key());
        return RangeLoaded{table, std::move(first), std::move(last),
                           bytes_.ReadVarint()};
      }
    }
    bytes_.Fail();
    return TableDropped{};
  }

 private:
  Decoder& bytes_;
  bool are_checked_;
};

// Makes a change that owns its texts.
struct Copier {
  Change operator()(const auto& change) const { return change; }
  Change operator()(const PutInRecord& put) const {
    return EntityPut{
        put.table,
        CopyOf(put.key),
        {put.entity.timestamp, *PropertyList::FromBytes(put.entity.properties)},
        put.origin};
  }
  Change operator()(const DeletionInRecord& deletion) const {
    return EntityDeleted{deletion.table, CopyOf(deletion.key), deletion.origin};
  }
};

}  // namespace

std::size_t MaxEncodedSize(const Change& change) {
  return kChangeOverhead + Visit(TextSize{}, change);
}

void AppendChange(const Change& change, std::string& out) {
  Visit(ChangeAppender{out}, change);
}

void AppendPut(TableId table, EntityKeyView key, const EntityView& entity,
               Origin origin, std::string& out) {
  const bool is_local = origin == Origin::kLocal;
  AppendHead(is_local ? ChangeKind::kEntityPut : ChangeKind::kRemotePut, table,
             out);
  AppendKey(key, out);
  AppendU64(static_cast<std::uint64_t>(entity.timestamp.ticks), out);
  AppendText(entity.properties, out);
}

void AppendDeletion(TableId table, EntityKeyView key, Origin origin,
                    std::string& out) {
  const bool is_local = origin == Origin::kLocal;
  AppendHead(
      is_local ? ChangeKind::kEntityDeleted : ChangeKind::kRemoteDeletion,
      table, out);
  AppendKey(key, out);
}

ChangeInRecord TakeChange(Decoder& bytes) {
  return Taker(bytes, /*are_checked=*/false).Change();
}

ChangeInRecord TakeCheckedChange(Decoder& bytes) {
  return Taker(bytes, /*are_checked=*/true).Change();
}

Change CopyOf(const ChangeInRecord& change) { return Visit(Copier{}, change); }

}  // namespace entitable
