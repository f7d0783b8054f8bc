#include "store/recent_changes.h"

#include <algorithm>

#include "base/coding.h"
#include "store/sort_key.h"

namespace entitable {
namespace {

// Room for some thousand rows.  A reader that is further behind reads the whole
// table again instead.
constexpr std::size_t kMaxBytes = std::size_t{128} * 1024;

// Far more than are changed while a follower reads.
constexpr std::size_t kMaxTables = 1'000;

// Whether the test holds for a change behind the record.
template <typename Test>
bool IsAnySince(std::string_view changes, std::uint64_t number, Test test) {
  while (!changes.empty()) {
    const auto change = RecentChanges::TakeLast(changes);
    if (change.number <= number) return false;
    if (test(change.sort_key)) return true;
  }
  return false;
}

}  // namespace

void RecentChanges::Note(std::uint64_t number, Origin origin, TableId table,
                         std::string_view sort_key) {
  // Usually a record changes one table.
  auto& tables = touched_.tables;
  if (tables.empty() || tables.back() != table) tables.push_back(table);
  auto found = std::ranges::find(changes_, table, &Changes::table);
  if (found == changes_.end()) {
    found = changes_.insert(found, {table, {}, noted_, 0});
  }
  Changes& changes = *found;
  const std::size_t before = changes.bytes.size();
  changes.bytes += sort_key;
  AppendU32(static_cast<std::uint32_t>(sort_key.size()), changes.bytes);
  AppendU8(static_cast<std::uint8_t>(origin), changes.bytes);
  AppendU64(number, changes.bytes);
  const std::size_t added = changes.bytes.size() - before;
  bytes_ += added;
  noted_ += added;
  last_ = number;
}

// Drops half of a table's changes at a time, so that not every record moves all
// the others.
void RecentChanges::Trim() {
  if (changes_.size() > kMaxTables) ForgetUpTo(last_);
  while (bytes_ > kMaxBytes) {
    Changes& most = *std::ranges::max_element(
        changes_, {}, [](const Changes& one) { return one.bytes.size(); });
    std::string_view rest = most.bytes;
    const std::size_t half = rest.size() / 2;
    std::uint64_t number = 0;
    while (rest.size() > half) number = TakeLast(rest).number;
    Erase(most, number);
  }
}

void RecentChanges::ForgetUpTo(std::uint64_t number) {
  touched_.are_all = true;
  forgotten_ = std::max(forgotten_, number);
  for (Changes& changes : changes_) Erase(changes, number);
  std::erase_if(changes_, [this](const Changes& one) {
    return one.bytes.empty() && one.forgotten <= forgotten_;
  });
}

const RecentChanges::Changes* RecentChanges::Find(TableId table) const {
  const auto found = std::ranges::find(changes_, table, &Changes::table);
  return found == changes_.end() ? nullptr : &*found;
}

bool RecentChanges::IsKnownSince(TableId table, std::uint64_t number) const {
  const Changes* changes = Find(table);
  return forgotten_ <= number &&
         (changes == nullptr || changes->forgotten <= number);
}

bool RecentChanges::HasChanged(TableId table, std::uint64_t number) const {
  if (!IsKnownSince(table, number)) return true;
  const Changes* changes = Find(table);
  return changes != nullptr &&
         IsAnySince(changes->bytes, number,
                    [](std::string_view) { return true; });
}

bool RecentChanges::HaveChanged(const RangeSet& rows,
                                std::uint64_t number) const {
  if (forgotten_ > number) return true;
  const auto has = [&rows](std::string_view sort_key) {
    return rows.Has(sort_key);
  };
  return std::ranges::any_of(changes_, [&](const Changes& one) {
    const bool is_known = one.forgotten <= number;
    return (!is_known && has(WholeTable(one.table).begin)) ||
           IsAnySince(one.bytes, number, has);
  });
}

std::uint64_t RecentChanges::EndOf(TableId table) const {
  const Changes* changes = Find(table);
  return changes == nullptr ? noted_ : changes->begin + changes->bytes.size();
}

std::string_view RecentChanges::ChangesBefore(TableId table,
                                              std::uint64_t place) const {
  const Changes* changes = Find(table);
  if (changes == nullptr || place <= changes->begin) return {};
  return std::string_view(changes->bytes)
      .substr(0, static_cast<std::size_t>(place - changes->begin));
}

void RecentChanges::Erase(Changes& changes, std::uint64_t number) {
  changes.forgotten = std::max(changes.forgotten, number);
  std::string_view forgotten = changes.bytes;
  for (std::string_view rest = changes.bytes; !rest.empty();) {
    if (TakeLast(rest).number <= number) break;
    forgotten = rest;
  }
  const std::size_t size = forgotten.size();
  changes.begin += size;
  changes.bytes.erase(0, size);
  bytes_ -= size;
}

RecentChanges::Change RecentChanges::TakeLast(std::string_view& changes) {
  constexpr std::size_t kEndBytes = 13;
  Decoder end(changes.substr(changes.size() - kEndBytes));
  const std::size_t key_bytes = end.ReadU32();
  const auto origin = static_cast<Origin>(end.ReadU8());
  const std::uint64_t number = end.ReadU64();
  const std::size_t start = changes.size() - kEndBytes - key_bytes;
  const std::string_view sort_key = changes.substr(start, key_bytes);
  changes = changes.substr(0, start);
  return {number, origin, sort_key};
}

}  // namespace entitable
