// column_source.h - rows of a page in columns: one of them, or a range of them
// as a filter sees it.

#ifndef ENTITABLE_MODEL_COLUMN_SOURCE_H_
#define ENTITABLE_MODEL_COLUMN_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/date_time.h"
#include "base/work_budget.h"
#include "model/column.h"
#include "model/value.h"

namespace entitable {

// An entity in the columns of a page.

// A view.
struct PageRow {
  // Unique among all pages that a read visits; 0: no page.
  std::uint64_t page = 0;

  std::span<const Column> columns;  // The first column has the timestamps.
  // The columns of the entity's properties, in their order.
  PackedArray schema;
  std::size_t row = 0;

  const Column& property(std::size_t i) const {
    return columns[static_cast<std::size_t>(schema[i])];
  }

  DateTime timestamp() const {
    const Column& column = columns.front();
    return {column.IntegerAt(column.IndexOf(row))};
  }

  // Whether both rows have the same columns for their properties.  False if the
  // page was fetched again in between, because it may have moved in memory.
  bool HasSchemaOf(const PageRow& other) const {
    return page != 0 && page == other.page &&
           columns.data() == other.columns.data() &&
           schema.data == other.schema.data &&
           schema.count == other.schema.count;
  }
};

// --------------------------------------------------------------- column source

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
