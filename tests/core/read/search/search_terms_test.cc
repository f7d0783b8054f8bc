#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "read/search/search_request.h"

namespace entitable {
namespace {

using Terms = std::vector<SearchTerm>;

Terms TermsOf(const std::string& text) {
  auto terms = ParseSearch(text);
  EXPECT_TRUE(terms.has_value()) << text;
  return *std::move(terms);
}

TEST(SearchTermsTest, WordsOccurOnce) {
  EXPECT_EQ(TermsOf(""), Terms{});
  EXPECT_EQ(TermsOf(" ?! * **"), Terms{});
  EXPECT_EQ(TermsOf("Milk and MILK"), (Terms{{"milk", false}, {"and", false}}));
}

TEST(SearchTermsTest, AStarMakesThePrefixOfTheWordBeforeIt) {
  EXPECT_EQ(TermsOf("mil* bread"), (Terms{{"mil", true}, {"bread", false}}));
  EXPECT_EQ(TermsOf("bread caf\u00e9*"),
            (Terms{{"bread", false}, {"cafe", true}}));
  EXPECT_EQ(TermsOf("mil *"), (Terms{{"mil", false}}));
  EXPECT_EQ(TermsOf("* mil"), (Terms{{"mil", false}}));
  EXPECT_EQ(TermsOf("a*b"), (Terms{{"a", true}, {"b", false}}));
  EXPECT_EQ(TermsOf("a a*"), (Terms{{"a", true}}));
  EXPECT_EQ(TermsOf("\u6771\u4eac*"), (Terms{{"\u6771\u4eac", true}}));
}

// A combining accent and a soft hyphen are no separators, and no words.
TEST(SearchTermsTest, AStarBehindMarksAloneHasNoMeaning) {
  EXPECT_EQ(TermsOf("\u0301*"), Terms{});
  EXPECT_EQ(TermsOf("ab* \u0301*"), (Terms{{"ab", true}}));
  EXPECT_EQ(TermsOf("a \u0301*"), (Terms{{"a", false}}));
  EXPECT_EQ(TermsOf("a \u00AD*"), (Terms{{"a", false}}));
  EXPECT_EQ(TermsOf("e\u0301*"), (Terms{{"e", true}}));
}

TEST(SearchTermsTest, ASingleCharacterOfAScriptWithoutSpacesIsAPrefix) {
  EXPECT_EQ(TermsOf("\u4eac"), (Terms{{"\u4eac", true}}));
}

TEST(SearchTermsTest, ThereAreAtMost32) {
  std::string text;
  for (int i = 0; i < 32; ++i) text += " w" + std::to_string(i);
  EXPECT_EQ(TermsOf(text + " w0").size(), 32U);
  const auto refused = ParseSearch(text + " x");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidInput);
}

}  // namespace
}  // namespace entitable
