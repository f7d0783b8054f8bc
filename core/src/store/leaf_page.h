// leaf_page.h - a page of entities in key order, stored by columns.

#ifndef ENTITABLE_STORE_LEAF_PAGE_H_
#define ENTITABLE_STORE_LEAF_PAGE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "entitable/result.h"
#include "entitable/storage.h"
#include "model/column.h"
#include "model/column_source.h"
#include "model/entity.h"
#include "store/key_block.h"
#include "store/leaf_format.h"

namespace entitable {

// The greatest size of a page, envelope included.  A row that is longer by
// itself gets a longer page of its own.
inline constexpr std::size_t kMaxLeafBytes = std::size_t{60} * 1024;

// An immutable page in memory.  Rows are numbered from 0 in key order.  A row
// is an entity, or a tombstone for an entity in an older run.
class LeafPage {
 public:
  // Fails with StorageDamaged if the bytes are invalid.  Safe for any bytes:
  // afterwards all functions below are safe, too.  Decode() does not check that
  // each key is the key of an entity; ParseSortKey() does.
  static Result<LeafPage> Decode(Bytes value);

  LeafPage(LeafPage&&) = default;
  LeafPage& operator=(LeafPage&&) = default;
  LeafPage(const LeafPage&) = delete;
  LeafPage& operator=(const LeafPage&) = delete;

  std::size_t row_count() const { return layout_.rows; }

  // The memory that the page takes, in bytes.
  std::size_t memory_bytes() const;

  // The page as it is stored.
  const Bytes& value() const { return value_; }

  // The row with this key.
  std::optional<std::size_t> FindRow(std::string_view sort_key) const {
    return keys().Find(sort_key);
  }

  // The first row whose key is not less than this one; row_count() if there is
  // none.
  std::size_t LowerBound(std::string_view sort_key) const {
    return keys().LowerBound(sort_key);
  }

  // Reads the key of a row into `sort_key`.  Returns the entries from which
  // KeyBlock::Next() continues.
  std::string_view KeyOf(std::size_t row, std::string& sort_key) const {
    return keys().KeyOf(row, sort_key);
  }

  const std::string& last_key() const { return last_key_; }

  bool is_tombstone(std::size_t row) const {
    return live_rows() != nullptr && !BitAt(live_rows(), row);
  }

  // The functions below need a row that is not a tombstone.  Properties are in
  // their order.
  PageRow RowAt(std::size_t row) const;  // Has no page number.
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
  // By reference: in a copy on the stack, GCC 12 takes the long value for one
  // that is stored in place, and warns.
  explicit LeafPage(Bytes&& value) : value_(std::move(value)) {}

  // Compute the positions of what the directory lists, and check it.
  void Attach(std::size_t directory_end);
  bool IsSound();  // Sets last_key_, too.
  bool AreSchemasSound() const;

  Bytes value_;

  // A view of the value.  A page is longer than what std::string stores in
  // place, so its bytes do not move when the page object is moved.
  LeafLayout layout_;
  std::string last_key_;
};

// ---------------------------------------------------------------- column check

// Checks that the arrays of a column match its directory.

// Whether exactly `set` of the first `bits` bits are set, and none of the
// unused ones.  True if the array is missing.
bool HasBits(const PackedArray& words, std::size_t bits, std::size_t set);

// Whether the numbers begin with 0, never decrease, and end with `last`.
bool AreStarts(const PackedArray& starts, std::uint64_t last);

// Whether every value of the column can be read safely and is valid for its
// type.
bool IsSoundColumn(const Column& column, std::size_t row_count);

// -------------------------------------------------------------------- page key

// The key of one row of a page, decoded when it is asked for.

// Rows are mostly asked for in their order: decoding continues from the last
// one.
class PageKey {
 public:
  // Valid until the next call.
  const std::string& Read(const LeafPage& page, std::size_t row);

  // The next call is about another page.
  void Forget() { next_row_ = 0; }

 private:
  std::string key_;  // Of the row before `next_row_`.
  std::size_t next_row_ = 0;
  std::string_view next_;  // The entries from there on.
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_LEAF_PAGE_H_
