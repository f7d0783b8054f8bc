// repair.h - verifies and repairs storages in memory.

#ifndef ENTITABLE_TESTS_SUPPORT_REPAIR_H_
#define ENTITABLE_TESTS_SUPPORT_REPAIR_H_

#include <memory>

#include "entitable/verify.h"
#include "support/memory_storage.h"

namespace entitable {

// Whether the host tells which pages there are.
enum class Listing : bool { kNone, kPages };

VerifierOptions OptionsFor(const MemoryStorage& storage, bool repairs,
                           Listing listing);

// Supplies what the verifier asks for, up to the end.
void Finish(const MemoryStorage& storage, Verifier& verifier);

// A verifier that has finished.
Verifier VerifyAll(const MemoryStorage& storage,
                   Listing listing = Listing::kPages);

// What can be saved of a storage, as one that is whole.
struct Repaired {
  std::shared_ptr<MemoryStorage> storage;
  Verifier verifier;
};
Repaired Repair(const MemoryStorage& storage,
                Listing listing = Listing::kPages);

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_REPAIR_H_
