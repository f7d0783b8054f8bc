// observer.h - what a newcomer finds in a storage.

#ifndef ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_OBSERVER_H_
#define ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_OBSERVER_H_

#include <expected>
#include <string>

#include "support/memory_storage.h"
#include "support/model_check/model.h"

namespace entitable::model_check {

// Everything that an engine reads which was opened for this alone.  It leaves
// the storage as it is: what it commits goes into a copy.  Fails with what was
// wrong.
std::expected<State, std::string> Observe(const MemoryStorage& storage);

}  // namespace entitable::model_check

#endif  // ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_OBSERVER_H_
