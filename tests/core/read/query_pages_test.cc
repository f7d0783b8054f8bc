// Pagination: cases 395 to 435 of the spec.

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "store/leaf_page.h"
#include "support/query_test.h"

namespace entitable {
namespace {

using Keys = std::vector<std::string>;

using QueryPagesTest = QueryTest;

// Cases 419 and 420.
TEST_F(QueryPagesTest, APageHoldsAThousandEntities) {
  GivenPartition("p", 1'000);
  const Response all = Page();
  EXPECT_EQ(TextsOf("RowKey", all.body).size(), 1'000U);
  EXPECT_FALSE(all.next_row_key.has_value());

  Given(Insert("Tab", EntityBody("p", "last")));
  const Response first = Page();
  EXPECT_EQ(TextsOf("RowKey", first.body).size(), 1'000U);
  EXPECT_EQ(Summary(PageAfter(first)), "last");
}

// Case 421.
TEST_F(QueryPagesTest, PagesCoverEverythingOnceAndInOrder) {
  for (const char* partition_key : {"a", "b", "c", "d", "e"}) {
    GivenPartition(partition_key, 500);
  }

  Keys keys;
  std::vector<std::size_t> sizes;
  Response page = Page();
  for (;;) {
    const Keys partitions = TextsOf("PartitionKey", page.body);
    const Keys rows = TextsOf("RowKey", page.body);
    sizes.push_back(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      keys.push_back(partitions[i] + rows[i]);
    }
    if (!page.next_row_key) break;
    page = PageAfter(page);
  }

  EXPECT_EQ(sizes, (std::vector<std::size_t>{1'000, 1'000, 500}));
  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
  EXPECT_EQ(std::set<std::string>(keys.begin(), keys.end()).size(), 2'500U);
}

// Ours: limits.h says why.
TEST_F(QueryPagesTest, APageEndsEarlyOnceItsTextIsLong) {
  const std::string body = "\"S\":\"" + std::string(32'000, 's') + "\"";
  for (int i = 0; i < 200; ++i) {
    host_.Submit(
        Insert("Tab", EntityBody("p", std::to_string(1'000 + i), body)));
  }
  host_.Run();

  const Response first = Page();

  EXPECT_LT(first.body.size(), std::size_t{5} << 20);
  EXPECT_TRUE(first.next_row_key.has_value());
  EXPECT_EQ(RowKeysOf(host_, Query("Tab")).size(), 200U);
}

// Ours, too.  A page of the store has a text once that all its rows share.  An
// answer may be longer than its limit by the bytes of such a page.
TEST_F(QueryPagesTest, APageEndsEarlyOnceSharedTextsAreLong) {
  constexpr std::size_t kListBytes = 100'000;
  constexpr std::size_t kTextBytes = 20'000;
  MemoryHost host(std::make_shared<MemoryStorage>(), Profile::kDefault,
                  {.flush_records = 40}, {.list_bytes = kListBytes});
  ASSERT_TRUE(host.Do(NewTable("Tab")).has_value());
  const std::string body = "\"S\":\"" + std::string(kTextBytes, 's') + "\"";
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(Outcome(host.Do(
                  Insert("Tab", EntityBody("p", std::to_string(i), body)))),
              "201");
  }

  for (const WireFormat format : {WireFormat::kJson, WireFormat::kValues}) {
    std::size_t bytes = 0;
    With with{.format = format};
    do {
      const auto page = host.Do(Query("Tab", with));
      ASSERT_TRUE(page.has_value());
      EXPECT_LT(page->body.size(), kListBytes + kTextBytes + kMaxLeafBytes);
      bytes += page->body.size();
      with.next_partition_key = page->next_partition_key;
      with.next_row_key = page->next_row_key;
    } while (with.next_row_key);
    EXPECT_EQ(bytes / kTextBytes, 100U);
  }
}

// Cases 422 and 423.
TEST_F(QueryPagesTest, TokensNameTheNextEntity) {
  Given(Insert("Tab", EntityBody("Smith", "Ben998")));
  Given(Insert("Tab", EntityBody("Smith", "Ben999")));
  Given(Insert("Tab", EntityBody("\u00e9", "a")));

  const Response first = Page({.top = "1"});
  EXPECT_EQ(first.next_partition_key, "1!8!U21pdGg-");
  EXPECT_EQ(first.next_row_key, "1!8!QmVuOTk5");

  const Response second = Page({.top = "2"});
  EXPECT_EQ(second.next_partition_key, "1!4!w6k-");
  EXPECT_EQ(second.next_row_key, "1!4!YQ--");
}

// Cases 424 and 427.
TEST_F(QueryPagesTest, StartsAtAnyToken) {
  Given(Insert("Tab", EntityBody("", "")));
  GivenRows(3);
  Given(Insert("Tab", EntityBody("q", "9")));

  EXPECT_EQ(
      Summary(Page({.next_partition_key = "1!0!", .next_row_key = "1!0!"})),
      ",1,2,3,9");
  EXPECT_EQ(Summary(Page({.next_partition_key = "1!4!cA--"})), "1,2,3,9");
  EXPECT_EQ(Summary(Page({.filter = "PartitionKey eq 'p'",
                          .next_partition_key = "1!4!cA--"})),
            "1,2,3");
  EXPECT_EQ(Summary(Page({.next_partition_key = "1!4!cA--",
                          .next_row_key = "1!4!MjU-"})),
            "3,9");
}

// Case 425.
TEST_F(QueryPagesTest, OnlyTheLastPageHasNoToken) {
  GivenRows(3);

  const Response first = Page({.top = "1"});
  const Response second = PageAfter(first, {.top = "1"});
  const Response third = PageAfter(second, {.top = "1"});

  EXPECT_EQ(Summary(first), "1 more");
  EXPECT_EQ(Summary(second), "2 more");
  EXPECT_EQ(Summary(third), "3");
}

// Cases 426, 428 to 430.
TEST_F(QueryPagesTest, RefusesTokensThatCannotBe) {
  GivenRows(3);
  const With kCases[] = {
      {.next_partition_key = "1!4!cA--", .next_row_key = ""},
      {.next_partition_key = ""},
      {.next_row_key = "1!4!MQ--"},
      {.next_partition_key = "garbage", .next_row_key = "garbage"},
      {.next_partition_key = "1!4!YQ-"},
  };
  for (const With& with : kCases) {
    EXPECT_EQ(Do(Query("Tab", with)), "400 InvalidInput")
        << with.next_partition_key.value_or("none");
  }
  EXPECT_EQ(MessageOf(Query("Tab", kCases[0])),
            "One of the request inputs is not valid.");
}

// Cases 431 and 432.
TEST_F(QueryPagesTest, PagesGoOnByKeyWhateverHappensBetweenThem) {
  GivenRows(3);
  const Response first = Page({.top = "1"});

  Given(Insert("Tab", EntityBody("p", "15")));
  EXPECT_EQ(Summary(PageAfter(first)), "2,3");
  Given(Delete("Tab", "p", "2"));
  EXPECT_EQ(Summary(PageAfter(first)), "3");
  Given(Delete("Tab", "p", "3"));
  EXPECT_EQ(Summary(PageAfter(first)), "");
}

// Cases 433 and 434.
TEST_F(QueryPagesTest, FindsTheFewMatchesAmongMany) {
  GivenPartition("p", 1'500);

  EXPECT_EQ(RowKeysOf(host_, Query("Tab", {.filter = "A eq 3 or A eq 1200 or "
                                                     "A eq 1499"})),
            (Keys{"10003", "11200", "11499"}));
  EXPECT_EQ(RowKeysOf(host_, Query("Tab", {.filter = "A lt 0"})), Keys{});
}

// Case 435.
TEST_F(QueryPagesTest, APageBeginsNoSoonerThanTheFilterAllows) {
  GivenRows(2);
  Given(Insert("Tab", EntityBody("q", "1")));
  Given(Insert("Tab", EntityBody("q", "2")));

  EXPECT_EQ(Summary(Page({.filter = "PartitionKey eq 'q'",
                          .next_partition_key = "1!4!cA--",
                          .next_row_key = "1!4!Mg--"})),
            "1,2");
  EXPECT_EQ(Summary(Page({.filter = "PartitionKey eq 'p'",
                          .next_partition_key = "1!4!cQ--"})),
            "");
}

}  // namespace
}  // namespace entitable
