// A hash table with open addressing.  A slot has the hash and the number of an
// item, and an item is placed in the first free slot from its hash on, so slots
// with one hash lie close together and a free slot ends each search.  Half of
// the slots are free at least, and hashes cannot be predicted (keyed_hash.h).
// So a search looks at two or three slots, whatever the items are.
//
// Items are never removed one by one, because the slots of others may lie
// behind theirs.  Truncate() places all that stay again.

#include "base/hash_index.h"

#include <algorithm>
#include <utility>

#include "base/heap_sort.h"

namespace entitable {
namespace {

constexpr std::size_t kFirstSlotCount = 16;

std::uint32_t HashIn(std::uint64_t slot) {
  return static_cast<std::uint32_t>(slot >> 32);
}

std::uint32_t NumberIn(std::uint64_t slot) {
  return static_cast<std::uint32_t>(slot) - 1;
}

}  // namespace

std::size_t HashIndex::Next(Probe& probe) const {
  if (slots_.empty()) return kNone;
  while (true) {
    const std::uint64_t slot = slots_[probe.slot++ & (slots_.size() - 1)];
    if (slot == 0) return kNone;
    if (HashIn(slot) == probe.hash) return NumberIn(slot);
  }
}

void HashIndex::Add(std::uint32_t hash) {
  if (++size_ * 2 > slots_.size()) {
    PlaceAll(std::max(kFirstSlotCount, slots_.size() * 2));
  }
  Place(std::uint64_t{hash} << 32 | size_);
}

void HashIndex::Clear() {
  if (size_ == 0) return;
  size_ = 0;
  if (slots_.size() > kFirstSlotCount) slots_ = std::vector<std::uint64_t>();
  std::ranges::fill(slots_, 0);
}

void HashIndex::Truncate(std::size_t size) {
  if (size == size_) return;
  size_ = size;
  PlaceAll(slots_.size());
}

void HashIndex::Place(std::uint64_t slot) {
  std::size_t i = HashIn(slot);
  while (SlotAt(i) != 0) ++i;
  SlotAt(i) = slot;
}

void HashIndex::PlaceAll(std::size_t slot_count) {
  const std::vector<std::uint64_t> old =
      std::exchange(slots_, std::vector<std::uint64_t>(slot_count));
  for (const std::uint64_t slot : old) {
    if (slot != 0 && NumberIn(slot) < size_) Place(slot);
  }
}

// ------------------------------------------------------------------ hash order

namespace {

std::uint32_t EntryHash(HashOrder::Entry entry) {
  return static_cast<std::uint32_t>(entry >> 32);
}

}  // namespace

void HashOrder::Add(std::string_view text) {
  entries_.push_back(Entry{HashOf(text)} << 32 | entries_.size());
}

void HashOrder::Sort() { HeapSort(entries_); }

std::span<const HashOrder::Entry> HashOrder::Find(std::string_view text) const {
  const std::uint32_t hash = HashOf(text);
  const auto first =
      std::lower_bound(entries_.begin(), entries_.end(), Entry{hash} << 32);
  std::span<const Entry> rest(first, entries_.end());
  if (rest.empty() || EntryHash(rest.front()) != hash) return {};
  return TakeAlike(rest);
}

std::span<const HashOrder::Entry> HashOrder::TakeAlike(
    std::span<const Entry>& entries) {
  std::size_t count = 1;
  const std::uint32_t hash = EntryHash(entries.front());
  while (count < entries.size() && EntryHash(entries[count]) == hash) ++count;
  const auto alike = entries.first(count);
  entries = entries.subspan(count);
  return alike;
}

}  // namespace entitable
