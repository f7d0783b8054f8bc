// How commits are shared, refused, lost and looked up: the promises of
// engine.h.

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "support/engine_test.h"

namespace entitable {
namespace {

using Keys = std::vector<std::string>;

// All of it is about partition p of the table Tab.
class CommitTest : public EngineTest {
 protected:
  void SetUp() override { Given(NewTable("Tab")); }

  static OwnedOperation InsertRow(const std::string& row_key) {
    return Insert("Tab", EntityBody("p", row_key));
  }
  static OwnedOperation Update(const std::string& row_key, With with) {
    return Merge("Tab", "p", row_key, "{}", std::move(with));
  }

  Keys Rows() { return RowKeysOf(host_, Query("Tab")); }

  // What an engine finds that knows nothing but the storage.
  Keys StoredRows() {
    MemoryHost reader(host_.shared_storage());
    return RowKeysOf(reader, Query("Tab"));
  }

  // The records of the log.
  std::size_t CommitCount() {
    const auto& values = host_.storage().values();
    return values.size() - values.count(ValueKey::Checkpoint());
  }

  // Lets another engine on the same storage do it.
  std::string RivalDoes(const OwnedOperation& operation) {
    MemoryHost rival(host_.shared_storage());
    return Outcome(rival.Do(operation));
  }
  void LoseNextRaceTo(const OwnedOperation& operation) {
    host_.faults().LoseNextRace([this, operation] {
      EXPECT_LT(RivalDoes(operation), "300") << "the rival failed";
    });
  }

  // The commit that the engine asks for next.
  Commit NextCommit() {
    for (;;) {
      Step wish = host_.NextWish();
      if (auto* commit = std::get_if<Commit>(&wish)) return std::move(*commit);
      if (!std::holds_alternative<Read>(wish)) break;
      host_.Fulfil(std::get<Read>(wish));
    }
    ADD_FAILURE() << "The engine asks for no commit.";
    return {};
  }
};

// ------------------------------------------------------------ shared commits

TEST_F(CommitTest, WritesThatWaitTogetherShareOne) {
  const std::size_t before = CommitCount();
  for (const char* row_key : {"1", "2", "3"}) host_.Submit(InsertRow(row_key));
  host_.Run();

  EXPECT_EQ(CommitCount(), before + 1);
  EXPECT_EQ(StoredRows(), (Keys{"1", "2", "3"}));
}

TEST_F(CommitTest, WritesThatArriveDuringItShareTheNext) {
  const std::size_t before = CommitCount();
  host_.Submit(InsertRow("1"));
  const Commit first = NextCommit();
  host_.Submit(InsertRow("2"));
  host_.Submit(InsertRow("3"));
  EXPECT_TRUE(std::holds_alternative<Idle>(host_.NextWish()));

  host_.Fulfil(first);
  host_.Run();

  EXPECT_EQ(CommitCount(), before + 2);
  EXPECT_EQ(StoredRows(), (Keys{"1", "2", "3"}));
}

TEST_F(CommitTest, WritesAreEvaluatedInTheOrderOfTheirSubmission) {
  const std::vector<std::pair<OwnedOperation, const char*>> kWrites = {
      {NewTable("New"), "201"},
      {Insert("New", EntityBody("p", "r", R"("A":1)")), "201"},
      {Insert("New", EntityBody("p", "r")), "409 EntityAlreadyExists"},
      {Merge("New", "p", "r", R"({"B":2})", {.if_match = "*"}), "204"},
      {Delete("New", "p", "r"), "204"},
      {Delete("New", "p", "r"), "404 ResourceNotFound"},
      {DropTable("New"), "204"},
      {Insert("New", EntityBody("p", "r")), "404 TableNotFound"},
      {NewTable("New"), "201"},
      {Merge("New", "p", "r", R"({"C":3})"), "204"},
  };
  const std::size_t before = CommitCount();
  std::vector<RequestId> requests;
  for (const auto& write : kWrites)
    requests.push_back(host_.Submit(write.first));

  for (std::size_t i = 0; i < kWrites.size(); ++i) {
    EXPECT_EQ(Outcome(host_.Await(requests[i])), kWrites[i].second) << i;
  }
  EXPECT_EQ(CommitCount(), before + 1);
  EXPECT_EQ(Stored("New", "p", "r"), R"("C":3)");
}

TEST_F(CommitTest, TablesMadeInOneAreSeenByAllWritesAfterThem) {
  const RequestId first = host_.Submit(NewTable("One"));
  const RequestId second = host_.Submit(NewTable("Two"));
  const RequestId again = host_.Submit(NewTable("ONE"));
  const RequestId insert = host_.Submit(Insert("Two", EntityBody("p", "r")));

  EXPECT_EQ(Outcome(host_.Await(first)), "201");
  EXPECT_EQ(Outcome(host_.Await(second)), "201");
  EXPECT_EQ(Outcome(host_.Await(again)), "409 TableAlreadyExists");
  EXPECT_EQ(Outcome(host_.Await(insert)), "201");
  EXPECT_EQ(RowKeysOf(host_, Query("Two")), Keys{"r"});
  EXPECT_EQ(RowKeysOf(host_, Query("One")), Keys{}) << "they share their rows";
}

TEST_F(CommitTest, ManyWritesAreSplitIntoSeveralCommits) {
  const std::string body = "\"S\":\"" + std::string(32'000, 's') + "\"";
  for (int i = 0; i < 100; ++i) {
    host_.Submit(Insert("Tab", EntityBody("p", std::to_string(100 + i), body)));
  }
  host_.Run();

  EXPECT_EQ(StoredRows().size(), 100U);
  for (const auto& [key, value] : host_.storage().values()) {
    EXPECT_LT(value.size(), (std::size_t{1} << 20) + 40'000) << key.number;
  }
}

// ----------------------------------------------------------- refused commits

// For want of room: quota_test.cc.
TEST_F(CommitTest, ThatIsRefusedChangesNothingAndTheEngineGoesOn) {
  const struct {
    CommitOutcome outcome;
    const char* answer;
  } kCases[] = {
      {CommitOutcome::kRefused, "503 StorageUnavailable"},
      {CommitOutcome::kMoved, "503 StorageUnavailable"},  // By nothing.
  };
  Given(InsertRow("r"));
  for (const auto& [outcome, answer] : kCases) {
    for (const OwnedOperation& write :
         {InsertRow("1"), Update("r", {}), Delete("Tab", "p", "r"),
          NewTable("New"), DropTable("Tab"),
          Transaction({InsertRow("1"), InsertRow("2")})}) {
      host_.faults().RefuseNextCommit(outcome);
      EXPECT_EQ(Do(write), answer);
    }
  }

  EXPECT_EQ(Do(InsertRow("1")), "201");
  EXPECT_EQ(StoredRows(), (Keys{"1", "r"}));
}

TEST_F(CommitTest, ThatIsRefusedTakesAllItsWritesAlong) {
  const RequestId first = host_.Submit(InsertRow("1"));
  const RequestId second = host_.Submit(InsertRow("2"));
  host_.faults().RefuseNextCommit(CommitOutcome::kQuota);

  EXPECT_EQ(Outcome(host_.Await(first)), "507 StorageQuotaExceeded");
  EXPECT_EQ(Outcome(host_.Await(second)), "507 StorageQuotaExceeded");
  EXPECT_EQ(Rows(), Keys{});
  EXPECT_EQ(StoredRows(), Keys{});
}

// What failed because of a write that never came true has not failed.
TEST_F(CommitTest, ThatIsRefusedHasRefusalsEvaluatedAgain) {
  Given(InsertRow("old"));
  const RequestId insert = host_.Submit(InsertRow("new"));
  const RequestId again = host_.Submit(InsertRow("new"));
  const RequestId remove = host_.Submit(Delete("Tab", "p", "old"));
  const RequestId update = host_.Submit(Update("old", {.if_match = "*"}));
  const RequestId missing = host_.Submit(Delete("Tab", "p", "missing"));
  host_.faults().RefuseNextCommit(CommitOutcome::kRefused);

  EXPECT_EQ(Outcome(host_.Await(insert)), "503 StorageUnavailable");
  EXPECT_EQ(Outcome(host_.Await(again)), "201");
  EXPECT_EQ(Outcome(host_.Await(remove)), "503 StorageUnavailable");
  EXPECT_EQ(Outcome(host_.Await(update)), "204");
  EXPECT_EQ(Outcome(host_.Await(missing)), "404 ResourceNotFound");
  EXPECT_EQ(StoredRows(), (Keys{"new", "old"}));
}

// --------------------------------------------------------------- lost races

TEST_F(CommitTest, ThatLosesARaceIsEvaluatedAgain) {
  Given(InsertRow("r"));
  const std::string etag = EtagOf(Get("Tab", "p", "r"));

  LoseNextRaceTo(Update("r", {}));
  EXPECT_EQ(Outcome(host_.Do(Update("r", {.if_match = etag}))),
            "412 UpdateConditionNotSatisfied");
  LoseNextRaceTo(InsertRow("1"));
  EXPECT_EQ(Outcome(host_.Do(InsertRow("1"))), "409 EntityAlreadyExists");
  LoseNextRaceTo(Delete("Tab", "p", "r"));
  EXPECT_EQ(Outcome(host_.Do(Update("r", {.if_match = "*"}))),
            "404 ResourceNotFound");
  LoseNextRaceTo(NewTable("NEW"));
  EXPECT_EQ(Outcome(host_.Do(NewTable("New"))), "409 TableAlreadyExists");
  LoseNextRaceTo(DropTable("new"));
  EXPECT_EQ(Outcome(host_.Do(Insert("New", EntityBody("p", "r")))),
            "404 TableNotFound");
  LoseNextRaceTo(InsertRow("2"));
  EXPECT_EQ(Outcome(host_.Do(Transaction({InsertRow("3"), InsertRow("2")}))),
            "409 EntityAlreadyExists at 1");

  EXPECT_EQ(Rows(), (Keys{"1", "2"}));
  EXPECT_EQ(StoredRows(), Rows());
}

TEST_F(CommitTest, ThatLosesARaceSucceedsWhereItStillCan) {
  for (const char* row_key : {"1", "2", "3"})
    LoseNextRaceTo(InsertRow(row_key));

  EXPECT_EQ(Outcome(host_.Do(InsertRow("4"))), "201");

  EXPECT_EQ(Rows(), (Keys{"1", "2", "3", "4"}));
  EXPECT_EQ(StoredRows(), Rows());
}

TEST_F(CommitTest, ThatLosesARaceMayFindItsRefusalsGone) {
  Given(InsertRow("r"));
  const RequestId insert = host_.Submit(InsertRow("1"));
  const RequestId taken = host_.Submit(InsertRow("r"));
  LoseNextRaceTo(Delete("Tab", "p", "r"));

  EXPECT_EQ(Outcome(host_.Await(insert)), "201");
  EXPECT_EQ(Outcome(host_.Await(taken)), "201");
}

// ------------------------------------------------------------------ refusals

// A stale engine must not refuse what the store would accept.
TEST_F(CommitTest, NoneIsNeededToLearnThatARefusalWouldBeWrong) {
  Given(InsertRow("gone"));
  MemoryHost other(host_.shared_storage());
  ASSERT_EQ(Outcome(other.Do(Delete("Tab", "p", "gone"))), "204");
  ASSERT_EQ(Outcome(other.Do(InsertRow("new"))), "201");
  ASSERT_EQ(Outcome(other.Do(NewTable("New"))), "201");
  const std::string etag = other.Do(Get("Tab", "p", "new"))->etag;
  EXPECT_EQ(Rows(), Keys{"gone"}) << "not stale";

  EXPECT_EQ(Outcome(host_.Do(InsertRow("gone"))), "201");
  EXPECT_EQ(Outcome(host_.Do(Update("new", {.if_match = etag}))), "204");
  EXPECT_EQ(Outcome(host_.Do(Insert("New", EntityBody("p", "r")))), "201");

  ASSERT_EQ(Outcome(other.Do(DropTable("New"))), "204");
  EXPECT_EQ(Outcome(host_.Do(NewTable("New"))), "201");
  EXPECT_EQ(StoredRows(), (Keys{"gone", "new"}));
}

TEST_F(CommitTest, NoneIsMadeForARefusalButARead) {
  Given(InsertRow("r"));
  const RequestId request = host_.Submit(InsertRow("r"));

  const Step wish = host_.NextWish();
  ASSERT_TRUE(std::holds_alternative<Read>(wish));
  EXPECT_EQ(std::get<Read>(wish).records_after, CommitCount());
  host_.Fulfil(std::get<Read>(wish));

  EXPECT_TRUE(std::holds_alternative<Idle>(host_.NextWish()));
  EXPECT_EQ(Outcome(host_.Await(request)), "409 EntityAlreadyExists");
}

TEST_F(CommitTest, NoRefusalIsGivenThatCouldNotBeChecked) {
  Given(InsertRow("r"));
  host_.faults().FailNextRead();

  EXPECT_EQ(Do(InsertRow("r")), "503 StorageUnavailable");
  EXPECT_EQ(Do(InsertRow("r")), "409 EntityAlreadyExists");
}

// --------------------------------------------------------- while in flight

TEST_F(CommitTest, ReadsDuringItSeeOnlyWhatIsStored) {
  Given(InsertRow("r"));
  const RequestId insert = host_.Submit(InsertRow("1"));
  const RequestId remove = host_.Submit(Delete("Tab", "p", "r"));
  const Commit commit = NextCommit();

  EXPECT_EQ(Rows(), Keys{"r"});
  EXPECT_EQ(Outcome(host_.Do(Get("Tab", "p", "1"))), "404 ResourceNotFound");
  host_.Fulfil(commit);

  EXPECT_EQ(Outcome(host_.Await(insert)), "201");
  EXPECT_EQ(Outcome(host_.Await(remove)), "204");
  EXPECT_EQ(Rows(), Keys{"1"});
}

TEST_F(CommitTest, OnlyWritesThatWaitForItCanBeCancelled) {
  const RequestId begun = host_.Submit(InsertRow("begun"));
  const Commit commit = NextCommit();
  const RequestId waiting = host_.Submit(InsertRow("waiting"));
  const RequestId refused = host_.Submit(Insert("Tab", "!"));
  const RequestId query = host_.Submit(Query("Tab"));

  EXPECT_FALSE(host_.engine().Cancel(begun));
  EXPECT_TRUE(host_.engine().Cancel(waiting));
  EXPECT_FALSE(host_.engine().Cancel(waiting));
  EXPECT_FALSE(host_.engine().Cancel(refused));
  EXPECT_TRUE(host_.engine().Cancel(query));
  EXPECT_FALSE(host_.engine().Cancel(query + 1));
  host_.Fulfil(commit);

  EXPECT_EQ(Outcome(host_.Await(begun)), "201");
  EXPECT_EQ(Outcome(host_.Await(refused)), "400 InvalidInput");
  EXPECT_EQ(Outcome(host_.Await(waiting)), "500 InternalError") << "answered";
  EXPECT_EQ(Outcome(host_.Await(query)), "500 InternalError") << "answered";
  EXPECT_FALSE(host_.engine().Cancel(begun));
  EXPECT_EQ(StoredRows(), Keys{"begun"});
}

TEST_F(CommitTest, OutcomesOfAnythingElseAreIgnored) {
  const RequestId request = host_.Submit(InsertRow("1"));
  const Commit commit = NextCommit();

  host_.engine().Complete(commit.id - 1, CommitOutcome::kOk);
  host_.engine().Complete(commit.id + 1, CommitOutcome::kOk);
  host_.engine().Supply(commit.id, {});
  host_.engine().ReadFailed(commit.id, Error(ErrorCode::kInternalError));
  EXPECT_EQ(Rows(), Keys{});
  host_.Fulfil(commit);
  host_.engine().Complete(commit.id, CommitOutcome::kRefused);

  EXPECT_EQ(Outcome(host_.Await(request)), "201");
  EXPECT_EQ(Rows(), Keys{"1"});
}

}  // namespace
}  // namespace entitable
