// memtable.h - the rows that are in the log and perhaps not yet in pages.

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

// The newest state of a row, and the record of the log that made it so.
struct MemRow {
  std::uint64_t number;
  std::optional<Entity> entity;  // Nothing: deleted.
};

class Memtable {
 public:
  using Rows = std::map<std::string, MemRow, std::less<>>;  // By sort key.

  // Null when the log says nothing of it.
  const MemRow* Find(std::string_view sort_key) const;

  void Put(std::string sort_key, MemRow row);

  // Without a trace: not even the mark that they were deleted.
  void Erase(const SortRange& range);

  // Drops what was made so by this record or an earlier one.
  void Forget(std::uint64_t number);

  const Rows& rows() const { return rows_; }

 private:
  Rows rows_;
};

// About how long the row is in a page, in bytes.
std::size_t ApproximateBytes(std::string_view sort_key, const MemRow& row);

}  // namespace entitable

#endif  // ENTITABLE_STORE_MEMTABLE_H_
