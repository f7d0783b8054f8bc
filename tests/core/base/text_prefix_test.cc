#include <gtest/gtest.h>

#include <string>

#include "base/sort_text.h"
#include "base/utf.h"

namespace entitable {
namespace {

std::string Utf8(std::u32string_view text) {
  std::string utf8;
  for (const char32_t one : text) AppendUtf8(one, utf8);
  return utf8;
}

TEST(TextPrefixTest, ReturnsTheLeastTextBehindThePrefix) {
  const struct {
    std::u32string prefix;
    std::u32string end;
  } kCases[] = {
      {U"a", U"b"},
      {U"\x7F", U"\x80"},
      {U"x\x7FF", U"x\x800"},
      // The order is that of UTF-16 code units.
      {U"\xD7FF", U"\x10000"},
      {U"\x10FFFF", U"\xE000"},
      {U"a\xFFFF", U"b"},
      {U"a\xFFFF\xFFFF", U"b"},
  };
  for (const auto& [prefix, end] : kCases) {
    const auto found = EndOfPrefix(Utf8(prefix));
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(*found, Utf8(end));
    EXPECT_TRUE(CompareUtf16(*found, Utf8(prefix + U"\xFFFF\xFFFF")) > 0);
    EXPECT_LE(found->size(), Utf8(prefix).size() + 1);
  }
}

TEST(TextPrefixTest, ReturnsNothingIfNoTextIsGreater) {
  EXPECT_EQ(EndOfPrefix(""), std::nullopt);
  EXPECT_EQ(EndOfPrefix(Utf8(U"\xFFFF\xFFFF")), std::nullopt);
}

}  // namespace
}  // namespace entitable
