// column_writer.h - collects the values of one column of a page.

#ifndef ENTITABLE_STORE_COLUMN_WRITER_H_
#define ENTITABLE_STORE_COLUMN_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/hash_index.h"
#include "model/column.h"
#include "model/value.h"
#include "store/array_writer.h"

namespace entitable {

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

}  // namespace entitable

#endif  // ENTITABLE_STORE_COLUMN_WRITER_H_
