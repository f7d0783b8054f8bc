// index_reading.h - when a read that uses an index must begin again.
//
// Such a read takes several slices.  A write in between can move the entry of
// an entity from the part that is still unread to the part that is read, and
// the read would miss the entity.  Writes to other tables, flushes and
// compactions change no entry, so the read goes on.

#ifndef ENTITABLE_READ_INDEX_INDEX_READING_H_
#define ENTITABLE_READ_INDEX_INDEX_READING_H_

#include <cstddef>
#include <cstdint>

#include "store/sort_key.h"
#include "store/table_row.h"

namespace entitable {

class AccountState;

class IndexReading {
 public:
  // Of the entries of a table, as they are now.
  void Begin(const AccountState& state, TableId table);

  // Nothing that is written from now on matters.
  void End() { table_ = kNoTable; }

  // Whether the table was written since Begin(), so that the read must begin
  // again.
  bool IsBroken(const AccountState& state);

  // False after 8 broken attempts.  The read must then do without an index, or
  // writes could delay it forever.
  bool may_begin() const { return broken_ < kMaxBroken; }

 private:
  static constexpr std::size_t kMaxBroken = 8;

  TableId table_ = kNoTable;  // While nothing is read.
  std::uint64_t head_ = 0;    // There were no changes up to this record.
  std::size_t broken_ = 0;
};

}  // namespace entitable

#endif  // ENTITABLE_READ_INDEX_INDEX_READING_H_
