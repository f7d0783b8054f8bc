// memtable.h - the rows of the unflushed log records, in key order.

#ifndef ENTITABLE_STORE_MEMTABLE_H_
#define ENTITABLE_STORE_MEMTABLE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "model/entity.h"
#include "store/sort_key.h"

namespace entitable {

// The newest state of a row, and the log record that set it.  The properties
// are a view of the record, which must be kept as long as the row.
struct MemRow {
  std::uint64_t number;
  std::optional<EntityView> entity;  // None: the row was deleted (a tombstone).
};

class Memtable {
 public:
  using Rows = std::map<std::string, MemRow, std::less<>>;  // By sort key.

  // Null if no unflushed record changed the row.
  const MemRow* Find(std::string_view sort_key) const;

  void Put(std::string sort_key, const MemRow& row);

  // Sets the row, or removes it completely.  Returns what was there.
  std::optional<MemRow> Exchange(const std::string& sort_key,
                                 const std::optional<MemRow>& row);

  // Removes the rows completely, without tombstones.
  void Erase(const SortRange& range);

  // Removes all rows that were set by this record or an earlier one.
  void Forget(std::uint64_t number);

  const Rows& rows() const { return rows_; }

 private:
  Rows rows_;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_MEMTABLE_H_
