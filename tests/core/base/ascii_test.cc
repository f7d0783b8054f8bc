#include "base/ascii.h"

#include <gtest/gtest.h>

namespace entitable {
namespace {

TEST(AsciiTest, LowersOnlyTheLettersOfAscii) {
  EXPECT_EQ(ToLowerAscii("@AZ[`az{09"), "@az[`az{09");
  EXPECT_EQ(ToLowerAscii("\xC3\x89"), "\xC3\x89");  // É
}

TEST(AsciiTest, ComparesWithoutCaseButWithLength) {
  EXPECT_TRUE(EqualsIgnoringAsciiCase("", ""));
  EXPECT_TRUE(EqualsIgnoringAsciiCase("If-Match", "if-match"));
  EXPECT_FALSE(EqualsIgnoringAsciiCase("abc", "ab"));
  EXPECT_FALSE(EqualsIgnoringAsciiCase("ab", "abc"));
  EXPECT_FALSE(EqualsIgnoringAsciiCase("@", "`"));  // 0x20 apart, no letters
}

TEST(AsciiTest, KnowsEachByteForWhatItIs) {
  for (int i = 0; i < 256; ++i) {
    const char c = static_cast<char>(i);
    const auto is_one_of = [c](std::string_view set) {
      return set.contains(c);
    };
    SCOPED_TRACE(i);
    EXPECT_EQ(IsAsciiDigit(c), is_one_of("0123456789"));
    EXPECT_EQ(IsAsciiLetter(c), is_one_of("abcdefghijklmnopqrstuvwxyz"
                                          "ABCDEFGHIJKLMNOPQRSTUVWXYZ"));
    EXPECT_EQ(HexDigitValue(c) >= 0, is_one_of("0123456789abcdefABCDEF"));
  }
}

TEST(AsciiTest, GivesHexDigitsTheirValueInEitherCase) {
  EXPECT_EQ(HexDigitValue('0'), 0);
  EXPECT_EQ(HexDigitValue('9'), 9);
  EXPECT_EQ(HexDigitValue('a'), 10);
  EXPECT_EQ(HexDigitValue('F'), 15);
}

}  // namespace
}  // namespace entitable
