#include <gtest/gtest.h>

#include <random>

#include "base/text_encodings.h"
#include "support/random.h"

namespace entitable {
namespace {

std::string Encode(std::string_view bytes) {
  std::string text;
  AppendBase64(bytes, text);
  return text;
}

// Source: RFC 4648 section 10, and conformance cases 205 and 206.
TEST(Base64Test, WritesAndReadsThePublishedVectors) {
  const struct {
    std::string_view bytes;
    std::string_view text;
  } kCases[] = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
      {"\x01\x02\x03\x04", "AQIDBA=="},
      {"\x89PNG", "iVBORw=="},
      {"\xFB\xEF\xBE\xFF", "++++/w=="},
  };
  for (const auto& [bytes, text] : kCases) {
    EXPECT_EQ(Encode(bytes), text);
    EXPECT_EQ(DecodeBase64(text), bytes) << text;
  }
}

// Source: data model, 1.5.2, row Edm.Binary, and conformance case 207.
TEST(Base64Test, RefusesWhatTheServiceDoes) {
  const std::string_view kTexts[] = {
      "%%%",  "%%%%",     "Zg",    "Zg=",       "Zm8",     "Zm9v\n", "Zm 9v===",
      "Zm9-", "Zm9_",     "=",     "==",        "====",    "A===",   "AA=A",
      "A=AA", "Zg==Zg==", "Zg=\n", "Zm9vZm8=A", "Zm9\xC3",
      "Zh==",  // stray bits: reads as "f" in a lax reader
      "Zm9=",  // likewise "fo"
  };
  for (const std::string_view text : kTexts) {
    EXPECT_FALSE(DecodeBase64(text).has_value()) << text;
  }
}

TEST(Base64Test, AppendsToWhatIsThere) {
  std::string text = "x:";

  AppendBase64("f", text);

  EXPECT_EQ(text, "x:Zg==");
}

TEST(Base64Test, ReadsBackAnyBytes) {
  SCOPED_TRACE(TestSeed());
  std::mt19937_64 random(TestSeed());
  for (std::size_t size = 0; size < 1'000; ++size) {
    std::string bytes(size, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    ASSERT_EQ(DecodeBase64(Encode(bytes)), bytes);
  }
}

TEST(Base64Test, ReadsNoTwoTextsAsTheSameBytes) {
  SCOPED_TRACE(TestSeed());
  std::mt19937_64 random(TestSeed());
  for (int i = 0; i < 100'000; ++i) {
    std::string text(4, '\0');
    for (char& c : text) c = "AQgw/+=f"[random() % 8];
    const auto bytes = DecodeBase64(text);
    if (bytes) {
      ASSERT_EQ(Encode(*bytes), text);
    }
  }
}

}  // namespace
}  // namespace entitable
