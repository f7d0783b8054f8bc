// scan_cost.h - compares a scan with lookups of single rows.

#ifndef ENTITABLE_STORE_SCAN_COST_H_
#define ENTITABLE_STORE_SCAN_COST_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "base/work_budget.h"
#include "store/account_state.h"
#include "store/page_cache.h"
#include "store/sort_key.h"

namespace entitable {

// About how many lookups cost as much as a scan of the ranges, but at most
// `most`.  Nothing: a directory page is missing, and the window has asked for
// it.
std::optional<std::size_t> LookupsThatCostAScan(
    const AccountState& state, const std::vector<SortRange>& ranges,
    std::size_t most, PageWindow& window, WorkBudget& work);

}  // namespace entitable

#endif  // ENTITABLE_STORE_SCAN_COST_H_
