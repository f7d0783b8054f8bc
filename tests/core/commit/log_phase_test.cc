// The table of the log's phases: each row happens, and the engine then asks its
// host for what the phase says.  docs/internals/store-protocol.md, "The phases
// of the log".

#include "commit/log_phase.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "support/log_dialogue.h"
#include "support/printed_transitions.h"

namespace entitable {
namespace {

using enum LogEvent;

TEST(LogPhaseTest, IsDocumented) {
  EXPECT_EQ(DocumentedTransitions("### The phases of the log"),
            Print(kLogTable, kPhaseNames, kLogEventNames, kPhaseNames));
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
  // The directory page, that of the catalogue, and that of the row.
  one.Fulfil({kStoreFound, kGroupBegins, kPagesMissing});
  one.Fulfil({kPagesMissing});
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
        << Print(kLogTable, kPhaseNames, kLogEventNames, kPhaseNames)[i];
  }
}

}  // namespace
}  // namespace entitable
