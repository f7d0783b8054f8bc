#include "query/order.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace entitable {
namespace {

using Terms = std::vector<OrderTerm>;

TEST(OrderTest, ReadsNamesAndDirections) {
  const struct {
    std::string text;
    Terms terms;
  } kCases[] = {
      {"", {}},
      {"  ", {}},
      {"A", {{"A", false}}},
      {"A asc", {{"A", false}}},
      {"A desc", {{"A", true}}},
      {" A \t desc ,B,\u00c9 asc", {{"A", true}, {"B", false}, {"\u00c9"}}},
      {"desc desc,asc", {{"desc", true}, {"asc", false}}},
      {"a,A", {{"a"}, {"A"}}},
  };
  for (const auto& [text, terms] : kCases) {
    SCOPED_TRACE(text);
    const auto read = ParseOrder(text);
    ASSERT_TRUE(read.has_value()) << read.error().message;
    EXPECT_EQ(*read, terms);
  }
}

TEST(OrderTest, RefusesOtherTexts) {
  std::string many = "A0";
  for (int i = 1; i < 16; ++i) many += ",A" + std::to_string(i);
  EXPECT_TRUE(ParseOrder(many).has_value());
  for (const std::string& text :
       {std::string(","), std::string("A,"), std::string(",A"),
        std::string("A,,B"), std::string("A DESC"), std::string("A desc desc"),
        std::string("A B"), std::string("desc asc asc"), std::string("1A"),
        std::string("A.B"), std::string("odata.etag"),
        std::string("A,B desc,A"), std::string("A,A desc"), many + ",B",
        std::string(256, 'a')}) {
    SCOPED_TRACE(text);
    const auto read = ParseOrder(text);
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().code, ErrorCode::kInvalidInput);
  }
}

TEST(OrderTest, SaysWhetherAnOrderOrGroupsAreWrong) {
  std::string many = "A0";
  for (int i = 1; i <= 16; ++i) many += ",A" + std::to_string(i);
  for (const std::string& text :
       {std::string("A B"), std::string("A,A"), many}) {
    SCOPED_TRACE(text);
    const std::string of_order = ParseOrder(text).error().message;
    const std::string of_groups = ParseGroups(text).error().message;
    EXPECT_NE(of_order.find(" order "), std::string::npos) << of_order;
    EXPECT_EQ(of_groups.find("order"), std::string::npos) << of_groups;
    EXPECT_NE(of_groups.find("group"), std::string::npos) << of_groups;
  }
}

TEST(OrderTest, GroupsMayHaveParts) {
  const auto read = ParseGroups("year(A) desc,year(B), month(A) asc ,A,year");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(*read, (Terms{{"A", true, DatePart::kYear},
                          {"B", false, DatePart::kYear},
                          {"A", false, DatePart::kMonth},
                          {"A"},
                          {"year"}}));
  EXPECT_EQ(*ParseGroups(" "), Terms());
  for (const std::string_view text :
       {"year(A),year(A) desc", "year()", "year(A", "year (A)", "year(A )",
        "YEAR(A)", "week(A)", "(A)", "year(year(A))", "year(1A)", "year(A)x"}) {
    SCOPED_TRACE(text);
    EXPECT_FALSE(ParseGroups(text).has_value());
  }
  EXPECT_FALSE(ParseOrder("year(A)").has_value());
}

TEST(OrderTest, ATermHasTheValueOrItsPart) {
  const Value time = Value::OfDateTime(*DateTime::Parse("2024-05-06"));
  const Value text = Value::String("2024-05-06");

  const OrderTerm whole{"A"};
  EXPECT_EQ(whole.ValueOf(&text)->string(), text.string());
  EXPECT_FALSE(whole.ValueOf(nullptr).has_value());
  const OrderTerm month{"A", false, DatePart::kMonth};
  EXPECT_EQ(month.ValueOf(&time)->int32(), 5);
  EXPECT_FALSE(month.ValueOf(&text).has_value());
  EXPECT_FALSE(month.ValueOf(nullptr).has_value());
}

}  // namespace
}  // namespace entitable
