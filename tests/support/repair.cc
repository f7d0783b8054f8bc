#include "support/repair.h"

#include <utility>

namespace entitable {

VerifierOptions OptionsFor(const MemoryStorage& storage, bool repairs,
                           Listing listing) {
  VerifierOptions options{.repairs = repairs};
  if (listing == Listing::kNone) return options;
  options.pages.emplace();
  for (const auto& [key, value] : storage.values()) {
    if (key.kind == ValueKey::Kind::kPage) options.pages->push_back(key.number);
  }
  return options;
}

void Finish(const MemoryStorage& storage, Verifier& verifier) {
  while (const auto wanted = verifier.Next())
    verifier.Supply(storage.Load(*wanted));
}

Verifier VerifyAll(const MemoryStorage& storage, Listing listing) {
  Verifier verifier(OptionsFor(storage, /*repairs=*/false, listing));
  Finish(storage, verifier);
  return verifier;
}

Repaired Repair(const MemoryStorage& storage, Listing listing) {
  Verifier verifier(OptionsFor(storage, /*repairs=*/true, listing));
  Finish(storage, verifier);
  auto saved = std::make_shared<MemoryStorage>();
  for (const auto& [key, value] : storage.values()) {
    if (key.kind == ValueKey::Kind::kPage) saved->values().emplace(key, value);
  }
  for (const Put& put : verifier.TakeRecovered()) {
    saved->values().insert_or_assign(put.key, *put.value);
  }
  return {std::move(saved), std::move(verifier)};
}

}  // namespace entitable
