#include "request/key_scope.h"

#include <string>
#include <string_view>

namespace entitable {
namespace {

std::string Text(std::optional<std::string_view> text) {
  return std::string(text.value_or(""));
}

// A missing lower bound is before all keys; a missing upper bound is behind
// all.
void Narrow(const KeyRange& bounds, KeyRange& range) {
  if (bounds.lower && (!range.lower || *range.lower < *bounds.lower)) {
    range.lower = bounds.lower;
  }
  if (bounds.upper && (!range.upper || *bounds.upper < *range.upper)) {
    range.upper = bounds.upper;
  }
}

}  // namespace

KeyRange RangeOf(const KeyScope& scope) {
  KeyRange range;
  if (scope.first_partition_key) {
    range.lower = KeyBound{
        {Text(scope.first_partition_key), Text(scope.first_row_key)}, false};
  }
  if (!scope.last_partition_key) return range;
  range.upper =
      KeyBound{{Text(scope.last_partition_key), Text(scope.last_row_key)},
               scope.last_row_key.has_value()};
  // Without a row key, the range ends before the first possible later
  // partition.
  if (!scope.last_row_key) range.upper->key.partition_key.push_back('\0');
  return range;
}

bool Contains(const KeyRange& range, const EntityKeyView& key) {
  KeyRange one;
  const EntityKey copy{std::string(key.partition_key),
                       std::string(key.row_key)};
  one.lower = KeyBound{copy, false};
  one.upper = KeyBound{copy, true};
  Narrow(range, one);
  return !one.is_empty();
}

bool IsInScope(const EntityKeyView& key, const std::optional<KeyScope>& scope) {
  return !scope || Contains(RangeOf(*scope), key);
}

std::vector<KeyRange> Within(const KeyRange& bounds,
                             std::vector<KeyRange> ranges) {
  for (KeyRange& range : ranges) Narrow(bounds, range);
  std::erase_if(ranges, [](const KeyRange& range) { return range.is_empty(); });
  return ranges;
}

}  // namespace entitable
