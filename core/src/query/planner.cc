#include "query/planner.h"

#include <string_view>
#include <utility>

#include "base/heap_sort.h"
#include "query/key_boxes.h"

namespace entitable {
namespace {

KeyBound RowBound(std::string_view partition, const Cut& row) {
  return {{std::string(partition), std::string(row.text)}, row.after};
}

bool IsFirstOfAll(const KeyBound& bound) {
  return bound.key == EntityKey{} && !bound.after;
}

// The range from the first entity that the box can contain to the last one.  In
// the partitions between its ends, the range also includes rows outside the
// box.
KeyRange RangeAround(const Box& box) {
  // Without bounds on the partition, bounds on the row do not help.
  if (box.partition == Interval()) return {};
  const Cut& first = box.partition.lower;
  const Cut& last = box.partition.upper;
  KeyRange range;
  range.lower = first.after ? EndOfPartition(first.text)
                            : RowBound(first.text, box.row.lower);
  if (IsFirstOfAll(*range.lower)) range.lower.reset();
  if (last.is_end) return range;
  if (!last.after) {
    range.upper = StartOfPartition(last.text);
  } else if (box.row.upper.is_end) {
    range.upper = EndOfPartition(last.text);
  } else {
    range.upper = RowBound(last.text, box.row.upper);
  }
  return range;
}

bool StartsEarlier(const KeyRange& a, const KeyRange& b) {
  if (!a.lower || !b.lower) return !a.lower && b.lower;
  return *a.lower < *b.lower;
}

// Whether `next`, which does not start earlier, starts within `range` or
// directly behind it.
bool Touches(const KeyRange& range, const KeyRange& next) {
  return !range.upper || !next.lower || *next.lower <= *range.upper;
}

bool EndsEarlier(const KeyRange& a, const KeyRange& b) {
  if (!a.upper || !b.upper) return a.upper && !b.upper;
  return *a.upper < *b.upper;
}

void AppendQuoted(std::string_view text, std::string& out) {
  out.push_back('\'');
  for (const char c : text) {
    c == '\0' ? out.append("\\0") : out.append(1, c);
  }
  out.push_back('\'');
}

void AppendKey(const EntityKey& key, std::string& out) {
  AppendQuoted(key.partition_key, out);
  out.push_back('/');
  AppendQuoted(key.row_key, out);
}

}  // namespace

std::vector<KeyRange> PlanRanges(const Filter& filter) {
  std::vector<KeyRange> parts;
  for (const Box& box : BoxesOf(filter)) {
    KeyRange part = RangeAround(box);
    if (!part.is_empty()) parts.push_back(std::move(part));
  }
  HeapSort(parts, StartsEarlier);

  std::vector<KeyRange> ranges;
  for (KeyRange& part : parts) {
    if (ranges.empty() || !Touches(ranges.back(), part)) {
      ranges.push_back(std::move(part));
    } else if (EndsEarlier(ranges.back(), part)) {
      ranges.back().upper = std::move(part.upper);
    }
  }
  return ranges;
}

std::string ToString(const std::vector<KeyRange>& ranges) {
  std::string text;
  for (const KeyRange& range : ranges) {
    if (!text.empty()) text.push_back(' ');
    if (range.lower) {
      text.push_back(range.lower->after ? '(' : '[');
      AppendKey(range.lower->key, text);
    } else {
      text.append("(-inf");
    }
    text.append(", ");
    if (range.upper) {
      AppendKey(range.upper->key, text);
      text.push_back(range.upper->after ? ']' : ')');
    } else {
      text.append("+inf)");
    }
  }
  return text;
}

}  // namespace entitable
