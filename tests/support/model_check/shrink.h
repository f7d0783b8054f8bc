// shrink.h - the least of a schedule that still fails.

#ifndef ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_SHRINK_H_
#define ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_SHRINK_H_

#include <functional>

#include "support/model_check/schedule.h"

namespace entitable::model_check {

// Leaves out tabs, runs of choices, single choices, faults and parts of
// transactions, for as long as the schedule fails without them.
Schedule Shrink(Schedule schedule,
                const std::function<bool(const Schedule&)>& fails);

}  // namespace entitable::model_check

#endif  // ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_SHRINK_H_
