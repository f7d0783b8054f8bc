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

// Given in the order of creation and never again, so that a table made anew
// under an old name is empty, and the first is 1.
using TableId = std::uint64_t;
inline constexpr TableId kMaxTableId = (TableId{1} << 62) - 1;

struct TableCreated {
  TableId table;
  std::string name;  // As first written.
};

struct TableDropped {
  TableId table;
  std::string name;
};

// Of the catalogue (store/table_row.h), too: what a table or the account is set
// to.
struct EntityPut {
  TableId table;
  EntityKey key;
  Entity entity;
};

struct EntityDeleted {
  TableId table;
  EntityKey key;
};

// Entities were loaded into pages, past the log: all their keys are in the
// range, the last one included.
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
using Change = std::variant<TableCreated, TableDropped, EntityPut,
                            EntityDeleted, RangeLoaded>;

// How many bytes AppendChange() adds, or a few more.
std::size_t MaxEncodedSize(const Change& change);

void AppendChange(const Change& change, std::string& out);

// Marks the decoder as failed where the bytes do not follow the grammar.
Change TakeChange(Decoder& bytes);

}  // namespace entitable

#endif  // ENTITABLE_STORE_CHANGE_H_
