// page_row.h - an entity in the columns of a page.

#ifndef ENTITABLE_MODEL_PAGE_ROW_H_
#define ENTITABLE_MODEL_PAGE_ROW_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/date_time.h"
#include "model/column.h"

namespace entitable {

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

}  // namespace entitable

#endif  // ENTITABLE_MODEL_PAGE_ROW_H_
