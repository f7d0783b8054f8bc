#include "model/json_value.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <random>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "query/literal.h"
#include "support/random.h"

namespace entitable {
namespace {

using namespace std::string_view_literals;

// The value at a path as a literal, "nothing" if there is none, "no JSON".
std::string At(std::string_view json, std::string_view path) {
  const auto value = JsonValue::Read(json);
  if (!value) return "no JSON";
  const auto found = value->At(path);
  std::string room;
  const auto scalar = found ? found->Scalar(room) : std::nullopt;
  if (!scalar) return "nothing";
  std::string text;
  AppendLiteral(*scalar, text);
  return text;
}

bool IsJson(std::string_view text) { return JsonValue::Read(text).has_value(); }

// Source: RFC 8259, sections 2 to 7.
TEST(JsonValueTest, ReadsOnlyWhatIsOneValue) {
  for (const std::string_view text :
       {"[]", "{}", " [ ] ", "0", "-0.5e+10", "1E3", "1.5e01011", "true",
        "null", R"("")", R"("\"\\\/\b\f\n\r\t\u00e9")",
        "[1,[2,{\"a\":[]}],\t3]\n", R"({"a":1,"a":{"b":null}})",
        "[[[[[[]]]]]]"}) {
    EXPECT_TRUE(IsJson(text)) << text;
  }
  for (const std::string_view text :
       {"",          " ",         "[",         "]",          "{",
        "[1",        "[1,]",      "[,1]",      "[1 2]",      "{1:2}",
        "{\"a\"}",   "{\"a\":}",  "{a:1}",     "{\"a\":1,}", "[}",
        "{]",        "01",        "-",         "1.",         ".5",
        "1e",        "+1",        "tru",       "truex",      "nul",
        "'a'",       "\"a",       "\"\\x\"",   "\"\\u12\"",  "1 2",
        "[1]]",      "\"\n\"",    "\"\\",      "[1],",       "\xEF\xBB\xBF[]",
        "{\"a\":1]", "[\"a\":1]", "\"a\"\"b\""}) {
    EXPECT_FALSE(IsJson(text)) << text;
  }
  EXPECT_FALSE(IsJson("[1\0]"sv));
  EXPECT_TRUE(IsJson(std::string(300'000, '[') + std::string(300'000, ']')));
}

// The other reader refuses numbers beyond Double, which the RFC allows.  So a
// text that it refuses for a number is shown to it again, with exponents of one
// digit.
TEST(JsonValueTest, AgreesWithAnotherReaderOnRandomTexts) {
  constexpr std::string_view kPieces[] = {
      "[",  "]",  "{",  "}",   ",",    ":",     "\"a\"", "\"\\n\"",
      "1",  "-2", "0",  "1.5", "1e-2", "true",  "null",  " ",
      "\"", "\\", "01", "-",   "\"\\", "false", "e",     "."};
  std::mt19937_64 random(TestSeed());
  simdjson::dom::parser parser;
  const std::regex exponent("(e-?)[0-9]*([0-9])");
  for (int round = 0; round < 200'000; ++round) {
    std::string text;
    for (std::size_t left = random() % 9; left > 0; --left) {
      text += kPieces[random() % std::size(kPieces)];
    }
    simdjson::error_code error = parser.parse(text).error();
    if (error == simdjson::NUMBER_ERROR) {
      error = parser.parse(std::regex_replace(text, exponent, "$1$2")).error();
    }
    ASSERT_EQ(IsJson(text), error == simdjson::SUCCESS) << text;
  }
}

TEST(JsonValueTest, FindsWhatIsAtAPath) {
  constexpr std::string_view kPlace =
      R"( {"lat":41.9,"address":{"city":"Rome","zip code":"00184"},)"
      R"("list":[true,{"n":-7}],"none":null,"\u0061b":1,"lat":50} )";
  EXPECT_EQ(At(kPlace, "\0lat"sv), "50L");
  EXPECT_EQ(At(kPlace, "\0address\0city"sv), "'Rome'");
  EXPECT_EQ(At(kPlace, "\0address\0zip code"sv), "'00184'");
  EXPECT_EQ(At(kPlace,
               "\0list\0"
               "0"sv),
            "true");
  EXPECT_EQ(At(kPlace,
               "\0list\0"
               "1\0n"sv),
            "-7L");
  EXPECT_EQ(At(kPlace, "\0ab"sv), "1L");
  for (const std::string_view path :
       {"\0lon"sv, "\0none"sv, "\0address"sv, "\0list"sv,
        "\0list\0"
        "2"sv,
        "\0list\0n"sv, "\0lat\0x"sv,
        "\0address\0"
        "0"sv,
        "\0"sv, ""sv}) {
    EXPECT_EQ(At(kPlace, path), "nothing") << path;
  }
  EXPECT_EQ(At("'x'", ""), "no JSON");
}

TEST(JsonValueTest, ReadsTextsAndNumbers) {
  EXPECT_EQ(At(R"("a\"\\\/\n\u00e9\ud83d\ude00b")", ""),
            "'a\"\\/\n\xC3\xA9\xF0\x9F\x98\x80"
            "b'");
  EXPECT_EQ(At("9007199254740993", ""), "9007199254740993L");
  EXPECT_EQ(At("1e2", ""), "100.0");
  EXPECT_EQ(At("123456789012345678901234567890", ""), "1.2345678901234568E+29");
  EXPECT_EQ(At("1e400", ""), "nothing");
  EXPECT_EQ(At(R"("\ud83d")", ""), "nothing");
  EXPECT_EQ(At(R"("\ude00\ud83d")", ""), "nothing");
  EXPECT_EQ(At(R"("\ud83d\u0041")", ""), "nothing");
}

}  // namespace
}  // namespace entitable
