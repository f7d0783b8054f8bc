// Commits with an unknown outcome: CommitOutcome::kUnknown;
// docs/internals/store-protocol.md, "Commit".

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "support/engine_test.h"

namespace entitable {
namespace {

using Keys = std::vector<std::string>;

class UnknownOutcomeTest : public EngineTest {
 protected:
  void SetUp() override { Given(NewTable("Tab")); }

  static OwnedOperation InsertRow(const std::string& row_key) {
    return Insert("Tab", EntityBody("p", row_key));
  }

  // The answer to an insert.
  std::string AddRow(const std::string& row_key) {
    return Outcome(host_.Do(InsertRow(row_key)));
  }

  // What the engine wants to commit next, with all that it wants to read
  // before.
  static Commit NextCommit(MemoryHost& host) {
    Step step = host.NextWish();
    for (; std::holds_alternative<Read>(step); step = host.NextWish()) {
      host.Fulfil(std::get<Read>(step));
    }
    return std::get<Commit>(step);
  }

  // A store whose rows are in pages.
  static std::shared_ptr<MemoryStorage> StoreInPages() {
    auto storage = std::make_shared<MemoryStorage>();
    MemoryHost flushing(storage, Profile::kDefault, {.flush_records = 2});
    EXPECT_EQ(Outcome(flushing.Do(NewTable("Tab"))), "201");
    EXPECT_EQ(Outcome(flushing.Do(InsertRow("0"))), "201");
    return storage;
  }

  Keys Rows() { return RowKeysOf(host_, Query("Tab")); }

  // What an engine finds that knows nothing but the storage; every record is
  // read, and must continue the one before it.
  Keys StoredRows() {
    MemoryHost reader(host_.shared_storage());
    return RowKeysOf(reader, Query("Tab"));
  }

  std::size_t CommitCount() { return host_.storage().values().size() - 1; }

  void RivalAdds(const std::string& row_key) {
    MemoryHost rival(host_.shared_storage());
    ASSERT_EQ(Outcome(rival.Do(InsertRow(row_key))), "201");
  }
};

TEST_F(UnknownOutcomeTest, EndsWellExactlyOnceWhateverHappened) {
  for (const Fate fate : {Fate::kStored, Fate::kLost, Fate::kLate}) {
    SCOPED_TRACE(static_cast<int>(fate));
    const std::size_t before = CommitCount();
    const std::string row_key = std::to_string(before);
    host_.faults().LoseNextOutcome(fate);

    EXPECT_EQ(AddRow(row_key), "201");

    EXPECT_EQ(CommitCount(), before + 1);
    EXPECT_EQ(Rows().back(), row_key);
    EXPECT_EQ(StoredRows(), Rows());
  }
}

// A first attempt may be stored before the checkpoint is compared.  A later
// attempt must wait for the comparison, because the storage may have changed.
TEST_F(UnknownOutcomeTest, IsSentAgainOnlyWhereTheCheckpointIsFoundAsItWas) {
  host_.faults().LoseNextOutcome(Fate::kLost);
  const RequestId request = host_.Submit(InsertRow("1"));
  const Step first = host_.NextWish();
  EXPECT_TRUE(std::get<Commit>(first).batch.is_optimistic);
  host_.Fulfil(std::get<Commit>(first));
  const Step refresh = host_.NextWish();
  host_.Fulfil(std::get<Read>(refresh));

  const Step second = host_.NextWish();
  EXPECT_FALSE(std::get<Commit>(second).batch.is_optimistic);
  EXPECT_EQ(std::get<Commit>(second).batch.expect.front().key,
            ValueKey::Checkpoint());
  host_.Fulfil(std::get<Commit>(second));
  EXPECT_EQ(Outcome(host_.Await(request)), "201");
}

// The first attempt must not be taken for somebody else's write: a second
// evaluation would answer 409.
TEST_F(UnknownOutcomeTest, IsNotEvaluatedAgainWhenItWasStored) {
  host_.faults().LoseNextOutcome(Fate::kLate);
  host_.faults().LoseNextOutcome(Fate::kStored);

  EXPECT_EQ(AddRow("1"), "201");
  EXPECT_EQ(StoredRows(), Keys{"1"});
}

TEST_F(UnknownOutcomeTest, IsFoundBehindTheRecordsOfOthers) {
  host_.faults().LoseNextOutcome(Fate::kStored);
  const RequestId request = host_.Submit(InsertRow("1"));
  const Step commit = host_.NextWish();
  host_.Fulfil(std::get<Commit>(commit));
  RivalAdds("2");

  EXPECT_EQ(Outcome(host_.Await(request)), "201");
  EXPECT_EQ(Rows(), (Keys{"1", "2"}));
  EXPECT_EQ(StoredRows(), Rows());
}

TEST_F(UnknownOutcomeTest, IsEvaluatedAgainWhereAnotherTookItsPlace) {
  for (const Fate fate : {Fate::kLost, Fate::kLate}) {
    SCOPED_TRACE(static_cast<int>(fate));
    const std::string row_key = std::to_string(CommitCount());
    // So long after the rival's record that nobody is held off.
    host_.set_clock(host_.clock() + 1'000);
    host_.faults().LoseNextOutcome(fate);
    const RequestId same = host_.Submit(InsertRow(row_key));
    const RequestId other = host_.Submit(InsertRow(row_key + "x"));
    const Step commit = host_.NextWish();
    host_.Fulfil(std::get<Commit>(commit));
    RivalAdds(row_key);

    EXPECT_EQ(Outcome(host_.Await(same)), "409 EntityAlreadyExists");
    EXPECT_EQ(Outcome(host_.Await(other)), "201");
    EXPECT_EQ(StoredRows(), Rows());
  }
}

TEST_F(UnknownOutcomeTest, IsSaidToBeUnknownWhenTheStorageStaysSilent) {
  for (int i = 0; i < 10; ++i) host_.faults().LoseNextOutcome(Fate::kLost);
  EXPECT_EQ(AddRow("1"), "500 StorageOutcomeUnknown");
  EXPECT_EQ(StoredRows(), Keys{});

  host_.faults().Repair();
  EXPECT_EQ(AddRow("2"), "201");
  EXPECT_EQ(StoredRows(), Keys{"2"});
}

TEST_F(UnknownOutcomeTest, OfANewStoreIsNotTheAnswerToALaterRead) {
  MemoryHost host(std::make_shared<MemoryStorage>());
  for (int i = 0; i < 3; ++i) host.faults().LoseNextOutcome(Fate::kLost);
  const RequestId early = host.Submit(NewTable("Tab"));
  for (int i = 0; i < 3; ++i) {
    host.Fulfil(std::get<Read>(host.NextWish()));
    host.Fulfil(std::get<Commit>(host.NextWish()));
  }

  const RequestId late = host.Submit(NewTable("Tab"));

  EXPECT_EQ(Outcome(host.Await(early)), "500 StorageOutcomeUnknown");
  EXPECT_EQ(Outcome(host.Await(late)), "201");
}

// A compaction has found a loss, and the record before ours may be lost, too.
TEST_F(UnknownOutcomeTest,
       OfACompactionKeepsBackWhatTheStorageWasNotHandedYet) {
  MemoryHost host(std::make_shared<MemoryStorage>(), Profile::kDefault,
                  {.flush_records = 1});
  ASSERT_EQ(Outcome(host.Do(NewTable("Tab"))), "201");
  ASSERT_EQ(Outcome(host.Do(InsertRow("0"))), "201");
  host.Submit(InsertRow("1"));
  host.Fulfil(NextCommit(host));
  host.Fulfil(NextCommit(host));  // A flush.
  const Commit compaction = NextCommit(host);
  const RequestId remove = host.Submit(Delete("Tab", "p", "0"));
  const RequestId insert = host.Submit(InsertRow("2"));
  const Commit commit = NextCommit(host);

  host.engine().Complete(commit.id, CommitOutcome::kQuota);
  host.engine().Complete(compaction.id, CommitOutcome::kUnknown);

  const Step next = host.NextWish();
  ASSERT_TRUE(std::holds_alternative<Read>(next));
  host.Fulfil(std::get<Read>(next));
  EXPECT_EQ(Outcome(host.Await(insert)), "507 StorageQuotaExceeded");
  EXPECT_EQ(Outcome(host.Await(remove)), "204");
}

// The record is already flushed when the log is read.  A read of pages has told
// the engine so, but not the read that was to find the record.
TEST_F(UnknownOutcomeTest, EndsWellWhenAFlushComesBetweenTheReadAndItsAnswer) {
  const auto storage = std::make_shared<MemoryStorage>();
  MemoryHost flushing(storage, Profile::kDefault, {.flush_records = 2});
  ASSERT_EQ(Outcome(flushing.Do(NewTable("Tab"))), "201");
  ASSERT_EQ(Outcome(flushing.Do(InsertRow("0"))), "201");
  MemoryHost host(storage, Profile::kDefault, {.cache_bytes = 0});
  ASSERT_EQ(Outcome(host.Do(Get("Tab", "p", "0"))), "200");

  const RequestId insert = host.Submit(InsertRow("1"));
  const Commit commit = NextCommit(host);
  ASSERT_TRUE(storage->Store(commit.batch));
  host.engine().Complete(commit.id, CommitOutcome::kUnknown);
  const Read refresh = std::get<Read>(host.NextWish());
  const Snapshot before = storage->Load(refresh);
  ASSERT_EQ(Outcome(flushing.Do(InsertRow("2"))), "201");
  const RequestId get = host.Submit(Get("Tab", "p", "0"));
  host.Fulfil(std::get<Read>(host.NextWish()));
  host.engine().Supply(refresh.id, before);

  EXPECT_EQ(Outcome(host.Await(insert)), "201");
  EXPECT_EQ(Outcome(host.Await(get)), "200");
}

// The first attempt arrives late, after the second was refused because of a
// flush.  The answer must be what the first attempt stored.
TEST_F(UnknownOutcomeTest, IsAnsweredAsItWasStoredAlsoAcrossAFlush) {
  const auto storage = std::make_shared<MemoryStorage>();
  MemoryHost host(storage);
  ASSERT_EQ(Outcome(host.Do(NewTable("Tab"))), "201");
  const RequestId insert = host.Submit(InsertRow("1"));
  const auto late = std::get<Commit>(host.NextWish());
  host.engine().Complete(late.id, CommitOutcome::kUnknown);
  host.Fulfil(std::get<Read>(host.NextWish()));
  const auto second = std::get<Commit>(host.NextWish());
  MemoryHost flushing(storage, Profile::kDefault, {.flush_records = 1});
  ASSERT_EQ(Outcome(flushing.Do(Get("Tab", "p", "1"))), "404 ResourceNotFound");
  flushing.Run();
  ASSERT_FALSE(storage->Store(second.batch));
  host.engine().Complete(second.id, CommitOutcome::kMoved);
  host.Fulfil(std::get<Read>(host.NextWish()));
  ASSERT_NE(storage->StoreOptimistically(late.batch), CommitOutcome::kMoved);
  host.set_clock(MemoryHost::kSomeTime + 1'000);

  const auto answer = host.Await(insert);
  ASSERT_EQ(Outcome(answer), "201");
  MemoryHost reader(storage);
  EXPECT_EQ(answer->etag, reader.Do(Get("Tab", "p", "1"))->etag);
}

// A record that comes after two flushes, which its tab missed, is stored where
// nobody reads.
TEST_F(UnknownOutcomeTest, IsStoredAgainWhereItsPlaceIsBelowTheCheckpoint) {
  const auto storage = std::make_shared<MemoryStorage>();
  MemoryHost asleep(storage);
  ASSERT_EQ(Outcome(asleep.Do(NewTable("Tab"))), "201");
  MemoryHost flushing(storage, Profile::kDefault, {.flush_records = 2});
  for (const char* row : {"0", "1", "2", "3", "4", "5"}) {
    ASSERT_EQ(Outcome(flushing.Do(InsertRow(row))), "201");
  }
  ASSERT_FALSE(storage->values().contains(ValueKey::Record(2)));

  const RequestId insert = asleep.Submit(InsertRow("mine"));
  const auto commit = std::get<Commit>(asleep.NextWish());
  ASSERT_EQ(storage->StoreOptimistically(commit.batch),
            CommitOutcome::kUnknown);
  ASSERT_TRUE(storage->values().contains(ValueKey::Record(2)));
  asleep.engine().Complete(commit.id, CommitOutcome::kUnknown);
  EXPECT_EQ(Outcome(asleep.Await(insert)), "201");

  const Keys all{"0", "1", "2", "3", "4", "5", "mine"};
  MemoryHost reader(storage);
  EXPECT_EQ(RowKeysOf(reader, Query("Tab")), all);
  // The next flush of an engine that has seen the record deletes it.
  MemoryHost tidy(storage, Profile::kDefault, {.flush_records = 1});
  EXPECT_EQ(RowKeysOf(tidy, Query("Tab")), all);
  tidy.Run();
  EXPECT_FALSE(storage->values().contains(ValueKey::Record(2)));
}

TEST_F(UnknownOutcomeTest, IsSaidToBeUnknownWhenItCannotBeLookedUp) {
  Given(InsertRow("r"));
  const RequestId insert = host_.Submit(InsertRow("1"));
  const RequestId taken = host_.Submit(InsertRow("r"));
  host_.faults().LoseNextOutcome(Fate::kStored);
  host_.faults().FailNextRead();

  EXPECT_EQ(Outcome(host_.Await(insert)), "500 StorageOutcomeUnknown");
  EXPECT_EQ(Outcome(host_.Await(taken)), "503 StorageUnavailable");

  // The next write finds out that it was stored after all.
  EXPECT_EQ(AddRow("1"), "409 EntityAlreadyExists");
  EXPECT_EQ(StoredRows(), (Keys{"1", "r"}));
}

// A read of pages fails everything, the commit that is under way included.
TEST_F(UnknownOutcomeTest, IsReportedAsUnknownWhenTheEngineFailsFirst) {
  const auto storage = StoreInPages();
  MemoryHost host(storage, Profile::kDefault, {.cache_bytes = 0});
  ASSERT_EQ(Outcome(host.Do(Get("Tab", "p", "0"))), "200");
  const RequestId insert = host.Submit(InsertRow("1"));
  const Commit commit = NextCommit(host);
  const RequestId later = host.Submit(InsertRow("2"));
  const RequestId get = host.Submit(Get("Tab", "p", "0"));
  const Read pages = std::get<Read>(host.NextWish());

  host.engine().Supply(pages.id, {});
  ASSERT_TRUE(storage->Store(commit.batch));
  host.engine().Complete(commit.id, CommitOutcome::kOk);

  EXPECT_EQ(Outcome(host.Await(insert)), "500 StorageOutcomeUnknown");
  EXPECT_EQ(Outcome(host.Await(later)), "500 StorageDamaged");
  EXPECT_EQ(Outcome(host.Await(get)), "500 StorageDamaged");
  EXPECT_EQ(Outcome(host.Do(InsertRow("1"))), "409 EntityAlreadyExists");
}

TEST_F(UnknownOutcomeTest, IsNotThatOfACommitThatWasNotHandedOut) {
  const auto storage = StoreInPages();
  MemoryHost host(storage, Profile::kDefault, {.cache_bytes = 0});
  ASSERT_EQ(Outcome(host.Do(Get("Tab", "p", "0"))), "200");
  const RequestId insert = host.Submit(InsertRow("1"));
  const Commit commit = NextCommit(host);
  const RequestId get = host.Submit(Get("Tab", "p", "0"));
  const Read pages = std::get<Read>(host.NextWish());
  MemoryHost rival(storage);
  ASSERT_EQ(Outcome(rival.Do(InsertRow("rival"))), "201");
  host.engine().Complete(commit.id, CommitOutcome::kMoved);
  host.Fulfil(std::get<Read>(host.NextWish()));

  host.engine().Supply(pages.id, {});

  EXPECT_EQ(Outcome(host.Await(insert)), "500 StorageDamaged");
  EXPECT_EQ(Outcome(host.Await(get)), "500 StorageDamaged");
  EXPECT_EQ(Outcome(host.Do(InsertRow("1"))), "201");
}

TEST_F(UnknownOutcomeTest, MayComeTrueLongAfterItWasSaidToBeUnknown) {
  for (int i = 0; i < 10; ++i) host_.faults().LoseNextOutcome(Fate::kLost);
  ASSERT_EQ(AddRow("1"), "500 StorageOutcomeUnknown");
  const Batch late = host_.faults().lost().front();
  host_.faults().Repair();

  ASSERT_TRUE(host_.storage().Store(late));
  EXPECT_FALSE(host_.storage().Store(late));

  EXPECT_EQ(AddRow("2"), "201");
  EXPECT_EQ(Rows(), (Keys{"1", "2"}));
  EXPECT_EQ(StoredRows(), Rows());
}

TEST_F(UnknownOutcomeTest, CannotComeTrueOnceItsPlaceIsTaken) {
  for (int i = 0; i < 10; ++i) host_.faults().LoseNextOutcome(Fate::kLost);
  ASSERT_EQ(AddRow("1"), "500 StorageOutcomeUnknown");
  const Batch late = host_.faults().lost().front();
  host_.faults().Repair();
  ASSERT_EQ(AddRow("2"), "201");

  EXPECT_FALSE(host_.storage().Store(late));

  EXPECT_EQ(StoredRows(), Keys{"2"});
}

// A refusal of the second attempt says nothing about the first, which may still
// arrive: "a write that failed changed nothing" would be a lie.
TEST_F(UnknownOutcomeTest, StaysUnknownWhenTheNextAttemptIsRefused) {
  for (const CommitOutcome outcome :
       {CommitOutcome::kQuota, CommitOutcome::kRefused,
        CommitOutcome::kMoved}) {
    SCOPED_TRACE(static_cast<int>(outcome));
    const std::string row_key = std::to_string(CommitCount());
    host_.faults().LoseNextOutcome(Fate::kLate);
    host_.faults().RefuseNextCommit(outcome);

    EXPECT_EQ(AddRow(row_key), "500 StorageOutcomeUnknown");

    EXPECT_EQ(AddRow("x" + row_key), "201");  // Lets the late one in.
    EXPECT_EQ(StoredRows(), Rows());
    EXPECT_EQ(Stored("Tab", "p", row_key), "");
  }
}

TEST_F(UnknownOutcomeTest, StaysUnknownWhenTheLogTurnsOutToBeDamaged) {
  Given(InsertRow("r"));
  const RequestId insert = host_.Submit(InsertRow("1"));
  const RequestId taken = host_.Submit(InsertRow("r"));
  host_.faults().LoseNextOutcome(Fate::kStored);
  host_.faults().Damage(ValueKey::Record(3), 20);

  EXPECT_EQ(Outcome(host_.Await(insert)), "500 StorageOutcomeUnknown");
  EXPECT_EQ(Outcome(host_.Await(taken)), "500 StorageDamaged");

  host_.faults().Repair();
  EXPECT_EQ(Rows(), (Keys{"1", "r"}));
}

TEST_F(UnknownOutcomeTest, OfANewStoreIsFoundOutByOpeningIt) {
  for (const Fate fate : {Fate::kStored, Fate::kLost, Fate::kLate}) {
    SCOPED_TRACE(static_cast<int>(fate));
    MemoryHost host;
    host.faults().LoseNextOutcome(fate);

    EXPECT_EQ(Outcome(host.Do(NewTable("Tab"))), "201");
    EXPECT_EQ(Outcome(host.Do(InsertRow("1"))), "201");

    host.Restart();
    EXPECT_EQ(RowKeysOf(host, Query("Tab")), Keys{"1"});
  }
}

}  // namespace
}  // namespace entitable
