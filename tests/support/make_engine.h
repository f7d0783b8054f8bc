// make_engine.h - an engine for tests.

#ifndef ENTITABLE_TESTS_SUPPORT_MAKE_ENGINE_H_
#define ENTITABLE_TESTS_SUPPORT_MAKE_ENGINE_H_

#include "entitable/engine.h"

namespace entitable {

// Ends the program, and says why, where an option is not what it may be.
Engine MakeEngine(EngineOptions options);

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_MAKE_ENGINE_H_
