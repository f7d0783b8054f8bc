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
using Keys = std::vector<std::string>;

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
    return sync::Compare(rows, "p", listing).value();
  }

  StoredTable table_;
};

TEST_F(ReconcileTest, FindsMissingRowsBetweenListedKeysAlone) {
  for (const char* const key : {"a", "b", "c", "d", "e"}) AddClean(key);

  const Findings middle =
      Compare({.after = "a", .rows = {{"b", EtagOf(0)}, {"d", EtagOf(0)}}});
  EXPECT_EQ(middle.missing, Keys({"c"}));

  const Findings end = Compare({.after = "c", .rows = {}, .is_end = true});
  EXPECT_EQ(end.missing, Keys({"d", "e"}));

  EXPECT_EQ(Compare({.after = "c"}).missing, Keys());
}

TEST_F(ReconcileTest, FindsUnknownAndChangedRows) {
  AddClean("a");
  AddClean("b");

  const Findings found =
      Compare({.rows = {{"a", EtagOf(0)}, {"b", EtagOf(9)}, {"x", EtagOf(0)}}});
  EXPECT_EQ(found.unknown, Keys({"b", "x"}));
  EXPECT_EQ(found.missing, Keys());
}

TEST_F(ReconcileTest, OrdersKeysByUtf16) {
  // U+10000 is a surrogate pair, so it comes before U+E000.
  const std::string pair = "\xF0\x90\x80\x80";
  const std::string private_use = "\xEE\x80\x80";

  EXPECT_FALSE(Compare({.rows = {{pair, EtagOf(0)}, {private_use, EtagOf(0)}}})
                   .is_unsorted);
  EXPECT_TRUE(Compare({.rows = {{private_use, EtagOf(0)}, {pair, EtagOf(0)}}})
                  .is_unsorted);
}

TEST_F(ReconcileTest, ProvesNothingWhereKeysDoNotAscend) {
  AddClean("b");
  for (const Listing& listing :
       {Listing{.rows = {{"c", ""}, {"a", ""}}, .is_end = true},
        Listing{.rows = {{"a", ""}, {"a", ""}}, .is_end = true},
        Listing{.after = "d", .rows = {{"a", ""}, {"c", ""}}}}) {
    const Findings found = Compare(listing);
    EXPECT_TRUE(found.is_unsorted);
    EXPECT_EQ(found.missing, Keys());
  }
  Listing whole{.rows = {{"c", ""}, {"a", ""}}, .is_end = true};
  SortListing(whole);
  EXPECT_EQ(Compare(whole).missing, Keys({"b"}));
}

TEST_F(ReconcileTest, DoubtsYoungAndDirtyRows) {
  AddClean("young", kHour - 9 * 60);
  AddClean("old", kHour - 11 * 60);
  AddClean("dirty");
  MemoryRows rows(table_);
  const std::vector<LocalChange> changes = {{{"p", "dirty"}, Row({{"A", 2}})}};
  ASSERT_TRUE(WriteLocally(rows, changes, {}));

  const Findings found = Compare({.is_end = true});
  EXPECT_EQ(found.missing, Keys({"old"}));
  EXPECT_EQ(found.doubtful, Keys({"dirty", "young"}));
}

TEST_F(ReconcileTest, ExemptsRowsThatChangedSinceTheRequest) {
  AddClean("a");
  const std::uint64_t sequence = table_.sequence;
  AddClean("b");

  const Findings found = Compare({.sequence = sequence, .is_end = true});
  EXPECT_EQ(found.missing, Keys({"a"}));
}

TEST_F(ReconcileTest, SuspectsManyDeletions) {
  EXPECT_FALSE(IsSuspicious(10, 100));
  EXPECT_TRUE(IsSuspicious(11, 100));
  EXPECT_FALSE(IsSuspicious(100, 10'000));
  EXPECT_TRUE(IsSuspicious(101, 10'000));
}

}  // namespace
}  // namespace entitable::sync
