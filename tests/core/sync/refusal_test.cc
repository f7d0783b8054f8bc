// Rows that break the schema that all writers of the table must keep.

#include <gtest/gtest.h>

#include <string>

#include "support/sync_test.h"
#include "sync/sync_rows.h"

namespace entitable::sync {
namespace {

class SyncRefusalTest : public SyncTest {
 protected:
  SyncRefusalTest() { table_.schema = 1; }

  PullRequest Next() {
    Rows rows(table_);
    return NextPull(rows, kScope).value();
  }
  PullResult Answer(PulledPage page) {
    page.step = Next().step;
    page.sequence = table_.sequence;
    page.asked_at = now_;
    Rows rows(table_);
    return ApplyPage(rows, kScope, page, resolver_, now_).value();
  }
  static DateTime At(std::int64_t seconds) {
    return *TimeOfEtag(EtagOf(seconds));
  }
  static PulledRow Unfit(const std::string& row_key) {
    return {{"p", row_key}, {EtagOf(5), *Row({{"Unfit", 1}})}};
  }
  static PulledRow Fit(const std::string& row_key) {
    return {{"p", row_key}, {EtagOf(5), *Row({{"A", 1}})}};
  }

  Result<void> DiscardRow(const std::string& row_key) {
    Rows rows(table_);
    return Discard(rows, {"p", row_key}, limits_).Take();
  }
};

TEST_F(SyncRefusalTest, LeavesARowOfAPageOutAndSaysSo) {
  AddClean("1", Row({{"A", 0}}));
  const PullResult result =
      Answer({.date = At(100), .rows = {Unfit("1"), Fit("2"), Unfit("3")}});

  EXPECT_EQ(result.changed, 1U);
  ASSERT_EQ(result.refused.size(), 2U);
  EXPECT_EQ(result.refused[0].key.row_key, "1");
  EXPECT_EQ(result.refused[0].reason, "The entity breaks the schema.");
  EXPECT_EQ(result.refused[1].key.row_key, "3");
  EXPECT_EQ(Local("1"), "{A=0 }");
  EXPECT_EQ(Find("1").base()->etag, EtagOf(0));
  EXPECT_EQ(Local("3"), "absent");
  // It is no reason to ask for the page again.
  EXPECT_EQ(Next().from, At(70));
}

TEST_F(SyncRefusalTest, KeepsAnUnfitRowOfWhichOnlyTheEtagIsNew) {
  AddClean("1", Row({{"Unfit", 1}}));
  EXPECT_EQ(Apply("1", RemoteOf(5, Row({{"Unfit", 1}}))), RowOutcome::kChanged);
  EXPECT_EQ(Find("1").base()->etag, EtagOf(5));
}

TEST_F(SyncRefusalTest, PullsTheWholeScopeAgainWhenTheSchemaChanges) {
  Answer({.date = At(100), .rows = {Unfit("1")}});
  table_.schema = 3;

  const PullRequest again = Next();
  EXPECT_FALSE(again.from);
  EXPECT_EQ(again.token, "");
  EXPECT_EQ(Next().step, again.step);
  Answer({.next_token = "t", .date = At(200), .rows = {Unfit("1")}});
  table_.schema = 0;

  EXPECT_EQ(Next().token, "");
  EXPECT_EQ(Answer({.date = At(300), .rows = {Unfit("1")}}).changed, 1U);
  EXPECT_EQ(Local("1"), "{Unfit=1 }");
  EXPECT_EQ(Next().from, At(270));
}

TEST_F(SyncRefusalTest, GoesOnWithPushesMeanwhile) {
  Answer({.date = At(100), .rows = {Unfit("1")}});
  table_.schema = 0;
  Next();
  Write({{"2", Row({{"A", 1}})}});
  EXPECT_EQ(BeginText(), "2 insert {A=1 }");
}

TEST_F(SyncRefusalTest, DoesNotForgetWhatAnEarlierSchemaHasRefused) {
  Answer({.next_token = "t", .date = At(100), .rows = {Unfit("1")}});
  PulledPage next{
      .sequence = table_.sequence, .asked_at = now_, .date = At(100)};
  next.rows = {Unfit("2")};
  next.step = Next().step;
  table_.schema = 3;
  {
    Rows rows(table_);
    ASSERT_TRUE(ApplyPage(rows, kScope, next, resolver_, now_));
  }
  table_.schema = 1;
  EXPECT_FALSE(Next().from);
}

TEST_F(SyncRefusalTest, RemembersARowThatWasReadByItself) {
  Answer({.date = At(100)});
  EXPECT_EQ(Apply("1", RemoteOf(5, Row({{"Unfit", 1}}))), RowOutcome::kRefused);
  EXPECT_EQ(Next().from, At(70));
  table_.schema = 0;
  EXPECT_FALSE(Next().from);
}

TEST_F(SyncRefusalTest, LeavesARowDirtyWhoseMergedValueBreaksTheSchema) {
  AddClean("1", Row({{"A", 1}}));
  Write({{"1", Row({{"A", 2}})}});
  const RemoteRow remote = RemoteOf(5, Row({{"A", 1}, {"Unfit", 1}}));

  EXPECT_EQ(Apply("1", remote), RowOutcome::kRefused);
  EXPECT_TRUE(table_.conflicts.empty());
  EXPECT_EQ(Local("1"), "{A=2 }");
  EXPECT_TRUE(IsDirty("1"));
  table_.schema = 0;
  EXPECT_EQ(Apply("1", remote), RowOutcome::kChanged);
  EXPECT_EQ(Local("1"), "{A=2 Unfit=1 }");
}

TEST_F(SyncRefusalTest, TakesAnUnfitRowAsTheBaseOfAFitOne) {
  resolver_ = PolicyResolver(ConflictPolicy::kLocal);
  AddClean("1", Row({{"A", 1}}));
  Write({{"1", Row({{"A", 2}})}});
  EXPECT_EQ(Apply("1", RemoteOf(5, Row({{"Unfit", 1}}))), RowOutcome::kChanged);
  EXPECT_EQ(BeginText(), "1 replace {A=2 }");
}

TEST_F(SyncRefusalTest, TriesAGroupLaterWhoseConflictCannotBeSettled) {
  AddClean("1", Row({{"A", 1}}));
  AddClean("2", Row({{"A", 1}}));
  AddClean("3", Row({{"A", 1}}));
  Write({{"1", Row({{"A", 2}})}, {"2", Row({{"A", 2}})}});
  Write({{"3", Row({{"A", 2}})}});
  const auto request = Begin();
  ASSERT_EQ(request->operations.size(), 3U);
  Complete(*request, 412);
  const Settled settled =
      SettleWith(*request, {{"1", RemoteOf(5, Row({{"A", 1}, {"Unfit", 1}}))},
                            {"2", RemoteOf(0, Row({{"A", 1}}))},
                            {"3", RemoteOf(5, Row({{"A", 1}, {"B", 1}}))}});

  ASSERT_EQ(settled.refused.size(), 1U);
  EXPECT_EQ(settled.refused[0].key.row_key, "1");
  EXPECT_EQ(Local("1"), "{A=2 }");
  EXPECT_EQ(Local("3"), "{A=2 B=1 }");
  EXPECT_EQ(table_.conflicts.size(), 1U);
  // The other group is settled.
  const auto other = Begin();
  EXPECT_EQ(TextOfRequest(other), "3 replace {A=2 B=1 }");
  Complete(*other, 202, 6);
  EXPECT_EQ(BeginText(), "nothing");
  Advance(3);
  EXPECT_EQ(BeginText(), "1 replace {A=2 }, 2 replace {A=2 }");
}

// Such as a row that is larger than the service's rows.
TEST_F(SyncRefusalTest, TriesAGroupLaterWithARowThatCannotBeRead) {
  AddClean("1", Row({{"A", 1}}));
  Write({{"1", Row({{"A", 2}})}});
  const auto request = Begin();
  Complete(*request, 412);
  const RowsRead read{.sequence = table_.sequence,
                      .asked_at = now_,
                      .rows = {{"1", std::nullopt}},
                      .refused = {{"It is too large.", {"p", "1"}}}};
  Rows rows(table_);
  const auto settled = Settle(rows, *request, read, resolver_, now_);

  ASSERT_EQ(settled->refused.size(), 1U);
  EXPECT_EQ(settled->refused[0].reason, "It is too large.");
  EXPECT_TRUE(table_.conflicts.empty());
  Advance(3);
  EXPECT_EQ(BeginText(), "1 replace {A=2 }");
}

TEST_F(SyncRefusalTest, DiscardsNothingForABaseThatBreaksTheSchema) {
  table_.schema = 0;
  AddClean("1", Row({{"Unfit", 1}}));
  Write({{"1", Row({{"A", 2}})}});
  table_.schema = 1;
  const auto before = table_.rows;

  const auto discarded = DiscardRow("1");
  ASSERT_FALSE(discarded);
  EXPECT_EQ(discarded.error().code, ErrorCode::kSchemaViolation);
  table_.schema = 0;
  table_.rows = before;
  ASSERT_TRUE(DiscardRow("1"));
  EXPECT_EQ(Local("1"), "{Unfit=1 }");
}

}  // namespace
}  // namespace entitable::sync
