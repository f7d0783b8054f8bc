// change.h - what a commit does to the account: final states, no conditions.

#ifndef ENTITABLE_STORE_CHANGE_H_
#define ENTITABLE_STORE_CHANGE_H_

#include <cstdint>
#include <string>
#include <variant>

#include "base/coding.h"
#include "model/entity.h"
#include "model/entity_key.h"

namespace entitable {

// Ids are given in the order of creation, from 1, and never reused.  So a table
// that is created again under an old name is empty.
using TableId = std::uint64_t;
inline constexpr TableId kMaxTableId = (TableId{1} << 62) - 1;

// The origin of a change.  What an app writes is local.  What sync stores from
// the remote account, and the result of a conflict, is remote.
enum class Origin : std::uint8_t { kLocal, kRemote };

struct TableCreated {
  TableId table;
  std::string name;  // As the user first wrote it.
};

struct TableDropped {
  TableId table;
  std::string name;
};

// Also rows of the catalogue (store/table_row.h), which hold the settings of
// tables and of the account.
struct EntityPut {
  TableId table;
  EntityKey key;
  Entity entity;
  Origin origin = Origin::kLocal;
};

struct EntityDeleted {
  TableId table;
  EntityKey key;
  Origin origin = Origin::kLocal;
};

// Entities were loaded directly into pages, without log records.  All their
// keys are in this range, the last key included.
struct RangeLoaded {
  TableId table;
  EntityKey first;
  EntityKey last;
  std::uint64_t count;
};

//   change = 0x01 table:varint name:text
//          | 0x02 table:varint name:text
//          | 0x03 table:varint partition_key:text row_key:text
//                 timestamp:u64 properties:text
//          | 0x04 table:varint partition_key:text row_key:text
//          | 0x05 table:varint partition_key:text row_key:text
//                 partition_key:text row_key:text count:varint
//          | 0x06, and further as 0x03: of the origin kRemote
//          | 0x07, and further as 0x04: of the origin kRemote
using Change = std::variant<TableCreated, TableDropped, EntityPut,
                            EntityDeleted, RangeLoaded>;

// How many bytes AppendChange() adds at most.  The estimate is close.
std::size_t MaxEncodedSize(const Change& change);

void AppendChange(const Change& change, std::string& out);

// The same for the change of a row that is elsewhere.
void AppendPut(TableId table, EntityKeyView key, const EntityView& entity,
               Origin origin, std::string& out);
void AppendDeletion(TableId table, EntityKeyView key, Origin origin,
                    std::string& out);

// A change as it is in a log record.  For rows, these are views of the record.
struct PutInRecord {
  TableId table;
  EntityKeyView key;
  EntityView entity;
  Origin origin = Origin::kLocal;
};
struct DeletionInRecord {
  TableId table;
  EntityKeyView key;
  Origin origin = Origin::kLocal;
};
using ChangeInRecord = std::variant<TableCreated, TableDropped, PutInRecord,
                                    DeletionInRecord, RangeLoaded>;

// Marks the decoder as failed if the bytes do not follow the grammar.
ChangeInRecord ReadChange(Decoder& bytes);

// The same for bytes that follow the grammar: the texts are not checked again.
ChangeInRecord ReadCheckedChange(Decoder& bytes);

Change CopyOf(const ChangeInRecord& change);

}  // namespace entitable

#endif  // ENTITABLE_STORE_CHANGE_H_
