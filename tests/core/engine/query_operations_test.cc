// $select, $top and pagination: cases 395 to 435 of the spec.

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "support/engine_test.h"

namespace entitable {
namespace {

using Keys = std::vector<std::string>;

class QueryOperationsTest : public EngineTest {
 protected:
  void SetUp() override { Given(NewTable("Tab")); }

  // The entity of a case about one.
  void GivenEntity(std::string_view members) {
    Given(Insert("Tab", EntityBody("p", "r", members)));
  }

  // RowKeys 1, 2, ... in partition p, and A the same as an Int32.
  void GivenRows(int count) {
    for (int i = 1; i <= count; ++i) {
      const std::string number = std::to_string(i);
      Given(Insert("Tab", EntityBody("p", number, "\"A\":" + number)));
    }
  }

  // Many entities, whose commits they share.
  void GivenPartition(const std::string& partition_key, int count) {
    for (int i = 0; i < count; ++i) {
      host_.Submit(
          Insert("Tab", EntityBody(partition_key, std::to_string(10'000 + i),
                                   "\"A\":" + std::to_string(i))));
    }
    host_.Run();
  }

  // A page, which must be one.
  Response Page(With with = {}) {
    auto answer = host_.Do(Query("Tab", std::move(with)));
    EXPECT_TRUE(answer.has_value()) << Outcome(answer);
    return answer ? *std::move(answer) : Response{};
  }

  Response PageAfter(const Response& page, With with = {}) {
    with.next_partition_key = page.next_partition_key;
    with.next_row_key = page.next_row_key;
    return Page(std::move(with));
  }

  // "1,2 more": the RowKeys of a page, and whether it has tokens.
  static std::string Summary(const Response& page) {
    std::string text;
    for (const std::string& key : TextsOf("RowKey", page.body)) {
      text += ',' + key;
    }
    if (!text.empty()) text.erase(0, 1);
    EXPECT_EQ(page.next_partition_key.has_value(),
              page.next_row_key.has_value());
    return page.next_row_key ? text + " more" : text;
  }

  std::string Elements(With with) {
    with.level = MetadataLevel::kNone;
    return Body(host_.Do(Query("Tab", std::move(with))));
  }
};

// ------------------------------------------------------------------- $select

// Cases 399 and 408.
TEST_F(QueryOperationsTest, SelectKeepsTheAnnotationsOfWhatItLists) {
  GivenEntity(R"("A":1,"B":"x","L@odata.type":"Edm.Int64","L":"7")");

  EXPECT_EQ(Page({.select = "A"}).body,
            R"({"odata.metadata":"https://acct.table.core.windows.net/)"
            R"($metadata#Tab&$select=A","value":[{"odata.etag":)"
            R"("W/\"datetime'2024-01-02T03%3A04%3A05.6780001Z'\"","A":1}]})");
  EXPECT_NE(Page({.select = "L"})
                .body.find(R"("L@odata.type":"Edm.Int64","L":"7"}])"),
            std::string::npos);
}

// Cases 400 to 406, 409 and 410.
TEST_F(QueryOperationsTest, SelectReturnsWhatItLists) {
  GivenEntity(R"("A":1,"B":2)");
  const std::string whole =
      R"({"value":[{"PartitionKey":"p","RowKey":"r",)"
      R"("Timestamp":"2024-01-02T03:04:05.6780001Z","A":1,"B":2}]})";
  const struct {
    const char* select;
    std::string feed;
  } kCases[] = {
      {"A", R"({"value":[{"A":1}]})"},
      {"A,C", R"({"value":[{"A":1,"C":null}]})"},
      {"C,A,PartitionKey",
       R"({"value":[{"PartitionKey":"p","A":1,"C":null}]})"},
      {" B , A ", R"({"value":[{"A":1,"B":2}]})"},
      {"", whole},
      {"*", whole},
      {"A,A", R"({"value":[{"A":1}]})"},
      {"a", R"({"value":[{"a":null}]})"},
      {"Timestamp",
       R"({"value":[{"Timestamp":"2024-01-02T03:04:05.6780001Z"}]})"},
  };
  for (const auto& [select, feed] : kCases) {
    EXPECT_EQ(Elements({.select = select}), feed) << select;
  }
  EXPECT_EQ(Elements({.filter = "B eq 2", .select = "A"}),
            R"({"value":[{"A":1}]})");
}

// Cases 403 and 407.
TEST_F(QueryOperationsTest, SelectIsRepeatedInTheMetadata) {
  GivenEntity(R"("A":1)");

  EXPECT_NE(Page({.select = ""}).body.find("$metadata#Tab&$select=\""),
            std::string::npos);
  EXPECT_NE(Body(host_.Do(Get("Tab", "p", "r", {.select = "A"})))
                .find("$metadata#Tab/@Element&$select=A\""),
            std::string::npos);
  EXPECT_EQ(Body(host_.Do(Get("Tab", "p", "r",
                              {.level = MetadataLevel::kNone, .select = "A"}))),
            R"({"A":1})");
  EXPECT_EQ(Do(Query("Tab", {.select = "a-b"})), "400 InvalidInput");
}

// ---------------------------------------------------------------------- $top

// Cases 411 to 417.
TEST_F(QueryOperationsTest, TopLimitsThePage) {
  GivenRows(5);

  EXPECT_EQ(Summary(Page({.top = "2"})), "1,2 more");
  EXPECT_EQ(Summary(Page({.top = "5"})), "1,2,3,4,5");
  EXPECT_EQ(Summary(Page({.top = "0"})), "");
  EXPECT_EQ(Summary(Page({.top = "1000"})), "1,2,3,4,5");
  for (const char* top : {"1001", "-1", "-0", "x", "", "1.0", "99999999999"}) {
    EXPECT_EQ(Do(Query("Tab", {.top = top})), "400 InvalidInput") << top;
  }
  EXPECT_EQ(MessageOf(Query("Tab", {.top = "1001"})),
            "One of the request inputs is not valid.");
}

// Case 418.
TEST_F(QueryOperationsTest, TopCountsWhatTheFilterLets) {
  GivenRows(5);

  const Response first = Page({.filter = "A ge 3", .top = "2"});

  EXPECT_EQ(Summary(first), "3,4 more");
  EXPECT_EQ(Summary(PageAfter(first, {.filter = "A ge 3", .top = "2"})), "5");
}

// ------------------------------------------------------------------- filters

// Cases 369, 373, 388 and 395; the rest in the tests of query/.
TEST_F(QueryOperationsTest, RefusesAFilterThatCannotBe) {
  GivenRows(1);

  EXPECT_EQ(Do(Query("Tab", {.filter = "S eq null"})), "400 InvalidInput");
  EXPECT_EQ(Do(Query("Tab", {.filter = "startswith(S,'a')"})),
            "501 NotImplemented");
  EXPECT_EQ(MessageOf(Query("Tab", {.filter = "aaa bbb ccc"}))
                .rfind("Syntax error at position 7 in 'aaa bbb ccc'.", 0),
            0U);
  EXPECT_EQ(Do(Query("Nope", {.filter = "A eq 1"})), "404 TableNotFound");
  EXPECT_EQ(Do(Query("Nope", {.filter = "A eq"})), "400 InvalidInput");
}

// Cases 359 to 366.
TEST_F(QueryOperationsTest, FiltersByKeys) {
  GivenRows(5);
  Given(Insert("Tab", EntityBody("q", "9")));
  const struct {
    const char* filter;
    const char* rows;
  } kCases[] = {
      {"", "1,2,3,4,5,9"},
      {"true", "1,2,3,4,5,9"},
      {"false", ""},
      {"PartitionKey eq 'p' and RowKey eq '3'", "3"},
      {"RowKey ge '2' and RowKey lt '4'", "2,3"},
      {"PartitionKey gt 'p'", "9"},
      {"PartitionKey eq 5", ""},
      {"PartitionKey ne 5", "1,2,3,4,5,9"},
      {"PartitionKey eq 'q' or RowKey eq '1'", "1,9"},
      {"not (PartitionKey eq 'p')", "9"},
      {"Timestamp gt datetime'2000-01-01T00:00:00Z'", "1,2,3,4,5,9"},
  };
  for (const auto& [filter, rows] : kCases) {
    EXPECT_EQ(Summary(Page({.filter = filter})), rows) << filter;
  }
}

// ---------------------------------------------------------------- pagination

// Cases 419 and 420.
TEST_F(QueryOperationsTest, APageHoldsAThousandEntities) {
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
TEST_F(QueryOperationsTest, PagesCoverEverythingOnceAndInOrder) {
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
TEST_F(QueryOperationsTest, APageEndsEarlyOnceItsTextIsLong) {
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

// Cases 422 and 423.
TEST_F(QueryOperationsTest, TokensNameTheNextEntity) {
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
TEST_F(QueryOperationsTest, StartsAtAnyToken) {
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
TEST_F(QueryOperationsTest, OnlyTheLastPageHasNoToken) {
  GivenRows(3);

  const Response first = Page({.top = "1"});
  const Response second = PageAfter(first, {.top = "1"});
  const Response third = PageAfter(second, {.top = "1"});

  EXPECT_EQ(Summary(first), "1 more");
  EXPECT_EQ(Summary(second), "2 more");
  EXPECT_EQ(Summary(third), "3");
}

// Cases 426, 428 to 430.
TEST_F(QueryOperationsTest, RefusesTokensThatCannotBe) {
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
TEST_F(QueryOperationsTest, PagesGoOnByKeyWhateverHappensBetweenThem) {
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
TEST_F(QueryOperationsTest, FindsTheFewMatchesAmongMany) {
  GivenPartition("p", 1'500);

  EXPECT_EQ(RowKeysOf(host_, Query("Tab", {.filter = "A eq 3 or A eq 1200 or "
                                                     "A eq 1499"})),
            (Keys{"10003", "11200", "11499"}));
  EXPECT_EQ(RowKeysOf(host_, Query("Tab", {.filter = "A lt 0"})), Keys{});
}

// Case 435.
TEST_F(QueryOperationsTest, APageBeginsNoSoonerThanTheFilterAllows) {
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
