// leaf_builder.h - from rows in key order to leaf pages.

#ifndef ENTITABLE_STORE_LEAF_BUILDER_H_
#define ENTITABLE_STORE_LEAF_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash_index.h"
#include "entitable/page.h"
#include "model/entity.h"
#include "store/array_writer.h"
#include "store/column_writer.h"
#include "store/key_block.h"
#include "store/leaf_format.h"
#include "store/leaf_page.h"
#include "store/row_schema_writer.h"

namespace entitable {

// What the directory says of a page.
struct LeafSummary {
  std::string first_key = {};
  std::string last_key = {};
  std::size_t row_count = 0;
  std::size_t tombstone_count = 0;  // Of these rows.
  PropertyList zone_map = {};       // Once it is finished; see model/zone.h.
};

class LeafBuilder {
 public:
  explicit LeafBuilder(std::size_t max_bytes = kMaxLeafBytes);

  // False, and nothing done, when the row would make the page too long; the
  // first row always fits.  Keys come in ascending order, none twice.
  bool Add(std::string_view sort_key, const EntityView& entity);
  bool AddTombstone(std::string_view sort_key);

  bool is_empty() const { return counts_.rows == 0; }

  // About how long the page is so far, in bytes.
  std::size_t approximate_bytes() const {
    return keys_.bytes() + counts_.column_bytes;
  }

  // Of the page, until a row is added to the next one.
  const LeafSummary& summary() const { return summary_; }

  // The page, of at least one row; the builder is then empty.
  Bytes Finish();

 private:
  // Together with keys and shapes, what the size of a page depends on.
  struct Counts {
    std::uint32_t rows = 0;
    std::uint32_t live = 0;
    std::size_t column_bytes = 0;
    std::size_t partial_columns = 0;  // That lack some live row.
  };

  void Clear();
  void Try(const EntityView& entity, Counts& counts);
  void TryValue(std::size_t column, std::string_view packed, Counts& counts);
  std::size_t ColumnOf(std::string_view name, EdmType type);
  void NewColumn(std::string_view name, EdmType type);
  void ForgetColumns(std::size_t from);
  bool Fits(std::string_view sort_key, const Counts& counts,
            std::size_t schema) const;
  void AddKey(std::string_view sort_key, const Counts& counts);
  LeafLayout Layout() const;
  void Write(const LeafLayout& layout) const;

  std::size_t max_bytes_;
  LeafSummary summary_;
  Counts counts_;
  KeyBlockWriter keys_;
  RowSchemaWriter schemas_;
  Words live_;  // A bit a row.

  // The first column_count_ are in use, the others keep their memory.  The
  // index numbers them without the Timestamp.
  std::vector<ColumnWriter> columns_;
  std::size_t column_count_ = 0;
  HashIndex column_index_;

  // Of the row that is being added, and of the one before.
  RowSchema schema_;
  RowSchema last_schema_;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_LEAF_BUILDER_H_
