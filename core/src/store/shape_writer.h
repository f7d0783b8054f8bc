// shape_writer.h - gathers the shapes of a page's rows.

#ifndef ENTITABLE_STORE_SHAPE_WRITER_H_
#define ENTITABLE_STORE_SHAPE_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/hash_index.h"
#include "store/leaf_format.h"

namespace entitable {

// The columns of an entity's properties, in their order.
using Shape = std::vector<std::uint16_t>;

class ShapeWriter {
 public:
  // A shape that the next row may have, and its number: that of the next shape
  // when there is none like it yet.
  struct Candidate {
    std::size_t number = 0;
    std::size_t new_columns = 0;  // As many as it has, if it is new.
  };
  Candidate Try(const Shape& shape) const;

  // The next row has the shape that was tried; or it has none.
  void Add(const Candidate& candidate, const Shape& shape);
  void AddDeleted() { numbers_.push_back(0); }

  // Of all arrays of shapes after the next row.
  std::size_t BytesWith(const Candidate& candidate,
                        std::size_t column_count) const;

  // What the directory says of them.
  void FillIn(LeafLayout& layout) const;

  // Into the places of a layout; `page` begins with the envelope.
  void Write(const LeafLayout& layout, char* page) const;

  void Clear();

 private:
  std::span<const std::uint16_t> ShapeAt(std::size_t number) const;

  std::vector<std::uint16_t> numbers_;  // Of each row.
  std::vector<std::uint16_t> starts_{0};
  std::vector<std::uint16_t> columns_;
  HashIndex index_;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_SHAPE_WRITER_H_
