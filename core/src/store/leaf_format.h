// leaf_format.h - what a leaf page consists of, and where each part lies.
//
//   leaf      = envelope "ETLF" 1 around directory padding { array }
//   directory = rows:varint live:varint key_bytes:varint
//               shapes:varint schema_columns:varint columns:varint { column }
//   column    = type:u8 form:u8 name:text values:varint
//               ( width:u8 base:zigzag            form 1, integers
//               |                                 form 2, doubles
//               |                                 form 3, bits
//               |                                 form 4, GUIDs
//               | bytes:varint                    form 5, texts
//               | bytes:varint entries:varint )   form 6, dictionary
//   zigzag    = the varint of 2n for n >= 0, of -2n - 1 for n < 0
//
// Zero bytes pad the directory to a multiple of 8, counted from the first byte
// of the envelope.  Arrays follow without gaps: first those with elements of 8
// bytes, then of 4, 2 and 1, in the order of this table within a width.  So all
// are aligned to their elements.  Elements of width 0 take no place and are 0.
//
//   live rows      1 bit a row                     only if live < rows
//   shape numbers  1 a row                         width 0, 1 or 2: see
//   shape starts   shapes + 1                      2   NumberWidth(shapes)
//   shape columns  schema_columns                   1 or 2: columns <= 256?
//   restarts       1 a run of 16 keys              2
//   keys           key_bytes                       1   see key_block.h
//   and of each column
//     presence     1 bit a row                     only if values < live
//     numbers      1 a value: integers             width
//                             doubles              8
//                             bits                 1 bit a value
//                             GUIDs                2 of 8
//                             dictionary           0 or 1: entries > 1?  <= 256
//     starts       texts, dictionary: entries + 1  2 or 4: bytes < 65,536?
//     bytes        texts, dictionary               1
//
// Bits lie in words of 8 bytes, unused ones are 0.  A row that is not live is
// the mark of a deletion; it has a key and no more.  Column 0 is the Timestamp;
// the others are the properties, one for each (name, type).  Shape s is the
// list of columns from shape starts[s] to [s + 1], the properties of an entity
// in their order.  `form` and what the arrays mean: model/column.h.

#ifndef ENTITABLE_STORE_LEAF_FORMAT_H_
#define ENTITABLE_STORE_LEAF_FORMAT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/coding.h"
#include "model/column.h"
#include "store/envelope.h"

namespace entitable {

inline constexpr EnvelopeKind kLeafKind{"ETLF", 1};

inline constexpr std::string_view kTimestampName = "Timestamp";

// Of a dictionary, so that one byte can number them.
inline constexpr std::size_t kMaxEntries = 256;

// The directory stands for itself in counts: those of `keys`, `schema_starts`
// and `schema_columns`, and in a column of `bytes`; and in the width of the
// numbers of an integer column.  All else of an array follows.
struct LeafLayout {
  std::uint32_t rows = 0;
  std::uint32_t live = 0;
  PackedArray live_rows;
  PackedArray schema_numbers;
  PackedArray schema_starts;
  PackedArray schema_columns;
  PackedArray restarts;
  PackedArray keys;
  std::vector<Column> columns;
};

// The least width that can number so many things, 0 for one or none.
constexpr std::uint8_t NumberWidth(std::size_t count) {
  return count <= 1 ? 0 : count <= 256 ? 1 : 2;
}
constexpr std::uint8_t SchemaColumnWidth(std::size_t columns) {
  return columns <= 256 ? 1 : 2;
}
constexpr std::uint8_t StartWidth(std::size_t bytes) {
  return bytes < 65'536 ? 2 : 4;
}
constexpr std::uint8_t IntegerWidth(std::uint64_t greatest) {
  return greatest == 0            ? 0
         : greatest <= UINT8_MAX  ? 1
         : greatest <= UINT16_MAX ? 2
         : greatest <= UINT32_MAX ? 4
                                  : 8;
}

constexpr std::uint64_t ZigZag(std::int64_t number) {
  return static_cast<std::uint64_t>(number) << 1 ^
         static_cast<std::uint64_t>(number >> 63);
}
constexpr std::int64_t UnZigZag(std::uint64_t code) {
  return static_cast<std::int64_t>(code >> 1 ^ (~(code & 1) + 1));
}

// Of values of the type; texts may be a dictionary as well.  ColumnForm() when
// it is no type.
ColumnForm FormOf(EdmType type);

void AppendDirectory(const LeafLayout& layout, std::string& out);

// Marks the decoder as failed where the bytes do not follow the grammar, or
// when more is counted than there are bytes.
LeafLayout TakeDirectory(Decoder& bytes);

// Sizes all arrays of a directory that ends so many bytes after the start of
// the envelope.
void SizeArrays(LeafLayout& layout);

// Places them behind it, in a page that begins at `page`, or nowhere when that
// is null.  Returns the size of the page.
std::uint64_t PlaceArrays(std::size_t directory_end, const char* page,
                          LeafLayout& layout);

}  // namespace entitable

#endif  // ENTITABLE_STORE_LEAF_FORMAT_H_
