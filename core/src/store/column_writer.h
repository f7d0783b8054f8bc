// column_writer.h - gathers the values of one column of a page.

#ifndef ENTITABLE_STORE_COLUMN_WRITER_H_
#define ENTITABLE_STORE_COLUMN_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash_index.h"
#include "model/value.h"
#include "store/leaf_format.h"

namespace entitable {

class ColumnWriter {
 public:
  // All that the size of a column depends on, but for its name and presence.
  struct Totals {
    std::uint32_t values = 0;

    // Of integers and of Doubles, as long as each of those is whole.
    bool is_whole = true;
    std::uint8_t width = 0;
    std::uint8_t base_bytes = 0;  // Of `least` in the directory.
    std::int64_t least = 0;
    std::int64_t greatest = 0;

    // Of texts: all, and each only once as long as those are few.
    std::uint32_t bytes = 0;
    std::uint32_t entries = 0;
    std::uint32_t entry_bytes = 0;
    bool has_few_entries = true;
  };

  // A value that may be added, and what that would change.
  struct Candidate {
    explicit Candidate(const Value& candidate) : value(candidate) {}

    Value value;
    Totals totals;
    std::size_t bytes = 0;   // What bytes() will be.
    std::uint32_t hash = 0;  // Of a text, while there are few.
    std::uint32_t entry = 0;
  };

  ColumnWriter(std::string_view name, EdmType type) { Reset(name, type); }

  // As new, but keeps its memory.
  void Reset(std::string_view name, EdmType type);

  bool Is(std::string_view name, EdmType type) const {
    return type_ == type && name_ == name;
  }

  // Fills in what a value of the column's type would change.
  void Try(Candidate& candidate) const;

  // Of the row after the last one that was added.
  void Add(const Candidate& candidate, std::size_t row);

  // In the directory and in all arrays but `presence`; 0 without a value.
  std::size_t bytes() const { return bytes_; }

  // What the directory says of it.
  ColumnLayout Layout() const;

  // Into the places of a layout; `page` begins with the envelope.
  void Write(const ColumnLayout& layout, char* page) const;

 private:
  std::size_t BytesWith(const Totals& totals) const;
  void TryText(std::string_view text, Candidate& candidate) const;
  std::uint32_t FindEntry(std::uint32_t hash, std::string_view text) const;
  void AddText(std::string_view text, const Candidate& candidate);
  std::string_view TextAt(std::size_t index) const;
  void WriteIntegers(const ColumnLayout& layout, char* page) const;
  void WriteBits(const ColumnLayout& layout, char* page) const;
  void WriteTexts(const ColumnLayout& layout, char* page) const;
  void WriteDictionary(const ColumnLayout& layout, char* page) const;

  std::string name_;
  std::size_t directory_bytes_ = 0;  // At most, without `base`.
  EdmType type_ = EdmType::kString;
  Totals totals_;
  std::size_t bytes_ = 0;

  std::vector<std::uint64_t> presence_;
  // A number, the bits of a Double, two words of a GUID, or where a text ends.
  std::vector<std::uint64_t> words_;
  std::string texts_;

  // Of texts, while they are few: each one's entry, and who had it first.
  std::vector<std::uint8_t> entry_of_;
  std::vector<std::uint32_t> first_of_;
  HashIndex entries_;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_COLUMN_WRITER_H_
