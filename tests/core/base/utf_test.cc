#include "base/utf.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "support/random.h"

namespace entitable {
namespace {

// The plain way, straight from the definition of UTF-16.
std::u16string ToUtf16(const std::u32string& text) {
  std::u16string units;
  for (const char32_t c : text) {
    if (c < 0x10000) {
      units.push_back(static_cast<char16_t>(c));
    } else {
      units.push_back(static_cast<char16_t>(0xD800 + (c - 0x10000) / 0x400));
      units.push_back(static_cast<char16_t>(0xDC00 + (c - 0x10000) % 0x400));
    }
  }
  return units;
}

std::string ToUtf8(const std::u32string& text) {
  std::string bytes;
  for (const char32_t c : text) AppendUtf8(c, bytes);
  return bytes;
}

TEST(UtfTest, AcceptsWellFormedText) {
  const std::string_view kTexts[] = {
      "",
      "plain",
      std::string_view("\0", 1),
      "\x7F",
      "\xC2\x80",
      "\xDF\xBF",
      "\xE0\xA0\x80",
      "\xED\x9F\xBF",
      "\xEE\x80\x80",
      "\xEF\xBF\xBF",
      "\xF0\x90\x80\x80",
      "\xF4\x8F\xBF\xBF",
  };
  for (const std::string_view text : kTexts) {
    EXPECT_TRUE(IsValidUtf8(text)) << testing::PrintToString(text);
  }
}

// Source: Unicode 15, table 3-7.
TEST(UtfTest, RefusesMalformedText) {
  const std::string_view kTexts[] = {
      "\x80",              // a continuation alone
      "\xC0\x80",          // overlong U+0000
      "\xC1\xBF",          // overlong U+007F
      "\xC3",              // cut
      "\xC3x",             // not continued
      "\xE0\x9F\xBF",      // overlong U+07FF
      "\xE4\xB8",          // cut
      "\xED\xA0\x80",      // a surrogate
      "\xED\xBF\xBF",      // a surrogate
      "\xF0\x8F\xBF\xBF",  // overlong U+FFFF
      "\xF0\x9F\x98",      // cut
      "\xF4\x90\x80\x80",  // U+110000
      "\xF5\x80\x80\x80",
      "\xFE",
      "\xFF",
  };
  for (const std::string_view text : kTexts) {
    SCOPED_TRACE(testing::PrintToString(text));
    EXPECT_FALSE(IsValidUtf8(text));
    // Beyond the first block of a vector kernel, too.
    EXPECT_FALSE(IsValidUtf8(std::string(100, 'a').append(text)));
    EXPECT_FALSE(
        IsValidUtf8(std::string(63, 'a').append(text).append(70, 'a')));
  }
}

TEST(UtfTest, CountsUnitsNotBytes) {
  EXPECT_EQ(Utf16Length(""), 0u);
  EXPECT_EQ(Utf16Length("abc"), 3u);
  EXPECT_EQ(Utf16Length("\xC3\xA9"), 1u);          // U+00E9
  EXPECT_EQ(Utf16Length("\xE4\xB8\xAD"), 1u);      // U+4E2D
  EXPECT_EQ(Utf16Length("\xF0\x9F\x98\x80"), 2u);  // U+1F600
}

// Source: data model, 1.3.4, "Consequences".
TEST(UtfTest, OrdersTextAsTheServiceDoes) {
  const std::string_view kAscending[] = {
      "",
      "!",
      "0",
      "10",
      "2",
      "A",
      "Z",
      "_",
      "a",
      "aa",
      "b",
      "e\xCC\x81",  // e U+0301
      "~",
      "\xC3\xA9",          // U+00E9
      "\xF0\x9F\x98\x80",  // U+1F600, in units D83D DE00
      "\xEF\xBC\xA1",      // U+FF21
  };
  for (std::size_t i = 0; i < std::size(kAscending); ++i) {
    for (std::size_t j = 0; j < std::size(kAscending); ++j) {
      EXPECT_EQ(CompareUtf16(kAscending[i], kAscending[j]), i <=> j)
          << kAscending[i] << " and " << kAscending[j];
    }
  }
}

TEST(UtfTest, OrdersRandomTextAsItsUtf16Does) {
  SCOPED_TRACE(TestSeed());
  std::mt19937_64 random(TestSeed());
  // Around every border that could matter, so that prefixes are often equal.
  const std::u32string kAlphabet = {
      0,      0x7F,   0x80,    0x7FF,   0x800,   0xD7FF,   0xE000,  0xEFFF,
      0xF000, 0xFFFF, 0x10000, 0x1F600, 0x3FFFF, 0x100000, 0x10FFFF};
  const auto make = [&] {
    std::u32string text(random() % 24, U'a');
    for (char32_t& c : text) {
      if (random() % 8 == 0) c = kAlphabet[random() % kAlphabet.size()];
    }
    return text;
  };
  for (int i = 0; i < 100'000; ++i) {
    const std::u32string a = make();
    const std::u32string b = make();
    ASSERT_EQ(CompareUtf16(ToUtf8(a), ToUtf8(b)), ToUtf16(a) <=> ToUtf16(b));
    ASSERT_EQ(Utf16Length(ToUtf8(a)), ToUtf16(a).size());
  }
}

TEST(UtfTest, OrdersEveryPairOfBorderCharactersAsTheirUtf16) {
  const char32_t kBorders[] = {0,       1,       0x7F,    0x80,     0x7FF,
                               0x800,   0xD7FF,  0xE000,  0xEFFF,   0xF000,
                               0xFFFF,  0x10000, 0x10FFF, 0x11000,  0x3FFFF,
                               0x40000, 0x1F600, 0xFFFFF, 0x100000, 0x10FFFF};
  for (const char32_t a : kBorders) {
    for (const char32_t b : kBorders) {
      EXPECT_EQ(CompareUtf16(ToUtf8({U'x', a}), ToUtf8({U'x', b})),
                ToUtf16({a}) <=> ToUtf16({b}))
          << std::hex << std::uint32_t{a} << " and " << std::uint32_t{b};
    }
  }
}

TEST(UtfTest, WritesAndTakesEveryCharacter) {
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c == 0xD800) c = 0xE000;
    std::string bytes;
    AppendUtf8(c, bytes);
    ASSERT_TRUE(IsValidUtf8(bytes)) << std::uint32_t{c};
    bytes.push_back('!');

    std::string_view rest = bytes;
    ASSERT_EQ(std::uint32_t{ReadCodePoint(rest)}, std::uint32_t{c});
    ASSERT_EQ(rest, "!");
  }
}

TEST(UtfTest, WritesTheShortestForm) {
  EXPECT_EQ(ToUtf8({0x7F}), "\x7F");
  EXPECT_EQ(ToUtf8({0x80}), "\xC2\x80");
  EXPECT_EQ(ToUtf8({0x7FF}), "\xDF\xBF");
  EXPECT_EQ(ToUtf8({0x800}), "\xE0\xA0\x80");
  EXPECT_EQ(ToUtf8({0xFFFF}), "\xEF\xBF\xBF");
  EXPECT_EQ(ToUtf8({0x10000}), "\xF0\x90\x80\x80");
  EXPECT_EQ(ToUtf8({0x10FFFF}), "\xF4\x8F\xBF\xBF");
}

}  // namespace
}  // namespace entitable
