// column_writer.h - gathers the values of one column of a page.

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
  // As new, but keeps its memory.
  void Reset(std::string_view name, EdmType type);

  bool Is(std::string_view name, EdmType type) const {
    return type_ == type && name_ == name;
  }

  // Looks at a value, in the bytes that a PropertyList has for it: what the
  // column would be with it.  The bytes must live until it is added.
  void Try(std::string_view packed);
  std::size_t tried_values() const { return tried_.values; }
  std::size_t tried_bytes() const { return tried_.size; }

  // Adds the value that was tried last, of a row after the last one.
  void Add(std::size_t row);

  // What it takes in the directory and in all arrays but `presence`; 0 without
  // a value.
  std::size_t bytes() const { return totals_.size; }

  // What the directory says of it, with widths.
  Column Describe() const;

  // Into the arrays of what it described.
  void Write(const Column& column) const;

 private:
  // What the size of the column depends on.
  struct Totals {
    std::uint32_t values = 0;
    std::uint32_t size = 0;  // Of the column, as in bytes().

    // Of integers.
    std::int64_t least = 0;
    std::int64_t greatest = 0;

    // Of texts: all, and each only once as long as those are few.
    std::uint32_t bytes = 0;
    std::uint32_t entries = 0;
    std::uint32_t entry_bytes = 0;

    // What follows.
    std::uint8_t width = 0;
    bool is_dictionary = false;
  };

  void TryInteger();
  void TryText();
  std::size_t FindEntry() const;
  // In the directory, behind the count of values, and in arrays; fills in what
  // follows from the other totals.
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
  std::size_t directory_bytes_ = 0;  // Of type, form and name.
  Totals totals_;

  std::string_view packed_;
  Totals tried_;
  std::uint32_t hash_ = 0;  // Of a text that was tried, and its entry.
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
