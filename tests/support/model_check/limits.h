// limits.h - engines whose limits are so low that a short schedule exceeds
// them.
//
// Only this file knows the limits.  Whatever an engine does when it exceeds a
// limit (for example, flush the log), it does in schedules as soon as the limit
// is here.

#ifndef ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_LIMITS_H_
#define ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_LIMITS_H_

#include <random>

#include "entitable/engine.h"

namespace entitable::model_check {

// As low as they go: after every few writes something has to be done.
EngineOptions LowestLimits();

// Low ones, at random.
EngineOptions RandomLimits(std::mt19937_64& random);

}  // namespace entitable::model_check

#endif  // ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_LIMITS_H_
