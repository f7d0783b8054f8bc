// key_table.h - numbers keys from 0 in the order in which they first occur.

#ifndef ENTITABLE_BASE_KEY_TABLE_H_
#define ENTITABLE_BASE_KEY_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash_index.h"

namespace entitable {

class KeyTable {
 public:
  static constexpr std::size_t kNone = HashIndex::kNone;

  // kNone if the key did not occur.
  std::size_t Find(std::string_view key) const {
    if (!HasLength(key.size())) return kNone;
    return size() <= kFew ? FindAmongFew(key) : Find(key, index_.HashOf(key));
  }

  // If the key is new, the result is the size() before the call.
  std::size_t FindOrAdd(std::string_view key);

  std::size_t size() const { return ends_.size(); }

  // Valid until a key is added.
  std::string_view operator[](std::size_t number) const {
    const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
    return std::string_view(keys_).substr(begin, ends_[number] - begin);
  }

  // Keeps a little memory for the next keys.
  void Clear();

 private:
  // To compare with so few keys takes less time than a hash.
  static constexpr std::size_t kFew = 4;

  std::size_t FindAmongFew(std::string_view key) const;
  std::size_t Find(std::string_view key, std::uint32_t hash) const;

  // Most unknown keys differ in length from all known keys, so they need no
  // hash.
  bool HasLength(std::size_t size) const { return lengths_ >> size % 64 & 1; }

  HashIndex index_;
  std::string keys_;               // One behind the other.
  std::vector<std::size_t> ends_;  // Where each one ends.
  std::uint64_t lengths_ = 0;      // One bit for each length modulo 64.
};

}  // namespace entitable

#endif  // ENTITABLE_BASE_KEY_TABLE_H_
