#include "base/hash_order.h"

#include <algorithm>

#include "base/heap_sort.h"

namespace entitable {
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
