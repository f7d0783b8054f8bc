#include "sync/push.h"

#include <gtest/gtest.h>

#include "support/sync_test.h"
#include "sync/grouping.h"

namespace entitable::sync {
namespace {

class PushTest : public SyncTest {
 protected:
  void CompleteUnsent(const PushRequest& request) {
    Rows rows(table_);
    EXPECT_EQ(CompletePush(rows, request, {.is_unsent = true}, now_).value(),
              PushVerdict::kRetry);
  }
};

TEST_F(PushTest, PushesNothingBeforeTheFirstPullIsComplete) {
  Rows(table_).PutPull(kScope, {});
  Write({{"1", Row({{"A", 1}})}});
  EXPECT_EQ(BeginText(), "nothing");
}

TEST_F(PushTest, SendsGroupsInTheOrderOfTheirFirstChange) {
  Write({{"b", Row({{"A", 1}})}});
  Write({{"a", Row({{"A", 2}})}});
  Write({{"b", Row({{"A", 3}})}});
  EXPECT_EQ(BeginText(), "b insert {A=3 }, a insert {A=2 }");
}

TEST_F(PushTest, NeverSplitsAGroup) {
  Write({{"1", Row({{"A", 1}})}, {"2", Row({{"A", 1}})}});
  Write({{"3", Row({{"A", 1}})}, {"4", Row({{"A", 1}})}});
  limits_.rows = 3;
  EXPECT_EQ(BeginText(), "1 insert {A=1 }, 2 insert {A=1 }");
}

TEST_F(PushTest, FillsARequestWithGroupsThatAreReady) {
  limits_.rows = 3;
  for (int i = 0; i < 8; ++i) Write({{std::to_string(i), Row({{"A", i}})}});
  Complete(*Begin(), 400);  // Each of the three is sent alone.
  for (int i = 0; i < 3; ++i) Complete(*Begin(), 400);
  EXPECT_EQ(BeginText(), "3 insert {A=3 }, 4 insert {A=4 }, 5 insert {A=5 }");
}

TEST_F(PushTest, CleansRowsThatWereWritten) {
  AddClean("1", Row({{"A", 1}}));
  AddClean("2", Row({{"A", 1}}));
  Write({{"1", Row({{"A", 2}})}, {"2", kAbsent}});
  const auto request = Begin();
  EXPECT_EQ(request->operations[0].etag, EtagOf(0));
  EXPECT_EQ(Complete(*request, 202, 5), PushVerdict::kApply);

  EXPECT_EQ(Find("1"),
            (SyncedRow{.local = Row({{"A", 2}}), .remote_etag = EtagOf(5)}));
  EXPECT_FALSE(IsDirty("2"));
  EXPECT_EQ(Complete(*request, 412), std::nullopt);
}

TEST_F(PushTest, ForgetsADeletionAfterTheOverlap) {
  AddClean("1", Row({{"A", 1}}));
  AddClean("2", Row({{"A", 1}}));
  Write({{"1", kAbsent}});
  Complete(*Begin(), 202);
  Write({{"2", Row({{"A", 2}})}});
  Rows rows(table_);
  Advance(599);
  EXPECT_EQ(ExpireMarks(rows, std::nullopt, now_).value(),
            (EntityKey{"p", "2"}));
  EXPECT_TRUE(Find("1").mark);
  Advance(1);
  ASSERT_TRUE(ExpireMarks(rows, std::nullopt, now_));
  EXPECT_EQ(Find("1"), SyncedRow());
  EXPECT_TRUE(IsDirty("2"));
  EXPECT_FALSE(ExpireMarks(rows, EntityKey{"p", "2"}, now_).value());
}

TEST_F(PushTest, KeepsARowDirtyThatWasWrittenSince) {
  Write({{"1", Row({{"A", 1}})}});
  const auto request = Begin();
  Write({{"1", Row({{"A", 2}})}});
  Complete(*request, 202, 5);

  EXPECT_EQ(Find("1").base(), RemoteOf(5, Row({{"A", 1}})));
  EXPECT_EQ(BeginText(), "1 replace {A=2 }");
}

TEST_F(PushTest, SendsExactlyTheSameAfterAnUnknownOutcome) {
  Write({{"1", Row({{"A", 1}})}, {"2", Row({{"A", 1}})}});
  const auto first = Begin();
  Write({{"1", Row({{"A", 2}})}, {"3", Row({{"A", 2}})}});
  Write({{"2", kAbsent}});
  for (const int status : {0, 429, 500, 503}) {
    EXPECT_EQ(Complete(*first, status), PushVerdict::kRetry);
    Advance(10);
    const auto again = Begin();
    EXPECT_EQ(again->number, first->number);
    EXPECT_EQ(again->operations, first->operations);
  }
}

TEST_F(PushTest, DoesNotSendADeletedRowWhoseRequestHasNotLeft) {
  Write({{"1", Row({{"A", 1}})}, {"2", Row({{"A", 1}})}});
  CompleteUnsent(*Begin());
  Write({{"1", kAbsent}});
  EXPECT_EQ(BeginText(), "2 insert {A=1 }");
  EXPECT_FALSE(IsDirty("1"));
}

TEST_F(PushTest, SendsARequestAgainThatHasNotLeftAfterAnotherAttempt) {
  Write({{"1", Row({{"A", 1}})}});
  const auto first = Begin();
  Advance(1);
  CompleteUnsent(*Begin());
  Write({{"1", kAbsent}});
  EXPECT_EQ(BeginText(), "1 insert {A=1 }");
  // It is about an attempt of before.
  CompleteUnsent(*first);
  EXPECT_EQ(BeginText(), "1 insert {A=1 }");
}

TEST_F(PushTest, SendsWhatWasWrittenWhileARequestDidNotLeave) {
  Write({{"1", Row({{"A", 1}})}});
  const auto request = Begin();
  Write({{"1", Row({{"A", 2}})}});
  CompleteUnsent(*request);
  Complete(*Begin(), 202, 5);
  EXPECT_EQ(BeginText(), "1 replace {A=2 }");
}

TEST_F(PushTest, IgnoresAnAnswerToAnEarlierRequest) {
  Write({{"1", Row({{"A", 1}})}});
  const auto first = Begin();
  Complete(*first, 202, 5);
  Write({{"1", Row({{"A", 2}})}});
  const auto second = Begin();
  for (const int status : {202, 400, 412}) {
    EXPECT_EQ(Complete(*first, status, 5), std::nullopt);
  }
  EXPECT_EQ(Begin()->operations, second->operations);
}

TEST_F(PushTest, StaysDirtyWhenWrittenBackAfterItWasSent) {
  AddClean("1", Row({{"A", 1}}));
  Write({{"1", Row({{"A", 2}})}});
  const auto request = Begin();
  Write({{"1", Row({{"A", 1}})}});

  EXPECT_TRUE(IsDirty("1"));
  Complete(*request, 202, 5);
  EXPECT_EQ(BeginText(), "1 replace {A=1 }");
}

TEST_F(PushTest, WaitsWithADeletionForALateInsert) {
  Write({{"1", Row({{"A", 1}})}});
  Begin();
  Advance(60);
  const auto again = Begin();
  Complete(*again, 202, 5);
  Write({{"1", kAbsent}});

  // The first attempt was sent 60 seconds ago.
  Advance(59);
  EXPECT_EQ(BeginText(), "nothing");
  Advance(1);
  EXPECT_EQ(BeginText(), "1 delete");
}

TEST_F(PushTest, FindsTheGroupThatIsRefused) {
  Write({{"1", Row({{"A", 1}})}});
  Write({{"2", Row({{"A", 1}})}});
  const auto both = Begin();
  EXPECT_EQ(Complete(*both, 400), PushVerdict::kReject);

  const auto first = Begin();
  EXPECT_EQ(TextOfRequest(first), "1 insert {A=1 }");
  Complete(*first, 400);
  const auto second = Begin();
  EXPECT_EQ(TextOfRequest(second), "2 insert {A=1 }");
  Complete(*second, 202, 5);

  EXPECT_TRUE(IsDirty("1"));
  EXPECT_FALSE(IsDirty("2"));
  EXPECT_EQ(BeginText(), "nothing");
  const auto groups = Rows(table_).AllGroups("p").value();
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].state, Group::State::kRejected);
  EXPECT_EQ(groups[0].error, "refused");
}

TEST_F(PushTest, TriesARejectedGroupAgainWhenTheAppWritesIt) {
  Write({{"1", Row({{"A", 1}})}});
  Complete(*Begin(), 400);
  Write({{"1", Row({{"A", 2}})}});
  EXPECT_EQ(BeginText(), "1 insert {A=2 }");
}

TEST_F(PushTest, RejectsAForbiddenGroupOnlyAfterFreshCredentials) {
  Write({{"1", Row({{"A", 1}})}});
  const auto request = Begin();
  EXPECT_EQ(Complete(*request, 403), PushVerdict::kNewCredentialsOnce);
  EXPECT_EQ(BeginText(), "1 insert {A=1 }");
  Rows rows(table_);
  EXPECT_EQ(CompletePush(rows, *request,
                         {.answer = {403, ""}, .is_forbidden = true}, now_)
                .value(),
            PushVerdict::kReject);
}

TEST_F(PushTest, TakesAnAnswerWithoutAllEtagsForUnknown) {
  Write({{"1", Row({{"A", 1}})}});
  const auto request = Begin();
  Rows rows(table_);
  EXPECT_EQ(CompletePush(rows, *request, {.answer = {202, ""}}, now_).value(),
            PushVerdict::kRetry);
  EXPECT_EQ(
      CompletePush(rows, *request, {.answer = {202, ""}, .etags = {""}}, now_)
          .value(),
      PushVerdict::kRetry);
  EXPECT_TRUE(IsDirty("1"));
}

// The second transaction writes back what the first one was to write.
TEST_F(PushTest, WritesNoRowBeforeTheOthersOfItsTransactionAreDone) {
  AddClean("1", Row({{"A", 1}}));
  Write({{"1", kAbsent}});
  const auto first = Begin();
  Write({{"1", Row({{"A", 5}})}});
  Write({{"1", kAbsent}, {"2", Row({{"A", 2}})}});
  EXPECT_EQ(Complete(*first, 412), PushVerdict::kReadAndSettle);
  SettleWith(*first, {{"1", RemoteOf(0, Row({{"A", 1}}))}});

  const auto again = Begin();
  EXPECT_EQ(TextOfRequest(again), "1 delete");
  Complete(*again, 202);
  EXPECT_EQ(BeginText(), "2 insert {A=2 }");
}

}  // namespace
}  // namespace entitable::sync
