#include "sync/local_write.h"

#include <gtest/gtest.h>

#include "support/sync_test.h"

namespace entitable::sync {
namespace {

class LocalWriteTest : public SyncTest {};

TEST_F(LocalWriteTest, KeepsTheBaseHoweverOftenARowIsWritten) {
  AddClean("1", Row({{"A", 1}}));
  Write({{"1", Row({{"A", 2}})}});
  Write({{"1", Row({{"A", 3}})}});

  EXPECT_EQ(Find("1").base(), RemoteOf(0, Row({{"A", 1}})));
  EXPECT_EQ(BeginText(), "1 replace {A=3 }");
}

TEST_F(LocalWriteTest, CleansARowThatIsWrittenBack) {
  AddClean("1", Row({{"A", 1}}));
  const SyncedRow before = Find("1");
  Write({{"1", Row({{"A", 2}})}});
  Write({{"1", Row({{"A", 1}})}, {"2", Row({{"A", 1}})}});
  Write({{"2", kAbsent}});

  EXPECT_EQ(Find("1"), before);
  EXPECT_EQ(Find("2"), SyncedRow());
  EXPECT_TRUE(table_.groups.empty());
  EXPECT_EQ(BeginText(), "nothing");
}

TEST_F(LocalWriteTest, IgnoresAWriteThatChangesNothing) {
  AddClean("1", Row({{"A", 1}, {"B", 2}}));
  Write({{"1", Row({{"B", 2}, {"A", 1}})}});
  EXPECT_FALSE(IsDirty("1"));
}

TEST_F(LocalWriteTest, JoinsGroupsThatShareARow) {
  Write({{"1", Row({{"A", 1}})}, {"2", Row({{"A", 1}})}});
  Write({{"3", Row({{"A", 1}})}, {"4", Row({{"A", 1}})}});
  EXPECT_EQ(table_.groups.size(), 2U);

  Write({{"2", Row({{"A", 2}})}, {"3", Row({{"A", 2}})}});
  EXPECT_EQ(table_.groups.size(), 1U);
  EXPECT_EQ(BeginText(),
            "1 insert {A=1 }, 4 insert {A=1 }, 2 insert {A=2 }, "
            "3 insert {A=2 }");
}

TEST_F(LocalWriteTest, SealsAGroupThatWouldBecomeTooLong) {
  limits_.rows = 2;
  Write({{"1", Row({{"A", 1}})}, {"2", Row({{"A", 1}})}});
  Write({{"2", Row({{"A", 2}})}, {"3", Row({{"A", 2}})}});

  // The first group keeps the value that it had, and the second one waits.
  const auto first = Begin();
  EXPECT_EQ(TextOfRequest(first), "1 insert {A=1 }, 2 insert {A=1 }");
  EXPECT_EQ(Complete(*first, 202, 5), PushVerdict::kApply);
  EXPECT_EQ(BeginText(), "2 replace {A=2 }, 3 insert {A=2 }");
}

TEST_F(LocalWriteTest, SealsAGroupThatWouldHaveTooManyBytes) {
  limits_.bytes = 2'000;
  PropertyList long_row;
  long_row.Append("T", Value::String(std::string(1'000, 'x')));
  Write({{"1", long_row}});
  Write({{"1", Row({{"A", 2}})}, {"2", long_row}});
  EXPECT_EQ(table_.groups.size(), 2U);
}

TEST_F(LocalWriteTest, CountsARowThatIsWrittenAgainOnce) {
  limits_.bytes = 2'000;
  for (int i = 0; i < 50; ++i) Write({{"1", Row({{"A", i}})}});
  EXPECT_EQ(table_.groups.size(), 1U);
  EXPECT_EQ(BeginText(), "1 insert {A=49 }");
}

TEST_F(LocalWriteTest, AdoptsRowsThatWereThereBefore) {
  ASSERT_TRUE(Rows(table_).Put({"p", "1"}, {.local = Row({{"A", 1}})}));
  Rows rows(table_);
  ASSERT_TRUE(AdoptRow(rows, {"p", "1"}));
  ASSERT_TRUE(AdoptRow(rows, {"p", "1"}));
  EXPECT_EQ(table_.groups.size(), 1U);
  EXPECT_EQ(BeginText(), "1 insert {A=1 }");
}

// ------------------------------------------------------------------- discard

class DiscardTest : public SyncTest {
 protected:
  void DiscardRow(const std::string& row_key) {
    Rows rows(table_);
    ASSERT_TRUE(Discard(rows, {"p", row_key}, limits_));
  }
};

TEST_F(DiscardTest, TakesTheWholeGroupBack) {
  AddClean("1", Row({{"A", 1}}));
  Write({{"1", kAbsent}, {"2", Row({{"A", 1}})}});
  Write({{"3", Row({{"A", 1}})}});
  DiscardRow("2");

  EXPECT_EQ(Local("1"), "{A=1 }");
  EXPECT_EQ(Local("2"), "absent");
  EXPECT_EQ(BeginText(), "3 insert {A=1 }");
}

TEST_F(DiscardTest, TakesGroupsBackThatDependOnIt) {
  limits_.rows = 2;
  Write({{"1", Row({{"A", 1}})}, {"2", Row({{"A", 1}})}});
  Write({{"2", Row({{"A", 2}})}, {"3", Row({{"A", 2}})}});
  DiscardRow("1");
  EXPECT_EQ(Local("3"), "absent");
  EXPECT_TRUE(table_.groups.empty());
}

TEST_F(DiscardTest, LeavesWhatWasSentDirty) {
  Write({{"1", Row({{"A", 1}})}});
  const auto request = Begin();
  DiscardRow("1");
  EXPECT_EQ(Local("1"), "absent");
  EXPECT_TRUE(IsDirty("1"));

  // The same is sent again, and the insert is taken back after it.
  EXPECT_EQ(BeginText(), "1 insert {A=1 }");
  EXPECT_EQ(Complete(*request, 202, 5), PushVerdict::kApply);
  EXPECT_EQ(BeginText(), "nothing");
  Advance(121);
  EXPECT_EQ(BeginText(), "1 delete");
}

}  // namespace
}  // namespace entitable::sync
