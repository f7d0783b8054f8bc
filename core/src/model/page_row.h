// page_row.h - an entity where it lies, in the columns of a page.

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
  // No other page that a read meets has this number; 0: of no page.
  std::uint64_t page = 0;

  std::span<const Column> columns;  // The first has the timestamps.
  PackedArray schema;  // Which of them make the properties, in their order.
  std::size_t row = 0;

  const Column& property(std::size_t i) const {
    return columns[static_cast<std::size_t>(schema[i])];
  }

  DateTime timestamp() const {
    const Column& column = columns.front();
    return {column.IntegerAt(column.IndexOf(row))};
  }

  // Whether the same columns make its properties.  A page that was fetched
  // again may lie elsewhere, in whole or in part.
  bool HasSchemaOf(const PageRow& other) const {
    return page != 0 && page == other.page &&
           columns.data() == other.columns.data() &&
           schema.data == other.schema.data &&
           schema.count == other.schema.count;
  }
};

}  // namespace entitable

#endif  // ENTITABLE_MODEL_PAGE_ROW_H_
