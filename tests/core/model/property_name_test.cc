#include <gtest/gtest.h>

#include <string>

#include "base/utf.h"
#include "model/names.h"
#include "model/property_name_table.h"

namespace entitable {
namespace {

// Conformance cases 98 to 112.
TEST(PropertyNameTest, AcceptsIdentifiers) {
  const std::string kNames[] = {
      "_",
      "_a",
      "Abc",
      "abc1",
      "class",
      "double",
      "timestamp",
      "ETag",
      "etag",
      "partitionKey",
      "\xC3\xA9t\xC3\xA9",         // été
      "\xE4\xB8\xAD\xE6\x96\x87",  // U+4E2D U+6587
      "a\xCC\x81",                 // U+0301
      "a\xE2\x80\xBF"
      "b",              // U+203F
      "\xE2\x85\xA0x",  // U+2160
      std::string(255, 'n'),
  };
  for (const std::string& name : kNames) {
    EXPECT_TRUE(CheckPropertyName(name).has_value()) << name;
  }
}

// Conformance cases 113 to 128.
TEST(PropertyNameTest, RejectsWhatIsNoIdentifierOrNoXmlName) {
  const std::string kNames[] = {
      "",
      "a-b",
      "a b",
      "a.b",
      "1a",
      "a$",
      "@class",
      "a:b",
      "a!",
      "a/b",
      "\xEE\x80\x80"
      "a",                  // U+E000, for private use
      "a\xF0\x9F\x98\x80",  // U+1F600
      "a\xF0\xA0\x80\x80",  // U+20000, a letter, but above U+FFFF
      "a\xE2\x80\x8B"
      "b",         // U+200B, zero width space
      "\xC2\xB5",  // U+00B5
      "a\xC2\xB5",
      "a\xC2\xAD",  // U+00AD, soft hyphen
      "a\x01",
      std::string("a\0", 2),
      "a\x7F",
      "'a'",
      "\xCC\x81"
      "a",  // U+0301 first
      "a%",
      "a\"",
  };
  for (const std::string& name : kNames) {
    SCOPED_TRACE(testing::PrintToString(name));
    const auto outcome = CheckPropertyName(name);
    ASSERT_FALSE(outcome.has_value());
    EXPECT_EQ(outcome.error().code, ErrorCode::kPropertyNameInvalid);
    EXPECT_EQ(outcome.error().message, "The property name is invalid.");
  }
}

// Conformance cases 129 and 130; the limit counts units, not bytes.
TEST(PropertyNameTest, LimitsTheLengthInUnits) {
  std::string name;
  for (int i = 0; i < 255; ++i) name += "\xE4\xB8\xAD";
  EXPECT_TRUE(CheckPropertyName(name).has_value());

  name += 'n';
  const auto outcome = CheckPropertyName(name);
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, ErrorCode::kPropertyNameTooLong);
  EXPECT_EQ(outcome.error().message,
            "The property name exceeds the maximum allowed length (255).");
}

TEST(PropertyNameTest, ReportsTheLengthBeforeTheCharacters) {
  const auto outcome = CheckPropertyName(std::string(256, '-'));

  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, ErrorCode::kPropertyNameTooLong);
}

// Source: data model, annex A; counted in the annex itself.
TEST(PropertyNameTest, AllowsAsManyCharactersAsTheAnnex) {
  int first = 0;
  int later = 0;
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c == 0xD800) c = 0xE000;
    std::string name;
    AppendUtf8(c, name);
    first += CheckPropertyName(name).has_value();
    later += CheckPropertyName("a" + name).has_value();
  }
  EXPECT_EQ(first, 49'028);
  EXPECT_EQ(later, 49'028 + 1'720);
}

// The lookup goes through them by their distances, which must not be negative.
TEST(PropertyNameTest, KeepsTheRangesInOrder) {
  const auto expect_ascending = [](const auto& ranges) {
    int last = -1;
    for (const CodeUnitRange& range : ranges) {
      EXPECT_LT(last, range.first);
      EXPECT_LE(range.first, range.last);
      last = range.last;
    }
  };
  expect_ascending(kPropertyNameStart);
  expect_ascending(kPropertyNamePart);
}

TEST(PropertyNameTest, KnowsTheEndsOfTheRanges) {
  const auto is_start = [](char32_t c) {
    std::string name;
    AppendUtf8(c, name);
    return CheckPropertyName(name).has_value();
  };
  EXPECT_FALSE(is_start(0xBF));
  EXPECT_TRUE(is_start(0xC0));
  EXPECT_TRUE(is_start(0xD6));
  EXPECT_FALSE(is_start(0xD7));
  EXPECT_TRUE(is_start(0x4E00));
  EXPECT_TRUE(is_start(0xA48C));
  EXPECT_FALSE(is_start(0xA48D));
  EXPECT_TRUE(is_start(0xFFDC));
  EXPECT_FALSE(is_start(0xFFDD));
  EXPECT_FALSE(is_start(0xFFFF));
}

}  // namespace
}  // namespace entitable
