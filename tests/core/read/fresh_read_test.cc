// What a read sees of the writes of others, with and without asking for it.
//
// Source: the protocol of the store, "Catch up and read".

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "support/engine_test.h"

namespace entitable {
namespace {

using Keys = std::vector<std::string>;

class FreshReadTest : public EngineTest {
 protected:
  void SetUp() override {
    Given(NewTable("Tab"));
    RivalInserts("1");
  }

  void RivalInserts(const std::string& row_key) {
    MemoryHost rival(host_.shared_storage());
    EXPECT_TRUE(rival.Do(Insert("Tab", EntityBody("p", row_key))));
  }

  std::string GetOutcome(bool fresh) {
    return Outcome(host_.Do(Get("Tab", "p", "1", {.fresh = fresh})));
  }
};

TEST_F(FreshReadTest, SeesWhatOthersWereAnswered) {
  EXPECT_EQ(GetOutcome(false), "404 ResourceNotFound");
  EXPECT_EQ(GetOutcome(true), "200");
  EXPECT_EQ(GetOutcome(false), "200");
}

TEST_F(FreshReadTest, IsThereForEveryKindOfRead) {
  EXPECT_EQ(RowKeysOf(host_, Query("Tab", {.fresh = true})), (Keys{"1"}));
  MemoryHost rival(host_.shared_storage());
  EXPECT_TRUE(rival.Do(NewTable("Other")));
  OwnedOperation find = FindTable("Other");
  EXPECT_EQ(Outcome(host_.Do(find)), "404 ResourceNotFound");
  find.with.fresh = true;
  EXPECT_EQ(Outcome(host_.Do(find)), "200");
}

TEST_F(FreshReadTest, DoesNotTrustARefreshThatWasUnderWay) {
  host_.Submit(Get("Tab", "p", "2", {.fresh = true}));
  const Step refresh = host_.NextWish();
  ASSERT_TRUE(std::holds_alternative<Read>(refresh));
  const RequestId later = host_.Submit(Get("Tab", "p", "3", {.fresh = true}));
  host_.Fulfil(std::get<Read>(refresh));
  RivalInserts("3");

  EXPECT_EQ(Outcome(host_.Await(later)), "200");
}

TEST_F(FreshReadTest, FailsWhenTheLogCannotBeRead) {
  host_.faults().FailNextRead();

  EXPECT_EQ(GetOutcome(true), "503 StorageUnavailable");
  EXPECT_EQ(GetOutcome(true), "200");
}

TEST_F(FreshReadTest, HoldsUpNoOther) {
  const RequestId fresh = host_.Submit(Get("Tab", "p", "1", {.fresh = true}));
  const Step refresh = host_.NextWish();
  ASSERT_TRUE(std::holds_alternative<Read>(refresh));

  EXPECT_EQ(GetOutcome(false), "404 ResourceNotFound");
  host_.Fulfil(std::get<Read>(refresh));
  EXPECT_EQ(Outcome(host_.Await(fresh)), "200");
}

}  // namespace
}  // namespace entitable
