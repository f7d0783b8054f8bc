// row_schema_writer.h - collects the row schemas of a page.

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
  // The number of an equal schema; if there is none, the number of the next new
  // schema.
  std::size_t Find(const RowSchema& schema) const;

  // Adds a row with this schema; `number` comes from Find().  AddTombstone()
  // adds a row without a schema.
  void Add(std::size_t number, const RowSchema& schema);
  void AddTombstone() { numbers_.push_back(0); }

  // An upper bound for the size of all schema arrays after one more row is
  // added.  Its schema has the number `number` and `size` columns.
  std::size_t BytesWith(std::size_t number, std::size_t size,
                        std::size_t column_count) const;

  // Sets the schema counts of the directory.
  void FillIn(LeafLayout& layout) const;
  void Write(const LeafLayout& layout) const;

  void Clear();

 private:
  bool IsAt(std::size_t number, const RowSchema& schema) const;

  Words numbers_;  // The schema of each row.
  Words starts_;   // The start of each schema, then the end of the last.
  Words columns_;
  HashIndex index_;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_ROW_SCHEMA_WRITER_H_
