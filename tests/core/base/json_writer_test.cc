#include "base/json_writer.h"

#include <gtest/gtest.h>

#include <limits>

namespace entitable {
namespace {

std::string Write(std::string_view text) {
  std::string out;
  AppendJsonString(text, out);
  return out;
}

// Source: payloads, 4.1, and conformance cases 154 and 155.
TEST(JsonWriterTest, WritesStringsAsTheServiceDoes) {
  const struct {
    std::string_view text;
    std::string_view json;
  } kCases[] = {
      {"", R"("")"},
      {"plain", R"("plain")"},
      {R"(<&>'/"\)", R"("<&>'/\"\\")"},
      {"\b\f\n\r\t", R"("\b\f\n\r\t")"},
      {"\x01\x0B\x1F", R"("\u0001\u000b\u001f")"},
      {std::string_view("a\0b", 3), R"("a\u0000b")"},
      {"\xC3\xA9\xE4\xB8\xAD", R"("\u00e9\u4e2d")"},
      {"\xF0\x9F\x98\x80", R"("\ud83d\ude00")"},
      {"\xF0\x90\x80\x80", R"("\ud800\udc00")"},
      {"\xF4\x8F\xBF\xBF", R"("\udbff\udfff")"},
      {"\xEF\xBF\xBF", R"("\uffff")"},
      {"a\"b\xC3\xA9"
       "c",
       R"("a\"b\u00e9c")"},
      {R"(W/"datetime'2024-01-02T03%3A04%3A05.6789Z'")",
       R"("W/\"datetime'2024-01-02T03%3A04%3A05.6789Z'\"")"},
  };
  for (const auto& [text, json] : kCases) {
    EXPECT_EQ(Write(text), json);
  }
}

TEST(JsonWriterTest, LeavesAllOtherAsciiRaw) {
  for (int c = ' '; c <= 0x7F; ++c) {
    if (c == '"' || c == '\\') continue;
    const std::string text(1, static_cast<char>(c));
    EXPECT_EQ(Write(text), '"' + text + '"');
  }
}

// Long texts are examined eight bytes at a time.
TEST(JsonWriterTest, EscapesAtEveryPlaceOfALongText) {
  const struct {
    std::string_view text;
    std::string_view json;
  } kCases[] = {{"\"", R"(\")"},
                {"\\", R"(\\)"},
                {std::string_view("\0", 1), R"(\u0000)"},
                {"\x1F", R"(\u001f)"},
                {"\xC2\x80", R"(\u0080)"},
                {"\xC3\xBF", R"(\u00ff)"},
                {" ", " "},
                {"!", "!"},
                {"#", "#"},
                {"[", "["},
                {"]", "]"},
                {"\x7F", "\x7F"}};
  const std::string around = "0123456789abcdefghijklmnopqr";
  for (const auto& [text, json] : kCases) {
    for (std::size_t at = 0; at <= around.size(); ++at) {
      std::string given = around;
      std::string expected = around;
      given.insert(at, text);
      expected.insert(at, json);
      EXPECT_EQ(Write(given), '"' + expected + '"');
    }
  }
}

TEST(JsonWriterTest, AppendsToWhatIsThere) {
  std::string out = "[";

  AppendJsonString("a", out);
  out += ',';
  AppendDecimal(-7, out);

  EXPECT_EQ(out, R"(["a",-7)");
}

TEST(JsonWriterTest, WritesIntegersUpToTheirEnds) {
  const auto write = [](std::int64_t value) {
    std::string out;
    AppendDecimal(value, out);
    return out;
  };

  EXPECT_EQ(write(0), "0");
  EXPECT_EQ(write(-31), "-31");
  EXPECT_EQ(write(std::numeric_limits<std::int64_t>::max()),
            "9223372036854775807");
  EXPECT_EQ(write(std::numeric_limits<std::int64_t>::min()),
            "-9223372036854775808");

  std::string out;
  AppendUnsigned(std::numeric_limits<std::uint64_t>::max(), out);
  EXPECT_EQ(out, "18446744073709551615");
}

}  // namespace
}  // namespace entitable
