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
#include "model/column_source.h"
#include "model/entity.h"
#include "store/key_block.h"
#include "store/leaf_format.h"

namespace entitable {

// Pages are filled up to here, envelope included.  Only a row that is longer by
// itself gets a longer page, and that page has no other row.
inline constexpr std::size_t kMaxLeafBytes = std::size_t{60} * 1024;

// An immutable page in memory.  Rows are numbered from 0 in key order; a row is
// an entity, or the mark that the entity of an older page was deleted.
class LeafPage final : public ColumnSource {
 public:
  // Fails with StorageDamaged; survives any bytes.  After it no function below
  // can meet a damaged byte; only whether a key is one of an entity is left to
  // ParseSortKey().
  static Result<LeafPage> Decode(Bytes value);

  LeafPage(LeafPage&&) = default;
  LeafPage& operator=(LeafPage&&) = default;
  LeafPage(const LeafPage&) = delete;
  LeafPage& operator=(const LeafPage&) = delete;

  std::size_t row_count() const override { return row_count_; }

  // What it takes in memory, in bytes.
  std::size_t memory_bytes() const;

  // The row of this key.
  std::optional<std::size_t> FindRow(std::string_view sort_key) const;

  // The first row whose key is not before this one; row_count() when none is.
  std::size_t LowerBound(std::string_view sort_key) const {
    return keys_.LowerBound(sort_key);
  }

  // Replaces what is in `sort_key`.
  void KeyOf(std::size_t row, std::string& sort_key) const {
    keys_.KeyOf(row, sort_key);
  }

  bool is_deleted(std::size_t row) const {
    return live_ != nullptr && !BitAt(live_, row);
  }

  // Of rows that are not deleted; the properties in their order.
  DateTime TimestampOf(std::size_t row) const;
  PropertyList PropertiesOf(std::size_t row) const;
  Entity EntityOf(std::size_t row) const;

  // For filters.
  const char* live_rows() const override { return live_; }
  std::span<const Column> columns() const override { return columns_; }
  void CompareKeys(KeyPart part, std::string_view text,
                   std::span<std::uint64_t> below,
                   std::span<std::uint64_t> equal) const override;

 private:
  explicit LeafPage(Bytes value) : value_(std::move(value)) {}

  void Attach(const LeafLayout& layout);
  Column AttachColumn(const ColumnLayout& layout) const;
  PackedArray ArrayAt(const StoredArray& array) const;

  // What Attach() cannot know from the directory.
  bool IsSound(const LeafLayout& layout) const;
  bool AreShapesSound(const LeafLayout& layout) const;
  bool DoRowsHaveTheirShapes(std::uint64_t shapes) const;

  // Where in shape_columns_ the columns of a shape stand.
  struct ShapeRange {
    std::size_t begin;
    std::size_t end;
  };
  ShapeRange ShapeAt(std::size_t shape) const;
  ShapeRange ShapeOf(std::size_t row) const {
    return ShapeAt(static_cast<std::size_t>(shape_numbers_[row]));
  }
  const Column& ShapeColumn(std::size_t i) const;

  // All below look at it.  A page is longer than what a string keeps within
  // itself, so its bytes stay where they are when it is moved.
  Bytes value_;

  std::size_t row_count_ = 0;
  const char* live_ = nullptr;  // A bit a row; null when all are.
  std::size_t live_count_ = 0;
  KeyBlock keys_;
  PackedArray shape_numbers_;
  PackedArray shape_starts_;
  PackedArray shape_columns_;
  std::vector<Column> columns_;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_LEAF_PAGE_H_
