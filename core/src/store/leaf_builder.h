// leaf_builder.h - builds leaf pages from rows in key order.

#ifndef ENTITABLE_STORE_LEAF_BUILDER_H_
#define ENTITABLE_STORE_LEAF_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash_index.h"
#include "entitable/storage.h"
#include "model/column.h"
#include "model/column_source.h"
#include "model/entity.h"
#include "store/column_writer.h"
#include "store/key_block.h"
#include "store/leaf_format.h"
#include "store/leaf_page.h"

namespace entitable {

// Computes the zone map of a leaf page.

// Limits that leave room for many leaf pages in one directory page.
inline constexpr std::size_t kMaxZoneMapColumns = 16;
inline constexpr std::size_t kMaxZoneMapBytes = 512;

// Texts are cut at the end of the character that contains this byte.
inline constexpr std::size_t kZoneMapTextBytes = 8;

// The zone map of the first columns that fit; see model/row_filter.h.
PropertyList ZoneMapOf(std::span<const Column> columns);

// ---------------------------------------------------------------- leaf builder

// What the directory page stores about a leaf page.
struct LeafSummary {
  std::string first_key = {};
  std::string last_key = {};
  std::size_t row_count = 0;
  std::size_t tombstone_count = 0;  // How many of the rows are tombstones.
  PropertyList zone_map = {};       // Set by Finish(); see model/row_filter.h.
};

class LeafBuilder {
 public:
  explicit LeafBuilder(std::size_t max_bytes = kMaxLeafBytes);

  // Returns false and does nothing if the row would make the page too long.
  // The first row of a page always fits.  Keys must ascend.
  bool Add(std::string_view sort_key, const EntityView& entity);
  bool Add(std::string_view sort_key, const PageRow& row);
  bool AddTombstone(std::string_view sort_key);

  bool is_empty() const { return counts_.rows == 0; }

  // The approximate size of the page so far, in bytes.
  std::size_t approximate_bytes() const {
    return keys_.bytes() + counts_.column_bytes;
  }

  // Of the last page, until a row is added to the next one.
  const LeafSummary& summary() const { return summary_; }

  // Returns the page and empties the builder.  There must be at least one row.
  Bytes Finish();

 private:
  // Together with the keys and row schemas, these decide the page's size.
  struct Counts {
    std::uint32_t rows = 0;
    std::uint32_t live = 0;
    std::size_t column_bytes = 0;
    // Columns without a value in some live row.
    std::size_t partial_columns = 0;
  };

  void Clear();

  // All values of a row are tried before the row is added.  AddTriedRow()
  // returns false and undoes this if the row does not fit.
  void BeginRow(DateTime timestamp);
  void TryProperty(std::string_view name, EdmType type,
                   std::string_view packed);
  bool AddTriedRow(std::string_view sort_key);
  bool IsTried(std::uint64_t column) const;
  void TryValue(std::size_t column, std::string_view packed);
  std::size_t ColumnOf(std::string_view name, EdmType type);
  void NewColumn(std::string_view name, EdmType type);
  void ForgetColumns(std::size_t from);
  bool Fits(std::string_view sort_key, std::size_t schema) const;
  void AddKey(std::string_view sort_key);
  LeafLayout Layout() const;
  void Write(const LeafLayout& layout) const;

  std::size_t max_bytes_;
  LeafSummary summary_;
  Counts counts_;
  KeyBlockWriter keys_;
  RowSchemaWriter schemas_;
  Words live_;  // One bit per row.

  // The first column_count_ writers are in use; the others keep their memory.
  // The index numbers all columns except the Timestamp.
  std::vector<ColumnWriter> columns_;
  std::size_t column_count_ = 0;
  HashIndex column_index_;

  // The page with the row that is being tried, and the columns without it.
  Counts tried_;
  std::size_t known_columns_ = 0;
  std::uint64_t greatest_tried_ = 0;  // Of the row's columns.
  // Column writers have views of these values until the row is added.
  DateTime timestamp_;
  std::vector<PackingRoom> packed_values_;

  // The schemas of that row and of the row before it.
  RowSchema schema_;
  RowSchema last_schema_;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_LEAF_BUILDER_H_
