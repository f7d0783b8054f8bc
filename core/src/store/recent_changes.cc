#include "store/recent_changes.h"

#include <cstddef>

#include "base/coding.h"

namespace entitable {
namespace {

// Room for some thousand rows.  A reader that is further behind reads the whole
// table again instead.
constexpr std::size_t kMaxBytes = std::size_t{128} * 1024;

}  // namespace

void RecentChanges::Note(std::uint64_t number, Origin origin, TableId table,
                         std::string_view sort_key) {
  // Usually a record changes one table.
  auto& tables = touched_.tables;
  if (tables.empty() || tables.back() != table) tables.push_back(table);
  changes_ += sort_key;
  AppendU32(static_cast<std::uint32_t>(sort_key.size()), changes_);
  AppendU8(static_cast<std::uint8_t>(origin), changes_);
  AppendU64(number, changes_);
}

// Drops half of the changes at a time, so that not every record moves all the
// others.
void RecentChanges::Trim() {
  if (changes_.size() <= kMaxBytes) return;
  std::string_view rest = changes_;
  std::uint64_t number = 0;
  while (rest.size() > kMaxBytes / 2) number = TakeLast(rest).number;
  Erase(number);
}

void RecentChanges::ForgetUpTo(std::uint64_t number) {
  touched_.are_all = true;
  Erase(number);
}

void RecentChanges::Erase(std::uint64_t number) {
  forgotten_ = number;
  std::string_view forgotten = changes_;
  for (std::string_view rest = changes_; !rest.empty();) {
    if (TakeLast(rest).number <= number) break;
    forgotten = rest;
  }
  erased_ += forgotten.size();
  changes_.erase(0, forgotten.size());
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
