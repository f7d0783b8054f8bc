#include "sync/settle.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/sync_test.h"
#include "sync/pull.h"
#include "sync/records.h"

namespace entitable::sync {
namespace {

class SettleTest : public SyncTest {
 protected:
  std::vector<ConflictRecord> Conflicts() {
    std::vector<ConflictRecord> conflicts;
    for (const std::string& bytes : table_.conflicts) {
      conflicts.push_back(DecodeConflict(bytes).value());
    }
    return conflicts;
  }
};

// Rows of one group, and what the remote has of them.
TEST_F(SettleTest, SettlesEachRowByWhatTheRemoteHas) {
  AddClean("deleted", Row({{"A", 1}}));
  AddClean("same", Row({{"A", 1}}));
  AddClean("renewed", Row({{"A", 1}}));
  AddClean("changed", Row({{"A", 1}}));
  Write({{"deleted", kAbsent},
         {"same", Row({{"A", 2}})},
         {"renewed", Row({{"A", 2}})},
         {"changed", Row({{"A", 2}})},
         {"inserted", Row({{"A", 2}})}});
  const auto request = Begin();
  EXPECT_EQ(Complete(*request, 412), PushVerdict::kReadAndSettle);
  SettleWith(*request, {{"deleted", RemoteRow()},
                        {"same", RemoteOf(0, Row({{"A", 1}}))},
                        {"renewed", RemoteOf(7, Row({{"A", 1}}))},
                        {"changed", RemoteOf(7, Row({{"A", 1}, {"B", 7}}))},
                        {"inserted", RemoteOf(7, Row({{"A", 2}}))}});

  EXPECT_FALSE(IsDirty("deleted"));
  EXPECT_EQ(Find("inserted"),
            (SyncedRow{.local = Row({{"A", 2}}), .remote_etag = EtagOf(7)}));
  EXPECT_EQ(Find("renewed").base(), RemoteOf(7, Row({{"A", 1}})));
  EXPECT_EQ(BeginText(),
            "same replace {A=2 }, renewed replace {A=2 }, "
            "changed replace {A=2 B=7 }");
  ASSERT_EQ(Conflicts().size(), 1U);
  EXPECT_EQ(Conflicts()[0].key.row_key, "changed");
  EXPECT_EQ(TextOf(Conflicts()[0].base), "{A=1 }");
  EXPECT_EQ(TextOf(Conflicts()[0].local), "{A=2 }");
  EXPECT_EQ(TextOf(Conflicts()[0].remote), "{A=1 B=7 }");
  EXPECT_EQ(TextOf(Conflicts()[0].result), "{A=2 B=7 }");
}

TEST_F(SettleTest, RecognizesAnEarlierAttemptOfItsOwn) {
  Write({{"1", Row({{"A", 1}})}});
  Begin();
  Write({{"1", Row({{"A", 2}})}});
  const auto again = Begin();
  Complete(*again, 409);
  SettleWith(*again, {{"1", RemoteOf(5, Row({{"A", 1}}))}});

  EXPECT_TRUE(table_.conflicts.empty());
  EXPECT_EQ(BeginText(), "1 replace {A=2 }");
}

TEST_F(SettleTest, TakesALateValueForItsOwnAfterTheConflict) {
  AddClean("2", Row({{"A", 1}}));
  Write({{"1", Row({{"A", 1}})}, {"2", Row({{"A", 2}})}});
  Begin();
  Advance(1);
  const auto again = Begin();
  Complete(*again, 412);
  SettleWith(*again, {{"1", {}}, {"2", RemoteOf(7, Row({{"B", 7}}))}});
  Write({{"1", Row({{"A", 5}})}});

  // The first attempt may still insert row 1.
  EXPECT_EQ(Apply("1", RemoteOf(9, Row({{"A", 1}}))), RowOutcome::kChanged);
  EXPECT_EQ(table_.conflicts.size(), 1U);  // Of row 2.
  EXPECT_EQ(Find("1").base(), RemoteOf(9, Row({{"A", 1}})));
  EXPECT_EQ(Local("1"), "{A=5 }");
}

TEST_F(SettleTest, ReadsAgainIfABaseHasChangedSince) {
  AddClean("1", Row({{"A", 1}}));
  Write({{"1", Row({{"A", 2}})}});
  const auto request = Begin();
  Rows rows(table_);
  const RowsRead old{.sequence = 0, .rows = {{"1", RemoteRow()}}};
  EXPECT_EQ(Settle(rows, *request, old, resolver_, now_).value().state,
            Settled::State::kReadAgain);
  const RowsRead partial{.sequence = table_.sequence};
  EXPECT_EQ(Settle(rows, *request, partial, resolver_, now_).value().state,
            Settled::State::kReadAgain);
  EXPECT_EQ(BeginText(), "1 replace {A=2 }");
}

TEST_F(SettleTest, KeepsAnEditOfARowThatWasDeleted) {
  AddClean("1", Row({{"A", 1}}));
  Write({{"1", Row({{"A", 2}})}});
  const auto request = Begin();
  Complete(*request, 404);
  SettleWith(*request, {{"1", {}}});
  EXPECT_EQ(BeginText(), "1 insert {A=2 }");
}

TEST_F(SettleTest, WaitsLongerAfterEachConflictButTheFirst) {
  AddClean("1", Row({{"A", 1}}));
  Write({{"1", Row({{"A", 2}})}});
  for (int pause : {0, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300}) {
    const auto request = Begin();
    ASSERT_TRUE(request) << pause;
    Complete(*request, 412);
    SettleWith(*request, {{"1", RemoteOf(0, Row({{"A", 1}}))}});
    if (pause == 0) continue;
    Advance(pause - 1);
    EXPECT_EQ(BeginText(), "nothing") << pause;
    Advance(1);
  }
}

// ----------------------------------------------------------------- resolvers

class UndecidedResolver final : public Resolver {
 public:
  std::vector<Resolution> Resolve(
      std::span<const Conflict> conflicts) override {
    asked.push_back(conflicts.size());
    return std::vector<Resolution>(conflicts.size());
  }
  std::vector<std::size_t> asked;
};

TEST_F(SettleTest, AsksForAllRowsOfAGroupAndChangesNothingUntilDecided) {
  Write({{"1", Row({{"A", 1}})}, {"2", Row({{"A", 1}})}});
  Write({{"3", Row({{"A", 1}})}});
  const auto request = Begin();
  Complete(*request, 409);
  const RowsRead read{.sequence = table_.sequence,
                      .rows = {{"1", RemoteOf(7, Row({{"A", 7}}))},
                               {"2", RemoteOf(7, Row({{"A", 7}}))},
                               {"3", RemoteOf(7, Row({{"A", 7}}))}}};
  UndecidedResolver undecided;
  Rows rows(table_);
  const Settled settled = Settle(rows, *request, read, undecided, now_).value();
  EXPECT_EQ(settled.state, Settled::State::kUnresolved);
  EXPECT_EQ(settled.unresolved.size(), 3U);
  EXPECT_EQ(undecided.asked, (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(Local("1"), "{A=1 }");
  EXPECT_TRUE(table_.conflicts.empty());

  ASSERT_TRUE(Postpone(rows, *request, now_));
  EXPECT_TRUE(IsDirty("1"));
  // Each group is sent alone, so that one conflict holds up no other group.
  EXPECT_EQ(BeginText(), "1 insert {A=1 }, 2 insert {A=1 }");
  const auto alone = Begin();
  Complete(*alone, 409);
  ASSERT_TRUE(Postpone(rows, *alone, now_));
  EXPECT_EQ(BeginText(), "3 insert {A=1 }");
}

TEST(PolicyResolverTest, TakesASideOrMerges) {
  const std::vector<Conflict> conflicts = {{{"p", "r"},
                                            Row({{"A", 1}}),
                                            Row({{"A", 2}, {"B", 2}}),
                                            Row({{"A", 3}}),
                                            {}}};
  const auto resolve = [&conflicts](PolicyResolver resolver) {
    return TextOf(*resolver.Resolve(conflicts)[0]);
  };
  EXPECT_EQ(resolve(PolicyResolver(ConflictPolicy::kRemote)), "{A=3 }");
  EXPECT_EQ(resolve(PolicyResolver(ConflictPolicy::kLocal)), "{A=2 B=2 }");
  EXPECT_EQ(resolve(PolicyResolver(ConflictPolicy::kMerge)), "{A=3 B=2 }");
  EXPECT_EQ(resolve(PolicyResolver(ConflictPolicy::kMerge, Prefer::kLocal)),
            "{A=2 B=2 }");
}

// ------------------------------------------------------------- rows of a pull

TEST_F(SettleTest, TakesRowsIntoCleanOnes) {
  EXPECT_EQ(Apply("1", RemoteOf(1, Row({{"A", 1}}))), RowOutcome::kChanged);
  EXPECT_EQ(Apply("1", RemoteOf(1, Row({{"A", 1}}))), RowOutcome::kKnown);
  EXPECT_EQ(Apply("1", RemoteOf(2, Row({{"A", 2}}))), RowOutcome::kChanged);
  EXPECT_EQ(Local("1"), "{A=2 }");
  EXPECT_EQ(Apply("1", {}), RowOutcome::kChanged);
  EXPECT_EQ(Find("1"), SyncedRow());
}

TEST_F(SettleTest, LetsASlowPageNotUndoANewerPush) {
  AddClean("1", Row({{"A", 1}}));
  const std::uint64_t asked = table_.sequence;
  Write({{"1", Row({{"A", 2}})}});
  Complete(*Begin(), 202, 5);
  EXPECT_EQ(ApplyAt("1", RemoteOf(3, Row({{"A", 3}})), asked),
            RowOutcome::kKnown);
  EXPECT_EQ(Local("1"), "{A=2 }");
}

TEST_F(SettleTest, AsksAgainForAnAnswerThatAnOlderOneHasOvertaken) {
  AddClean("1", Row({{"A", 1}}));
  const std::uint64_t asked = table_.sequence;
  Apply("1", RemoteOf(2, Row({{"A", 2}})));
  EXPECT_EQ(ApplyAt("1", RemoteOf(3, Row({{"A", 3}})), asked),
            RowOutcome::kHeldBack);
  EXPECT_EQ(ApplyAt("1", RemoteOf(2, Row({{"A", 2}})), asked),
            RowOutcome::kKnown);
  EXPECT_EQ(ApplyAt("1", RemoteOf(1, Row({{"A", 9}})), asked),
            RowOutcome::kKnown);
  EXPECT_EQ(ApplyAt("1", {}, asked), RowOutcome::kKnown);
  EXPECT_EQ(Local("1"), "{A=2 }");
}

// Its ETag may be forgotten by then.
TEST_F(SettleTest, AsksAgainForAnUnknownRowOfALateAnswer) {
  AddClean("1", Row({{"A", 1}}));
  Write({{"1", kAbsent}});
  Complete(*Begin(), 202);
  const DateTime deleted_at = now_;
  Advance(700);
  const auto take = [&](std::int64_t seconds) {
    Rows rows(table_);
    const ReadRow read{{"p", "1"},
                       RemoteOf(0, Row({{"A", 1}})),
                       table_.sequence,
                       {deleted_at.ticks + seconds * 10'000'000}};
    return ApplyRow(rows, read, resolver_, now_).value().outcome;
  };
  EXPECT_EQ(take(500), RowOutcome::kHeldBack);
  EXPECT_EQ(take(639), RowOutcome::kHeldBack);
  EXPECT_EQ(Local("1"), "absent");
  // Nobody is shown it any more by then.
  EXPECT_EQ(take(640), RowOutcome::kChanged);
}

TEST_F(SettleTest, IgnoresARowThatItHasDeleted) {
  AddClean("1", Row({{"A", 1}}));
  Write({{"1", kAbsent}});
  Complete(*Begin(), 202);
  EXPECT_EQ(Apply("1", RemoteOf(0, Row({{"A", 1}}))), RowOutcome::kKnown);
  EXPECT_EQ(Apply("1", RemoteOf(1, Row({{"A", 1}}))), RowOutcome::kChanged);
}

TEST_F(SettleTest, HoldsARowBackWhoseRequestIsUnderWay) {
  AddClean("1", Row({{"A", 1}}));
  Write({{"1", Row({{"A", 2}})}});
  const auto request = Begin();
  EXPECT_EQ(Apply("1", RemoteOf(7, Row({{"A", 7}}))), RowOutcome::kHeldBack);
  EXPECT_EQ(Begin()->operations, request->operations);
  EXPECT_EQ(Apply("1", RemoteOf(0, Row({{"A", 1}}))), RowOutcome::kKnown);
}

// An insert of the past may still arrive, so the row may come back.
TEST_F(SettleTest, DoesNotBelieveThatARowIsGoneWhileAnInsertIsInDoubt) {
  Write({{"1", Row({{"A", 1}})}});
  Begin();
  Advance(1);
  Complete(*Begin(), 202, 5);
  EXPECT_EQ(Apply("1", {}), RowOutcome::kHeldBack);
  EXPECT_EQ(Local("1"), "{A=1 }");
  Write({{"1", Row({{"A", 2}})}});
  EXPECT_EQ(Apply("1", {}), RowOutcome::kHeldBack);

  Advance(120);
  EXPECT_EQ(Apply("1", {}), RowOutcome::kChanged);
  EXPECT_EQ(Local("1"), "{A=2 }");
}

TEST_F(SettleTest, ReportsARemoteThatHasGoneBack) {
  ASSERT_TRUE(Rows(table_).Put(
      {"p", "1"}, {.local = Row({{"A", 2}}), .remote_etag = EtagOf(9)}));
  Rows rows(table_);
  const ReadRow read{
      {"p", "1"}, RemoteOf(3, Row({{"A", 1}})), table_.sequence, now_};
  EXPECT_TRUE(ApplyRow(rows, read, resolver_, now_).value().is_older);
  EXPECT_EQ(Local("1"), "{A=1 }");
}

}  // namespace
}  // namespace entitable::sync
