// key_boxes.h - the conditions of a filter on the two keys, each key by itself.
//
// Each condition on a key becomes a box: an interval of PartitionKeys times an
// interval of RowKeys.  `and` intersects boxes, `or` unites them.

#ifndef ENTITABLE_QUERY_KEY_BOXES_H_
#define ENTITABLE_QUERY_KEY_BOXES_H_

#include <compare>
#include <string_view>
#include <vector>

#include "base/utf.h"
#include "query/filter.h"

namespace entitable {

// A position on the line of all strings: directly before or after a string, or
// at the end.  The line begins before the empty string.  An interval begins and
// ends at cuts, so it needs no flags for bounds that belong to it or not.
struct Cut {
  std::string_view text;
  bool after = false;
  bool is_end = false;

  std::strong_ordering operator<=>(const Cut& other) const {
    if (is_end || other.is_end) return is_end <=> other.is_end;
    const auto order = CompareUtf16(text, other.text);
    return order != 0 ? order : after <=> other.after;
  }
  bool operator==(const Cut& other) const = default;
};

// The strings between two cuts; by default all.  `eq 'b'` is the interval from
// the cut before 'b' to the cut after 'b'; `lt 'b'` ends at the cut before 'b'.
struct Interval {
  Cut lower = {};
  Cut upper = {.text = {}, .is_end = true};

  bool is_empty() const { return lower >= upper; }
  bool operator==(const Interval& other) const = default;
};

// All entities whose keys lie in both intervals.
struct Box {
  Interval partition;
  Interval row;

  bool is_empty() const { return partition.is_empty() || row.is_empty(); }
  bool operator==(const Box& other) const = default;
};

// The union of the boxes.  Empty boxes are left out.
using Boxes = std::vector<Box>;

// Boxes that contain every entity that can match the filter.  They are views of
// its text.
Boxes BoxesOf(const Filter& filter);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_KEY_BOXES_H_
