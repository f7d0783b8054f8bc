#include "sync/pull.h"

#include <gtest/gtest.h>

#include "support/sync_test.h"

namespace entitable::sync {
namespace {

class PullTest : public SyncTest {
 protected:
  PullTest() { Rows(table_).PutPull(kScope, {}); }

  PullResult Apply(PulledPage page) {
    page.sequence = table_.sequence;
    page.asked_at = now_;
    Rows rows(table_);
    return ApplyPage(rows, kScope, page, resolver_, now_).value();
  }
  // The answer to the request that is the next one.
  PullResult Answer(PulledPage page) {
    page.step = Next().step;
    return Apply(std::move(page));
  }
  PullRequest Next() {
    Rows rows(table_);
    return NextPull(rows, kScope).value();
  }
  std::optional<DateTime> WideFrom() {
    Rows rows(table_);
    return WidePullFrom(rows, kScope).value();
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
      Answer({.next_token = "t1", .date = At(100), .rows = {Pulled("1", 1)}})
          .is_complete);
  EXPECT_EQ(Next().token, "t1");
  EXPECT_EQ(BeginText(), "nothing");

  const PullResult last = Answer({.date = At(200), .rows = {Pulled("2", 2)}});
  EXPECT_TRUE(last.is_complete);
  EXPECT_EQ(last.changed, 1U);
  EXPECT_EQ(Local("1"), "{A=1 }");
  EXPECT_EQ(Local("2"), "{A=1 }");

  // From the Date of the first answer on.
  EXPECT_EQ(Next().token, "");
  EXPECT_EQ(Next().from, At(70));
}

TEST_F(PullTest, GoesBackFromTheLastWidePull) {
  EXPECT_FALSE(WideFrom());
  Answer({.date = At(1'000)});
  EXPECT_EQ(WideFrom(), At(400));
  Answer({.date = At(2'000)});
  EXPECT_EQ(WideFrom(), At(400));

  Rows rows(table_);
  ASSERT_TRUE(CompleteWidePull(rows, kScope, At(3'000)));
  EXPECT_EQ(WideFrom(), At(2'400));
  // A frozen tab completes an older one.
  ASSERT_TRUE(CompleteWidePull(rows, kScope, At(2'000)));
  EXPECT_EQ(WideFrom(), At(2'400));
}

TEST_F(PullTest, TakesTheGreatestTimestampOfTheFirstAnswerWithoutItsDate) {
  Answer({.rows = {}});
  EXPECT_FALSE(Next().from);
  EXPECT_FALSE(WideFrom());
  Answer({.next_token = "t1", .rows = {Pulled("1", 700), Pulled("2", 650)}});
  Answer({.rows = {Pulled("3", 900)}});
  EXPECT_EQ(Next().from, At(670));
  EXPECT_EQ(WideFrom(), At(100));
}

TEST_F(PullTest, BeginsAgainWhenATokenIsRefused) {
  Answer({.next_token = "t1", .date = At(100)});
  const std::uint64_t step = Next().step;
  Rows rows(table_);
  ASSERT_TRUE(RestartPull(rows, kScope));
  EXPECT_EQ(Next().token, "");
  EXPECT_FALSE(Next().from);

  // An answer to the refused token comes from another tab.
  Apply({.step = step, .next_token = "t2", .date = At(100)});
  EXPECT_EQ(Next().token, "");
}

TEST_F(PullTest, DoesNotMoveForAnAnswerToAnOlderRequest) {
  const std::uint64_t first = Next().step;
  Answer({.next_token = "t1", .date = At(100)});
  const std::uint64_t second = Next().step;
  Answer({.next_token = "t2", .date = At(110)});
  Apply({.step = second, .next_token = "t9", .date = At(120)});
  EXPECT_EQ(Next().token, "t2");
  Answer({.date = At(130)});
  EXPECT_EQ(Next().from, At(70));

  // An old pull that ends late does not move it either way.
  Apply({.step = first, .date = At(50)});
  Apply({.step = first, .date = At(500)});
  EXPECT_EQ(Next().from, At(70));
}

TEST_F(PullTest, AsksAgainForRowsThatItCouldNotTake) {
  Answer({.date = At(100)});
  Write({{"1", Row({{"A", 1}})}});
  const auto request = Begin();
  Answer({.next_token = "t1", .date = At(200), .rows = {Pulled("1", 150)}});
  Answer({.date = At(210)});
  EXPECT_EQ(Next().from, At(70));

  Complete(*request, 409);
  SettleWith(*request, {{"1", RemoteOf(150, Row({{"A", 1}}))}});
  Answer({.date = At(300), .rows = {Pulled("1", 150)}});
  EXPECT_EQ(Next().from, At(270));
}

TEST_F(PullTest, CreatesATableOnlyIfItWasNeverSeen) {
  Rows rows(table_);
  EXPECT_TRUE(MayCreateTable(rows).value());
  ASSERT_TRUE(RestartPull(rows, kScope));
  EXPECT_TRUE(MayCreateTable(rows).value());
  Answer({.next_token = "t1", .date = At(100)});
  EXPECT_FALSE(MayCreateTable(rows).value());
  Answer({.date = At(100)});
  EXPECT_FALSE(MayCreateTable(rows).value());
}

TEST_F(PullTest, PullsAWholeTable) {
  const Scope table;
  Write({{"1", Row({{"A", 1}})}});
  Rows rows(table_);
  EXPECT_FALSE(BeginPush(rows, table, "p", now_, limits_).value().request);
  const PulledPage page{
      .asked_at = now_, .date = At(100), .rows = {Pulled("2", 1)}};
  ASSERT_TRUE(ApplyPage(rows, table, page, resolver_, now_));
  EXPECT_EQ(Local("2"), "{A=1 }");
  EXPECT_EQ(
      TextOfRequest(BeginPush(rows, table, "p", now_, limits_).value().request),
      "1 insert {A=1 }");
}

TEST_F(PullTest, NeverPushesOutsideTheScope) {
  Write({{"1", Row({{"A", 1}})}});
  const Scope other{"q"};
  Rows rows(table_);
  rows.PutPull(other, {.is_complete = true});
  EXPECT_FALSE(BeginPush(rows, other, "p", now_, limits_).value().request);
}

}  // namespace
}  // namespace entitable::sync
