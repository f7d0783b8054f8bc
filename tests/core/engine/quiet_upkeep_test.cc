// Upkeep that waits until no write comes: engine.h, StoreLimits.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <variant>

#include "store/root.h"
#include "support/engine_test.h"

namespace entitable {
namespace {

class QuietUpkeepTest : public testing::Test {
 protected:
  explicit QuietUpkeepTest(StoreLimits limits = {.fold_records = 10,
                                                 .quiet_ms = 20})
      : host_(storage_, Profile::kDefault, limits) {}

  void Write(int count) {
    for (int i = 0; i < count; ++i) {
      const std::string row = std::to_string(rows_++);
      ASSERT_EQ(Outcome(host_.Do(Insert("Tab", EntityBody("p", row)))), "201");
    }
  }

  bool HasFolded() const {
    return storage_->values().contains(ValueKey::Root());
  }

  // Whether the engine waits for a quieter time.
  bool HasUpkeep() {
    const Step step = host_.NextWish();
    const auto* idle = std::get_if<Idle>(&step);
    return idle != nullptr && idle->upkeep_in_ms > 0;
  }

  // It waits so long, and not a millisecond less.
  void ExpectFoldAfter(double ms) {
    EXPECT_TRUE(HasUpkeep());
    EXPECT_FALSE(HasFolded());
    host_.set_clock(host_.clock() + ms - 1);
    EXPECT_TRUE(HasUpkeep());
    EXPECT_FALSE(HasFolded());
    host_.set_clock(host_.clock() + 1);
    host_.Run();
    EXPECT_TRUE(HasFolded());
    EXPECT_FALSE(HasUpkeep());
  }

  std::shared_ptr<MemoryStorage> storage_ = std::make_shared<MemoryStorage>();
  MemoryHost host_;
  int rows_ = 0;
};

TEST_F(QuietUpkeepTest, ComesWhenNoWriteHasComeForAWhile) {
  ASSERT_EQ(Outcome(host_.Do(NewTable("Tab"))), "201");
  Write(8);
  EXPECT_FALSE(HasUpkeep());

  Write(1);

  ExpectFoldAfter(20);
}

TEST_F(QuietUpkeepTest, ComesBetweenWritesWhenItCanWaitNoLonger) {
  ASSERT_EQ(Outcome(host_.Do(NewTable("Tab"))), "201");
  Write(18);
  EXPECT_FALSE(HasFolded());

  Write(2);

  EXPECT_TRUE(HasFolded());
}

// Neither the number of runs nor the room they take grows without end.
TEST_F(QuietUpkeepTest, MergesBetweenWritesWhenThereIsMuchToMerge) {
  ASSERT_EQ(Outcome(host_.Do(NewTable("Tab"))), "201");
  for (int i = 0; i < 100; ++i) {
    Write(10);
    const auto root = storage_->values().find(ValueKey::Root());
    if (root == storage_->values().end()) continue;
    ASSERT_LE(DecodeRoot(root->second)->runs.size(), 8U);
  }
}

TEST_F(QuietUpkeepTest, DoesNotWaitForAClockThatWasSetBack) {
  ASSERT_EQ(Outcome(host_.Do(NewTable("Tab"))), "201");
  Write(9);
  host_.set_clock(host_.clock() - 3'600'000);

  host_.Run();

  EXPECT_TRUE(HasFolded());
}

class RestfulUpkeepTest : public QuietUpkeepTest {
 protected:
  RestfulUpkeepTest()
      : QuietUpkeepTest({.page_bytes = 1'500, .quiet_ms = 20, .rest_ms = 200}) {
  }
};

TEST_F(RestfulUpkeepTest, FoldsWhatIsWorthAPageWhenNoWriteHasComeForLonger) {
  ASSERT_EQ(Outcome(host_.Do(NewTable("Tab"))), "201");
  Write(2);
  EXPECT_FALSE(HasUpkeep());

  Write(30);

  ExpectFoldAfter(200);
}

// What is read first need not wait for it.
TEST_F(RestfulUpkeepTest, LetsAnAccountThatWasJustOpenedRest) {
  ASSERT_EQ(Outcome(host_.Do(NewTable("Tab"))), "201");
  Write(30);
  host_.set_clock(host_.clock() + 3'600'000);
  host_.Restart();

  EXPECT_EQ(Outcome(host_.Do(Get("Tab", "p", "1"))), "200");

  EXPECT_TRUE(HasUpkeep());
  EXPECT_FALSE(HasFolded());
}

}  // namespace
}  // namespace entitable
