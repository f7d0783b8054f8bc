// access_path.h - how much of a table a plan reads.

#ifndef ENTITABLE_READ_INDEX_ACCESS_PATH_H_
#define ENTITABLE_READ_INDEX_ACCESS_PATH_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/entity_key.h"

namespace entitable {

// The cheapest first.
enum class AccessPath : std::uint8_t {
  kNothing,
  kPoint,
  kRowRange,        // A part of one partition.
  kPartitionScan,   // All of one partition.
  kPartitionRange,  // Several adjacent partitions.
  kTableScan,
};

// The most expensive path among the ranges.
AccessPath ClassifyAccess(const std::vector<KeyRange>& ranges);

// For example "point".
std::string_view AccessPathName(AccessPath path);

}  // namespace entitable

#endif  // ENTITABLE_READ_INDEX_ACCESS_PATH_H_
