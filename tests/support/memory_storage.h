// memory_storage.h - the least that a storage has to do, over a map.

#ifndef ENTITABLE_TESTS_SUPPORT_MEMORY_STORAGE_H_
#define ENTITABLE_TESTS_SUPPORT_MEMORY_STORAGE_H_

#include <map>

#include "entitable/steps.h"
#include "entitable/storage.h"

namespace entitable {

class MemoryStorage {
 public:
  using Values = std::map<ValueKey, Bytes>;

  // All that was asked for, as of one moment.
  Snapshot Load(const Read& read) const;

  // Everything in the batch; or nothing, and false, unless each expectation
  // holds.
  bool Store(const Batch& batch);

  // The same by a host that compares expected values afterwards, if the batch
  // allows it.
  CommitOutcome StoreOptimistically(const Batch& batch);

  // Tests inspect the values here, and damage them.
  Values& values() { return values_; }
  const Values& values() const { return values_; }

 private:
  void Perform(const Batch& batch);
  bool Holds(const Expectation& expectation) const;

  Values values_;
};

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_MEMORY_STORAGE_H_
