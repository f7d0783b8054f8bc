#include "base/json_reader.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>

#include "support/heap_meter.h"
#include "support/random.h"

namespace entitable {
namespace {

using Kind = JsonMember::Kind;

// "name=text" for each member, its kind before the text.
std::string Print(JsonReader::Members members) {
  std::string out;
  for (const JsonMember& member : members) {
    if (!out.empty()) out += ' ';
    out.append(member.name) += '=';
    switch (member.kind) {
      case Kind::kNull:
        out += "null";
        break;
      case Kind::kBoolean:
        out += member.boolean ? "true" : "false";
        break;
      case Kind::kInteger:
        out.append("integer ").append(member.text);
        break;
      case Kind::kDecimal:
        out.append("decimal ").append(member.text);
        break;
      case Kind::kString:
        out.append("string ").append(member.text);
        break;
      case Kind::kNested:
      case Kind::kUnreadable:
        return "refused";
    }
  }
  return out;
}

// Of a copy in a block of exactly this size, so that the address sanitizer
// sees a read past its end.
std::string ReadInBlock(std::string_view text, std::size_t capacity) {
  const auto block = std::make_unique<char[]>(capacity);
  text.copy(block.get(), text.size());
  JsonReader reader;
  const auto members =
      reader.ReadFlatObject({{block.get(), text.size()}, capacity});
  return members ? Print(*members) : "refused";
}

std::string ReadText(std::string_view text) {
  const std::string in_place = ReadInBlock(text, text.size() + kJsonPadding);
  const std::string copied = ReadInBlock(text, text.size());
  EXPECT_EQ(in_place, copied) << text;
  return in_place;
}

TEST(JsonReaderTest, ReadsEachKindOfValue) {
  const struct {
    std::string_view json;
    std::string_view members;
  } kCases[] = {
      {R"({})", ""},
      {R"( { } )", ""},
      {"\r\n\t{ \"a\" : 1 \t}\n", "a=integer 1"},
      {R"({"a":null,"b":true,"c":false})", "a=null b=true c=false"},
      {R"({"a":"x","":"","b":" "})", "a=string x =string  b=string  "},
      {R"({"a":0,"b":-0,"c":12 ,"d":-7})",
       "a=integer 0 b=integer -0 c=integer 12 d=integer -7"},
      {R"({"a":123456789012345678901234567890})",
       "a=integer 123456789012345678901234567890"},
      {R"({"a":1.0,"b":1e3,"c":1E+3,"d":-0.5 })",
       "a=decimal 1.0 b=decimal 1e3 c=decimal 1E+3 d=decimal -0.5"},
      {R"({"b":1,"a":2,"b":3})", "b=integer 1 a=integer 2 b=integer 3"},
  };
  for (const auto& [json, members] : kCases) {
    EXPECT_EQ(ReadText(json), members) << json;
  }
}

TEST(JsonReaderTest, UndoesEscapesInNamesAndValues) {
  const struct {
    std::string_view json;
    std::string_view members;
  } kCases[] = {
      {R"({"a":"\"\\\/\b\f\n\r\t"})", "a=string \"\\/\b\f\n\r\t"},
      {R"({"\u0061\u00e9":"\u4E2d"})", "a\u00e9=string \u4e2d"},
      {R"({"a":"\ud83d\ude00"})", "a=string \U0001F600"},
      {"{\"\u00e9\":\"\U0001F600\"}", "\u00e9=string \U0001F600"},
      {R"({"a":"{\"b\":[1]}"})", "a=string {\"b\":[1]}"},
  };
  for (const auto& [json, members] : kCases) {
    EXPECT_EQ(ReadText(json), members) << json;
  }
  using std::string_literals::operator""s;
  EXPECT_EQ(ReadText(R"({"a":"\u0000"})"), "a=string \0"s);
}

TEST(JsonReaderTest, GivesNumbersTheirValue) {
  JsonReader reader;
  const auto members = reader.ReadFlatObject(
      {R"({"a":1.7976931348623157e308,"b":5e-324,"c":0.1,"d":-0.0,"e":3})"});

  ASSERT_TRUE(members.has_value());
  EXPECT_EQ((*members)[0].number, 1.7976931348623157e308);
  EXPECT_EQ((*members)[1].number, 5e-324);
  EXPECT_EQ((*members)[2].number, 0.1);
  EXPECT_EQ((*members)[3].number, 0.0);
  EXPECT_EQ((*members)[4].number, 3.0);
}

// Source: payloads of the spec, 4.1 and 4.6; RFC 8259.
TEST(JsonReaderTest, RefusesWhatIsNoFlatObject) {
  for (const std::string_view json : {
           "",
           " ",
           "null",
           "1",
           "\"a\"",
           "[]",
           "[{}]",
           "{",
           "}",
           "{]",
           "nul",
           R"({"a":1)",
           R"({"a":)",
           R"({"a")",
           R"({"a)",
           R"({"a":"x)",
           R"({"a":1}})",
           R"({"a":1}{)",
           R"({"a":1}{})",
           R"({"a":1},)",
           R"({"a":1} x)",
           R"({}[])",
           R"({"a":1,})",
           R"({,"a":1})",
           R"({"a":1,,"b":2})",
           R"({"a" 1})",
           R"({"a":1 "b":2})",
           R"({"a"::1})",
           R"({a:1})",
           R"({'a':1})",
           R"({"a":'x'})",
           R"({1:1})",
           R"({"a":})",
           R"({"a":{}})",
           R"({"a":[]})",
           R"({"a":[1]})",
           R"({"a":{"b":1}})",
           R"({"a":nul})",
           R"({"a":nulll})",
           R"({"a":NULL})",
           R"({"a":tru})",
           R"({"a":truee})",
           R"({"a":falsey})",
           R"({"a":True})",
           R"({"a":01})",
           R"({"a":+1})",
           R"({"a":1.})",
           R"({"a":.5})",
           R"({"a":1e})",
           R"({"a":1e+})",
           R"({"a":-})",
           R"({"a":0x1})",
           R"({"a":1a})",
           R"({"a":1_0})",
           R"({"a":--1})",
           R"({"a":NaN})",
           R"({"a":Infinity})",
           R"({"a":1e400})",
           R"({"a":-1e400})",
           R"({"a":"\x"})",
           R"({"a":"\u12"})",
           R"({"a":"\u12g4"})",
           R"({"\q":1})",
           "{\"a\":\"\t\"}",
           "{\"a\":\"\n\"}",
           "{\"\n\":1}",
           R"(/* */{})",
           R"({"a":1} // x)",
           R"({"a":1/**/})",
       }) {
    EXPECT_EQ(ReadText(json), "refused") << json;
  }
}

// Source: data model of the spec, 1.3.4, last paragraph.
TEST(JsonReaderTest, RefusesTextThatIsNoUnicode) {
  for (const std::string_view json : {
           R"({"a":"\ud800"})",
           R"({"a":"\udc00"})",
           R"({"a":"\ud800x"})",
           R"({"a":"\ud800\u0041"})",
           R"({"a":"\udc00\ud800"})",
           R"({"\ud800":1})",
           "{\"a\":\"\xFF\"}",
           "{\"a\":\"\xC3\"}",
           "{\"a\":\"\xC0\x80\"}",
           "{\"a\":\"\xED\xA0\x80\"}",
           "{\"a\":\"\xF4\x90\x80\x80\"}",
           "{\"\xE9\":1}",
       }) {
    EXPECT_EQ(ReadText(json), "refused") << json;
  }
}

// Case 535.
TEST(JsonReaderTest, PassesOverAByteOrderMark) {
  EXPECT_EQ(ReadText("\xEF\xBB\xBF{\"a\":1}"), "a=integer 1");
  EXPECT_EQ(ReadText("\xEF\xBB\xBF"), "refused");
  EXPECT_EQ(ReadText("\xEF\xBB\xBF\xEF\xBB\xBF{}"), "refused");
}

TEST(JsonReaderTest, TakesAnUnknownCapacityForNone) {
  const std::string json = "\xEF\xBB\xBF{\"a\":\"x\"}";
  const auto block = std::make_unique<char[]>(json.size());
  json.copy(block.get(), json.size());
  JsonReader reader;

  const auto members = reader.ReadFlatObject({{block.get(), json.size()}});

  ASSERT_TRUE(members.has_value());
  EXPECT_EQ(Print(*members), "a=string x");
}

TEST(JsonReaderTest, ReadsOneTextAfterAnother) {
  JsonReader reader;
  std::string longer = R"({"a":")" + std::string(100'000, 'x') + "\"}";

  ASSERT_TRUE(reader.ReadFlatObject({R"({"a":1})"}).has_value());
  ASSERT_FALSE(reader.ReadFlatObject({R"({"a":)"}).has_value());
  const auto members = reader.ReadFlatObject({longer});
  ASSERT_TRUE(members.has_value());
  EXPECT_EQ(members->front().text.size(), 100'000U);
  ASSERT_TRUE(reader.ReadFlatObject({"{}"}).has_value());
}

TEST(JsonReaderTest, RefusesEveryTextThatIsCutOff) {
  const std::string json =
      R"({"a":"x\u00e9","b":-1.5e3,"c":true,"d":null,"e":[],"f":{}})";
  for (std::size_t size = 0; size < json.size(); ++size) {
    EXPECT_EQ(ReadText(json.substr(0, size)), "refused") << size;
  }
}

TEST(JsonReaderTest, SurvivesDeepNestingAndManyMembers) {
  EXPECT_EQ(ReadText("{\"a\":" + std::string(100'000, '[')), "refused");
  std::string open;
  for (int i = 0; i < 20'000; ++i) open += "{\"a\":";
  EXPECT_EQ(ReadText(open), "refused");

  std::string many = "{\"m\":0";
  for (int i = 0; i < 20'000; ++i) many += ",\"m\":0";
  JsonReader reader;
  const auto members = reader.ReadFlatObject({many + "}"});
  ASSERT_TRUE(members.has_value());
  EXPECT_EQ(members->size(), 20'001U);
}

TEST(JsonReaderTest, TakesAsMuchMemoryAsItTells) {
  constexpr std::size_t kLength = std::size_t{4} << 20;
  for (const std::string member :
       {"\"\":0", "\"\" \n:\t0", "\"name\":\"some text\"", "\"\":null"}) {
    SCOPED_TRACE(member);
    std::string json = "{" + member;
    while (json.size() < kLength) json.append(",").append(member);
    json += '}';
    const std::size_t told = JsonReader::MemoryFor(json);
    json.append(kJsonPadding, ' ');
    const JsonText text{
        std::string_view(json).substr(0, json.size() - kJsonPadding),
        json.size()};
    JsonReader reader;
    const HeapMeter heap;

    ASSERT_TRUE(reader.ReadFlatObject(text).has_value());

    EXPECT_LE(static_cast<std::size_t>(heap.most_bytes()), told);
    reader.ReleaseLargeBuffers();
    EXPECT_LE(heap.bytes(), 1 << 10);
    ASSERT_TRUE(reader.ReadFlatObject({R"({"a":1})"}).has_value());
  }
}

TEST(JsonReaderTest, SurvivesAnyBytes) {
  std::mt19937_64 random(TestSeed());
  SCOPED_TRACE(TestSeed());
  const std::string_view pieces[] = {
      "{",    "}",    "[",    "]",    ":",    ",",           "\"", "\\",
      "\\u",  "a",    "1",    "-",    ".",    "e",           " ",  "\n",
      "null", "true", "\xC3", "\xA9", "\xF0", "\xEF\xBB\xBF"};
  for (int i = 0; i < 20'000; ++i) {
    std::string json = random() % 4 == 0 ? "" : "{\"a\":";
    for (auto length = random() % 12; length > 0; --length) {
      json += pieces[random() % std::size(pieces)];
    }
    ReadText(json);
  }
}

}  // namespace
}  // namespace entitable
