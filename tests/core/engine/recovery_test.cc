// Opening a store, new or used before, and restarting the engine.

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "store/checkpoint.h"
#include "support/four_records_test.h"

namespace entitable {
namespace {

using Keys = std::vector<std::string>;

class RecoveryTest : public FourRecordsTest {
 protected:
  Keys Rows() { return RowKeysOf(host_, Query("Tab")); }
};

// ------------------------------------------------------------------- opening

// Case 545.
TEST_F(RecoveryTest, OpensAStoreAsItWasClosed) {
  Given(Merge("Tab", "p", "2", R"({"L@odata.type":"Edm.Int64","L":"7"})"));
  Given(Delete("Tab", "p", "3"));
  Given(NewTable("Empty"));
  const std::string contents = Contents(host_);

  host_.Restart();

  EXPECT_EQ(Contents(host_), contents);
}

TEST_F(RecoveryTest, OpensWithOneReadOfCheckpointManifestRecordsAndCopies) {
  host_.Restart();
  host_.Submit(Query("Tab"));

  const Step wish = host_.NextWish();

  ASSERT_TRUE(std::holds_alternative<Read>(wish));
  const Read& read = std::get<Read>(wish);
  EXPECT_EQ(read.keys, (std::vector{ValueKey::Checkpoint(),
                                    ValueKey::Manifest(), ValueKey::Page(0)}));
  EXPECT_EQ(read.records_after, 0U);
  host_.Fulfil(read);
  EXPECT_TRUE(std::holds_alternative<Idle>(host_.NextWish()));
}

TEST_F(RecoveryTest, AsksForNothingBeforeTheFirstRequest) {
  host_.Restart();
  EXPECT_TRUE(std::holds_alternative<Idle>(host_.NextWish()));
  EXPECT_EQ(Outcome(host_.Do(Insert("Tab", "!"))), "400 InvalidInput");
  EXPECT_TRUE(std::holds_alternative<Idle>(host_.NextWish()));
}

TEST_F(RecoveryTest, AReadThatFailsIsTriedAgainByTheNextRequest) {
  host_.Restart();
  host_.faults().FailNextRead();
  const RequestId query = host_.Submit(Query("Tab"));
  const RequestId insert = host_.Submit(InsertRow("4"));

  EXPECT_EQ(Outcome(host_.Await(query)), "503 StorageUnavailable");
  EXPECT_EQ(Outcome(host_.Await(insert)), "503 StorageUnavailable");
  EXPECT_EQ(Rows(), (Keys{"1", "2", "3"}));
}

// ------------------------------------------------------------- a new storage

TEST_F(RecoveryTest, ANewStoreBeginsWithItsCheckpoint) {
  MemoryHost host;
  EXPECT_EQ(Outcome(host.Do(ListTables())), "200");

  const auto& stored = host.storage().values();
  ASSERT_EQ(stored.size(), 1U);
  const auto made = DecodeCheckpoint(stored.at(ValueKey::Checkpoint()));
  ASSERT_TRUE(made.has_value());
  EXPECT_NE(made->store_id, Random128{});
  EXPECT_EQ(made->number, 0U);
}

TEST_F(RecoveryTest, TwoThatMakeAStoreAtOnceShareOne) {
  MemoryHost first;
  MemoryHost second(first.shared_storage());
  first.faults().LoseNextRace(
      [&] { EXPECT_EQ(Outcome(second.Do(NewTable("Tab"))), "201"); });

  EXPECT_EQ(Outcome(first.Do(InsertRow("1"))), "201");

  EXPECT_EQ(Outcome(second.Do(InsertRow("1"))), "409 EntityAlreadyExists");
  EXPECT_EQ(Contents(first), Contents(second));
}

TEST_F(RecoveryTest, AStoreThatCannotBeMadeIsTriedAgainByTheNextRequest) {
  const struct {
    CommitOutcome outcome;
    const char* answer;
  } kCases[] = {
      {CommitOutcome::kQuota, "507 StorageQuotaExceeded"},
      {CommitOutcome::kRefused, "503 StorageUnavailable"},
  };
  for (const auto& [outcome, answer] : kCases) {
    MemoryHost host;
    host.faults().RefuseNextCommit(outcome);

    EXPECT_EQ(Outcome(host.Do(NewTable("Tab"))), answer);

    EXPECT_TRUE(host.storage().values().empty());
    EXPECT_EQ(Outcome(host.Do(NewTable("Tab"))), "201");
  }
}

TEST_F(RecoveryTest, AStoreThatNeverAppearsIsGivenUp) {
  const struct {
    CommitOutcome outcome;
    const char* answer;
  } kCases[] = {
      {CommitOutcome::kOk, "503 StorageUnavailable"},
      {CommitOutcome::kMoved, "503 StorageUnavailable"},
      {CommitOutcome::kUnknown, "500 StorageOutcomeUnknown"},
  };
  for (const auto& [outcome, answer] : kCases) {
    MemoryHost host;
    for (int i = 0; i < 10; ++i) host.faults().RefuseNextCommit(outcome);

    EXPECT_EQ(Outcome(host.Do(NewTable("Tab"))), answer);

    host.faults().Repair();
    EXPECT_EQ(Outcome(host.Do(NewTable("Tab"))), "201");
  }
}

// ------------------------------------------------------------------ restarts

TEST_F(RecoveryTest, ARestartInTheMiddleOfACommitLosesOnlyWhatWasNotAnswered) {
  for (const bool is_stored : {false, true}) {
    const Keys before = Rows();
    const std::string row_key = is_stored ? "5" : "4";
    host_.Submit(InsertRow(row_key));
    const Step wish = host_.NextWish();
    ASSERT_TRUE(std::holds_alternative<Commit>(wish));
    if (is_stored) host_.storage().Store(std::get<Commit>(wish).batch);

    host_.Restart();

    Keys expected = before;
    if (is_stored) expected.push_back(row_key);
    EXPECT_EQ(Rows(), expected);
  }
}

}  // namespace
}  // namespace entitable
