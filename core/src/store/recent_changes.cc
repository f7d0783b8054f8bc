#include "store/recent_changes.h"

#include <cstddef>

namespace entitable {
namespace {

// Some thousand rows.  Who has more to hear of looks at the whole table
// instead.
constexpr std::size_t kMaxBytes = std::size_t{128} * 1024;

}  // namespace

void RecentChanges::Note(std::uint64_t number, std::string_view sort_key) {
  AppendU64(number, changes_);
  AppendText(sort_key, changes_);
}

// Half of it at a time, so that not each record moves all the others.
void RecentChanges::Trim() {
  if (changes_.size() <= kMaxBytes) return;
  Decoder rest = changes();
  std::uint64_t number = 0;
  while (rest.rest().size() > kMaxBytes / 2) number = TakeChange(rest).number;
  ForgetUpTo(number);
}

void RecentChanges::ForgetUpTo(std::uint64_t number) {
  forgotten_ = number;
  std::size_t kept = changes_.size();
  for (Decoder rest = changes(); !rest.at_end();) {
    if (TakeChange(rest).number > number) break;
    kept = rest.rest().size();
  }
  changes_.erase(0, changes_.size() - kept);
}

RecentChanges::Change RecentChanges::TakeChange(Decoder& changes) {
  const std::uint64_t number = changes.TakeU64();
  return {number, changes.TakeText()};
}

}  // namespace entitable
