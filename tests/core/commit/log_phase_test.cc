// The table of the log's phases: each row happens, and the engine then asks its
// host for what the phase says.  docs/internals/store-protocol.md, "The phases
// of the log".

#include "commit/log_phase.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "support/engine_test.h"
#include "support/printed_transitions.h"

namespace entitable {
namespace {

using enum LogPhase;
using enum LogEvent;

constexpr const char* kPhases[] = {
    "closed",     "opening",   "creating",   "ready",    "evaluating",
    "paused",     "fetching",  "committing", "checking", "checking alone",
    "recovering", "repairing", "refreshing", "evicted"};
constexpr const char* kEvents[] = {
    "request",     "store found",    "nothing found", "creation ends",
    "refresh due", "refresh ends",   "group begins",  "contention",
    "doubt",       "slice spent",    "slice begins",  "pages missing",
    "pages found", "behind",         "refusals",      "record sent",
    "moved",       "deletions left", "not stored",    "records lost",
    "group ends",  "failure",        "eviction"};
static_assert(std::size(kPhases) == std::to_underlying(kEvicted) + 1);
static_assert(std::size(kEvents) == std::to_underlying(kEviction) + 1);

TEST(LogPhaseTest, IsDocumented) {
  EXPECT_EQ(DocumentedTransitions("### The phases of the log"),
            Print(kLogTable, kPhases, kEvents));
}

// What the host is asked for in a phase.
std::string AskIn(LogPhase phase) {
  switch (phase) {
    case kClosed:
    case kReady:
    case kEvicted:
      return "nothing";
    case kOpening:
      return "all records";
    case kCreating:
      return "a new store";
    case kPaused:
      return "another turn";
    case kFetching:
      return "pages";
    case kCommitting:
      return "a commit";
    case kChecking:
    case kRefreshing:
      return "new records";
    case kCheckingAlone:
      return "new records, alone";
    case kRecovering:
      return "unflushed records, alone";
    case kRepairing:
      return "a repair";
    case kEvaluating:
      break;
  }
  return "no call ends here";
}

std::string Describe(const Commit& commit) {
  const Batch& batch = commit.batch;
  if (batch.puts.front().key == ValueKey::Checkpoint()) return "a new store";
  // Background steps, and the records that were lost, free room.
  return batch.frees && !batch.is_optimistic ? "a repair" : "a commit";
}

std::string Describe(const Read& read) {
  if (!read.records_after) return "pages";
  if (read.is_exclusive) {
    return *read.records_after == 0 ? "unflushed records, alone"
                                    : "new records, alone";
  }
  return *read.records_after == 0 ? "all records" : "new records";
}

// An engine, and the phase that the table predicts for it.
class Dialogue {
 public:
  using Events = std::initializer_list<LogEvent>;

  explicit Dialogue(std::shared_ptr<MemoryStorage> storage,
                    StoreLimits limits = {}, WorkLimits work = {})
      : storage_(std::move(storage)),
        host_(storage_, Profile::kDefault, limits, work) {
    host_.engine().StopBackgroundWork();
  }

  // The rows that have happened in any dialogue.
  static std::set<std::size_t>& rows() {
    static std::set<std::size_t> rows;
    return rows;
  }

  // These events follow what was done before.  Then the engine asks for what
  // the phase says.
  void Expect(Events events) {
    for (const LogEvent event : events) {
      const auto next = Find(kLogTable, phase_, event);
      ASSERT_TRUE(next) << kEvents[std::to_underlying(event)] << " while "
                        << kPhases[std::to_underlying(phase_)];
      for (std::size_t i = 0; i < kLogTable.size(); ++i) {
        const auto& row = kLogTable[i];
        if (row.event == event && row.from.Has(phase_)) rows().insert(i);
      }
      phase_ = *next;
    }
    EXPECT_EQ(Ask(), AskIn(phase_)) << kPhases[std::to_underlying(phase_)];
  }

  void Submit(const OwnedOperation& operation) { host_.Submit(operation); }
  void Submit(const OwnedOperation& operation, Events events) {
    host_.Submit(operation);
    Expect(events);
  }

  // The host does what it was asked for.
  void Fulfil(Events events) {
    if (const auto* read = std::get_if<Read>(&wish_)) {
      host_.Fulfil(*read);
    } else {
      host_.Fulfil(std::get<Commit>(wish_));
    }
    Expect(events);
  }
  void FailRead(Events events) {
    host_.faults().FailNextRead();
    Fulfil(events);
  }
  // Stores nothing.
  void Complete(CommitOutcome outcome, Events events) {
    host_.engine().Complete(std::get<Commit>(wish_).id, outcome);
    Expect(events);
  }

  // The store is open.
  void Open() {
    Submit(ListTables(), {kRequest});
    Fulfil({kStoreFound});
  }

 private:
  std::string Ask() {
    do {
      wish_ = host_.engine().Run(host_.clock());
    } while (std::holds_alternative<Answer>(wish_));
    if (const auto* read = std::get_if<Read>(&wish_)) return Describe(*read);
    if (const auto* commit = std::get_if<Commit>(&wish_)) {
      return Describe(*commit);
    }
    return std::holds_alternative<Yield>(wish_) ? "another turn" : "nothing";
  }

  std::shared_ptr<MemoryStorage> storage_;
  MemoryHost host_;
  LogPhase phase_ = kClosed;
  Step wish_;
};

OwnedOperation InsertRow(const std::string& row_key) {
  return Insert("Tab", EntityBody("p", row_key));
}
OwnedOperation MergeRow(const std::string& row_key) {
  return Merge("Tab", "p", row_key, "{}");
}

std::shared_ptr<MemoryStorage> StoreWith(std::size_t flush_records) {
  auto storage = std::make_shared<MemoryStorage>();
  MemoryHost host(storage, Profile::kDefault, {.flush_records = flush_records});
  EXPECT_EQ(Outcome(host.Do(NewTable("Tab"))), "201");
  EXPECT_EQ(Outcome(host.Do(InsertRow("r"))), "201");
  return storage;
}
std::shared_ptr<MemoryStorage> StoreInLog() { return StoreWith(1'000); }
std::shared_ptr<MemoryStorage> StoreInPages() { return StoreWith(1); }

void RivalAdds(const std::shared_ptr<MemoryStorage>& storage,
               const std::string& row_key) {
  MemoryHost rival(storage);
  ASSERT_EQ(Outcome(rival.Do(InsertRow(row_key))), "201");
}

void OpensAndRefreshes() {
  Dialogue fresh(std::make_shared<MemoryStorage>());
  fresh.Submit(ListTables(), {kRequest});
  fresh.Fulfil({kNothingFound});
  fresh.Fulfil({kCreationEnds});
  fresh.Fulfil({kStoreFound});
  fresh.Submit(NewTable("Tab"), {kGroupBegins, kRecordSent});
  fresh.Fulfil({kGroupEnds});
  fresh.Submit(Query("Tab", {.fresh = true}), {kRefreshDue});
  fresh.Fulfil({kRefreshEnds});
  fresh.Submit(Query("Tab", {.fresh = true}), {kRefreshDue});
  fresh.FailRead({kRefreshEnds});

  Dialogue failing(std::make_shared<MemoryStorage>());
  failing.Submit(ListTables(), {kRequest});
  failing.FailRead({kFailure});
}

void CommitsAndIsMoved() {
  const auto storage = StoreInLog();
  Dialogue one(storage);
  one.Open();
  one.Submit(InsertRow("1"), {kGroupBegins, kRecordSent});
  one.Fulfil({kGroupEnds});
  one.Submit(InsertRow("1"), {kGroupBegins, kRefusals});
  one.Fulfil({kNotStored, kGroupEnds});
  one.Submit(InsertRow("2"), {kGroupBegins, kRecordSent});
  RivalAdds(storage, "faster");
  one.Fulfil({kMoved});
  one.Fulfil({kNotStored, kRecordSent});
  one.Fulfil({kGroupEnds});
  one.Submit(InsertRow("3"), {kContention});
  one.Fulfil({kNotStored, kRecordSent});
  one.Complete(CommitOutcome::kRefused, {kGroupEnds});
}

void KeepsDeletions() {
  Dialogue one(StoreInLog());
  one.Open();
  one.Submit(Delete("Tab", "p", "r"));
  one.Submit(InsertRow("1"), {kGroupBegins, kRecordSent});
  one.Complete(CommitOutcome::kQuota, {kDeletionsLeft, kRecordSent});
  one.Fulfil({kGroupEnds});
}

void RecoversAndRepairs() {
  const auto storage = StoreInLog();
  Dialogue one(storage);
  one.Open();
  one.Submit(InsertRow("1"), {kGroupBegins, kRecordSent});
  one.Complete(CommitOutcome::kUnknown, {kDoubt});
  one.Fulfil({kRecordSent});
  storage->values().erase(ValueKey::Record(2));
  one.Complete(CommitOutcome::kUnknown, {kDoubt});
  one.Fulfil({kRecordsLost});
  one.Fulfil({kDoubt});
  one.Fulfil({kRecordSent});
  one.Fulfil({kGroupEnds});

  // A store that is gone.
  one.Submit(InsertRow("2"), {kGroupBegins, kRecordSent});
  storage->values().clear();
  one.Complete(CommitOutcome::kUnknown, {kDoubt});
  one.Fulfil({kEviction});
}

void FetchesPages() {
  const auto storage = StoreInPages();
  Dialogue one(storage, {.cache_bytes = 0});
  one.Submit(MergeRow("r"), {kRequest});
  one.Fulfil({kStoreFound, kGroupBegins, kPagesMissing});
  one.Fulfil({kPagesMissing});
  one.Fulfil({kPagesFound, kRecordSent});
  one.Fulfil({kGroupEnds});

  one.Submit(MergeRow("other"), {kGroupBegins, kPagesMissing});
  storage->values().erase(ValueKey::Manifest());
  one.Fulfil({kBehind});
  one.FailRead({kGroupEnds, kRefreshDue});
}

void PausesAnImport() {
  Dialogue one(StoreInLog(), {}, {.slice_units = 10});
  one.Open();
  std::string lines;
  for (int i = 0; i < 3'000; ++i) {
    lines += EntityBody("p", std::to_string(10'000 + i)) + "\n";
  }
  one.Submit(Import("Tab", lines, {.import = 1, .begins = true, .ends = true}),
             {kGroupBegins, kSliceSpent});
  one.Expect({kSliceBegins, kSliceSpent});
}

TEST(LogPhaseTest, HappensAsTheTableSays) {
  OpensAndRefreshes();
  CommitsAndIsMoved();
  KeepsDeletions();
  RecoversAndRepairs();
  FetchesPages();
  PausesAnImport();

  for (std::size_t i = 0; i < kLogTable.size(); ++i) {
    EXPECT_TRUE(Dialogue::rows().contains(i))
        << Print(kLogTable, kPhases, kEvents)[i];
  }
}

}  // namespace
}  // namespace entitable
