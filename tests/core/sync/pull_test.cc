#include "sync/pull.h"

#include <gtest/gtest.h>

#include "support/sync_test.h"

namespace entitable::sync {
namespace {

class PullTest : public SyncTest {
 protected:
  PullTest() { Rows(table_).PutPull("p", {}); }

  PullResult Apply(PulledPage page) {
    page.sequence = table_.sequence;
    Rows rows(table_);
    return ApplyPage(rows, "p", page, resolver_, now_).value();
  }
  PullRequest Next(bool is_wide = false) {
    Rows rows(table_);
    return NextPull(rows, "p", is_wide).value();
  }
  static DateTime At(std::int64_t seconds) {
    return *TimeOfEtag(EtagOf(seconds));
  }
  static PulledRow Pulled(const std::string& row_key, std::int64_t seconds) {
    return {{"p", row_key}, {EtagOf(seconds), *Row({{"A", 1}})}};
  }
};

TEST_F(PullTest, GoesOnBehindTheLastPage) {
  EXPECT_EQ(Next().token, "");
  EXPECT_FALSE(Next().from);
  EXPECT_FALSE(
      Apply({.next_token = "t1", .date = At(100), .rows = {Pulled("1", 1)}})
          .is_complete);
  EXPECT_EQ(Next().token, "t1");
  EXPECT_EQ(BeginText(), "nothing");

  const PullResult last =
      Apply({.asked_token = "t1", .date = At(200), .rows = {Pulled("2", 2)}});
  EXPECT_TRUE(last.is_complete);
  EXPECT_EQ(last.changed, 1U);
  EXPECT_EQ(Local("1"), "{A=1 }");
  EXPECT_EQ(Local("2"), "{A=1 }");

  // From the Date of the first answer on.
  EXPECT_EQ(Next().token, "");
  EXPECT_EQ(Next().from, At(70));
  EXPECT_EQ(Next(true).from, At(100 - 600));
}

TEST_F(PullTest, BeginsAgainWhenATokenIsRefused) {
  Apply({.next_token = "t1", .date = At(100)});
  Rows rows(table_);
  ASSERT_TRUE(RestartPull(rows, "p"));
  EXPECT_EQ(Next().token, "");
  EXPECT_FALSE(Next().from);
}

TEST_F(PullTest, DoesNotMoveForAnAnswerToAnOlderRequest) {
  Apply({.next_token = "t1", .date = At(100)});
  Apply({.asked_token = "t1", .next_token = "t2", .date = At(110)});
  Apply({.asked_token = "t1", .next_token = "t9", .date = At(120)});
  EXPECT_EQ(Next().token, "t2");
  Apply({.asked_token = "t2", .date = At(130)});
  EXPECT_EQ(Next().from, At(70));

  // An old pull that ends late does not take the time back.
  Apply({.date = At(50)});
  EXPECT_EQ(Next().from, At(70));
}

TEST_F(PullTest, AsksAgainForRowsThatItCouldNotTake) {
  Apply({.date = At(100)});
  Write({{"1", Row({{"A", 1}})}});
  const auto request = Begin();
  Apply({.date = At(200), .rows = {Pulled("1", 150)}});
  EXPECT_EQ(Next().from, At(70));

  Complete(*request, 409);
  SettleWith(*request, {{"1", RemoteOf(150, Row({{"A", 1}}))}});
  Apply({.date = At(300), .rows = {Pulled("1", 150)}});
  EXPECT_EQ(Next().from, At(270));
}

}  // namespace
}  // namespace entitable::sync
