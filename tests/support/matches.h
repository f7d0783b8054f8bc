// matches.h - whether a filter is true of one row.

#ifndef ENTITABLE_TESTS_SUPPORT_MATCHES_H_
#define ENTITABLE_TESTS_SUPPORT_MATCHES_H_

#include "base/work_budget.h"
#include "model/entity.h"
#include "query/filter.h"
#include "query/page_evaluator.h"

namespace entitable {

inline bool Matches(const Filter& filter, const PropertySource& row) {
  WorkBudget work;
  return PageEvaluator(filter).MatchRow(row, work);
}

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_MATCHES_H_
