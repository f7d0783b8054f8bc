// slow_storage.h - a storage that does what it is asked some time later, and
// not always well.

#ifndef ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_SLOW_STORAGE_H_
#define ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_SLOW_STORAGE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "support/memory_storage.h"
#include "support/model_check/schedule.h"
#include "support/model_check/ticket.h"

namespace entitable::model_check {

// What an engine asked for, and what became of it.
struct Flight {
  std::variant<Read, Commit> wish;
  std::vector<Ticket*> writes = {};  // That a commit may hold.
  bool is_blind = false;             // A commit of which nothing will be known.
  bool is_performed = false;
  Moment performed_at = 0;
  std::optional<Snapshot> snapshot = {};  // Of a read that went well.
  CommitOutcome outcome{};
};

class SlowStorage {
 public:
  // Gets each batch that was stored and is not an orphan.
  using Stored =
      std::function<void(const Batch&, const std::vector<Ticket*>& writes)>;

  explicit SlowStorage(Stored stored) : stored_(std::move(stored)) {}

  const MemoryStorage& memory() const { return memory_; }

  // How many batches were orphans.
  std::size_t orphans() const { return orphans_; }

  // Returns what it did, for people.
  std::string Perform(Flight& flight, Fault fault);

  // The tab is gone, but what it asked for may come yet.
  void MakeLate(Flight flight);

  // Stores one of the late batches, if it can still be; false: there is none.
  bool Arrive(std::size_t pick);

  // The number of the last record.
  std::uint64_t last_record() const;

  // Forgets some of the records that are not in pages, from the last one back,
  // as when the process behind it died before it had written them; whatever was
  // late dies with it.  False: there are none.
  bool FallBack(std::size_t pick);

  // It has not been given back what it forgot.
  bool has_forgotten() const;

 private:
  struct Late {
    Batch batch;
    std::vector<Ticket*> writes;
  };

  void PerformCommit(Flight& flight, Fault fault);
  CommitOutcome Store(const Batch& batch, const std::vector<Ticket*>& writes);

  Stored stored_;
  MemoryStorage memory_;
  std::vector<Late> late_;
  std::size_t orphans_ = 0;
  std::uint64_t forgotten_up_to_ = 0;
};

}  // namespace entitable::model_check

#endif  // ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_SLOW_STORAGE_H_
