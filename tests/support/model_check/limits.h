// limits.h - engines whose limits are so low that a short schedule passes them.
//
// The one place that knows of the limits: what an engine does by itself when it
// has passed one (folding the log into pages, say) it does in schedules as soon
// as its limit stands here.

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
