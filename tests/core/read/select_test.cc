#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "read/read_request.h"
#include "support/key_table_of.h"

namespace entitable {
namespace {

// `count` names with commas between them.
std::string ManyNames(std::size_t count) {
  std::string text = "P0";
  for (std::size_t i = 1; i < count; ++i) text += ",P" + std::to_string(i);
  return text;
}

TEST(SelectTest, SelectsAllWithoutNames) {
  EXPECT_TRUE(Select().is_all());
  for (const std::string text : {"", "  ", "*", " * "}) {
    SCOPED_TRACE(text);
    const auto select = Select::Parse(text);
    ASSERT_TRUE(select.has_value());
    EXPECT_TRUE(select->is_all());
    EXPECT_EQ(select->names().size(), 0U);
  }
}

TEST(SelectTest, ReadsNamesInTheOrderOfTheRequest) {
  const struct {
    std::string text;
    std::vector<std::string> names;
  } kCases[] = {
      {"A", {"A"}},
      {"C,A,PartitionKey", {"C", "A", "PartitionKey"}},
      {" A ,\tB ", {"A", "B"}},
      {"A,A", {"A"}},
      {"A,a,B,A", {"A", "a", "B"}},
      {"_1,É,Timestamp,class", {"_1", "É", "Timestamp", "class"}},
  };
  for (const auto& [text, names] : kCases) {
    SCOPED_TRACE(text);
    const auto select = Select::Parse(text);
    ASSERT_TRUE(select.has_value());
    EXPECT_FALSE(select->is_all());
    EXPECT_EQ(KeysOf(select->names()), names);
  }
}

TEST(SelectTest, RefusesWhatIsNoListOfNames) {
  for (const std::string& text :
       {std::string(","), std::string("A,"), std::string(",A"),
        std::string("A,,B"), std::string("A B"), std::string("A-B"),
        std::string("1A"), std::string("A,*"), std::string("A/B"),
        std::string("'A'"), std::string("\xC3"), std::string(256, 'a')}) {
    SCOPED_TRACE(text);
    const auto select = Select::Parse(text);
    ASSERT_FALSE(select.has_value());
    EXPECT_EQ(select.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(select.error().message,
              "One of the request inputs is not valid.");
  }
}

TEST(SelectTest, TakesAsManyNamesAsAnEntityCanHave) {
  const auto most = Select::Parse(ManyNames(kMaxSelectedNames));
  ASSERT_TRUE(most.has_value());
  EXPECT_EQ(most->names().size(), kMaxSelectedNames);

  const auto too_many = Select::Parse(ManyNames(kMaxSelectedNames + 1));
  ASSERT_FALSE(too_many.has_value());
  EXPECT_EQ(too_many.error().code, ErrorCode::kInvalidInput);
}

}  // namespace
}  // namespace entitable
