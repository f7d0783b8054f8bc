#include "support/make_engine.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace entitable {

Engine MakeEngine(EngineOptions options) {
  options.sync = WithSync();
  Result<Engine> engine = Engine::Create(std::move(options));
  if (engine) return *std::move(engine);
  std::fputs(engine.error().message.c_str(), stderr);
  std::abort();
}

}  // namespace entitable
