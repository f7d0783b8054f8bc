// A storage that fell back to an older state, because its process died.  An
// engine that still has the acknowledged records stores them again:
// docs/internals/store-protocol.md, "Lost log records".

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "support/engine_test.h"

namespace entitable {
namespace {

using Keys = std::vector<std::string>;

OwnedOperation InsertRow(const std::string& row_key) {
  return Insert("Tab", EntityBody("p", row_key));
}

// The table is record 1, the rows 1 to 3 are records 2 to 4.
class LostRecordsTest : public EngineTest {
 protected:
  void SetUp() override {
    Given(NewTable("Tab"));
    for (const char* row_key : {"1", "2", "3"}) Given(InsertRow(row_key));
  }

  MemoryStorage::Values& values() { return host_.storage().values(); }

  // The storage forgets these records, and the connection to it is lost, which
  // shows by the next commit.
  void Lose(std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t n = first; n <= last; ++n) {
      ASSERT_EQ(values().erase(ValueKey::Record(n)), 1U);
    }
    host_.faults().LoseNextOutcome(Fate::kLost);
  }

  std::string AddRow(const std::string& row_key) {
    return Outcome(host_.Do(InsertRow(row_key)));
  }

  // What an engine finds that knows nothing but the storage.
  Keys StoredRows() {
    MemoryHost reader(host_.shared_storage());
    return RowKeysOf(reader, Query("Tab"));
  }
};

TEST_F(LostRecordsTest, AreStoredAgainAsTheyWere) {
  for (std::uint64_t first = 1; first <= 4; ++first) {
    SCOPED_TRACE(first);
    const MemoryStorage::Values before = values();
    const std::uint64_t last = before.size() - 1;
    Lose(first, last);

    const std::string row_key = "x" + std::to_string(first);
    EXPECT_EQ(AddRow(row_key), "201");

    for (const auto& [key, value] : before) EXPECT_EQ(values()[key], value);
    EXPECT_EQ(values().size(), before.size() + 1);
    EXPECT_EQ(StoredRows().back(), row_key);
  }
}

TEST_F(LostRecordsTest, AreStoredAgainThoughTheWriteIsRefused) {
  Lose(3, 4);
  const RequestId added = host_.Submit(InsertRow("4"));
  const RequestId taken = host_.Submit(InsertRow("3"));

  EXPECT_EQ(Outcome(host_.Await(added)), "201");
  EXPECT_EQ(Outcome(host_.Await(taken)), "409 EntityAlreadyExists");
  EXPECT_EQ(StoredRows(), (Keys{"1", "2", "3", "4"}));
}

TEST_F(LostRecordsTest, AreStoredAgainWhereTheAttemptItselfCameThroughLate) {
  Lose(4, 4);
  host_.faults().LoseNextOutcome(Fate::kStored);  // The restoration.
  EXPECT_EQ(AddRow("4"), "201");
  EXPECT_EQ(StoredRows(), (Keys{"1", "2", "3", "4"}));
}

TEST_F(LostRecordsTest, AreStoredAgainAtTheLastOfSeveralAttempts) {
  Lose(4, 4);
  for (int attempt = 0; attempt < 2; ++attempt) {
    host_.faults().LoseNextOutcome(Fate::kLost);
  }
  EXPECT_EQ(AddRow("4"), "201");
  EXPECT_EQ(StoredRows(), (Keys{"1", "2", "3", "4"}));
}

// The records would be in pages then, but engines that are behind would find a
// gap in the log.
TEST_F(LostRecordsTest, AreLookedForBeforeAFlushIsTriedAgain) {
  const auto storage = std::make_shared<MemoryStorage>();
  MemoryHost host(storage, Profile::kDefault, {.flush_records = 4});
  ASSERT_EQ(Outcome(host.Do(NewTable("Tab"))), "201");
  ASSERT_EQ(Outcome(host.Do(InsertRow("1"))), "201");
  MemoryHost sleeper(storage);
  ASSERT_EQ(RowKeysOf(sleeper, Query("Tab")), Keys{"1"});
  ASSERT_EQ(Outcome(host.Do(InsertRow("2"))), "201");
  const RequestId third = host.Submit(InsertRow("3"));
  host.Fulfil(std::get<Commit>(host.NextWish()));
  const auto flush = std::get<Commit>(host.NextWish());
  for (const std::uint64_t n : {3U, 4U}) {
    ASSERT_EQ(storage->values().erase(ValueKey::Record(n)), 1U);
  }
  host.engine().Complete(flush.id, CommitOutcome::kUnknown);

  EXPECT_EQ(Outcome(host.Await(third)), "201");
  EXPECT_EQ(Outcome(host.Do(InsertRow("4"))), "201");
  EXPECT_EQ(Outcome(sleeper.Do(InsertRow("5"))), "201");
  EXPECT_EQ(RowKeysOf(sleeper, Query("Tab")), (Keys{"1", "2", "3", "4", "5"}));
}

// The write that comes next would read the log again and again.
TEST_F(LostRecordsTest, AreLookedForOnceForEachWriteWhileTheLogCannotBeRead) {
  const RequestId first = host_.Submit(InsertRow("4"));
  const auto commit = std::get<Commit>(host_.NextWish());
  host_.engine().Complete(commit.id, CommitOutcome::kUnknown);
  const RequestId second = host_.Submit(InsertRow("5"));
  const RequestId third = host_.Submit(InsertRow("6"));

  for (int i = 0; i < 2; ++i) {
    const Step read = host_.NextWish();
    ASSERT_TRUE(std::holds_alternative<Read>(read));
    host_.engine().ReadFailed(std::get<Read>(read).id,
                              Error(ErrorCode::kStorageUnavailable));
  }

  EXPECT_EQ(Outcome(host_.Await(first)), "500 StorageOutcomeUnknown");
  EXPECT_EQ(Outcome(host_.Await(second)), "503 StorageUnavailable");
  EXPECT_EQ(Outcome(host_.Await(third)), "201");
  EXPECT_EQ(StoredRows(), (Keys{"1", "2", "3", "6"}));
}

// A record behind a gap could not be read by anybody.
TEST_F(LostRecordsTest, KeepOthersFromBeingStoredUntilTheyAreBack) {
  Lose(3, 4);
  const MemoryStorage::Values before = values();
  host_.faults().RefuseNextCommit(CommitOutcome::kQuota);
  EXPECT_EQ(AddRow("4"), "500 StorageOutcomeUnknown");
  EXPECT_EQ(values(), before);

  host_.faults().RefuseNextCommit(CommitOutcome::kQuota);
  EXPECT_EQ(AddRow("4"), "507 StorageQuotaExceeded");
  EXPECT_EQ(values(), before);

  EXPECT_EQ(AddRow("4"), "201");
  EXPECT_EQ(StoredRows(), (Keys{"1", "2", "3", "4"}));
}

TEST_F(LostRecordsTest, AreFoundLostThoughOnlyBackgroundWorkMetTheLoss) {
  const auto storage = std::make_shared<MemoryStorage>();
  MemoryHost host(storage, Profile::kDefault, {.flush_records = 4});
  ASSERT_EQ(Outcome(host.Do(NewTable("Tab"))), "201");
  ASSERT_EQ(Outcome(host.Do(InsertRow("1"))), "201");
  ASSERT_EQ(Outcome(host.Do(InsertRow("2"))), "201");
  const RequestId third = host.Submit(InsertRow("3"));
  host.Fulfil(std::get<Commit>(host.NextWish()));
  const auto flush = std::get<Commit>(host.NextWish());
  const RequestId fourth = host.Submit(InsertRow("4"));
  storage->values().erase(ValueKey::Record(4));
  host.engine().Complete(flush.id, CommitOutcome::kUnknown);
  host.Fulfil(std::get<Read>(host.NextWish()));
  // Not the commit of row 4, which would be stored behind a gap.
  const Step next = host.NextWish();
  ASSERT_TRUE(std::holds_alternative<Read>(next));
  host.Fulfil(std::get<Read>(next));

  EXPECT_EQ(Outcome(host.Await(third)), "201");
  EXPECT_EQ(Outcome(host.Await(fourth)), "201");
  MemoryHost reader(storage);
  EXPECT_EQ(RowKeysOf(reader, Query("Tab")), (Keys{"1", "2", "3", "4"}));
}

TEST_F(LostRecordsTest, MayBeStoredAgainByAnotherEngineThatHasThem) {
  MemoryHost other(host_.shared_storage());
  ASSERT_EQ(RowKeysOf(other, Query("Tab")).size(), 3U);
  Lose(3, 4);
  other.faults().LoseNextOutcome(Fate::kLost);

  ASSERT_EQ(Outcome(other.Do(InsertRow("other"))), "201");
  EXPECT_EQ(AddRow("4"), "201");

  EXPECT_EQ(StoredRows(), (Keys{"1", "2", "3", "4", "other"}));
}

// Then nothing is in doubt any more.
TEST_F(LostRecordsTest, TogetherWithAllElseAreAStoreThatIsGone) {
  values().clear();
  host_.faults().LoseNextOutcome(Fate::kLost);
  EXPECT_EQ(AddRow("4"), "410 StorageEvicted");
}

// Another engine that never knew them has continued the log.
TEST_F(LostRecordsTest, AreReportedWhereOthersStandInTheirPlace) {
  Lose(3, 4);
  MemoryHost rival(host_.shared_storage());
  ASSERT_EQ(Outcome(rival.Do(InsertRow("rival"))), "201");
  const MemoryStorage::Values before = values();

  EXPECT_EQ(AddRow("4"), "500 StorageOutcomeUnknown");

  EXPECT_EQ(values(), before);
  // The state in storage counts; what is not in it does not exist.
  EXPECT_EQ(AddRow("5"), "201");
  EXPECT_EQ(StoredRows(), (Keys{"1", "5", "rival"}));
}

}  // namespace
}  // namespace entitable
