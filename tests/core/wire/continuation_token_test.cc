#include "wire/continuation_token.h"

#include <gtest/gtest.h>

namespace entitable {
namespace {

// Source: section 3.8 of the spec on queries, recorded but for the last.
TEST(ContinuationTokenTest, HasTheFormOfTheService) {
  const struct {
    std::string_view value;
    std::string_view token;
  } kCases[] = {
      {"Smith", "1!8!U21pdGg-"},
      {"Ben999", "1!8!QmVuOTk5"},
      {"Ben1898", "1!12!QmVuMTg5OA--"},
      {"pk", "1!4!cGs-"},
      {"a", "1!4!YQ--"},
      {"\xC3\xA9", "1!4!w6k-"},
      {"", "1!0!"},
  };
  for (const auto& [value, token] : kCases) {
    EXPECT_EQ(EncodeToken(value), token);
    const auto decoded = DecodeToken(token);
    ASSERT_TRUE(decoded.has_value()) << token;
    EXPECT_EQ(*decoded, value);
  }
}

TEST(ContinuationTokenTest, RefusesWhatIsNoToken) {
  for (const std::string_view token : {
           "",  // the empty parameter
           "!",         "1!",        "1!!",       "0!0!",
           "2!4!YQ--",  // another prefix
           "4!YQ--",    "1!YQ--",    "YQ--",
           "1!8!YQ--",  // another length
           "1!04!YQ--", "1!+4!YQ--", "1!4!YQ-",
           "1!4!YQ==",  // not what the service writes
           "1!2!YQ",    // no padding
           "1!4!Y!--",
           "1!4!Y?--",  // no Base64
           "1!4!YR--",  // stray bits
           "1!4!/w--",  // no UTF-8
           "1!4!YQ--x", " 1!4!YQ--", "1!4!YQ-- ", "1!4!YQ--1!4!YQ--",
       }) {
    SCOPED_TRACE(token);
    const auto value = DecodeToken(token);
    ASSERT_FALSE(value.has_value());
    EXPECT_EQ(value.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(value.error().message, "One of the request inputs is not valid.");
  }
}

TEST(ContinuationTokenTest, RestoresAPlusSignThatBecameASpace) {
  const std::string token = EncodeToken("a~>");
  ASSERT_EQ(token, "1!4!YX4+");

  const auto value = DecodeToken("1!4!YX4 ");

  ASSERT_TRUE(value.has_value());
  EXPECT_EQ(*value, "a~>");
}

TEST(ContinuationTokenTest, CarriesAnyText) {
  std::string value;
  for (int i = 0; i < 300; ++i) {
    value += i % 3 == 0 ? "\xF0\x9F\x98\x80" : "!1 +-";
    const auto decoded = DecodeToken(EncodeToken(value));
    ASSERT_TRUE(decoded.has_value());
    ASSERT_EQ(*decoded, value);
  }
}

}  // namespace
}  // namespace entitable
