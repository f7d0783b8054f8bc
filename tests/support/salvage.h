// salvage.h - surveys of storages in memory.

#ifndef ENTITABLE_TESTS_SUPPORT_SALVAGE_H_
#define ENTITABLE_TESTS_SUPPORT_SALVAGE_H_

#include <memory>

#include "entitable/survey.h"
#include "support/memory_storage.h"

namespace entitable {

// Whether the host tells which pages there are.
enum class Listing : bool { kNone, kPages };

SurveyOptions OptionsFor(const MemoryStorage& storage, bool salvages,
                         Listing listing);

// Hands the survey what it asks for, up to the end.
void Finish(const MemoryStorage& storage, Survey& survey);

// A survey that is over.
Survey LookAtAll(const MemoryStorage& storage,
                 Listing listing = Listing::kPages);

// What can be saved of a storage, as one that is whole.
struct Salvaged {
  std::shared_ptr<MemoryStorage> storage;
  Survey survey;
};
Salvaged Salvage(const MemoryStorage& storage,
                 Listing listing = Listing::kPages);

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_SALVAGE_H_
