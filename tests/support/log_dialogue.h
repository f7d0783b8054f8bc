// log_dialogue.h - an engine beside the table of the log's phases: after each
// answer of the host, the engine must ask for what the table predicts.

#ifndef ENTITABLE_TESTS_SUPPORT_LOG_DIALOGUE_H_
#define ENTITABLE_TESTS_SUPPORT_LOG_DIALOGUE_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "commit/log_phase.h"
#include "store/opening_pages.h"
#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {

inline constexpr const char* kPhaseNames[] = {
    "closed",     "opening",   "creating",   "ready",    "evaluating",
    "paused",     "fetching",  "committing", "checking", "checking alone",
    "recovering", "repairing", "refreshing", "evicted"};
inline constexpr const char* kLogEventNames[] = {
    "request",     "store found",    "nothing found", "creation ends",
    "refresh due", "refresh ends",   "group begins",  "contention",
    "doubt",       "slice spent",    "slice begins",  "pages missing",
    "pages found", "behind",         "refusals",      "record sent",
    "moved",       "deletions left", "not stored",    "records lost",
    "group ends",  "failure",        "eviction"};
static_assert(std::size(kPhaseNames) ==
              std::to_underlying(LogPhase::kEvicted) + 1);
static_assert(std::size(kLogEventNames) ==
              std::to_underlying(LogEvent::kEviction) + 1);

// What the host is asked for in a phase.
inline std::string AskIn(LogPhase phase) {
  switch (phase) {
    case LogPhase::kClosed:
    case LogPhase::kReady:
    case LogPhase::kEvicted:
      return "nothing";
    case LogPhase::kOpening:
      return "all records";
    case LogPhase::kCreating:
      return "a new store";
    case LogPhase::kPaused:
      return "another turn";
    case LogPhase::kFetching:
      return "pages";
    case LogPhase::kCommitting:
      return "a commit";
    case LogPhase::kChecking:
    case LogPhase::kRefreshing:
      return "new records";
    case LogPhase::kCheckingAlone:
      return "new records, alone";
    case LogPhase::kRecovering:
      return "unflushed records, alone";
    case LogPhase::kRepairing:
      return "a repair";
    case LogPhase::kEvaluating:
      break;
  }
  return "no call ends here";
}

inline std::string Describe(const Commit& commit) {
  const Batch& batch = commit.batch;
  if (batch.puts.front().key == ValueKey::Checkpoint()) return "a new store";
  // Background steps, and the records that were lost, free room.
  return batch.frees && !batch.is_optimistic ? "a repair" : "a commit";
}

// `flushed`: the last record that the engine knows in pages.
inline std::string Describe(const Read& read, std::uint64_t flushed) {
  if (!read.records_after) return "pages";
  if (read.is_exclusive) {
    return *read.records_after == flushed ? "unflushed records, alone"
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
      ASSERT_TRUE(next) << kLogEventNames[std::to_underlying(event)]
                        << " while " << kPhaseNames[std::to_underlying(phase_)];
      for (std::size_t i = 0; i < kLogTable.size(); ++i) {
        const auto& row = kLogTable[i];
        if (row.event == event && row.from.Has(phase_)) rows().insert(i);
      }
      phase_ = *next;
    }
    EXPECT_EQ(Ask(), AskIn(phase_)) << kPhaseNames[std::to_underlying(phase_)];
  }

  RequestId Submit(const OwnedOperation& operation) {
    return last_ = host_.Submit(operation);
  }
  void Submit(const OwnedOperation& operation, Events events) {
    Submit(operation);
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

  // The answer to the last request.
  std::string answer() const {
    const auto found = answers_.find(last_);
    return found == answers_.end() ? "none" : found->second;
  }
  const Step& wish() const { return wish_; }
  MemoryHost& host() { return host_; }
  void NoteFlushed(std::uint64_t record) { flushed_ = record; }

  // The store is open.
  void Open() {
    Submit(ListTables(), {LogEvent::kRequest});
    Fulfil({LogEvent::kStoreFound});
  }

 private:
  std::string Ask() {
    do {
      wish_ = host_.engine().Run(host_.clock());
      if (auto* answer = std::get_if<Answer>(&wish_)) {
        answers_[answer->request] = Outcome(answer->outcome);
      }
    } while (std::holds_alternative<Answer>(wish_));
    if (const auto* read = std::get_if<Read>(&wish_)) {
      return Describe(*read, flushed_);
    }
    if (const auto* commit = std::get_if<Commit>(&wish_)) {
      return Describe(*commit);
    }
    return std::holds_alternative<Yield>(wish_) ? "another turn" : "nothing";
  }

  std::shared_ptr<MemoryStorage> storage_;
  MemoryHost host_;
  LogPhase phase_ = LogPhase::kClosed;
  Step wish_;
  std::uint64_t flushed_ = 0;
  RequestId last_ = 0;
  std::map<RequestId, std::string> answers_;
};

inline OwnedOperation InsertRow(const std::string& row_key) {
  return Insert("Tab", EntityBody("p", row_key));
}
inline OwnedOperation MergeRow(const std::string& row_key) {
  return Merge("Tab", "p", row_key, "{}");
}

inline std::shared_ptr<MemoryStorage> StoreWith(std::size_t flush_records) {
  auto storage = std::make_shared<MemoryStorage>();
  MemoryHost host(storage, Profile::kDefault, {.flush_records = flush_records});
  EXPECT_EQ(Outcome(host.Do(NewTable("Tab"))), "201");
  EXPECT_EQ(Outcome(host.Do(InsertRow("r"))), "201");
  // Otherwise no write would have to fetch a page.
  storage->values().erase(kOpeningPagesKey);
  return storage;
}
inline std::shared_ptr<MemoryStorage> StoreInLog() { return StoreWith(1'000); }
inline std::shared_ptr<MemoryStorage> StoreInPages() { return StoreWith(1); }

inline void RivalAdds(const std::shared_ptr<MemoryStorage>& storage,
                      const std::string& row_key) {
  MemoryHost rival(storage);
  ASSERT_EQ(Outcome(rival.Do(InsertRow(row_key))), "201");
}

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_LOG_DIALOGUE_H_
