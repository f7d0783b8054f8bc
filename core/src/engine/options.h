// options.h - the checks of the options of an engine.

#ifndef ENTITABLE_ENGINE_OPTIONS_H_
#define ENTITABLE_ENGINE_OPTIONS_H_

#include "entitable/engine.h"
#include "entitable/result.h"

namespace entitable {

// Fails with InvalidInput.  The message names the option, its value and the
// allowed values.
Result<void> CheckOptions(const EngineOptions& options);

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_OPTIONS_H_
