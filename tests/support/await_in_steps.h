// await_in_steps.h - MemoryHost::Await(), one step of the engine at a time.

#ifndef ENTITABLE_TESTS_SUPPORT_AWAIT_IN_STEPS_H_
#define ENTITABLE_TESTS_SUPPORT_AWAIT_IN_STEPS_H_

#include <utility>
#include <variant>

#include "entitable/engine.h"
#include "entitable/result.h"
#include "support/memory_host.h"

namespace entitable {

// `on_step` gets each step before the host carries it out.  Drops the answers
// to other requests.
template <typename OnStep>
Result<Response> AwaitInSteps(MemoryHost& host, RequestId request,
                              OnStep on_step) {
  for (;;) {
    Step step = host.engine().Run(host.clock());
    on_step(step);
    if (const auto* read = std::get_if<Read>(&step)) {
      host.Fulfil(*read);
    } else if (const auto* commit = std::get_if<Commit>(&step)) {
      host.Fulfil(*commit);
    } else if (auto* answer = std::get_if<Answer>(&step)) {
      if (answer->request == request) return std::move(answer->outcome);
    }
  }
}

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_AWAIT_IN_STEPS_H_
