// steps.h - the steps of an engine as JavaScript objects.
//
// js/src/core/module.ts has their types.

#ifndef ENTITABLE_BINDINGS_STEPS_H_
#define ENTITABLE_BINDINGS_STEPS_H_

#include <emscripten/val.h>

#include "entitable/engine.h"
#include "entitable/storage.h"

namespace entitable {

// The answer to a request that succeeded: the place of its frame in wasm
// memory.
emscripten::val SuccessToJs(RequestId request, BytesView frame);

// Any other step.
emscripten::val ToJs(const Step& step);

}  // namespace entitable

#endif  // ENTITABLE_BINDINGS_STEPS_H_
