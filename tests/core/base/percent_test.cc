#include <gtest/gtest.h>

#include "base/text_encodings.h"

namespace entitable {
namespace {

std::string KeyLiteral(std::string_view text) {
  std::string out;
  AppendKeyLiteral(text, out);
  return out;
}

// Of a text without quotes.
std::string Encode(std::string_view text) {
  const std::string literal = KeyLiteral(text);
  return literal.substr(1, literal.size() - 2);
}

// Source: payloads, 4.3, the recorded list.
TEST(PercentTest, EncodesAsRecorded) {
  const struct {
    std::string_view text;
    std::string_view encoded;
  } kCases[] = {
      {" ", "%20"},  {":", "%3A"}, {"@", "%40"},           {"+", "%2B"},
      {",", "%2C"},  {"$", "%24"}, {"=", "%3D"},           {"&", "%26"},
      {"\"", "%22"}, {"%", "%25"}, {"\xC3\xB4", "%C3%B4"},
  };
  for (const auto& [text, encoded] : kCases) {
    EXPECT_EQ(Encode(text), encoded);
    EXPECT_EQ(DecodePercent(encoded), text);
  }
}

TEST(PercentTest, LeavesTheUnreservedCharactersRaw) {
  const std::string_view kRaw =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
      "-_.~!*()";
  EXPECT_EQ(Encode(kRaw), kRaw);
  for (int i = 0; i < 256; ++i) {
    const char c = static_cast<char>(i);
    if (kRaw.contains(c) || c == '\'') continue;
    EXPECT_EQ(Encode(std::string(1, c)).size(), 3u) << i;
  }
}

TEST(PercentTest, DoublesTheQuotesOfAKeyAndLeavesThemRaw) {
  EXPECT_EQ(KeyLiteral("dogs"), "'dogs'");
  EXPECT_EQ(KeyLiteral(""), "''");
  EXPECT_EQ(KeyLiteral("O'Neil"), "'O''Neil'");
  EXPECT_EQ(KeyLiteral("'a b'"), "'''a%20b'''");
}

TEST(PercentTest, DecodesDigitsInEitherCaseAndLeavesThePlus) {
  EXPECT_EQ(DecodePercent(""), "");
  EXPECT_EQ(DecodePercent("a+b"), "a+b");
  EXPECT_EQ(DecodePercent("%c3%B4"), "\xC3\xB4");
  EXPECT_EQ(DecodePercent("%2525"), "%25");
  EXPECT_EQ(DecodePercent("%00"), std::string(1, '\0'));
  EXPECT_EQ(DecodePercent("%FF"), "\xFF");
}

TEST(PercentTest, RefusesAPercentSignWithoutTwoDigits) {
  for (const std::string_view text : {"%", "%4", "a%", "a%4", "%zz", "%4g",
                                      "%g4", "%%41", "%+1", "% 1", "%-1"}) {
    EXPECT_FALSE(DecodePercent(text).has_value()) << text;
  }
}

TEST(PercentTest, ReadsBackEveryByte) {
  for (int i = 0; i < 256; ++i) {
    if (i == '\'') continue;
    const std::string bytes(2, static_cast<char>(i));
    EXPECT_EQ(DecodePercent(Encode(bytes)), bytes);
  }
}

}  // namespace
}  // namespace entitable
