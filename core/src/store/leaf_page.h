// leaf_page.h - a run of entities in key order, stored by columns.

#ifndef ENTITABLE_STORE_LEAF_PAGE_H_
#define ENTITABLE_STORE_LEAF_PAGE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entitable/page.h"
#include "entitable/result.h"
#include "model/column.h"
#include "model/entity.h"
#include "model/page_row.h"
#include "store/key_block.h"
#include "store/leaf_format.h"

namespace entitable {

// Pages are filled up to here, envelope included.  Only a row that is longer by
// itself gets a longer page, and that page has no other row.
inline constexpr std::size_t kMaxLeafBytes = std::size_t{60} * 1024;

// An immutable page in memory.  Rows are numbered from 0 in key order; a row is
// an entity, or the mark that the entity of an older page was deleted.
class LeafPage {
 public:
  // Fails with StorageDamaged; survives any bytes.  After it no function below
  // can meet a damaged byte; only whether a key is one of an entity is left to
  // ParseSortKey().
  static Result<LeafPage> Decode(Bytes value);

  LeafPage(LeafPage&&) = default;
  LeafPage& operator=(LeafPage&&) = default;
  LeafPage(const LeafPage&) = delete;
  LeafPage& operator=(const LeafPage&) = delete;

  std::size_t row_count() const { return layout_.rows; }

  // What it takes in memory, in bytes.
  std::size_t memory_bytes() const;

  // The row of this key.
  std::optional<std::size_t> FindRow(std::string_view sort_key) const {
    return keys().Find(sort_key);
  }

  // The first row whose key is not before this one; row_count() when none is.
  std::size_t LowerBound(std::string_view sort_key) const {
    return keys().LowerBound(sort_key);
  }

  // Replaces what is in `sort_key`.  Returns where KeyBlock::Next() goes on.
  Decoder KeyOf(std::size_t row, std::string& sort_key) const {
    return keys().KeyOf(row, sort_key);
  }

  bool is_tombstone(std::size_t row) const {
    return live_rows() != nullptr && !BitAt(live_rows(), row);
  }

  // Of rows that are not deleted; the properties in their order.
  PageRow RowAt(std::size_t row) const;  // Of no page: it knows no number.
  DateTime TimestampOf(std::size_t row) const { return RowAt(row).timestamp(); }
  PropertyList PropertiesOf(std::size_t row) const;
  Entity EntityOf(std::size_t row) const {
    return {TimestampOf(row), PropertiesOf(row)};
  }

  // For filters; see ColumnSource.
  const char* live_rows() const { return layout_.live_rows.data; }
  std::span<const Column> columns() const { return layout_.columns; }
  KeyBlock keys() const {
    return {{layout_.keys.data, layout_.keys.count},
            layout_.restarts,
            layout_.rows};
  }

 private:
  LeafPage(Bytes value, LeafLayout layout)
      : value_(std::move(value)), layout_(std::move(layout)) {}

  // Place and check what the directory tells of.
  void Attach(std::size_t directory_end);
  bool IsSound() const;
  bool AreSchemasSound() const;

  Bytes value_;

  // It looks at the value.  A page is longer than what a string keeps within
  // itself, so its bytes stay where they are when it is moved.
  LeafLayout layout_;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_LEAF_PAGE_H_
