#include "base/search_words.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace entitable {
namespace {

using Words = std::vector<std::string>;

Words WordsOf(const std::string& text) {
  Words words;
  WordReader reader(text);
  while (reader.Next()) words.push_back(reader.word());
  return words;
}

TEST(WordsTest, LettersAndDigitsMakeWords) {
  EXPECT_EQ(WordsOf(""), Words{});
  EXPECT_EQ(WordsOf(" \t-- \u2013 \u00bb"), Words{});
  EXPECT_EQ(WordsOf("Milk, 2 litres"), (Words{"milk", "2", "litres"}));
  EXPECT_EQ(WordsOf("a_b-c.d"), (Words{"a", "b", "c", "d"}));
  EXPECT_EQ(WordsOf("B2B\u2014don\u2019t"), (Words{"b2b", "don", "t"}));
  EXPECT_EQ(WordsOf("price: 5\u20ac\U0001F600x"), (Words{"price", "5", "x"}));
  EXPECT_EQ(WordsOf(std::string("a\0b", 3)), (Words{"a", "b"}));
}

TEST(WordsTest, WordsOfAllScriptsAreFound) {
  EXPECT_EQ(
      WordsOf("\u043f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440!"),
      (Words{"\u043f\u0440\u0438\u0432\u0435\u0442", "\u043c\u0438\u0440"}));
  EXPECT_EQ(
      WordsOf("\u0645\u0631\u062d\u0628\u0627\u060c \u0639\u0627\u0644\u0645"),
      (Words{"\u0645\u0631\u062d\u0628\u0627", "\u0639\u0627\u0644\u0645"}));
  EXPECT_EQ(WordsOf("\uc548\ub155 \uc138\uacc4"),
            (Words{"\uc548\ub155", "\uc138\uacc4"}));
  EXPECT_EQ(WordsOf("\u0928\u092e\u0938\u094d\u0924\u0947\u0964"),
            (Words{"\u0928\u092e\u0938\u094d\u0924\u0947"}));
}

TEST(WordsTest, SpellingsOfOneWordAreOneWord) {
  const struct {
    std::string word;
    std::vector<std::string> spellings;
  } kCases[] = {
      {"strasse", {"Stra\u00dfe", "STRASSE", "STRA\u1e9eE"}},
      {"cafe", {"caf\u00e9", "CAF\u00c9", "cafe\u0301"}},
      {"aeon", {"\u00e6on", "\u00c6ON"}},
      {"oeuvre", {"\u0153uvre"}},
      {"lodz", {"\u0141\u00f3d\u017a", "lodz"}},
      {"viet", {"Vi\u1ec7t"}},
      {"istanbul", {"\u0130stanbul", "Istanbul"}},
      {"soft", {"so\u00adft"}},
      {"abc1", {"\uff21\uff22\uff23\uff11"}},
      {"\u03bf\u03b4\u03bf\u03c3",
       {"\u03bf\u03b4\u03cc\u03c2", "\u039f\u0394\u039f\u03a3"}},
      {"\u0435\u0436", {"\u0451\u0436", "\u0415\u0436"}},
  };
  for (const auto& [word, spellings] : kCases) {
    for (const std::string& spelling : spellings) {
      EXPECT_EQ(WordsOf(spelling), Words{word}) << spelling;
    }
  }
}

TEST(WordsTest, NeighboursAreWordsInScriptsWithoutSpaces) {
  EXPECT_EQ(WordsOf("\u6771\u4eac\u90fd\u3001\u4eac"),
            (Words{"\u6771\u4eac", "\u4eac\u90fd", "\u4eac"}));
  EXPECT_EQ(WordsOf("iPhone\u3092\u8cb7\u30462"),
            (Words{"iphone", "\u3092\u8cb7", "\u8cb7\u3046", "2"}));
  EXPECT_EQ(WordsOf("\u0e44\u0e17\u0e22"),
            (Words{"\u0e44\u0e17", "\u0e17\u0e22"}));
}

TEST(WordsTest, ASingleCharacterIsToldApart) {
  WordReader reader("a \u4eac \u6771\u4eac");
  ASSERT_TRUE(reader.Next());
  EXPECT_FALSE(reader.is_single());
  ASSERT_TRUE(reader.Next());
  EXPECT_TRUE(reader.is_single());
  ASSERT_TRUE(reader.Next());
  EXPECT_FALSE(reader.is_single());
  EXPECT_FALSE(reader.Next());
}

TEST(WordsTest, LongWordsAreCut) {
  const Words words = WordsOf(std::string(200, 'a') + " b");
  EXPECT_EQ(words, (Words{std::string(WordReader::kMostBytes, 'a'), "b"}));
}

TEST(WordsTest, DifferentWordsAreCounted) {
  const std::vector<CountedWord> words = CountWords("b a, B c b");
  EXPECT_EQ(words, (std::vector<CountedWord>{{"b", 3}, {"a", 1}, {"c", 1}}));
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "w" + std::to_string(i) + ' ';
  EXPECT_EQ(CountWords(text + "w0 w4999").size(), kMostWords);
  EXPECT_EQ(CountWords(text + "w0 w4999").front(), (CountedWord{"w0", 2}));
}

}  // namespace
}  // namespace entitable
