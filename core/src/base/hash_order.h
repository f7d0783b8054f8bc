// hash_order.h - numbered texts in the order of their hashes.
//
// For texts of strangers: a table by hash becomes slow where all hashes are
// equal, and then this costs no more than the sorting.

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
  // The hash in the upper half, the number in the lower.
  using Entry = std::uint64_t;
  static std::size_t NumberIn(Entry entry) {
    return static_cast<std::uint32_t>(entry);
  }

  void Reserve(std::size_t count) { entries_.reserve(count); }

  // Under the next number, from 0 on.
  void Add(std::string_view text);

  void Sort();

  // Below: once sorted.  Entries of one hash are in the order of their numbers.

  std::span<const Entry> all() const { return entries_; }

  // Those whose hash is that of the text.
  std::span<const Entry> Find(std::string_view text) const;

  // Takes the first entry off, which there must be, and all of the same hash.
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
