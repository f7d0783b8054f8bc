#include "query/order.h"

#include <gtest/gtest.h>

#include <string>
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

}  // namespace
}  // namespace entitable
