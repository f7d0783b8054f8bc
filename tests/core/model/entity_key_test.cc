#include "model/entity_key.h"

#include <gtest/gtest.h>

namespace entitable {
namespace {

enum class KeyFlaw { kNone, kForbiddenCharacter, kTooLong };

// The first flaw.
KeyFlaw FindKeyFlaw(std::string_view key) {
  Report report;
  if (!CheckKeyCharacters({}, key, report)) return KeyFlaw::kForbiddenCharacter;
  return CheckKeyLength({}, key, Profile::kDefault, report) ? KeyFlaw::kNone
                                                            : KeyFlaw::kTooLong;
}

TEST(EntityKeyTest, OrdersByPartitionThenRow) {
  const EntityKey kAscending[] = {
      {"", ""},
      {"", "b"},
      {"a", "z"},
      {"b", ""},
      {"b", "a"},
      {"b", "\xF0\x9F\x98\x80"},  // U+1F600
      {"b", "\xEF\xBC\xA1"},      // U+FF21
  };
  for (std::size_t i = 0; i < std::size(kAscending); ++i) {
    for (std::size_t j = 0; j < std::size(kAscending); ++j) {
      EXPECT_EQ(kAscending[i] <=> kAscending[j], i <=> j);
      EXPECT_EQ(kAscending[i].view() <=> kAscending[j].view(), i <=> j);
      EXPECT_EQ(kAscending[i] == kAscending[j], i == j);
    }
  }
}

// Source: data model, 1.3.4, first paragraph.
TEST(EntityKeyTest, FindsNoFlawInWhatTheServiceAllows) {
  for (const std::string_view key : {"",
                                     " ",
                                     " a ",
                                     "'",
                                     "\"",
                                     "%",
                                     "+",
                                     "&",
                                     "=",
                                     ",",
                                     "(",
                                     ")",
                                     "<",
                                     ">",
                                     "|",
                                     "@",
                                     ":",
                                     "~",
                                     "\xC2\xA0",
                                     "\xC3\x80",
                                     "\xE4\xB8\x80",
                                     "\xF0\x9F\x98\x80"}) {
    EXPECT_EQ(FindKeyFlaw(key), KeyFlaw::kNone) << key;
  }
}

TEST(EntityKeyTest, FindsForbiddenCharacters) {
  const auto expect_forbidden = [](char32_t c) {
    std::string key = "a";
    AppendUtf8(c, key);
    key += 'b';
    EXPECT_EQ(FindKeyFlaw(key), KeyFlaw::kForbiddenCharacter)
        << std::uint32_t{c};
  };
  for (const char c : {'/', '\\', '#', '?'}) {
    expect_forbidden(static_cast<char32_t>(c));
  }
  for (char32_t c = 0; c < 0x20; ++c) expect_forbidden(c);
  for (char32_t c = 0x7F; c < 0xA0; ++c) expect_forbidden(c);
}

TEST(EntityKeyTest, AllowsEveryOtherCharacter) {
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c == 0xD800) c = 0xE000;
    const bool is_forbidden = c < 0x20 || (c >= 0x7F && c <= 0x9F) ||
                              c == '/' || c == '\\' || c == '#' || c == '?';
    std::string key;
    AppendUtf8(c, key);
    ASSERT_EQ(FindKeyFlaw(key) == KeyFlaw::kNone, !is_forbidden)
        << std::uint32_t{c};
  }
}

TEST(EntityKeyTest, AllowsUpTo1024Units) {
  std::string emoji;
  for (int i = 0; i < 512; ++i) emoji += "\xF0\x9F\x98\x80";

  EXPECT_EQ(FindKeyFlaw(std::string(1'024, 'k')), KeyFlaw::kNone);
  EXPECT_EQ(FindKeyFlaw(std::string(1'025, 'k')), KeyFlaw::kTooLong);
  EXPECT_EQ(FindKeyFlaw(emoji), KeyFlaw::kNone);
  EXPECT_EQ(FindKeyFlaw(emoji + "k"), KeyFlaw::kTooLong);
}

}  // namespace
}  // namespace entitable
