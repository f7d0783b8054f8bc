// page_columns.h - the columns of some properties in one page after another.

#ifndef ENTITABLE_READ_PAGE_COLUMNS_H_
#define ENTITABLE_READ_PAGE_COLUMNS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/column.h"

namespace entitable {

class PageColumns {
 public:
  // The keys have no columns.
  explicit PageColumns(std::vector<std::string> names)
      : names_(std::move(names)), columns_(names_.size()) {}

  // Finds the columns of a page, unless it is the same as before.
  void Use(std::uint64_t page, std::span<const Column> columns) {
    if (page == page_ && columns.data() == first_) return;
    page_ = page;
    first_ = columns.data();
    for (std::size_t i = 0; i < names_.size(); ++i) {
      columns_[i].clear();
      for (const Column& column : columns) {
        if (column.name == names_[i]) columns_[i].push_back(&column);
      }
    }
  }

  // The column with the value of a row of the page; null if it has none.
  const Column* Find(std::size_t name, std::size_t row) const {
    for (const Column* column : columns_[name]) {
      if (column->Has(row)) return column;
    }
    return nullptr;
  }

  // The columns with the property, one for each of its types.
  std::span<const Column* const> Of(std::size_t name) const {
    return columns_[name];
  }

  const std::string& name(std::size_t i) const { return names_[i]; }
  std::size_t size() const { return names_.size(); }

 private:
  std::vector<std::string> names_;
  std::uint64_t page_ = 0;
  const Column* first_ = nullptr;
  // By name.  A property has a column for each of its types.
  std::vector<std::vector<const Column*>> columns_;
};

}  // namespace entitable

#endif  // ENTITABLE_READ_PAGE_COLUMNS_H_
