#include "base/key_table.h"

namespace entitable {

std::size_t KeyTable::FindOrAdd(std::string_view key) {
  const std::uint32_t hash = index_.HashOf(key);
  const std::size_t known = Find(key, hash);
  if (known != kNone) return known;
  index_.Add(hash);
  lengths_ |= std::uint64_t{1} << key.size() % 64;
  keys_.emplace_back(key);
  return keys_.size() - 1;
}

void KeyTable::Clear() {
  index_ = {};
  keys_.clear();
  lengths_ = 0;
}

std::size_t KeyTable::Find(std::string_view key, std::uint32_t hash) const {
  auto probe = index_.Begin(hash);
  std::size_t i;
  do {
    i = index_.Next(probe);
  } while (i != kNone && keys_[i] != key);
  return i;
}

}  // namespace entitable
