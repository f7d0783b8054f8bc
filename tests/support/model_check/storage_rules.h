// storage_rules.h - what must hold of the values themselves, whatever they say.

#ifndef ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_STORAGE_RULES_H_
#define ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_STORAGE_RULES_H_

#include <cstdint>
#include <optional>
#include <set>

#include "support/memory_storage.h"
#include "support/model_check/ticket.h"

namespace entitable::model_check {

// Whether a stored batch put a record below the checkpoint, where no engine
// reads it.
bool IsOrphan(const Batch& batch, const MemoryStorage& storage);

// A batch that does not only moves things about.
bool PutsRecord(const Batch& batch);

// The last record that is in pages, or that pages cannot do without.
std::uint64_t RecordsInPages(const MemoryStorage& storage);

class StorageRules {
 public:
  // After the batch was stored.
  std::optional<Violation> Check(const Batch& batch,
                                 const MemoryStorage& storage);

 private:
  std::set<std::uint64_t> used_pages_;
};

// When nothing more happens.
std::optional<Violation> CheckAtEnd(const MemoryStorage& storage);

}  // namespace entitable::model_check

#endif  // ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_STORAGE_RULES_H_
