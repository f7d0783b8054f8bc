// hash_index.h - finds numbered items by hash.  The owner keeps the items.

#ifndef ENTITABLE_BASE_HASH_INDEX_H_
#define ENTITABLE_BASE_HASH_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <span>
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

// ------------------------------------------------------------------ hash order

// Numbered texts sorted by their hashes.
//
// For untrusted texts.  A hash table becomes slow if all hashes are equal;
// here, the worst case is the cost of sorting.

class HashOrder {
 public:
  // The hash in the upper half, the number in the lower half.
  using Entry = std::uint64_t;
  static std::size_t NumberIn(Entry entry) {
    return static_cast<std::uint32_t>(entry);
  }

  void Reserve(std::size_t count) { entries_.reserve(count); }

  // Adds a text with the next number, from 0.
  void Add(std::string_view text);

  void Sort();

  // The functions below need the entries to be sorted.  Entries with the same
  // hash are in the order of their numbers.

  std::span<const Entry> all() const { return entries_; }

  // The entries with the hash of the text.
  std::span<const Entry> Find(std::string_view text) const;

  // Removes and returns the first entry, which must exist, and all entries with
  // the same hash.
  static std::span<const Entry> TakeAlike(std::span<const Entry>& entries);

 private:
  std::uint32_t HashOf(std::string_view text) const {
    return static_cast<std::uint32_t>(hash_.Of(text));
  }

  KeyedHash hash_;
  std::vector<Entry> entries_;
};

}  // namespace entitable

#endif  // ENTITABLE_BASE_HASH_INDEX_H_
