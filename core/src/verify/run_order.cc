#include "verify/run_order.h"

#include <algorithm>
#include <set>
#include <utility>

namespace entitable {
namespace {

// A newer run and an older one.
using Pair = std::pair<std::size_t, std::size_t>;

// `rows` must be sorted by key.
std::set<Pair> PairsAmong(const std::vector<RowVersion>& rows) {
  std::set<Pair> pairs;
  for (auto begin = rows.begin(); begin != rows.end();) {
    const auto end = std::find_if(
        begin, rows.end(),
        [begin](const RowVersion& row) { return row.key != begin->key; });
    for (auto newer = begin; newer != end; ++newer) {
      for (auto older = begin; older != end; ++older) {
        if (newer->timestamp > older->timestamp && newer->run != older->run) {
          pairs.insert({newer->run, older->run});
        }
      }
    }
    begin = end;
  }
  return pairs;
}

}  // namespace

std::vector<std::size_t> OrderRuns(std::size_t run_count,
                                   std::vector<RowVersion> rows) {
  std::vector<DateTime> newest(run_count);
  for (const RowVersion& row : rows) {
    newest[row.run] = std::max(newest[row.run], row.timestamp);
  }
  std::sort(
      rows.begin(), rows.end(),
      [](const RowVersion& a, const RowVersion& b) { return a.key < b.key; });
  const std::set<Pair> pairs = PairsAmong(rows);
  std::vector<std::size_t> newer_count(run_count);
  for (const auto& [newer, older] : pairs) ++newer_count[older];

  std::vector<std::size_t> order;
  std::vector<bool> is_placed(run_count);
  while (order.size() < run_count) {
    // Only forged rows can make runs newer than one another in a circle.  Then
    // as few pairs as possible are ignored.
    std::size_t next = run_count;
    for (std::size_t run = 0; run < run_count; ++run) {
      if (is_placed[run]) continue;
      const bool is_newer =
          next == run_count || newer_count[run] < newer_count[next] ||
          (newer_count[run] == newer_count[next] && newest[run] > newest[next]);
      if (is_newer) next = run;
    }
    is_placed[next] = true;
    order.push_back(next);
    for (auto at = pairs.lower_bound({next, 0});
         at != pairs.end() && at->first == next; ++at) {
      --newer_count[at->second];
    }
  }
  return order;
}

}  // namespace entitable
