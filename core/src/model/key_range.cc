#include "model/key_range.h"

#include <string>

namespace entitable {

std::strong_ordering KeyBound::operator<=>(const KeyBound& other) const {
  const auto order = key <=> other.key;
  return order != 0 ? order : after <=> other.after;
}

KeyBound StartOfPartition(std::string_view partition) {
  return {{std::string(partition), {}}, false};
}

KeyBound EndOfPartition(std::string_view partition) {
  KeyBound end = StartOfPartition(partition);
  end.key.partition_key.push_back('\0');
  return end;
}

}  // namespace entitable
