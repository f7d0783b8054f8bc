// simulation.h - replicas of a table, a remote, and a network between them.
//
// Each schedule is random: writes of the app in transactions, writes of another
// client, and the steps of sync.  The network loses requests and answers,
// delays both and refuses; replicas crash in the middle of a commit; frozen
// tabs take old answers.  In the end all is quiet, and the judge decides.

#ifndef ENTITABLE_TESTS_SUPPORT_SYNC_CHECK_SIMULATION_H_
#define ENTITABLE_TESTS_SUPPORT_SYNC_CHECK_SIMULATION_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/sync_check/judge.h"
#include "support/sync_check/memory_rows.h"
#include "support/sync_check/remote.h"
#include "sync/settle.h"

namespace entitable::sync_check {

class Simulation {
 public:
  explicit Simulation(std::uint64_t seed);

  // Runs the schedule.  Empty: every rule holds.  Otherwise the rule, and what
  // happened before.
  std::string Run();

  // What the schedule had, so that a test can tell that it meant something.
  struct Counts {
    std::size_t conflicts = 0;
    std::size_t late_effects = 0;
    std::size_t rejections = 0;
    std::size_t crashes = 0;
    std::size_t deletions = 0;  // That a reconcile has found.
  };
  const Counts& counts() const { return counts_; }

 private:
  struct Replica {
    std::size_t number = 0;
    StoredTable table = {};
    std::int64_t skew = 0;                            // Of its clock.
    std::vector<std::function<void()>> answers = {};  // On their way.
    std::map<std::string, std::string> list_tokens = {};
  };

  // --- Chance
  std::uint64_t Below(std::uint64_t limit) { return random_() % limit; }
  bool Percent(std::uint64_t percent) { return Below(100) < percent; }
  std::string AnyPartition() { return Percent(60) ? "p" : "q"; }
  std::int64_t Lag();
  void Say(std::string line) { trace_.push_back(std::move(line)); }

  // --- Steps
  void Step();
  void RunReplica(Replica& replica);
  void WriteLocally(Replica& replica);
  sync::RowValue NewValue(const sync::SyncedRow& row);
  void WriteRemotely();
  void Discard(Replica& replica, const EntityKey& key);
  void Advance(std::int64_t ticks);
  void Deliver(Replica& replica);
  void BecomeQuiet();
  void SyncAll(Replica& replica);
  void CheckEnd();

  // --- Sync, as the host does it
  using Change = std::function<Result<void>(MemoryRows&)>;
  bool Commit(Replica& replica, const Change& change);
  DateTime NowOf(const Replica& replica) const;
  bool Push(Replica& replica, const std::string& partition_key);
  void Send(Replica& replica, const sync::PushRequest& request);
  void TakeOutcome(Replica& replica, const sync::PushRequest& request,
                   const sync::PushOutcome& outcome);
  void ReadForSettling(Replica& replica, const sync::PushRequest& request);
  void Pull(Replica& replica, const std::string& partition_key);
  void Reconcile(Replica& replica, const std::string& partition_key);
  void TakeListing(Replica& replica, const std::string& partition_key,
                   const sync::Listing& listing);
  void ReadRow(Replica& replica, const EntityKey& key);
  void TakeRow(Replica& replica, const sync::ReadRow& read);
  void Answer(Replica& replica, std::function<void()> answer);

  std::mt19937_64 random_;
  bool is_sorted_;
  bool is_quiet_ = false;
  Remote remote_;
  Judge judge_;
  sync::PolicyResolver resolver_;
  std::deque<Replica> replicas_;
  std::vector<std::pair<DateTime, std::function<void()>>> late_;
  std::int32_t last_number_ = 0;
  Counts counts_;
  std::string failure_;
  std::vector<std::string> trace_;
};

}  // namespace entitable::sync_check

#endif  // ENTITABLE_TESTS_SUPPORT_SYNC_CHECK_SIMULATION_H_
