// planned.h - the key ranges of a filter, as a text.

#ifndef ENTITABLE_TESTS_SUPPORT_PLANNED_H_
#define ENTITABLE_TESTS_SUPPORT_PLANNED_H_

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "query/parser.h"
#include "query/planner.h"
#include "read/index/index_lookup.h"

namespace entitable {

inline Filter Parsed(std::string_view text) {
  auto filter = ParseFilter(text);
  if (!filter) {
    ADD_FAILURE() << text << ": " << filter.error().message;
    filter = ParseFilter("true");
  }
  return *std::move(filter);
}

inline std::string Planned(std::string_view text) {
  return ToString(PlanRanges(Parsed(text)));
}

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_PLANNED_H_
