// What reads cost that wait: Engine::visited_reads().

#include <gtest/gtest.h>

#include <ctime>
#include <string>
#include <vector>

#include "support/engine_test.h"
#include "support/values_reader.h"

namespace entitable {
namespace {

// What Await() says of a request that is still waiting.
constexpr char kWaits[] = "500 InternalError";

constexpr std::size_t kMany = 5'000;

class PendingReadsTest : public EngineTest {
 protected:
  void SetUp() override {
    Given(NewTable("Tab"));
    Given(NewTable("Other"));
  }

  static OwnedOperation Changes(const std::string& table,
                                std::optional<std::uint64_t> position) {
    return {OperationKind::kAwaitChanges, table, {}, {}, {},
            {.position = position}};
  }

  // Follows the table from now on.
  RequestId Follow(const std::string& table) {
    const auto now = host_.Do(Changes(table, std::nullopt));
    EXPECT_EQ(Outcome(now), "205");
    return host_.Submit(Changes(table, now->position));
  }

  std::vector<RequestId> FollowMany(const std::string& table) {
    std::vector<RequestId> followers;
    for (std::size_t i = 0; i < kMany; ++i) followers.push_back(Follow(table));
    host_.Run();
    return followers;
  }

  // The RowKeys that a follower gets; else the outcome.
  std::string ChangesOf(RequestId request) {
    const auto answer = host_.Await(request);
    if (!answer || answer->status != 200) return Outcome(answer);
    std::string text;
    for (const ValuesRow& row : ReadValues(answer->body)) {
      text += row.at("rowKey") + " ";
    }
    return text;
  }

  std::uint64_t VisitedBy(const OwnedOperation& operation) {
    const std::uint64_t before = host_.engine().visited_reads();
    Given(operation);
    host_.Run();
    return host_.engine().visited_reads() - before;
  }

  void RivalDoes(const OwnedOperation& operation) {
    MemoryHost rival(host_.shared_storage());
    EXPECT_TRUE(rival.Do(operation).has_value());
  }
};

TEST_F(PendingReadsTest, AWriteWakesNoFollowerOfAnotherTable) {
  FollowMany("Other");
  const RequestId follower = Follow("Tab");
  host_.Run();

  EXPECT_EQ(VisitedBy(Insert("Tab", EntityBody("p", "a"))), 1U);

  EXPECT_EQ(ChangesOf(follower), "a ");
  EXPECT_EQ(VisitedBy(Insert("Tab", EntityBody("p", "b"))), 0U);
  EXPECT_EQ(VisitedBy(Get("Tab", "p", "b")), 1U);
}

TEST_F(PendingReadsTest, AWriteWakesAllFollowersOfItsTable) {
  const std::vector<RequestId> followers = FollowMany("Tab");

  EXPECT_EQ(VisitedBy(Insert("Tab", EntityBody("p", "a"))), kMany);

  for (const RequestId follower : followers)
    EXPECT_EQ(ChangesOf(follower), "a ");
}

TEST_F(PendingReadsTest, AFlushOrACompactionWakesNoRead) {
  const RequestId follower = Follow("Tab");
  std::vector<OwnedOperation> parts;
  for (int i = 0; i < 100; ++i) {
    parts.push_back(Insert("Other", EntityBody("p", std::to_string(i))));
  }
  Given(Transaction(parts));
  const std::uint64_t before = host_.engine().visited_reads();
  for (int i = 0; i < 3'000; ++i) {
    Given(Merge("Other", "p", std::to_string(i % 100), "{}"));
  }

  EXPECT_EQ(host_.engine().visited_reads(), before);
  EXPECT_EQ(ChangesOf(follower), kWaits);
}

// What is remembered of changes is less than that.
TEST_F(PendingReadsTest, OneThatWaitedLongGetsOnlyWhatChanged) {
  const RequestId follower = Follow("Tab");
  host_.Run();
  for (int i = 0; i < 300; ++i) {
    Given(Insert("Other",
                 EntityBody("p", std::to_string(i) + std::string(900, 'x'))));
  }

  Given(Insert("Tab", EntityBody("p", "a")));

  EXPECT_EQ(ChangesOf(follower), "a ");
}

TEST_F(PendingReadsTest, OneGetsWhatOthersCommit) {
  const RequestId follower = Follow("Tab");
  const RequestId other = Follow("Other");
  host_.Run();
  RivalDoes(Insert("Tab", EntityBody("p", "a")));
  EXPECT_EQ(ChangesOf(follower), kWaits);

  Given(FindTable("Other", {.fresh = true}));

  EXPECT_EQ(ChangesOf(follower), "a ");
  EXPECT_EQ(ChangesOf(other), kWaits);
}

TEST_F(PendingReadsTest, OneFailsWhenTheTableIsDropped) {
  const RequestId follower = Follow("Tab");
  host_.Run();
  Given(DropTable("Tab"));
  EXPECT_EQ(ChangesOf(follower), "404 TableNotFound");
}

TEST_F(PendingReadsTest, OneThatIsWithdrawnIsNotAnswered) {
  const RequestId follower = Follow("Tab");
  host_.Run();
  EXPECT_TRUE(host_.engine().Cancel(follower));
  EXPECT_FALSE(host_.engine().Cancel(follower));

  EXPECT_EQ(VisitedBy(Insert("Tab", EntityBody("p", "a"))), 0U);
  EXPECT_EQ(ChangesOf(follower), kWaits);
}

// Processor time, which other programs do not take.
TEST_F(PendingReadsTest, ToWithdrawOneTakesAsLongBesideManyOthers) {
  const auto now = host_.Do(Changes("Tab", std::nullopt));
  std::vector<RequestId> followers;
  const auto follow = [&](std::size_t count) {
    while (followers.size() < count) {
      followers.push_back(host_.Submit(Changes("Tab", now->position)));
    }
    host_.Run();
  };
  // The newest ones first.
  const auto seconds_of_withdrawals = [&] {
    const std::clock_t begin = std::clock();
    for (int i = 0; i < 1'000; ++i) {
      EXPECT_TRUE(host_.engine().Cancel(followers.back()));
      followers.pop_back();
    }
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  follow(1'000);
  const double beside_few = seconds_of_withdrawals();

  follow(50'000);

  EXPECT_LT(seconds_of_withdrawals(), 10 * beside_few + 0.02);
}

TEST_F(PendingReadsTest, ThoseThatWaitForARefreshBeginTogether) {
  const std::uint64_t before = host_.engine().visited_reads();
  std::vector<RequestId> reads;
  for (std::size_t i = 0; i < 100; ++i) {
    reads.push_back(host_.Submit(FindTable("Tab", {.fresh = true})));
  }
  const Step refresh = host_.NextWish();
  EXPECT_EQ(host_.engine().visited_reads(), before);
  ASSERT_TRUE(std::holds_alternative<Read>(refresh));
  host_.Fulfil(std::get<Read>(refresh));

  for (const RequestId read : reads) {
    EXPECT_EQ(Outcome(host_.Await(read)), "200");
  }
  EXPECT_EQ(host_.engine().visited_reads() - before, reads.size());
}

}  // namespace
}  // namespace entitable
