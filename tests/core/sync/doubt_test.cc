// Attempts of unknown outcome: what was sent counts until a read that was
// requested after its time.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/sync_test.h"

namespace entitable::sync {
namespace {

class DoubtTest : public SyncTest {
 protected:
  // An attempt of unknown outcome, and another one that is refused for good.
  void RefuseSecondAttempt() {
    Begin();
    Advance(1);
    Complete(*Begin(), 400);
  }

  std::string ToRead() {
    Rows rows(table_);
    std::string text;
    const auto keys = RowsToRead(rows, "p", now_).value();
    for (const EntityKey& key : keys) text += key.row_key;
    return text;
  }

  bool Settles() {
    Rows rows(table_);
    return BeginPush(rows, kScope, "p", now_, limits_).value().is_settling;
  }
};

TEST_F(DoubtTest, ReadsADeletedRowWhoseInsertWasInDoubt) {
  Write({{"1", Row({{"A", 1}})}});
  RefuseSecondAttempt();
  EXPECT_FALSE(Settles());
  Write({{"1", kAbsent}});
  Advance(118);
  EXPECT_EQ(BeginText(), "nothing");
  EXPECT_EQ(ToRead(), "");
  EXPECT_TRUE(Settles());

  // The time alone proves nothing: it may have been inserted.
  Advance(1);
  EXPECT_EQ(BeginText(), "nothing");
  EXPECT_TRUE(IsDirty("1"));
  EXPECT_EQ(ToRead(), "1");
  EXPECT_FALSE(Settles());
  EXPECT_EQ(Apply("1", RemoteOf(5, Row({{"A", 1}}))), RowOutcome::kChanged);
  EXPECT_EQ(BeginText(), "1 delete");
  EXPECT_TRUE(table_.conflicts.empty());
}

TEST_F(DoubtTest, CleansADeletedRowThatIsNotThereInTheEnd) {
  Write({{"1", Row({{"A", 1}})}});
  RefuseSecondAttempt();
  Write({{"1", kAbsent}});
  EXPECT_EQ(Apply("1", {}), RowOutcome::kHeldBack);
  Advance(119);
  Apply("1", {});
  EXPECT_EQ(Find("1"), SyncedRow());
  EXPECT_TRUE(table_.groups.empty());
}

TEST_F(DoubtTest, DoesNotBelieveAReadOfBefore) {
  Write({{"1", Row({{"A", 1}})}});
  RefuseSecondAttempt();
  Write({{"1", kAbsent}});
  const ReadRow read{{"p", "1"}, {}, table_.sequence, now_};
  Advance(119);
  Rows rows(table_);
  EXPECT_EQ(ApplyRow(rows, read, resolver_, now_).value().outcome,
            RowOutcome::kHeldBack);
  EXPECT_TRUE(IsDirty("1"));
}

TEST_F(DoubtTest, ReadsARowThatIsWrittenBackToItsBase) {
  AddClean("1", Row({{"A", 1}}));
  Write({{"1", Row({{"A", 2}})}});
  RefuseSecondAttempt();
  Write({{"1", Row({{"A", 1}})}});
  Advance(119);
  EXPECT_EQ(BeginText(), "nothing");
  EXPECT_EQ(ToRead(), "1");
  Apply("1", RemoteOf(5, Row({{"A", 2}})));
  EXPECT_EQ(BeginText(), "1 replace {A=1 }");
}

TEST_F(DoubtTest, CleansARowThatStillHasItsBase) {
  AddClean("1", Row({{"A", 1}}));
  const SyncedRow before = Find("1");
  Write({{"1", Row({{"A", 2}})}});
  RefuseSecondAttempt();
  Write({{"1", Row({{"A", 1}})}});
  Advance(119);
  Apply("1", RemoteOf(0, Row({{"A", 1}})));
  EXPECT_EQ(Find("1"), before);
}

// The read came before the late effect may have.
// The request of the read was earlier than the end of the doubt.
TEST_F(DoubtTest, KeepsADoubtAfterALateAnswerToAnEarlyRead) {
  AddClean("1", Row({{"A", 1}}));
  Write({{"1", Row({{"A", 2}})}});
  RefuseSecondAttempt();
  Write({{"1", Row({{"A", 3}})}});
  const ReadRow read{
      {"p", "1"}, RemoteOf(0, Row({{"A", 1}})), table_.sequence, now_};
  Advance(130);
  Rows rows(table_);
  EXPECT_EQ(ApplyRow(rows, read, resolver_, now_).value().outcome,
            RowOutcome::kKnown);
  // It may have taken effect after the read.
  EXPECT_EQ(Apply("1", RemoteOf(5, Row({{"A", 2}}))), RowOutcome::kChanged);
  EXPECT_TRUE(table_.conflicts.empty());
}

TEST_F(DoubtTest, KeepsADoubtAfterAnEarlyRead) {
  AddClean("1", Row({{"A", 1}}));
  Write({{"1", Row({{"A", 2}})}});
  RefuseSecondAttempt();
  Write({{"1", Row({{"A", 3}})}});
  EXPECT_EQ(Apply("1", RemoteOf(0, Row({{"A", 1}}))), RowOutcome::kKnown);
  Write({{"1", Row({{"A", 1}})}});
  EXPECT_TRUE(IsDirty("1"));
}

// A day later the first attempt is still of unknown outcome.
TEST_F(DoubtTest, RemembersALongPastAttempt) {
  Write({{"1", Row({{"A", 1}})}});
  Begin();
  Advance(86'400);
  Complete(*Begin(), 400);
  Write({{"1", Row({{"A", 2}})}});
  const auto request = Begin();
  EXPECT_EQ(TextOfRequest(request), "1 insert {A=2 }");
  Complete(*request, 409);
  SettleWith(*request, {{"1", RemoteOf(5, Row({{"A", 1}}))}});
  EXPECT_TRUE(table_.conflicts.empty());
  Advance(3);
  EXPECT_EQ(BeginText(), "1 replace {A=2 }");
}

// The first answer comes after the second attempt has left.
TEST_F(DoubtTest, DoubtsAnAttemptThatAnAnswerHasOvertaken) {
  Write({{"1", Row({{"A", 1}})}});
  const auto first = Begin();
  Advance(100);
  Begin();
  Complete(*first, 202, 5);
  Write({{"1", kAbsent}});
  Advance(119);
  EXPECT_EQ(BeginText(), "nothing");
  Advance(1);
  EXPECT_EQ(BeginText(), "1 delete");
}

TEST_F(DoubtTest, ForgetsAnAttemptThatANewVersionExcludes) {
  AddClean("1", Row({{"A", 1}}));
  Write({{"1", Row({{"A", 2}})}});
  RefuseSecondAttempt();
  resolver_ = PolicyResolver(ConflictPolicy::kRemote);
  Apply("1", RemoteOf(5, Row({{"A", 7}})));
  EXPECT_EQ(Find("1"),
            (SyncedRow{.local = Row({{"A", 7}}), .remote_etag = EtagOf(5)}));
}

TEST_F(DoubtTest, ForgetsAnAttemptThatASuccessExcludes) {
  AddClean("1", Row({{"A", 1}}));
  Write({{"1", Row({{"A", 2}})}});
  RefuseSecondAttempt();
  Write({{"1", Row({{"A", 3}})}});
  Complete(*Begin(), 202, 5);
  EXPECT_EQ(Find("1"),
            (SyncedRow{.local = Row({{"A", 3}}), .remote_etag = EtagOf(5)}));
}

}  // namespace
}  // namespace entitable::sync
