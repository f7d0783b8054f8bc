// random_extended_filter.h - filters of the extended dialect, and what they
// mean.
//
// Each is made as a tree: its text and its meaning come from the same tree, so
// no second parser is needed.  The meaning is written only from
// docs/reference/filters.md.

#ifndef ENTITABLE_TESTS_SUPPORT_RANDOM_EXTENDED_FILTER_H_
#define ENTITABLE_TESTS_SUPPORT_RANDOM_EXTENDED_FILTER_H_

#include <functional>
#include <optional>
#include <string>

#include "support/naive_filter.h"
#include "support/random_filter.h"

namespace entitable {

struct ExtendedFilter {
  std::string text;
  std::function<bool(const naive::Entity&)> is_true_of;
};

class RandomExtendedFilters : public RandomFilters {
 public:
  using RandomFilters::RandomFilters;

  // Always one that the dialect takes.
  ExtendedFilter Next() { return NextCondition(3); }

 private:
  // A value, or none.
  struct Term {
    std::string text;
    std::function<std::optional<naive::Value>(const naive::Entity&)> value;
  };

  ExtendedFilter NextCondition(int depth);
  ExtendedFilter NextLeaf();
  ExtendedFilter NextTextTest();
  ExtendedFilter NextList();
  Term NextTerm(int depth);
  Term NextSimple();
  Term NextCalculation(int depth);
  Term NextFunction(int depth);
};

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_RANDOM_EXTENDED_FILTER_H_
