// simulation.h - replicas of a table, a remote, and a network between them.
//
// Each schedule is random: writes of the app in transactions, writes of another
// client, and the steps of sync.  The network loses requests and answers,
// delays both and refuses; replicas crash in the middle of a commit; frozen
// tabs take old answers; an app decides conflicts late, or never.  In the end
// all is quiet, and the judge decides.

#ifndef ENTITABLE_TESTS_SUPPORT_SYNC_CHECK_SIMULATION_H_
#define ENTITABLE_TESTS_SUPPORT_SYNC_CHECK_SIMULATION_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/sync_check/history.h"
#include "support/sync_check/judge.h"
#include "support/sync_check/memory_rows.h"
#include "support/sync_check/remote.h"
#include "sync/pull.h"
#include "sync/reconcile.h"
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
    std::size_t late_rows = 0;  // That a wide pull has found.
    std::size_t decisions = 0;  // Of an app, on conflicts.
    std::size_t refusals = 0;   // Of rows that break the schema.
    std::size_t unsent = 0;     // Requests that did not leave.
  };
  const Counts& counts() const { return counts_; }

 private:
  struct Replica {
    std::size_t number = 0;
    StoredTable table = {};
    std::int64_t skew = 0;                            // Of its clock.
    std::vector<std::function<void()>> answers = {};  // On their way.
    bool knows_order = true;  // That the remote lists keys in their order.
  };

  // --- Chance
  std::uint64_t Below(std::uint64_t limit) { return random_() % limit; }
  bool Percent(std::uint64_t percent) { return Below(100) < percent; }
  std::string AnyPartition();
  std::string AnyRowKey();
  const sync::Scope& AnyScope() { return scopes_[Below(scopes_.size())]; }
  sync::Resolver& AnyResolver();
  std::int64_t Lag();
  void Say(std::string line) { trace_.push_back(std::move(line)); }

  // --- Steps
  void Step();
  void RunReplica(Replica& replica);
  bool HasFailed() const;
  void Adopt(Replica& replica);
  void WriteLocally(Replica& replica);
  sync::RowValue NewValue(const sync::SyncedRow& row);
  void WriteRemotely();
  void Discard(Replica& replica, const EntityKey& key);
  void ChangeSchema(Replica& replica);
  void Advance(std::int64_t ticks);
  void Deliver(Replica& replica);
  void BecomeQuiet();
  void DeliverAll(Replica& replica);
  void SyncAll(Replica& replica);
  void PushAll(Replica& replica);
  void DiscardRejected(Replica& replica);
  void CheckPulled(Replica& replica);
  void CheckReplica(Replica& replica);

  // --- Sync, as the host does it
  using Change = std::function<Poll<void>(MemoryRows&)>;
  using Writer = History::Writer;
  bool Commit(Replica& replica, const Change& change,
              Writer writer = Writer::kSync);
  void NoteConflicts(Replica& replica, std::size_t known);
  DateTime NowOf(const Replica& replica) const;
  void Answer(Replica& replica, std::function<void()> answer);

  // --- Push
  sync::Scope ScopeOf(const std::string& partition_key) const;
  bool Push(Replica& replica, const std::string& partition_key);
  void ReadBeforePush(Replica& replica, const std::string& partition_key);
  void Send(Replica& replica, const sync::PushRequest& request);
  sync::PushOutcome Refusal();
  void TakeOutcome(Replica& replica, const sync::PushRequest& request,
                   const sync::PushOutcome& outcome);
  void ReadForSettling(Replica& replica, const sync::PushRequest& request);
  void ReadOn(Replica& replica, const sync::PushRequest& request,
              const sync::RowsRead& read);
  void Settle(Replica& replica, const sync::PushRequest& request,
              const sync::RowsRead& read, sync::Resolver& resolver);
  sync::DecidedResolver Decide(const std::vector<sync::Conflict>& asked);

  // --- Pull
  void Pull(Replica& replica, const sync::Scope& scope);
  void TakePage(Replica& replica, const sync::Scope& scope,
                const sync::PulledPage& page, sync::Resolver& resolver);
  struct WidePull {
    sync::Scope scope;
    DateTime from;
    DateTime date = {};  // Of the first answer.
    std::string token = {};
    bool is_whole = true;  // All rows could be taken.
  };
  void BeginWidePull(Replica& replica, const sync::Scope& scope);
  void WidePullOn(Replica& replica, const std::shared_ptr<WidePull>& pull);

  // --- Reconcile
  struct Pass {
    sync::Scope scope;
    bool is_sorted;  // The remote is believed to list keys in their order.
    std::string token = {};
    std::optional<EntityKey> last_key = {};
    bool is_behind = false;    // Keys behind the last one were asked for.
    sync::Listing whole = {};  // Of a remote that does not sort.
    std::vector<sync::ReadRow> missing = {};
    std::vector<EntityKey> doubtful = {};
    std::size_t known = 0;
  };
  void Reconcile(Replica& replica, const sync::Scope& scope);
  void ReconcileOn(Replica& replica, const std::shared_ptr<Pass>& pass);
  void TakeListing(Replica& replica, const std::shared_ptr<Pass>& pass,
                   sync::Listing listing, const std::string& next_token);
  void TakeUnsorted(Replica& replica, const std::shared_ptr<Pass>& pass,
                    const sync::Listing& listing,
                    const std::string& next_token);
  sync::Findings Compare(Replica& replica, const Pass& pass,
                         const sync::Listing& listing);
  static void Note(const sync::Findings& found, const sync::Listing& listing,
                   Pass& pass);
  void FinishPass(Replica& replica, const std::shared_ptr<Pass>& pass);
  void ReadRow(Replica& replica, const EntityKey& key);
  sync::RowOutcome ApplyRow(Replica& replica, const sync::ReadRow& read);

  std::mt19937_64 random_;
  bool is_sorted_;
  bool is_quiet_ = false;
  std::vector<sync::Scope> scopes_;
  Remote remote_;
  Judge judge_;
  History history_;
  sync::PolicyResolver policy_;
  bool asks_app_;   // The app decides conflicts.
  bool is_narrow_;  // All happens to two rows.
  std::deque<Replica> replicas_;
  std::vector<std::pair<DateTime, std::function<void()>>> late_;
  std::int32_t last_number_ = 0;
  Counts counts_;
  std::string failure_;
  std::vector<std::string> trace_;
};

}  // namespace entitable::sync_check

#endif  // ENTITABLE_TESTS_SUPPORT_SYNC_CHECK_SIMULATION_H_
