// $select, $top and filters: cases 395 to 435 of the spec.

#include <gtest/gtest.h>

#include <string>

#include "support/query_test.h"

namespace entitable {
namespace {

using QueryOperationsTest = QueryTest;

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

}  // namespace
}  // namespace entitable
