// leaf_format.h - the parts of a leaf page and where they lie.
//
// A leaf page stores rows by column, so that a filter can compare a whole
// column in one loop and an entity can be read without decoding its page.
//
//   leaf      = envelope "ETLF" 1 around directory padding { array }
//   directory = rows:varint live:varint key_bytes:varint
//               schemas:varint schema_columns:varint columns:varint { column }
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
// of the envelope.  The arrays follow without gaps: first the arrays with
// elements of 8 bytes, then of 4, 2 and 1, and in the order of this table
// within a width.  So every array is aligned to its elements.  Elements of
// width 0 take no bytes and are 0.
//
//   live rows       1 bit a row                     only if live < rows
//   schema numbers  1 a row                         width 0, 1 or 2: see
//   schema starts   schemas + 1                     2   NumberWidth(schemas)
//   schema columns  schema_columns                  1 or 2: columns <= 256?
//   restarts        1 for every 16 keys             2
//   keys            key_bytes                       1   see key_block.h
//   and of each column
//     presence      1 bit a row                     only if values < live
//     numbers       1 a value: integers             width
//                              doubles              8
//                              bits                 1 bit a value
//                              GUIDs                2 of 8
//                              dictionary           0 or 1: entries > 1?
//     starts        texts, dictionary: entries + 1  2 or 4: bytes < 65,536?
//     bytes         texts, dictionary               1
//
// Bits are stored in words of 8 bytes; unused bits are 0.  A row that is not
// live is a tombstone; it has only a key.  Column 0 is the Timestamp.  The
// other columns are the properties, one for each pair of name and type.  A row
// schema lists the columns of an entity's properties in their order: schema s
// is the list from schema starts[s] to schema starts[s + 1].  `form` and the
// meaning of the arrays: model/column.h.

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

// Of a dictionary, so that one byte can number its entries.
inline constexpr std::size_t kMaxEntries = 256;

// The layout holds the counts of the directory in the arrays themselves: those
// of `keys`, `schema_starts` and `schema_columns`, and of a column's `bytes`;
// also the width of the numbers of an integer column.  All other members of the
// arrays are computed.
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

// The smallest width that can number `count` things; 0 for one or none.
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

// The form for values of the type; texts may also be a dictionary.
// ColumnForm() if there is no such type.
ColumnForm FormOf(EdmType type);

void AppendDirectory(const LeafLayout& layout, std::string& out);

// Marks the decoder as failed if the bytes do not follow the grammar, or if a
// count exceeds the number of bytes.
LeafLayout ReadDirectory(Decoder& bytes);

// Computes the sizes of all arrays.  The directory ends this many bytes after
// the start of the envelope.
void SizeArrays(LeafLayout& layout);

// Computes the positions of the arrays behind the directory, in a page that
// begins at `page`; null: only computes the size.  Returns the size of the
// page.
std::uint64_t PlaceArrays(std::size_t directory_end, const char* page,
                          LeafLayout& layout);

}  // namespace entitable

#endif  // ENTITABLE_STORE_LEAF_FORMAT_H_
