// simulator.h - up to four tabs on one storage, stopped at every await.
//
// What an engine asks for is done in three steps, with anything in between: the
// engine asks, the storage performs it, the engine is told.

#ifndef ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_SIMULATOR_H_
#define ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_SIMULATOR_H_

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "support/model_check/judge.h"
#include "support/model_check/schedule.h"
#include "support/model_check/slow_storage.h"

namespace entitable::model_check {

// How much happened.
struct Counts {
  std::size_t choices = 0;       // That had something to act on.
  std::size_t batches = 0;       // That were stored.
  std::size_t moves = 0;         // Those of them without a record.
  std::size_t orphans = 0;       // Beside them: records that no engine reads.
  std::size_t falls = 0;         // How often the storage forgot records.
  std::size_t requests = 0;      // That were answered.
  std::size_t transactions = 0;  // Of the account, that were stored.
  std::size_t conflicts = 0;     // That were not, for a conflict.

  Counts& operator+=(const Counts& other);
};

// What came of a schedule.
struct Report {
  std::optional<Violation> violation = {};
  Counts counts = {};
  bool has_trimmed = false;  // The log does not begin with its first record.
};

// Takes what happens, a line at a time.
using Trace = std::function<void(std::string_view)>;

// Runs the schedule until a rule is broken.  Otherwise ends all faults and lets
// the tabs finish, each after a last write and a last read.
Report Simulate(const Schedule& schedule, const Trace& trace = {});

class Simulator {
 public:
  Simulator(const Schedule& schedule, const Trace& trace);

  Report Run();

 private:
  struct Tab {
    std::optional<Engine> engine;
    std::map<RequestId, Ticket*> requests;  // Unanswered.
    std::set<RequestId> abandonments;       // Those that abandon an import.
    std::deque<Flight> flights;
    std::uint64_t last_record = 0;     // That its engine was told of.
    bool has_lost_sight = false;       // Of what becomes of commits.
    std::uint64_t spent_units = 0;     // When its engine yielded last.
    double clock_milliseconds = 0;     // Ahead of the others.
    std::optional<Request> next_page;  // Of the last query that has one.
    // Of the account: what it has read, as it goes with its next request.
    Request transaction;
  };

  // All of these return false where there was nothing to act on.
  bool Do(const Choice& choice);
  bool Open(std::size_t tab);
  bool Crash(std::size_t tab, std::size_t pick);
  bool Submit(std::size_t tab, Request request);
  bool Withdraw(Tab& tab, std::size_t pick);
  void Abandon(Tab& tab, Ticket& import);
  static bool JoinTransaction(Tab& tab, Request& request);
  void ReceiveOfTransaction(Tab& tab, const Ticket& ticket,
                            const Result<Response>& answer);
  bool TakeTurn(std::size_t tab);
  bool Work(std::size_t tab);
  bool Perform(std::size_t tab, std::size_t pick, Fault fault);
  bool PerformExclusively(std::size_t tab, std::deque<Flight>::iterator read,
                          Fault fault);
  bool Deliver(std::size_t tab, std::size_t pick);
  void SetClock(Tab& tab, int minutes);
  bool FallBack(std::size_t pick);
  bool KnowsAll(const Tab& tab) const;
  void NoteRecords(Tab& tab, const Flight& flight);
  std::string PerformFor(Flight& flight, Fault fault);

  void Ask(std::size_t tab, std::variant<Read, Commit> wish);
  void SubmitPart(std::size_t tab, Ticket& ticket);
  void Receive(std::size_t tab, const Answer& answer);
  void Stored(const Batch& batch, const std::vector<Ticket*>& writes);
  void ResolveConditions(Request& request) const;
  std::string EtagFor(Condition condition, const std::string& table,
                      const Key& key) const;

  void ComeToAnEnd();
  void Drain();
  bool DoEverything();
  void LastRequests();

  void Note(const std::string& text);

  const Schedule& schedule_;
  const Trace& trace_;
  SlowStorage storage_;
  Judge judge_;
  std::array<Tab, kMaxTabs> tabs_;
  std::uint64_t time_ = 0;
  std::uint64_t sessions_ = 0;
  Report report_;
};

}  // namespace entitable::model_check

#endif  // ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_SIMULATOR_H_
