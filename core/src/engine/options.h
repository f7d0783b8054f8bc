// options.h - the checks of the options of an engine, and those that options
// ask for.

#ifndef ENTITABLE_ENGINE_OPTIONS_H_
#define ENTITABLE_ENGINE_OPTIONS_H_

#include "entitable/engine.h"
#include "entitable/result.h"

namespace entitable {

// Fails with InvalidInput.  The message names the option, its value and the
// allowed values.
Result<void> CheckOptions(const EngineOptions& options);

// Whether there is memory for one more step of a read or a commit.
inline bool HasStepMemory(const EngineOptions& options) {
  return options.has_room == nullptr || options.has_room(kStepBytes);
}

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_OPTIONS_H_
