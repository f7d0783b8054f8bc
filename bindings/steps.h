// steps.h - the steps of an engine as JavaScript objects.
//
// Each of these functions sets the member `step` of the module.
// js/src/core/module.ts has its types.

#ifndef ENTITABLE_BINDINGS_STEPS_H_
#define ENTITABLE_BINDINGS_STEPS_H_

#include "entitable/engine.h"
#include "entitable/storage.h"

namespace entitable {

// The answer to a request that succeeded: the place of its frame in wasm
// memory.
void SuccessToJs(RequestId request, BytesView frame);

// Any other step.
void ToJs(const Step& step);

}  // namespace entitable

#endif  // ENTITABLE_BINDINGS_STEPS_H_
