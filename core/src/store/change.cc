#include "store/change.h"

#include <optional>
#include <utility>

#include "base/fields.h"
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

ChangeKind KindOf(const TableCreated&) { return ChangeKind::kTableCreated; }
ChangeKind KindOf(const TableDropped&) { return ChangeKind::kTableDropped; }
ChangeKind KindOf(const RangeLoaded&) { return ChangeKind::kRangeLoaded; }
ChangeKind KindOf(const PutInRecord& put) {
  return put.origin == Origin::kLocal ? ChangeKind::kEntityPut
                                      : ChangeKind::kRemotePut;
}
ChangeKind KindOf(const DeletionInRecord& deletion) {
  return deletion.origin == Origin::kLocal ? ChangeKind::kEntityDeleted
                                           : ChangeKind::kRemoteDeletion;
}

// A change as it is in a record.
const auto& ViewOf(const auto& change) { return change; }
PutInRecord ViewOf(const EntityPut& put) {
  return {put.table, put.key.view(), put.entity, put.origin};
}
DeletionInRecord ViewOf(const EntityDeleted& deletion) {
  return {deletion.table, deletion.key.view(), deletion.origin};
}

// What follows the kind and the table.

template <typename Io, typename Key>
void KeyFields(Io& io, Key& key) {
  io.Utf8(key.partition_key);
  io.Utf8(key.row_key);
}

template <typename Io>
void Fields(Io& io, Of<Io, TableCreated>& change) {
  io.Utf8(change.name);
}

template <typename Io>
void Fields(Io& io, Of<Io, TableDropped>& change) {
  io.Utf8(change.name);
}

template <typename Io>
void Fields(Io& io, Of<Io, PutInRecord>& change) {
  KeyFields(io, change.key);
  io.U64(change.entity.timestamp.ticks);
  io.Text(change.entity.properties);
  io.Check([&] {
    const auto& [timestamp, properties] = change.entity;
    return io.is_trusted() ||
           (timestamp >= kMinDateTime && timestamp <= kMaxDateTime &&
            PropertyList::CountIn(properties));
  });
}

template <typename Io>
void Fields(Io& io, Of<Io, DeletionInRecord>& change) {
  KeyFields(io, change.key);
}

template <typename Io>
void Fields(Io& io, Of<Io, RangeLoaded>& change) {
  KeyFields(io, change.first);
  KeyFields(io, change.last);
  io.Varint(change.count);
}

void Append(const auto& change, std::string& out) {
  FieldWriter io(out);
  io.Choice(KindOf(change), ChangeKind::kRemoteDeletion);
  io.Varint(change.table);
  Fields(io, change);
}

template <typename T>
ChangeInRecord ReadAs(FieldReader& io, T change) {
  Fields(io, change);
  return change;
}

ChangeInRecord ReadAnyChange(FieldReader& io) {
  ChangeKind kind{};
  TableId table = 0;
  io.Choice(kind, ChangeKind::kRemoteDeletion);
  io.Varint(table);
  io.Check([&] {
    const bool may_be_catalogue = kind == ChangeKind::kEntityPut;
    return (table > 0 || may_be_catalogue) && table <= kMaxTableId;
  });
  switch (kind) {
    case ChangeKind::kTableCreated:
      return ReadAs(io, TableCreated{table, {}});
    case ChangeKind::kTableDropped:
      return ReadAs(io, TableDropped{table, {}});
    case ChangeKind::kEntityPut:
      return ReadAs(io, PutInRecord{table, {}, {}});
    case ChangeKind::kRemotePut:
      return ReadAs(io, PutInRecord{table, {}, {}, Origin::kRemote});
    case ChangeKind::kEntityDeleted:
      return ReadAs(io, DeletionInRecord{table, {}});
    case ChangeKind::kRemoteDeletion:
      return ReadAs(io, DeletionInRecord{table, {}, Origin::kRemote});
    case ChangeKind::kRangeLoaded:
      return ReadAs(io, RangeLoaded{table, {}, {}, 0});
  }
  io.Fail();
  return TableDropped{};
}

ChangeInRecord ReadChange(Decoder& bytes, bool is_trusted) {
  FieldReader io(bytes.rest(), is_trusted);
  ChangeInRecord change = ReadAnyChange(io);
  bytes = io;
  return change;
}

// The bytes of a change without its texts, rounded up.
constexpr std::size_t kChangeOverhead = 48;

// Adds up the texts of a change.
struct TextSizer {
  static constexpr bool kReads = false;
  std::size_t bytes = 0;

  void Text(std::string_view text) { bytes += text.size(); }
  void Utf8(std::string_view text) { bytes += text.size(); }
  void U64(auto /*value*/) {}
  void Varint(auto /*value*/) {}
  void Check(auto /*is_kept*/) {}
  bool is_trusted() const { return true; }
};

EntityKey CopyOf(EntityKeyView key) {
  return {std::string(key.partition_key), std::string(key.row_key)};
}

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
  TextSizer io;
  Visit([&](const auto& one) { Fields(io, ViewOf(one)); }, change);
  return kChangeOverhead + io.bytes;
}

void AppendChange(const Change& change, std::string& out) {
  Visit([&](const auto& one) { Append(ViewOf(one), out); }, change);
}

void AppendPut(TableId table, EntityKeyView key, const EntityView& entity,
               Origin origin, std::string& out) {
  Append(PutInRecord{table, key, entity, origin}, out);
}

void AppendDeletion(TableId table, EntityKeyView key, Origin origin,
                    std::string& out) {
  Append(DeletionInRecord{table, key, origin}, out);
}

ChangeInRecord ReadChange(Decoder& bytes) {
  return ReadChange(bytes, /*is_trusted=*/false);
}

ChangeInRecord ReadCheckedChange(Decoder& bytes) {
  return ReadChange(bytes, /*is_trusted=*/true);
}

Change CopyOf(const ChangeInRecord& change) { return Visit(Copier{}, change); }

}  // namespace entitable
