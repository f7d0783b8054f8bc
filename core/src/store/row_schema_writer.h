// row_schema_writer.h - gathers the shapes of a page's rows.

#ifndef ENTITABLE_STORE_ROW_SCHEMA_WRITER_H_
#define ENTITABLE_STORE_ROW_SCHEMA_WRITER_H_

#include <cstddef>

#include "base/hash_index.h"
#include "store/array_writer.h"
#include "store/leaf_format.h"

namespace entitable {

// The columns of an entity's properties, in their order.
using RowSchema = Words;

class RowSchemaWriter {
 public:
  // The number of the shape; that of the next one when there is none like it.
  std::size_t Find(const RowSchema& schema) const;

  // The next row has the shape of this number, as found; or it has none.
  void Add(std::size_t number, const RowSchema& schema);
  void AddTombstone() { numbers_.push_back(0); }

  // At most, of all arrays of shapes, when one more row has a shape of so many
  // columns.
  std::size_t BytesWith(std::size_t number, std::size_t size,
                        std::size_t column_count) const;

  // What the directory says of them.
  void FillIn(LeafLayout& layout) const;
  void Write(const LeafLayout& layout) const;

  void Clear();

 private:
  bool IsAt(std::size_t number, const RowSchema& schema) const;

  Words numbers_;  // Of each row.
  Words starts_;   // Of each shape, and then the end.
  Words columns_;
  HashIndex index_;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_ROW_SCHEMA_WRITER_H_
