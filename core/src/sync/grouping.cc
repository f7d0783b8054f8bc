#include "sync/grouping.h"

#include <algorithm>

#include "wire/entity_writer.h"

namespace entitable::sync {
namespace {

bool HasRow(std::span<const std::string> row_keys, const std::string& row_key) {
  return std::ranges::find(row_keys, row_key) != row_keys.end();
}

}  // namespace

std::size_t RequestBytes(EntityKeyView key, const RowValue& value) {
  std::string body;
  if (value) AppendRequestEntity(key, *value, body);
  // A key may grow threefold in the address.
  constexpr std::size_t kOverhead = 512;
  return kOverhead + 3 * (key.partition_key.size() + key.row_key.size()) +
         body.size();
}

std::vector<std::string> UnionOf(std::span<const std::string> a,
                                 std::span<const std::string> b) {
  std::vector<std::string> all(a.begin(), a.end());
  for (const std::string& row_key : b) {
    if (!HasRow(a, row_key)) all.push_back(row_key);
  }
  return all;
}

bool FitsTogether(std::span<const Group> open,
                  std::span<const std::string> row_keys, std::size_t bytes,
                  const GroupLimits& limits) {
  std::vector<std::string> all(row_keys.begin(), row_keys.end());
  for (const Group& group : open) {
    all = UnionOf(all, group.row_keys);
    bytes += group.bytes;
  }
  return all.size() <= limits.rows && bytes <= limits.bytes;
}

std::size_t CountTogether(std::span<const Group> ready,
                          const GroupLimits& limits) {
  std::size_t rows = 0;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < ready.size(); ++i) {
    rows += ready[i].row_keys.size();
    bytes += ready[i].bytes;
    const bool is_split =
        ready[i].is_alone || rows > limits.rows || bytes > limits.bytes;
    if (i > 0 && is_split) return i;
    if (ready[i].is_alone) return 1;
  }
  return ready.size();
}

}  // namespace entitable::sync
