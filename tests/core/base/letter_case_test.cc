#include "base/letter_case.h"

#include <gtest/gtest.h>

#include <string>

namespace entitable {
namespace {

std::string Lower(std::string_view text) {
  std::string lower = "<";
  AppendLowerCase(text, lower);
  return lower;
}

std::string Upper(std::string_view text) {
  std::string upper = "<";
  AppendUpperCase(text, upper);
  return upper;
}

TEST(LetterCaseTest, ChangesLettersOfAllScripts) {
  const struct {
    std::string lower;
    std::string upper;
  } kCases[] = {
      {"", ""},
      {"ada 5", "ADA 5"},
      {"\u00e9\u00fc\u0151", "\u00c9\u00dc\u0150"},
      {"\u03b1\u03c9", "\u0391\u03a9"},
      {"\u0436\u044f", "\u0416\u042f"},
      {"\uff41", "\uff21"},
      {"\U00010428", "\U00010400"},
      {"\u01c6", "\u01c4"},
  };
  for (const auto& [lower, upper] : kCases) {
    EXPECT_EQ(Lower(upper), "<" + lower);
    EXPECT_EQ(Upper(lower), "<" + upper);
  }
}

TEST(LetterCaseTest, KeepsALetterThatWouldBecomeSeveral) {
  EXPECT_EQ(Upper("stra\u00dfe"), "<STRA\u00dfE");
  EXPECT_EQ(Lower("\u0130"), "<\u0130");
}

// Source: UnicodeData.txt, Simple_Uppercase_Mapping of U+1F80 to U+1FF3.  The
// full mappings, which JavaScript has, give two letters.
TEST(LetterCaseTest, ChangesGreekLettersWithAnIotaToOneLetter) {
  const struct {
    std::string lower;
    std::string upper;
  } kCases[] = {
      {"\u1f80", "\u1f88"}, {"\u1f97", "\u1f9f"}, {"\u1fa0", "\u1fa8"},
      {"\u1fb3", "\u1fbc"}, {"\u1fc3", "\u1fcc"}, {"\u1ff3", "\u1ffc"},
  };
  for (const auto& [lower, upper] : kCases) {
    EXPECT_EQ(Upper(lower), "<" + upper);
    EXPECT_EQ(Lower(upper), "<" + lower);
  }
  // These have several letters only.
  EXPECT_EQ(Upper("\u1fb2\u1fb4\u1fb7"), "<\u1fb2\u1fb4\u1fb7");
}

TEST(LetterCaseTest, KeepsEverythingElse) {
  const std::string text = "\u00d7\u00f7\u4e2d\U0001F600 1_";
  EXPECT_EQ(Lower(text), "<" + text);
  EXPECT_EQ(Upper(text), "<" + text);
}

TEST(LetterCaseTest, KnowsLettersThatShareAnotherCase) {
  EXPECT_EQ(Upper("\u03c2\u03c3"), "<\u03a3\u03a3");
  EXPECT_EQ(Lower("\u212a"), "<k");
  EXPECT_EQ(Upper("\u0131"), "<I");
}

}  // namespace
}  // namespace entitable
