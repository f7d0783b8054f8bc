#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_reader.h"

namespace entitable {
namespace {

// What the splitter makes of pieces, one after another: the objects, and how it
// ended.
struct Split {
  std::vector<std::string> objects;
  std::string end;

  bool operator==(const Split&) const = default;
};

// Each piece is in a block of memory of its own size, so that sanitizers catch
// reads beyond it.
Split SplitPieces(const std::vector<std::string>& pieces) {
  JsonSplitter splitter;
  Split split;
  for (const std::string& piece : pieces) {
    const auto memory = std::make_unique<char[]>(piece.size());
    piece.copy(memory.get(), piece.size());
    splitter.Feed({{memory.get(), piece.size()}, piece.size()});
    for (;;) {
      const auto found = splitter.Next();
      if (found == JsonSplitter::Found::kNothing) break;
      if (found == JsonSplitter::Found::kFault) {
        split.end = "fault";
        return split;
      }
      split.objects.emplace_back(splitter.object().text);
      EXPECT_GE(splitter.object().capacity, splitter.object().text.size());
    }
  }
  split.end = splitter.may_end() ? "end" : "cut off";
  return split;
}

Split SplitText(const std::string& text) { return SplitPieces({text}); }

TEST(JsonSplitterTest, CutsArraysAndLinesIntoTheirObjects) {
  const struct {
    std::string text;
    Split expected;
  } kCases[] = {
      {"", {{}, "end"}},
      {" \n", {{}, "end"}},
      {"[]", {{}, "end"}},
      {" [ ] ", {{}, "end"}},
      {"{}", {{"{}"}, "end"}},
      {"[{}]", {{"{}"}, "end"}},
      {"[{\"a\":1} , {\"b\":2}]\n", {{"{\"a\":1}", "{\"b\":2}"}, "end"}},
      {"{\"a\":1}\n{\"b\":2}\r\n", {{"{\"a\":1}", "{\"b\":2}"}, "end"}},
      {"{\"a\":1}{\"b\":2}", {{"{\"a\":1}", "{\"b\":2}"}, "end"}},
      {"\xEF\xBB\xBF[{}]", {{"{}"}, "end"}},
      {"\xEF\xBB\xBF{}", {{"{}"}, "end"}},
      // Braces in strings, escaped quotes and nested values are the object's.
      {R"([{"a":"}]\"{\\"},{}])", {{R"({"a":"}]\"{\\"})", "{}"}, "end"}},
      {R"({"a":{"b":[{}]}})", {{R"({"a":{"b":[{}]}})"}, "end"}},
  };
  for (const auto& [text, expected] : kCases) {
    EXPECT_EQ(SplitText(text), expected) << text;
  }
}

TEST(JsonSplitterTest, RejectsWhatIsNoStreamOfObjects) {
  const struct {
    std::string text;
    Split expected;
  } kCases[] = {
      {"1", {{}, "fault"}},           {"null", {{}, "fault"}},
      {"[1]", {{}, "fault"}},         {"[[]]", {{}, "fault"}},
      {"[,]", {{}, "fault"}},         {"]", {{}, "fault"}},
      {"[{},]", {{"{}"}, "fault"}},   {"[{}{}]", {{"{}"}, "fault"}},
      {"[{}] {}", {{"{}"}, "fault"}}, {"[][]", {{}, "fault"}},
      {"{},{}", {{"{}"}, "fault"}},   {"{}]", {{"{}"}, "fault"}},
      {"\xEF\xBB{}", {{}, "fault"}},  {"{}\xEF\xBB\xBF", {{"{}"}, "fault"}},
  };
  for (const auto& [text, expected] : kCases) {
    EXPECT_EQ(SplitText(text), expected) << text;
  }
}

TEST(JsonSplitterTest, KnowsWhereAStreamMayNotEnd) {
  for (const char* text : {"[", "[{}", "[{},", "{", "{\"a\":\"}", "{}{", "\xEF",
                           "\xEF\xBB", "[{\"a\":\"\\"}) {
    EXPECT_EQ(SplitText(text).end, "cut off") << text;
  }
}

TEST(JsonSplitterTest, MakesTheSameOfPiecesCutAnywhere) {
  for (const std::string text :
       {"\xEF\xBB\xBF [ {\"a\":\"}\\\"{\\\\\"} , {\"b\":[{}]},{}] ",
        "{\"a\":\"\\\\\"}\n{\"b\":{\"c\":\"[\"}}\n{} ", "[{},]", "[{} {}]"}) {
    const Split whole = SplitText(text);
    for (std::size_t a = 0; a <= text.size(); ++a) {
      for (std::size_t b = a; b <= text.size(); ++b) {
        EXPECT_EQ(SplitPieces({text.substr(0, a), text.substr(a, b - a),
                               text.substr(b)}),
                  whole)
            << text << " cut at " << a << " and " << b;
      }
    }
    std::vector<std::string> bytes;
    for (const char c : text) bytes.emplace_back(1, c);
    EXPECT_EQ(SplitPieces(bytes), whole) << text;
  }
}

TEST(JsonSplitterTest, SaysHowMuchOfAnOpenObjectItHolds) {
  JsonSplitter splitter;
  const std::string begin = "[{\"a\":\"";
  const std::string more(1'000, 'x');

  splitter.Feed({begin, begin.size()});
  ASSERT_EQ(splitter.Next(), JsonSplitter::Found::kNothing);
  EXPECT_EQ(splitter.open_bytes(), begin.size() - 1);
  splitter.Feed({more, more.size()});
  ASSERT_EQ(splitter.Next(), JsonSplitter::Found::kNothing);

  EXPECT_EQ(splitter.open_bytes(), begin.size() - 1 + more.size());
}

}  // namespace
}  // namespace entitable
