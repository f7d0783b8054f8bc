// hash_index.h - finds numbered items by hash.  The owner keeps the items.

#ifndef ENTITABLE_BASE_HASH_INDEX_H_
#define ENTITABLE_BASE_HASH_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/keyed_hash.h"

namespace entitable {

class HashIndex {
 public:
  static constexpr std::size_t kNone = SIZE_MAX;

  // The hash of an item's bytes.
  std::uint32_t HashOf(std::string_view bytes) const {
    return static_cast<std::uint32_t>(hash_.Of(bytes));
  }

  // Goes through the numbers with one hash:
  //   auto probe = index.Begin(hash);
  //   for (std::size_t i; (i = index.Next(probe)) != HashIndex::kNone;) ...
  struct Probe {
    std::uint32_t hash;
    std::size_t slot;
  };
  Probe Begin(std::uint32_t hash) const { return {hash, hash}; }
  std::size_t Next(Probe& probe) const;

  // Adds an item with the next number, from 0.
  void Add(std::uint32_t hash);

  // Removes all items.  Keeps a little memory for the next ones.
  void Clear();

  // Removes all items with the number `size` or greater.
  void Truncate(std::size_t size);

  std::size_t size() const { return size_; }

 private:
  std::uint64_t& SlotAt(std::size_t i) {
    return slots_[i & (slots_.size() - 1)];
  }
  void Place(std::uint64_t slot);
  void PlaceAll(std::size_t slot_count);

  KeyedHash hash_;

  // The hash in the upper half and the number plus one in the lower half; or 0.
  // The number of slots is a power of two, and at most half of them are in use.
  std::vector<std::uint64_t> slots_;
  std::size_t size_ = 0;
};

}  // namespace entitable

#endif  // ENTITABLE_BASE_HASH_INDEX_H_
