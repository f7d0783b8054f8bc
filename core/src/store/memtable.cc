#include "store/memtable.h"

#include <utility>

namespace entitable {

const MemRow* Memtable::Find(std::string_view sort_key) const {
  const auto found = rows_.find(sort_key);
  return found == rows_.end() ? nullptr : &found->second;
}

void Memtable::Put(std::string sort_key, const MemRow& row) {
  rows_.insert_or_assign(std::move(sort_key), row);
}

std::optional<MemRow> Memtable::Exchange(const std::string& sort_key,
                                         const std::optional<MemRow>& row) {
  std::optional<MemRow> before;
  if (const MemRow* found = Find(sort_key)) before = *found;
  if (row) {
    rows_.insert_or_assign(sort_key, *row);
  } else {
    rows_.erase(sort_key);
  }
  return before;
}

void Memtable::Erase(const SortRange& range) {
  rows_.erase(rows_.lower_bound(range.begin), rows_.lower_bound(range.end));
}

void Memtable::Forget(std::uint64_t number) {
  std::erase_if(
      rows_, [number](const auto& row) { return row.second.number <= number; });
}

}  // namespace entitable
