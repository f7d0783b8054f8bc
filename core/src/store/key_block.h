// key_block.h - sort keys in ascending order, compressed by shared prefixes.
//
//   keys  = { entry }
//   entry = shared:varint text
//
// A key is the first `shared` bytes of the previous key, followed by `text`.
// `shared` is the length of the longest common prefix.  Every 16th entry,
// beginning with the first, shares nothing; it is called a restart.  An array
// of its own holds the position of each restart, counted from the first entry.
// A search first finds the restart by binary search, then reads at most 16
// entries.  This is the block format of LevelDB.

#ifndef ENTITABLE_STORE_KEY_BLOCK_H_
#define ENTITABLE_STORE_KEY_BLOCK_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/coding.h"
#include "model/column.h"

namespace entitable {

inline constexpr std::size_t kKeysPerRestart = 16;

constexpr std::size_t RestartCount(std::size_t keys) {
  return (keys + kKeysPerRestart - 1) / kKeysPerRestart;
}

class KeyBlockWriter {
 public:
  // An upper bound for bytes() after this key is added: the key shares nothing,
  // has two lengths of up to two bytes each, and is a restart.
  std::size_t BytesWith(std::string_view key) const {
    return bytes() + key.size() + 6;
  }

  // Keys must be added in ascending order.
  void Add(std::string_view key);

  // The entries and the restart array.
  std::size_t bytes() const { return entries_.size() + 2 * restarts_.size(); }

  const std::string& last_key() const { return last_key_; }
  const std::string& entries() const { return entries_; }
  const std::vector<std::uint64_t>& restarts() const { return restarts_; }

  void Clear();

 private:
  std::size_t SharedWith(std::string_view key) const;

  std::string entries_;
  std::vector<std::uint64_t> restarts_;
  std::string last_key_;
  std::size_t count_ = 0;
};

// A view of a written block.
class KeyBlock {
 public:
  KeyBlock() = default;
  KeyBlock(std::string_view entries, PackedArray restarts, std::size_t count)
      : entries_(entries), restarts_(restarts), count_(count) {}

  // Whether the bytes follow the grammar, the keys ascend and the restarts are
  // correct.  Also reads the last key.  All other functions require a sound
  // block.
  bool IsSound(std::string& last_key) const;

  // The block must not be empty.
  std::string_view first() const { return RestartKey(0); }

  // The first key that is not less than `key`; the number of keys if there is
  // none.
  std::size_t LowerBound(std::string_view key) const { return Seek(key).row; }

  // The row with exactly this key.
  std::optional<std::size_t> Find(std::string_view key) const {
    const Found found = Seek(key);
    return found.is_equal ? std::optional(found.row) : std::nullopt;
  }

  // Reads the key of a row into `key`.  Returns the entries from which Next()
  // continues.
  std::string_view KeyOf(std::size_t row, std::string& key) const;

  // Next() turns the key of one row into the key of the next row, and an empty
  // key into the first:
  //   std::string_view rest = block.Begin();
  //   for (std::string key; KeyBlock::Next(rest, key);) ...
  // It returns false after the last row and changes nothing then.
  std::string_view Begin() const { return entries_; }
  static bool Next(std::string_view& rest, std::string& key);

 private:
  struct Entry {
    std::size_t shared;
    std::string_view rest;
  };

  // The first key that is not less than the wanted one, and whether they are
  // equal.
  struct Found {
    std::size_t row;
    bool is_equal;
  };

  Found Seek(std::string_view key) const;
  static Entry ReadEntry(const char*& at);
  const char* Restart(std::size_t restart) const {
    return entries_.data() + static_cast<std::size_t>(restarts_[restart]);
  }
  std::string_view RestartKey(std::size_t restart) const;

  std::string_view entries_;
  PackedArray restarts_;
  std::size_t count_ = 0;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_KEY_BLOCK_H_
