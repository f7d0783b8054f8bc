// Several engines write at once: which one locks the others out, and for how
// long.  docs/internals/store-protocol.md, "Contention".

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "support/engine_test.h"

namespace entitable {
namespace {

class ContentionTest : public EngineTest {
 protected:
  void SetUp() override { Given(NewTable("Tab")); }

  static OwnedOperation InsertRow(const std::string& row_key) {
    return Insert("Tab", EntityBody("p", row_key));
  }

  // Stored before our engine reads the log.
  void RivalAdds(const std::string& row_key) {
    MemoryHost rival(host_.shared_storage());
    ASSERT_EQ(Outcome(rival.Do(InsertRow(row_key))), "201");
  }

  // Writes, and says whether others were held off from the beginning.
  bool WriteIsHeld(const std::string& row_key) {
    const RequestId request = host_.Submit(InsertRow(row_key));
    const Step wish = host_.NextWish();
    const auto* read = std::get_if<Read>(&wish);
    if (read != nullptr) {
      host_.Fulfil(*read);
    } else {
      host_.Fulfil(std::get<Commit>(wish));
    }
    EXPECT_EQ(Outcome(host_.Await(request)), "201");
    return read != nullptr && read->is_exclusive;
  }

  // Loses a race, which is how the engine notices contention.
  void GivenContention() {
    RivalAdds("faster");
    ASSERT_FALSE(WriteIsHeld("slower"));
  }

  void PassMs(double milliseconds) {
    host_.set_clock(host_.clock() + milliseconds);
  }
};

TEST_F(ContentionTest, HoldsNoOtherEngineOffWhileItIsAlone) {
  EXPECT_FALSE(WriteIsHeld("1"));
  EXPECT_FALSE(WriteIsHeld("2"));
}

// A group that is evaluated after the read cannot lose again: the host commits
// it with the read, and no other engine writes in between.
TEST_F(ContentionTest, ALostRaceIsTakenUpAgainWithTheOthersHeldOff) {
  const RequestId request = host_.Submit(InsertRow("slower"));
  const Step first = host_.NextWish();
  RivalAdds("faster");
  host_.Fulfil(std::get<Commit>(first));

  const Step second = host_.NextWish();
  ASSERT_TRUE(std::holds_alternative<Read>(second));
  const Read& read = std::get<Read>(second);
  EXPECT_TRUE(read.is_exclusive);
  EXPECT_TRUE(host_.engine().Supply(read.id, *host_.faults().Load(read)));
  const Step third = host_.NextWish();
  ASSERT_TRUE(std::holds_alternative<Commit>(third));
  EXPECT_TRUE(std::get<Commit>(third).is_exclusive);
  host_.Fulfil(std::get<Commit>(third));

  EXPECT_EQ(Outcome(host_.Await(request)), "201");
}

TEST_F(ContentionTest,
       OthersAreHeldOffUntilFiftyMillisecondsHavePassedWithoutThem) {
  GivenContention();

  PassMs(49);
  EXPECT_TRUE(WriteIsHeld("1"));
  PassMs(1);
  EXPECT_FALSE(WriteIsHeld("2"));
}

TEST_F(ContentionTest, ARecordOfAnotherMakesItLast) {
  GivenContention();

  PassMs(49);
  RivalAdds("another");
  EXPECT_TRUE(WriteIsHeld("1"));
  PassMs(49);
  EXPECT_TRUE(WriteIsHeld("2"));
  PassMs(1);
  EXPECT_FALSE(WriteIsHeld("3"));
}

// Of an engine that is far from the storage, a commit may take longer.
TEST_F(ContentionTest, TheTimeOfACommitDoesNotEndIt) {
  GivenContention();
  RivalAdds("another");
  const RequestId request = host_.Submit(InsertRow("far"));
  host_.Fulfil(std::get<Read>(host_.NextWish()));
  const Step commit = host_.NextWish();
  PassMs(200);
  host_.Fulfil(std::get<Commit>(commit));
  EXPECT_EQ(Outcome(host_.Await(request)), "201");

  PassMs(49);
  EXPECT_TRUE(WriteIsHeld("1"));
  PassMs(50);
  EXPECT_FALSE(WriteIsHeld("2"));
}

TEST_F(ContentionTest, AClockThatIsSetBackDoesNotMakeItLast) {
  GivenContention();

  PassMs(-3'600'000);
  EXPECT_FALSE(WriteIsHeld("1"));
}

// The host holds no other engine off while pages are fetched.
TEST_F(ContentionTest, AnEngineThatMissesPagesLetsTheOthersGoUntilItHasThem) {
  MemoryHost slow(host_.shared_storage(), Profile::kDefault,
                  {.cache_bytes = 0, .flush_records = 1});
  ASSERT_EQ(Outcome(slow.Do(InsertRow("in pages"))), "201");
  const RequestId slower = slow.Submit(InsertRow("slower"));
  Step wish = slow.NextWish();
  for (; std::holds_alternative<Read>(wish); wish = slow.NextWish()) {
    slow.Fulfil(std::get<Read>(wish));
  }
  RivalAdds("faster");
  slow.Fulfil(std::get<Commit>(wish));
  ASSERT_EQ(Outcome(slow.Await(slower)), "201");

  const RequestId request =
      slow.Submit(Merge("Tab", "p", "in pages", R"({"A":1})"));
  const Step held = slow.NextWish();
  const Read& read = std::get<Read>(held);
  EXPECT_TRUE(read.is_exclusive);
  EXPECT_FALSE(slow.engine().Supply(read.id, *slow.faults().Load(read)));
  const Step fetch = slow.NextWish();
  ASSERT_TRUE(std::holds_alternative<Read>(fetch));
  EXPECT_FALSE(std::get<Read>(fetch).is_exclusive);
  slow.Fulfil(std::get<Read>(fetch));

  EXPECT_EQ(Outcome(slow.Await(request)), "204");
}

}  // namespace
}  // namespace entitable
