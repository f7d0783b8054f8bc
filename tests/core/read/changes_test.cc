// What a reader that follows a table gets, and when.
//
// Not in the service: "Following a table" in entitable/engine.h.

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "support/engine_test.h"
#include "support/values_reader.h"

namespace entitable {
namespace {

// What Await() says of a request that is still waiting.
constexpr char kWaits[] = "500 InternalError";

class ChangesTest : public EngineTest {
 protected:
  void SetUp() override {
    Given(NewTable("Tab"));
    Given(NewTable("Other"));
    Given(InsertRow("old", 1));
    position_ = PositionNow(host_);
  }

  static OwnedOperation InsertRow(const std::string& row_key, int n) {
    return Insert("Tab", EntityBody("p", row_key, Members(n)));
  }
  static std::string Members(int n) { return "\"N\":" + std::to_string(n); }

  static OwnedOperation Changes(std::optional<std::uint64_t> position,
                                std::string filter = "") {
    return {OperationKind::kAwaitChanges,
            "Tab",
            {},
            {},
            {},
            {.filter = std::move(filter), .position = position}};
  }

  static std::uint64_t PositionNow(MemoryHost& host) {
    const auto answer = host.Do(Changes(std::nullopt));
    EXPECT_EQ(Outcome(answer), "205");
    EXPECT_EQ(Body(answer), "205");
    return answer ? answer->position.value_or(0) : 0;
  }

  // "old=2 -new": what fits, with its N, and what does not.
  static std::string ChangesIn(const Result<Response>& answer) {
    if (!answer || answer->status != 200) return Outcome(answer);
    std::string text;
    for (const ValuesRow& row : ReadValues(answer->body)) {
      if (!text.empty()) text += ' ';
      text += row.contains("timestamp") ? row.at("rowKey") + "=" + row.at("N")
                                        : "-" + row.at("rowKey");
    }
    return text;
  }

  RequestId Follow(std::string filter = "") {
    return host_.Submit(Changes(position_, std::move(filter)));
  }
  std::string ChangesOf(RequestId request) {
    return ChangesIn(host_.Await(request));
  }

  void RivalDoes(const OwnedOperation& operation, StoreLimits limits = {}) {
    MemoryHost rival(host_.shared_storage(), Profile::kDefault, limits);
    const auto answer = rival.Do(operation);
    EXPECT_TRUE(answer.has_value()) << Outcome(answer);
    rival.Run();
  }
  void RefreshTheLog() { Given(FindTable("Tab", {.fresh = true})); }

  std::uint64_t position_ = 0;
};

TEST_F(ChangesTest, WaitUntilACommitTouchesTheTable) {
  const RequestId request = Follow();
  EXPECT_EQ(ChangesOf(request), kWaits);
  Given(Insert("Other", EntityBody("p", "new")));
  EXPECT_EQ(ChangesOf(request), kWaits);

  Given(InsertRow("new", 7));

  EXPECT_EQ(ChangesOf(request), "new=7");
}

TEST_F(ChangesTest, AnswerAtOnceWhenTheyCameBefore) {
  Given(InsertRow("new", 7));
  Given(Merge("Tab", "p", "old", "{\"N\":2}"));
  Given(Merge("Tab", "p", "old", "{\"N\":3}"));

  EXPECT_EQ(ChangesOf(Follow()), "old=3 new=7");
}

TEST_F(ChangesTest, AreNoneIfAskedForAtOnceWhenNothingHasChanged) {
  OwnedOperation at_once = Changes(position_);
  at_once.with.at_once = true;
  EXPECT_EQ(ChangesIn(host_.Do(at_once)), "");
  Given(Insert("Other", EntityBody("p", "new")));
  const auto none = host_.Do(at_once);
  EXPECT_EQ(ChangesIn(none), "");
  EXPECT_EQ(none->position, PositionNow(host_));

  Given(InsertRow("new", 7));

  EXPECT_EQ(ChangesIn(host_.Do(at_once)), "new=7");
}

TEST_F(ChangesTest, LeadToThePositionFromWhichToGoOn) {
  Given(InsertRow("new", 7));
  const auto first = host_.Do(Changes(position_));
  ASSERT_EQ(ChangesIn(first), "new=7");
  EXPECT_EQ(first->position, PositionNow(host_));
  position_ = first->position.value_or(0);

  const RequestId next = Follow();
  EXPECT_EQ(ChangesOf(next), kWaits);
  Given(Delete("Tab", "p", "new"));

  EXPECT_EQ(ChangesOf(next), "-new");
}

TEST_F(ChangesTest, OfOneCommitComeInOneAnswer) {
  const RequestId request = Follow();
  const RequestId first = host_.Submit(InsertRow("a", 1));
  const RequestId second = host_.Submit(InsertRow("b", 2));
  EXPECT_EQ(Outcome(host_.Await(first)), "201");
  EXPECT_EQ(Outcome(host_.Await(second)), "201");

  EXPECT_EQ(ChangesOf(request), "b=2 a=1");
}

TEST_F(ChangesTest, AreEntitiesThatFitTheFilterAndKeysOfThoseThatDoNot) {
  const RequestId request = Follow("N gt 4");
  Given(InsertRow("large", 5));
  EXPECT_EQ(ChangesOf(request), "large=5");
  position_ = PositionNow(host_);

  const RequestId next = Follow("N gt 4");
  Given(Merge("Tab", "p", "large", "{\"N\":3}"));

  EXPECT_EQ(ChangesOf(next), "-large");
}

TEST_F(ChangesTest, OutsideTheKeysOfTheFilterAreNotGiven) {
  const RequestId request = Follow("PartitionKey eq 'q'");
  Given(InsertRow("new", 7));
  EXPECT_EQ(ChangesOf(request), kWaits);

  Given(Insert("Tab", EntityBody("q", "new", Members(8))));

  EXPECT_EQ(ChangesOf(request), "new=8");
}

TEST_F(ChangesTest, AreNotGivenBeforeTheyAreStored) {
  const RequestId request = Follow();
  host_.Submit(InsertRow("new", 7));
  const Step commit = host_.NextWish();
  ASSERT_TRUE(std::holds_alternative<Commit>(commit));
  EXPECT_EQ(ChangesOf(request), kWaits);

  host_.Fulfil(std::get<Commit>(commit));

  EXPECT_EQ(ChangesOf(request), "new=7");
}

TEST_F(ChangesTest, ThatWereRefusedAreNeverGiven) {
  const RequestId request = Follow();
  host_.faults().RefuseNextCommit(CommitOutcome::kQuota);

  EXPECT_EQ(Outcome(host_.Do(InsertRow("new", 7))), "507 StorageQuotaExceeded");

  EXPECT_EQ(ChangesOf(request), kWaits);
}

TEST_F(ChangesTest, OfOthersAreGivenWhenTheLogIsRead) {
  const RequestId request = Follow();
  RivalDoes(InsertRow("new", 7));
  EXPECT_EQ(ChangesOf(request), kWaits);

  RefreshTheLog();

  EXPECT_EQ(ChangesOf(request), "new=7");
}

TEST_F(ChangesTest, OfOthersAreGivenThoughTheyWereFlushed) {
  const RequestId request = Follow();
  RivalDoes(InsertRow("a", 1));
  RivalDoes(InsertRow("b", 2), {.flush_records = 4});
  EXPECT_TRUE(host_.storage().values().contains(ValueKey::Manifest()));
  RivalDoes(InsertRow("c", 3));

  RefreshTheLog();

  EXPECT_EQ(ChangesOf(request), "c=3 b=2 a=1");
}

TEST_F(ChangesTest, ThatLeftTheLogUnseenAreAReset) {
  const RequestId request = Follow();
  for (int i = 0; i < 4; ++i) {
    RivalDoes(InsertRow(std::to_string(i), i), {.flush_records = 1});
  }

  RefreshTheLog();

  const auto answer = host_.Await(request);
  EXPECT_EQ(ChangesIn(answer), "205");
  EXPECT_EQ(answer->position, PositionNow(host_));
}

TEST_F(ChangesTest, OfATableThatIsCreatedAgainAreAReset) {
  Given(DropTable("Tab"));
  Given(NewTable("Tab"));
  Given(InsertRow("new", 7));

  EXPECT_EQ(ChangesOf(Follow()), "205");
}

TEST_F(ChangesTest, OfABulkLoadAreAReset) {
  const RequestId request = Follow();
  std::string input;
  for (int i = 0; i < 2000; ++i) {
    input += EntityBody("q", std::to_string(i), Members(i)) + "\n";
  }
  Given(Import("Tab", input));

  EXPECT_EQ(ChangesOf(request), "205");
}

TEST_F(ChangesTest, OfASmallLoadAreGivenOneByOne) {
  const RequestId request = Follow();
  Given(Import("Tab", EntityBody("p", "new", Members(7))));

  EXPECT_EQ(ChangesOf(request), "new=7");
}

TEST_F(ChangesTest, AreAResetWhenTheyAreMoreThanIsRemembered) {
  const std::string long_key(900, 'k');
  for (int i = 100; i < 200; ++i) {
    Given(InsertRow(long_key + std::to_string(i), i));
  }
  EXPECT_NE(ChangesOf(Follow()), "205");
  for (int i = 200; i < 300; ++i) {
    Given(InsertRow(long_key + std::to_string(i), i));
  }

  EXPECT_EQ(ChangesOf(Follow()), "205");
}

TEST_F(ChangesTest, OfOtherTablesMakeNoReset) {
  const RequestId request = Follow();
  const std::string long_key(900, 'k');
  for (int i = 100; i < 300; ++i) {
    Given(Insert("Other", EntityBody("p", long_key + std::to_string(i))));
    host_.Run();
  }
  Given(InsertRow("new", 7));

  EXPECT_EQ(ChangesOf(request), "new=7");
}

TEST_F(ChangesTest, OfATableThatIsDroppedAreItsEnd) {
  const RequestId request = Follow();
  Given(DropTable("Tab"));

  EXPECT_EQ(ChangesOf(request), "404 TableNotFound");
  EXPECT_EQ(ChangesOf(Follow()), "404 TableNotFound");
}

TEST_F(ChangesTest, FromAPositionThatNeverWasAreAReset) {
  ++position_;

  EXPECT_EQ(ChangesOf(Follow()), "205");
}

TEST_F(ChangesTest, NeedAFilterThatIsOne) {
  EXPECT_EQ(Outcome(host_.Do(Changes(position_, "N gt"))), "400 InvalidInput");
}

TEST_F(ChangesTest, AreNotAwaitedByARequestThatIsWithdrawn) {
  const RequestId request = Follow();
  EXPECT_EQ(ChangesOf(request), kWaits);

  EXPECT_TRUE(host_.engine().Cancel(request));

  Given(InsertRow("new", 7));
  EXPECT_EQ(ChangesOf(request), kWaits);
}

TEST_F(ChangesTest, EndWithTheReasonWhenTheStoreIsLost) {
  const RequestId request = Follow();
  host_.storage().values().clear();

  EXPECT_EQ(Outcome(host_.Do(FindTable("Tab", {.fresh = true}))),
            "410 StorageEvicted");

  EXPECT_EQ(ChangesOf(request), "410 StorageEvicted");
}

TEST_F(ChangesTest, HoldUpNeitherReadsNorBackgroundWork) {
  MemoryHost small(host_.shared_storage(), Profile::kDefault,
                   {.flush_records = 1});
  std::vector<RequestId> requests;
  const std::uint64_t position = PositionNow(small);
  for (int i = 0; i < 100; ++i) {
    requests.push_back(small.Submit(Changes(position)));
  }
  EXPECT_EQ(Outcome(small.Do(Get("Tab", "p", "old"))), "200");

  EXPECT_EQ(Outcome(small.Do(InsertRow("new", 7))), "201");
  small.Run();

  EXPECT_TRUE(host_.storage().values().contains(ValueKey::Manifest()));
  for (const RequestId request : requests) {
    EXPECT_EQ(ChangesIn(small.Await(request)), "new=7");
  }
}

}  // namespace
}  // namespace entitable
