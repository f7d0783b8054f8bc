// storage_faults.h - what can go wrong between an engine and its storage.
//
// A test asks for each fault by name.  Faults of "the next" commit or read
// happen once each, in the order in which they were requested.

#ifndef ENTITABLE_TESTS_SUPPORT_STORAGE_FAULTS_H_
#define ENTITABLE_TESTS_SUPPORT_STORAGE_FAULTS_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "entitable/steps.h"
#include "entitable/storage.h"
#include "support/memory_storage.h"

namespace entitable {

// What became of a commit about which the storage said nothing.
enum class Fate {
  kStored,
  kLost,
  kLate,  // Arrives right before the commit that is stored next.
};

class StorageFaults {
 public:
  explicit StorageFaults(MemoryStorage& storage) : storage_(storage) {}

  // Instead of the functions of the storage; without a fault, just these.
  CommitOutcome Store(const Batch& batch);
  Result<Snapshot> Load(const Read& read);

  // The next commit stores nothing and says this; a lie, if kOk or kMoved.
  void RefuseNextCommit(CommitOutcome outcome);

  // From now on there is no room for commits but those that free some.
  void FillUp() { is_full_ = true; }

  // Another engine commits directly before the next commit that is not a
  // background step.
  void LoseNextRace(std::function<void()> rival);

  // The next commit ends as kUnknown.
  void LoseNextOutcome(Fate fate);

  // The next read fails with StorageUnavailable.
  void FailNextRead();

  // From now on reads do not find the value, though it is there.
  void Withhold(ValueKey key) { withheld_.insert(key); }

  // From now on reads find the value with one bit of this byte flipped.
  void Damage(ValueKey key, std::size_t byte) { damaged_[key] = byte; }

  // All is well again; what is still late is lost.
  void Repair();

  // Commits that were lost or late, so that a test can bring them in.
  const std::vector<Batch>& lost() const { return lost_; }

 private:
  using Storing = std::function<CommitOutcome(const Batch&)>;

  CommitOutcome StoreWell(const Batch& batch);
  void Spoil(ValueKey key, Bytes& value) const;

  MemoryStorage& storage_;
  struct Fault {
    Storing storing;
    bool spares_background_work = false;
  };

  bool is_full_ = false;
  std::deque<Fault> next_commits_;
  int failing_reads_ = 0;
  std::set<ValueKey> withheld_;
  std::map<ValueKey, std::size_t> damaged_;
  std::vector<Batch> late_;
  std::vector<Batch> lost_;
};

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_STORAGE_FAULTS_H_
