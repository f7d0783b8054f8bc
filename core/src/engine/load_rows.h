// load_rows.h - the entities of a step of an import, in key order.

#ifndef ENTITABLE_ENGINE_LOAD_ROWS_H_
#define ENTITABLE_ENGINE_LOAD_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/date_time.h"
#include "model/entity_key.h"
#include "store/lookup.h"

namespace entitable {

struct LoadRow {
  std::uint64_t prefix;  // Of the key, behind the common bytes.
  // The position of the key, which the properties follow.
  std::uint32_t at;
  std::uint32_t key_size;
  std::uint32_t size;       // Of the properties.
  std::uint32_t index;      // In the order of the input.
  DateTime timestamp = {};  // For an archive.

  // What a lookup has found in pages, and the number of what it found.
  Presence stored = Presence::kUnknown;
  std::uint32_t found = 0;
};

// Invariant: after Sort(), the rows are in key order, and rows with the same
// key in the order of the input.  All bytes of all rows are in one string.
class LoadRows {
 public:
  void Add(EntityKeyView key, std::string_view properties, DateTime timestamp);
  void Sort();

  // Drops the rows before this index of the input.
  void DropBefore(std::size_t index);

  bool is_empty() const { return rows_.empty(); }
  std::size_t size() const { return rows_.size(); }

  // Of keys and properties, with bookkeeping.
  std::size_t bytes() const {
    return bytes_.size() + rows_.size() * sizeof(LoadRow);
  }

  LoadRow& operator[](std::size_t i) { return rows_[i]; }
  const LoadRow& operator[](std::size_t i) const { return rows_[i]; }
  auto begin() { return rows_.begin(); }
  auto end() { return rows_.end(); }
  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }

  std::string_view KeyOf(const LoadRow& row) const {
    return {bytes_.data() + row.at, row.key_size};
  }
  std::string_view PropertiesOf(const LoadRow& row) const {
    return {bytes_.data() + row.at + row.key_size, row.size};
  }

  // The end of the rows with the same key.
  std::size_t EndOfKey(std::size_t begin) const;

 private:
  bool IsBefore(const LoadRow& a, const LoadRow& b) const;

  std::string bytes_;
  std::vector<LoadRow> rows_;
  std::size_t common_ = 0;  // How many bytes all keys have in common.
};

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_LOAD_ROWS_H_
