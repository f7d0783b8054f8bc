// What becomes of a commit group that was sent: each row of the table.
// docs/internals/store-protocol.md, "The verdict on a group".

#include "commit/group_verdict.h"

#include <gtest/gtest.h>

#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "store/checkpoint.h"
#include "support/log_dialogue.h"
#include "support/printed_transitions.h"

namespace entitable {
namespace {

using enum LogEvent;

constexpr const char* kRecords[] = {"not sent", "sent", "in doubt"};
constexpr const char* kFacts[] = {
    "stored",  "moved",     "no room",     "refused",   "unknown",    "silence",
    "unclear", "forgotten", "unexplained", "not there", "next in log"};
constexpr const char* kVerdicts[] = {"confirm", "catch up", "keep deletions",
                                     "search",  "evaluate", "send again",
                                     "abandon"};
static_assert(std::size(kFacts) ==
              std::to_underlying(GroupFact::kNextInLog) + 1);
static_assert(std::size(kVerdicts) ==
              std::to_underlying(GroupVerdict::kAbandon) + 1);

TEST(GroupTableTest, IsDocumented) {
  EXPECT_EQ(DocumentedTransitions("### The verdict on a group"),
            Print(kGroupTable, kRecords, kFacts, kVerdicts));
}

class GroupVerdictTest : public testing::Test {
 protected:
  // A group with one write is sent.
  void SetUp() override {
    group_.Open();
    group_.Submit(InsertRow("1"), {kGroupBegins, kRecordSent});
  }

  // The group is in doubt, and sent again.
  void GivenDoubt() {
    group_.Complete(CommitOutcome::kUnknown, {kDoubt});
    group_.Fulfil({kRecordSent});
  }

  Bytes SentRecord() const {
    return *std::get<Commit>(group_.wish()).batch.puts.front().value;
  }

  // Another engine changes the checkpoint, and writes no record.
  void RivalFlushes() {
    MemoryHost rival(storage_, Profile::kDefault, {.flush_records = 1});
    ASSERT_EQ(Outcome(rival.Do(ListTables())), "200");
    rival.Run();
    ASSERT_TRUE(storage_->values().contains(ValueKey::Manifest()));
  }

  std::shared_ptr<MemoryStorage> storage_ = StoreInLog();
  Dialogue group_{storage_};
};

TEST_F(GroupVerdictTest, StoredConfirms) {
  group_.Fulfil({kGroupEnds});
  EXPECT_EQ(group_.answer(), "201");
}

TEST_F(GroupVerdictTest, StoredInDoubtConfirms) {
  ASSERT_TRUE(storage_->Store(std::get<Commit>(group_.wish()).batch));
  group_.Complete(CommitOutcome::kUnknown, {kDoubt});
  group_.Fulfil({kGroupEnds});
  EXPECT_EQ(group_.answer(), "201");
}

TEST_F(GroupVerdictTest, MovedCatchesUpAndEvaluatesWhereItIsNotThere) {
  RivalAdds(storage_, "1");
  group_.Complete(CommitOutcome::kMoved, {kMoved});
  group_.Fulfil({kNotStored, kGroupEnds});
  EXPECT_EQ(group_.answer(), "409 EntityAlreadyExists");
}

TEST_F(GroupVerdictTest, MovedByNothingAbandons) {
  group_.Complete(CommitOutcome::kMoved, {kMoved});
  group_.Fulfil({kGroupEnds});
  EXPECT_EQ(group_.answer(), "503 StorageUnavailable");
}

TEST_F(GroupVerdictTest, MovedByAFlushEvaluatesThoughItsNumberIsFree) {
  RivalFlushes();
  const Bytes sent = SentRecord();
  group_.host().set_clock(group_.host().clock() + 1);
  group_.Complete(CommitOutcome::kMoved, {kMoved});
  group_.Fulfil({kNotStored, kPagesMissing});
  group_.Fulfil({kPagesMissing});
  group_.Fulfil({kPagesFound, kRecordSent});
  EXPECT_NE(SentRecord(), sent);
}

TEST_F(GroupVerdictTest, MovedByAFlushInDoubtSendsTheSameAgain) {
  GivenDoubt();
  RivalFlushes();
  const Bytes sent = SentRecord();
  group_.host().set_clock(group_.host().clock() + 1);
  group_.Complete(CommitOutcome::kMoved, {kMoved});
  group_.Fulfil({kRecordSent});
  EXPECT_EQ(SentRecord(), sent);
}

TEST_F(GroupVerdictTest, NoRoomKeepsDeletions) {
  group_.Fulfil({kGroupEnds});
  group_.Submit(InsertRow("2"));
  group_.Submit(Delete("Tab", "p", "1"), {kGroupBegins, kRecordSent});
  group_.Complete(CommitOutcome::kQuota, {kDeletionsLeft, kRecordSent});
  group_.Fulfil({kGroupEnds});
  EXPECT_EQ(group_.answer(), "204");
}

TEST_F(GroupVerdictTest, NoRoomInDoubtAbandons) {
  GivenDoubt();
  group_.Complete(CommitOutcome::kQuota, {kGroupEnds});
  EXPECT_EQ(group_.answer(), "500 StorageOutcomeUnknown");
}

TEST_F(GroupVerdictTest, RefusedAbandons) {
  group_.Complete(CommitOutcome::kRefused, {kGroupEnds});
  EXPECT_EQ(group_.answer(), "503 StorageUnavailable");
}

TEST_F(GroupVerdictTest, UnknownSearchesThreeTimes) {
  for (int search = 0; search < 3; ++search) GivenDoubt();
  group_.Complete(CommitOutcome::kUnknown, {kGroupEnds});
  EXPECT_EQ(group_.answer(), "500 StorageOutcomeUnknown");
}

TEST_F(GroupVerdictTest, ForgottenAbandons) {
  for (std::size_t i = 0; i < Checkpoint::kMaxSessions; ++i) {
    RivalAdds(storage_, "rival " + std::to_string(i));
  }
  RivalFlushes();
  group_.Complete(CommitOutcome::kUnknown, {kDoubt});
  group_.Fulfil({kGroupEnds});
  EXPECT_EQ(group_.answer(), "500 StorageOutcomeUnknown");
}

// A read of pages has shown a flush that the read of the log has not.
TEST(GroupVerdictOfPagesTest, UnclearSearches) {
  const auto storage = StoreInPages();
  Dialogue group(storage, {.cache_bytes = 0});
  const RequestId request = group.Submit(MergeRow("r"));
  group.Expect({kRequest});
  group.Fulfil({kStoreFound, kGroupBegins, kPagesMissing});
  group.Fulfil({kPagesMissing});
  group.Fulfil({kPagesMissing});
  group.Fulfil({kPagesFound, kRecordSent});
  group.NoteFlushed(2);
  ASSERT_TRUE(storage->Store(std::get<Commit>(group.wish()).batch));
  group.Complete(CommitOutcome::kUnknown, {kDoubt});
  const Read search = std::get<Read>(group.wish());
  const Snapshot before = storage->Load(search);
  MemoryHost flushing(storage, Profile::kDefault, {.flush_records = 1});
  ASSERT_EQ(Outcome(flushing.Do(InsertRow("2"))), "201");
  group.host().Submit(Get("Tab", "p", "other"));
  group.host().Fulfil(std::get<Read>(group.host().NextWish()));

  group.host().engine().Supply(search.id, before);

  group.NoteFlushed(4);
  group.Expect({kDoubt});
  group.host().Fulfil(std::get<Read>(group.wish()));
  EXPECT_EQ(Outcome(group.host().Await(request)), "204");
}

}  // namespace
}  // namespace entitable
