#include "sync/resolver.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/sync_test.h"
#include "sync/records.h"

namespace entitable::sync {
namespace {

// An app that is asked, and has not decided yet.
class AskingResolver final : public Resolver {
 public:
  std::vector<Resolution> Resolve(
      std::span<const Conflict> conflicts) override {
    asked.assign(conflicts.begin(), conflicts.end());
    return std::vector<Resolution>(conflicts.size());
  }
  std::vector<Conflict> asked;
};

class ResolverTest : public SyncTest {
 protected:
  // "1! 2 ": the rows that the app is asked about; "!": it is in conflict.
  static std::string TextOf(const std::vector<Conflict>& conflicts) {
    std::string text;
    for (const Conflict& one : conflicts) {
      text += one.key.row_key + (one.is_conflict ? "! " : " ");
    }
    return text;
  }

  AppliedRow ApplyWith(Resolver& resolver, const std::string& row_key,
                       const RemoteRow& remote) {
    Rows rows(table_);
    return ApplyRow(rows, {{"p", row_key}, remote, table_.sequence, now_},
                    resolver, now_)
        .value();
  }
};

TEST_F(ResolverTest, GetsAllRowsOfTheGroupOfARequest) {
  AddClean("1", Row({{"A", 1}}));
  AddClean("2", Row({{"A", 1}}));
  Write({{"1", Row({{"A", 2}})}, {"2", Row({{"A", 2}})}});
  Write({{"3", Row({{"A", 2}})}});
  const auto request = Begin();
  Complete(*request, 412);
  const RowsRead read{.sequence = table_.sequence,
                      .asked_at = now_,
                      .rows = {{"1", RemoteOf(7, Row({{"A", 7}}))},
                               {"2", RemoteOf(0, Row({{"A", 1}}))},
                               {"3", {}}}};
  AskingResolver app;
  Rows rows(table_);
  const Settled settled = Settle(rows, *request, read, app, now_).value();
  EXPECT_EQ(settled.state, Settled::State::kUnresolved);
  EXPECT_EQ(TextOf(settled.unresolved), "1! 2 ");

  // It takes the remote row, and the other one back.
  DecidedResolver decided(settled.unresolved,
                          {Row({{"A", 7}}), Row({{"A", 1}})});
  EXPECT_EQ(Settle(rows, *request, read, decided, now_).value().state,
            Settled::State::kDone);
  EXPECT_EQ(Local("1"), "{A=7 }");
  EXPECT_EQ(Local("2"), "{A=1 }");
  EXPECT_FALSE(IsDirty("1"));
  EXPECT_FALSE(IsDirty("2"));
  EXPECT_EQ(table_.conflicts.size(), 2U);
  Advance(3);
  EXPECT_EQ(BeginText(), "3 insert {A=2 }");
}

TEST_F(ResolverTest, KeepsARowInDoubtDirtyThatIsToBeAbsent) {
  AddClean("1", Row({{"A", 1}}));
  Write({{"1", Row({{"A", 2}})}, {"2", Row({{"A", 2}})}});
  Begin();
  Advance(1);
  const auto again = Begin();
  Complete(*again, 412);
  const RowsRead read{.sequence = table_.sequence,
                      .asked_at = now_,
                      .rows = {{"1", RemoteOf(7, Row({{"A", 7}}))}, {"2", {}}}};
  AskingResolver app;
  Rows rows(table_);
  const Settled settled = Settle(rows, *again, read, app, now_).value();
  DecidedResolver decided(settled.unresolved, {Row({{"A", 7}}), kAbsent});
  ASSERT_TRUE(Settle(rows, *again, read, decided, now_));

  // The first attempt may still insert it.
  EXPECT_FALSE(IsDirty("1"));
  EXPECT_TRUE(IsDirty("2"));
  EXPECT_EQ(Apply("2", RemoteOf(8, Row({{"A", 2}}))), RowOutcome::kChanged);
  Advance(120);
  EXPECT_EQ(BeginText(), "2 delete");
}

TEST_F(ResolverTest, GetsAllRowsOfTheGroupOfAPulledRow) {
  AddClean("1", Row({{"A", 1}}));
  Write({{"1", Row({{"A", 2}})}, {"2", Row({{"A", 2}})}});
  const RemoteRow remote = RemoteOf(7, Row({{"A", 7}}));
  AskingResolver app;
  const AppliedRow applied = ApplyWith(app, "1", remote);
  EXPECT_EQ(applied.outcome, RowOutcome::kUnresolved);
  EXPECT_EQ(TextOf(applied.conflicts), "1! 2 ");
  EXPECT_EQ(Local("1"), "{A=2 }");

  DecidedResolver decided(applied.conflicts, {Row({{"A", 8}}), kAbsent});
  EXPECT_EQ(ApplyWith(decided, "1", remote).outcome, RowOutcome::kChanged);
  EXPECT_EQ(Find("2"), SyncedRow());
  EXPECT_EQ(BeginText(), "1 replace {A=8 }");
}

TEST_F(ResolverTest, RunsAgainIfTheLocalValueHasChanged) {
  AddClean("1", Row({{"A", 1}}));
  Write({{"1", Row({{"A", 2}})}});
  const RemoteRow remote = RemoteOf(7, Row({{"A", 7}}));
  AskingResolver app;
  const AppliedRow applied = ApplyWith(app, "1", remote);
  Write({{"1", Row({{"A", 3}})}});

  DecidedResolver decided(applied.conflicts, {Row({{"A", 7}})});
  EXPECT_EQ(ApplyWith(decided, "1", remote).outcome, RowOutcome::kUnresolved);
  EXPECT_EQ(Local("1"), "{A=3 }");
  EXPECT_TRUE(table_.conflicts.empty());
}

TEST_F(ResolverTest, RunsAgainIfTheRemoteValueHasChanged) {
  AddClean("1", Row({{"A", 1}}));
  Write({{"1", Row({{"A", 2}})}});
  AskingResolver app;
  const AppliedRow applied = ApplyWith(app, "1", RemoteOf(7, Row({{"A", 7}})));

  DecidedResolver decided(applied.conflicts, {Row({{"A", 7}})});
  EXPECT_EQ(ApplyWith(decided, "1", RemoteOf(8, Row({{"A", 8}}))).outcome,
            RowOutcome::kUnresolved);
  EXPECT_EQ(Local("1"), "{A=2 }");
  EXPECT_TRUE(table_.conflicts.empty());
}

TEST_F(ResolverTest, TakesTheSameValueOfALaterGroupForOurs) {
  limits_.rows = 2;
  AddClean("2", Row({{"A", 1}}));
  Write({{"1", Row({{"A", 2}})}, {"2", Row({{"A", 2}})}});
  Write({{"2", Row({{"A", 3}})}, {"3", Row({{"A", 3}})}});
  EXPECT_EQ(Apply("2", RemoteOf(7, Row({{"A", 3}}))), RowOutcome::kChanged);

  EXPECT_TRUE(table_.conflicts.empty());
  EXPECT_FALSE(IsDirty("2"));
  EXPECT_EQ(BeginText(), "1 insert {A=2 }, 3 insert {A=3 }");
}

TEST_F(ResolverTest, CountsTheBytesOfTheResult) {
  Write({{"1", Row({{"A", 1}})}, {"2", Row({{"A", 1}})}});
  const std::size_t before = Rows(table_).AllGroups("p").value()[0].bytes;
  PropertyList remote;
  remote.Append("T", Value::String(std::string(5'000, 'x')));
  Apply("1", Version{EtagOf(7), remote});
  EXPECT_GT(Rows(table_).AllGroups("p").value()[0].bytes, before + 5'000);
}

}  // namespace
}  // namespace entitable::sync
