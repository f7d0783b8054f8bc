// column_source.h - a range of rows in columns, as a filter sees them.

#ifndef ENTITABLE_MODEL_COLUMN_SOURCE_H_
#define ENTITABLE_MODEL_COLUMN_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/work_budget.h"
#include "model/column.h"
#include "model/value.h"

namespace entitable {

enum class KeyPart : std::uint8_t { kPartitionKey, kRowKey };

// The interface between the query code and the pages.
class ColumnSource {
 public:
  // Equal for the same rows of the same page, which never changes.  It lets a
  // filter recognize a page that it continues with.
  struct Identity {
    std::uint64_t page = 0;
    std::size_t begin = 0;
    std::size_t end = 0;

    bool operator==(const Identity&) const = default;
  };
  virtual Identity identity() const = 0;

  virtual std::size_t row_count() const = 0;

  // One bit per row: whether it is an entity and not a tombstone.  Null if all
  // rows are entities.
  virtual const char* live_rows() const = 0;

  // The properties and the Timestamp, but not the keys.
  virtual std::span<const Column> columns() const = 0;

  // Sets the bits of the rows whose key is less than the text, and of those
  // whose key equals it.  All words must be zero before.
  virtual void CompareKeys(KeyPart part, std::string_view text,
                           std::span<std::uint64_t> below,
                           std::span<std::uint64_t> equal,
                           WorkBudget& work) const = 0;

  // Sets the bits of the rows whose key is one of the texts, which are Strings
  // in ascending order without duplicates.
  virtual void FindKeys(KeyPart part, std::span<const Value> texts,
                        std::span<std::uint64_t> found,
                        WorkBudget& work) const = 0;

  // This part of the keys of some rows, from this row on: at least one.
  virtual void ReadKeys(KeyPart part, std::size_t row,
                        std::vector<std::string>& texts,
                        WorkBudget& work) const = 0;

 protected:
  ~ColumnSource() = default;
};

}  // namespace entitable

#endif  // ENTITABLE_MODEL_COLUMN_SOURCE_H_
