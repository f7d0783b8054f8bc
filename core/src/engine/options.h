// options.h - whether an engine can be made with its options.

#ifndef ENTITABLE_ENGINE_OPTIONS_H_
#define ENTITABLE_ENGINE_OPTIONS_H_

#include "entitable/engine.h"
#include "entitable/result.h"

namespace entitable {

// Fails with InvalidInput, and names the option, what it is and what it may be.
Result<void> CheckOptions(const EngineOptions& options);

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_OPTIONS_H_
