// hash_index.h - finds things that their owner keeps, numbered from 0, by hash.

#ifndef ENTITABLE_BASE_HASH_INDEX_H_
#define ENTITABLE_BASE_HASH_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace entitable {

// Not for storage: it may change with the version.
std::uint32_t HashOf(std::string_view bytes);

class HashIndex {
 public:
  static constexpr std::size_t kNone = SIZE_MAX;

  // Goes through the numbers under one hash:
  //   auto probe = index.Begin(hash);
  //   for (std::size_t i; (i = index.Next(probe)) != HashIndex::kNone;) ...
  struct Probe {
    std::uint32_t hash;
    std::size_t slot;
  };
  Probe Begin(std::uint32_t hash) const { return {hash, hash}; }
  std::size_t Next(Probe& probe) const;

  static constexpr std::size_t kMaxSize = 65'535;

  // Under the next number, below kMaxSize.
  void Add(std::uint32_t hash);

  // Forgets the numbers from `size` on.
  void Truncate(std::size_t size);

  std::size_t size() const { return hashes_.size(); }

 private:
  void Place(std::size_t number);
  void PlaceAll(std::size_t slot_count);

  std::vector<std::uint32_t> hashes_;
  std::vector<std::uint16_t> slots_;  // Number + 1, or 0; a power of two.
};

}  // namespace entitable

#endif  // ENTITABLE_BASE_HASH_INDEX_H_
