#include "sync/reconcile.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/sync_check/memory_rows.h"
#include "support/sync_rows.h"
#include "sync/local_write.h"

namespace entitable::sync {
namespace {

using sync_check::MemoryRows;
using sync_check::StoredTable;
using Keys = std::vector<EntityKey>;

const Scope kScope = {"p"};

EntityKey P(const std::string& row_key) { return {"p", row_key}; }

constexpr std::int64_t kHour = 3600;

// The partition has clean rows that are an hour old.
class ReconcileTest : public testing::Test {
 protected:
  void AddClean(const std::string& row_key, std::int64_t seconds = 0) {
    MemoryRows rows(table_);
    ASSERT_TRUE(rows.Put({"p", row_key}, {.local = Row({{"A", 1}}),
                                          .remote_etag = EtagOf(seconds)}));
  }

  Findings Compare(Listing listing) {
    listing.date = *TimeOfEtag(EtagOf(kHour));
    if (listing.sequence == 0) listing.sequence = table_.sequence;
    MemoryRows rows(table_);
    return sync::Compare(rows, kScope, listing).value();
  }

  StoredTable table_;
};

TEST_F(ReconcileTest, FindsMissingRowsBetweenListedKeysAlone) {
  for (const char* const key : {"a", "b", "c", "d", "e"}) AddClean(key);

  const Findings middle = Compare(
      {.after = P("a"), .rows = {{P("b"), EtagOf(0)}, {P("d"), EtagOf(0)}}});
  EXPECT_EQ(middle.missing, Keys({P("c")}));

  const Findings end = Compare({.after = P("c"), .rows = {}, .is_end = true});
  EXPECT_EQ(end.missing, Keys({P("d"), P("e")}));

  EXPECT_EQ(Compare({.after = P("c")}).missing, Keys());
}

TEST_F(ReconcileTest, FindsUnknownAndChangedRows) {
  AddClean("a");
  AddClean("b");

  const Findings found = Compare(
      {.rows = {
           {P("a"), EtagOf(0)}, {P("b"), EtagOf(9)}, {P("x"), EtagOf(0)}}});
  EXPECT_EQ(found.unknown, Keys({P("b"), P("x")}));
  EXPECT_EQ(found.missing, Keys());
}

TEST_F(ReconcileTest, OrdersKeysByUtf16) {
  // U+10000 is a surrogate pair, so it comes before U+E000.
  const std::string pair = "\xF0\x90\x80\x80";
  const std::string private_use = "\xEE\x80\x80";

  EXPECT_FALSE(
      Compare({.rows = {{P(pair), EtagOf(0)}, {P(private_use), EtagOf(0)}}})
          .is_unsorted);
  EXPECT_TRUE(
      Compare({.rows = {{P(private_use), EtagOf(0)}, {P(pair), EtagOf(0)}}})
          .is_unsorted);
}

TEST_F(ReconcileTest, ProvesNothingWhereKeysDoNotAscend) {
  AddClean("b");
  for (const Listing& listing :
       {Listing{.rows = {{P("c"), ""}, {P("a"), ""}}, .is_end = true},
        Listing{.rows = {{P("a"), ""}, {P("a"), ""}}, .is_end = true},
        Listing{.after = P("d"), .rows = {{P("a"), ""}, {P("c"), ""}}}}) {
    const Findings found = Compare(listing);
    EXPECT_TRUE(found.is_unsorted);
    EXPECT_EQ(found.missing, Keys());
  }
}

TEST_F(ReconcileTest, DoubtsYoungAndDirtyRows) {
  AddClean("young", kHour - 9 * 60);
  AddClean("old", kHour - 11 * 60);
  AddClean("dirty");
  MemoryRows rows(table_);
  const std::vector<LocalChange> changes = {{{"p", "dirty"}, Row({{"A", 2}})}};
  ASSERT_TRUE(WriteLocally(rows, changes, {}));

  const Findings found = Compare({.is_end = true});
  EXPECT_EQ(found.missing, Keys({P("old")}));
  EXPECT_EQ(found.doubtful, Keys({P("dirty"), P("young")}));
}

TEST_F(ReconcileTest, ExemptsRowsThatChangedSinceTheRequest) {
  AddClean("a");
  const std::uint64_t sequence = table_.sequence;
  AddClean("b");

  const Findings found = Compare({.sequence = sequence, .is_end = true});
  EXPECT_EQ(found.missing, Keys({P("a")}));
}

TEST_F(ReconcileTest, SuspectsManyDeletions) {
  EXPECT_FALSE(IsSuspicious(10, 100));
  EXPECT_TRUE(IsSuspicious(11, 100));
  EXPECT_FALSE(IsSuspicious(100, 10'000));
  EXPECT_TRUE(IsSuspicious(101, 10'000));
}

TEST_F(ReconcileTest, FindsNothingMissingInAListOfChanges) {
  AddClean("a");
  AddClean("b");
  MemoryRows rows(table_);
  const Listing listing{
      .sequence = table_.sequence,
      .rows = {{P("c"), EtagOf(0)}, {P("b"), EtagOf(9)}, {P("a"), EtagOf(0)}}};
  EXPECT_EQ(FindChanged(rows, listing).value(), Keys({P("c"), P("b")}));

  // An older answer may have come since the request.
  AddClean("c", 5);
  EXPECT_EQ(FindChanged(rows, listing).value(), Keys({P("c"), P("b")}));
}

TEST_F(ReconcileTest, ComparesAWholeTable) {
  AddClean("b");
  MemoryRows rows(table_);
  const auto row = rows.Find({"p", "b"}).value();
  ASSERT_TRUE(rows.Put({"o", "z"}, row));
  ASSERT_TRUE(rows.Put({"q", "a"}, row));
  Listing listing{.sequence = table_.sequence,
                  .date = *TimeOfEtag(EtagOf(kHour)),
                  .rows = {{P("a"), ""}, {{"q", "0"}, ""}}};
  EXPECT_EQ(sync::Compare(rows, Scope(), listing).value().missing,
            Keys({{"o", "z"}, P("b")}));
}

TEST_F(ReconcileTest, ComparesAListThatIsInNoOrder) {
  for (const char* const key : {"a", "b", "c", "d"}) AddClean(key);
  const Findings found = Compare(InOrder({.rows = {{P("d"), EtagOf(0)},
                                                   {P("a"), EtagOf(0)},
                                                   {P("b"), EtagOf(7)},
                                                   {P("d"), EtagOf(0)}},
                                          .is_end = true}));
  EXPECT_FALSE(found.is_unsorted);
  EXPECT_EQ(found.missing, Keys({P("c")}));
  EXPECT_EQ(found.unknown, Keys({P("b")}));
  EXPECT_EQ(found.known, 4U);
}

}  // namespace
}  // namespace entitable::sync
