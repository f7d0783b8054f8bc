// column_writer.h - the columns of a leaf page, and the schemas of its rows, as
// bytes.

#ifndef ENTITABLE_STORE_COLUMN_WRITER_H_
#define ENTITABLE_STORE_COLUMN_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash_index.h"
#include "model/column.h"
#include "model/value.h"
#include "store/leaf_format.h"

namespace entitable {

// Writes numbers and bits into the arrays of a page.

// Every page builder collects numbers of all kinds in this one type, so that
// the module contains only one instance of the vector's code.
using Words = std::vector<std::uint64_t>;

// Sets bit `i`, which is behind the last bit.  Bits in between become zero.
void SetBit(std::size_t i, bool bit, Words& words);

// The functions below write into arrays of a page whose layout is known.

// Writes each number minus `base`, from element `first` of the array on.
void PutAll(const Words& numbers, const PackedArray& array,
            std::uint64_t base = 0, std::size_t first = 0);

// Writes the bytes from byte `first` of the array on.
void PutBytes(std::string_view bytes, const PackedArray& array,
              std::size_t first = 0);

// --------------------------------------------------------------- column writer

class ColumnWriter {
 public:
  // Makes the writer empty, but keeps its memory.
  void Reset(std::string_view name, EdmType type);

  bool Is(std::string_view name, EdmType type) const {
    return type_ == type && name_ == name;
  }

  // Computes the size of the column with this value added.  `packed` is the
  // value as a PropertyList stores it; it must stay valid until Add().
  void Try(std::string_view packed);
  std::size_t tried_values() const { return tried_.values; }
  std::size_t tried_bytes() const { return tried_.size; }

  // Adds the value that was tried last.  Rows come in ascending order.
  void Add(std::size_t row);

  // The bytes of the column in the directory and in all arrays except
  // `presence`; 0 if the column has no value.
  std::size_t bytes() const { return totals_.size; }

  // The column's entry in the directory, with array widths.
  Column Describe() const;

  // Writes the values into the arrays that the layout placed for the described
  // column.
  void Write(const Column& column) const;

 private:
  // The numbers that decide the column's size.
  struct Totals {
    std::uint32_t values = 0;
    std::uint32_t size = 0;  // Of the column, as in bytes().

    // For integers.
    std::int64_t least = 0;
    std::int64_t greatest = 0;

    // For texts: the bytes of all texts, and those of the distinct texts as
    // long as there are few.
    std::uint32_t bytes = 0;
    std::uint32_t entries = 0;
    std::uint32_t entry_bytes = 0;

    // Computed from the members above.
    std::uint8_t width = 0;
    bool is_dictionary = false;
  };

  void TryInteger();
  void TryText();
  std::size_t FindEntry() const;
  // Computes the bytes in the directory (after the count of values) and in the
  // arrays, and sets the computed members of `totals`.
  std::size_t BytesOf(Totals& totals) const;
  void AddText();

  // Texts one behind another.
  struct Texts {
    std::string bytes;
    Words ends;

    std::string_view At(std::size_t index) const;
    void Append(std::string_view text);
  };
  Texts AllTexts() const;
  static void WriteTexts(const Texts& texts, const Column& column);

  std::string name_;
  EdmType type_ = EdmType::kString;
  ColumnForm form_ = ColumnForm::kTexts;
  std::size_t directory_bytes_ = 0;  // For type, form and name.
  Totals totals_;

  std::string_view packed_;
  Totals tried_;
  // The text that was tried last, and its dictionary entry.
  std::uint32_t hash_ = 0;
  std::size_t entry_ = 0;

  Words presence_;
  Words numbers_;  // The elements of the column's form.

  // Of texts: each once while those are few, because a page may stand for many
  // times its length; and which of them each value is.  Then all.
  Texts texts_;
  Words entry_of_;
  HashIndex entries_;
};

// ----------------------------------------------------------- row schema writer

// Collects the row schemas of a page.

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

#endif  // ENTITABLE_STORE_COLUMN_WRITER_H_
