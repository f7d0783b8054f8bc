// check.h - many schedules, and of the first that breaks a rule the shortest
// form.

#ifndef ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_CHECK_H_
#define ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_CHECK_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "support/model_check/schedule.h"
#include "support/model_check/simulator.h"

namespace entitable::model_check {

struct Findings {
  Counts counts;  // If nothing failed.
  std::optional<std::uint64_t> failed_seed = {};
};

// Runs the random schedules of so many seeds, the first of which is given.
Findings Check(std::uint64_t first_seed, std::size_t count);

// The rule that the schedule breaks; one of them is not to stop the program.
std::optional<std::string> BrokenRule(const Schedule& schedule);

// What happens in the shortest form of a schedule that breaks a rule, a line
// each, and at last the rule.
std::string ShortestWay(const Schedule& schedule);

}  // namespace entitable::model_check

#endif  // ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_CHECK_H_
