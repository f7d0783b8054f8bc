#include "base/key_table.h"

namespace entitable {
namespace {

// In bytes.
constexpr std::size_t kMaxKept = 4096;

}  // namespace

// The keys lie in one string and the index has their numbers, so a table of
// many keys takes three allocations and not one for each key.
std::size_t KeyTable::FindOrAdd(std::string_view key) {
  const std::uint32_t hash = index_.HashOf(key);
  const std::size_t known = Find(key, hash);
  if (known != kNone) return known;
  index_.Add(hash);
  lengths_ |= std::uint64_t{1} << key.size() % 64;
  keys_ += key;
  ends_.push_back(keys_.size());
  return ends_.size() - 1;
}

void KeyTable::Clear() {
  index_.Clear();
  if (keys_.size() > kMaxKept) {
    keys_ = std::string();
    ends_ = std::vector<std::size_t>();
  }
  keys_.clear();
  ends_.clear();
  lengths_ = 0;
}

std::size_t KeyTable::FindAmongFew(std::string_view key) const {
  for (std::size_t i = 0; i < size(); ++i) {
    if ((*this)[i] == key) return i;
  }
  return kNone;
}

std::size_t KeyTable::Find(std::string_view key, std::uint32_t hash) const {
  auto probe = index_.Begin(hash);
  std::size_t i;
  do {
    i = index_.Next(probe);
  } while (i != kNone && (*this)[i] != key);
  return i;
}

}  // namespace entitable
