// hash_order.h - numbered texts sorted by their hashes.
//
// For untrusted texts.  A hash table becomes slow if all hashes are equal;
// here, the worst case is the cost of sorting.

#ifndef ENTITABLE_BASE_HASH_ORDER_H_
#define ENTITABLE_BASE_HASH_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/keyed_hash.h"

namespace entitable {

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

#endif  // ENTITABLE_BASE_HASH_ORDER_H_
