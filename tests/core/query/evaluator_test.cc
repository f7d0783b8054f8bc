#include "query/evaluator.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "query/parser.h"
#include "support/fake_properties.h"
#include "support/matches.h"

namespace entitable {
namespace {

bool IsTrueOf(std::string_view text, const FakeProperties& properties) {
  const auto filter = ParseFilter(text);
  if (!filter) {
    ADD_FAILURE() << text << ": " << filter.error().message;
    return false;
  }
  return Matches(*filter, properties);
}

Value DateTimeOf(std::string_view text) {
  return Value::OfDateTime(DateTime::Parse(text).value());
}

Value GuidOf(std::string_view text) {
  return Value::OfGuid(Guid::Parse(text).value());
}

struct Row {
  std::string_view row_key;
  FakeProperties properties;
};

FakeProperties Entity(std::string_view row_key, FakeProperties::Map values) {
  values.emplace("PartitionKey", Value::String("p"));
  values.emplace("RowKey", Value::String(row_key));
  values.emplace("Timestamp", DateTimeOf("2024-05-06T07:08:09.1234567Z"));
  return FakeProperties(std::move(values));
}

// The entities of section 7.8 of the conformance cases.
std::vector<Row> ConformanceRows() {
  return {
      {"e1", Entity("e1", {{"S", Value::String("apple")},
                           {"N", Value::Int32(5)},
                           {"B", Value::Boolean(true)},
                           {"D", Value::Double(1.5)},
                           {"L", Value::Int64(10)}})},
      {"e2", Entity("e2", {{"S", Value::String("banana")},
                           {"N", Value::Int32(7)},
                           {"B", Value::Boolean(false)},
                           {"T", DateTimeOf("2020-01-01T00:00:00Z")}})},
      {"e3",
       Entity("e3", {{"N", Value::String("5")},
                     {"G", GuidOf("00000000-0000-0000-0000-000000000005")}})},
      {"e4", Entity("e4", {{"S", Value::String("")}})},
      {"e5", Entity("e5", {{"S", Value::String("O'Neil")},
                           {"X", Value::Binary("\x01\x02")}})},
  };
}

// The RowKeys of the matches, with a space between two.
std::string MatchesAmong(const std::vector<Row>& rows, std::string_view text) {
  std::string matches;
  for (const Row& row : rows) {
    if (!IsTrueOf(text, row.properties)) continue;
    if (!matches.empty()) matches.push_back(' ');
    matches.append(row.row_key);
  }
  return matches;
}

// Rows 302 to 368.
TEST(EvaluatorTest, AnswersTheConformanceCases) {
  const struct {
    std::string text;
    std::string matches;
  } kCases[] = {
      {"S eq 'apple'", "e1"},
      {"S ne 'apple'", "e2 e4 e5"},
      {"not (S eq 'apple')", "e2 e3 e4 e5"},
      {"S gt 'apple'", "e2"},
      {"S ge ''", "e1 e2 e4 e5"},
      {"S gt ''", "e1 e2 e5"},
      {"S lt ''", ""},
      {"not (S ge '')", "e3"},
      {"S eq ''", "e4"},
      {"S eq 'O''Neil'", "e5"},
      {"S eq 'APPLE'", ""},
      {"S ge 'a' and S lt 'b'", "e1"},
      {"N eq 5", "e1"},
      {"N eq '5'", "e3"},
      {"N ne 5", "e2 e3"},
      {"N lt 6", "e1 e3"},
      {"N ge 0", "e1 e2"},
      {"N eq 5L", ""},
      {"N lt 1L", "e1 e2 e3"},
      {"N eq 5.0", ""},
      {"L eq 10", "e1"},
      {"L eq 10L", "e1"},
      {"L gt 9", "e1"},
      {"L eq 10.0", ""},
      {"D eq 1.5", "e1"},
      {"D gt 1", "e1"},
      {"D gt 1L", "e1"},
      {"D lt 2", "e1"},
      {"B eq true", "e1"},
      {"B eq false", "e2"},
      {"B", "e1"},
      {"not B", "e2 e3 e4 e5"},
      {"B ne true", "e2"},
      {"B gt false", "e1"},
      {"N", ""},
      {"Missing", ""},
      {"T eq datetime'2020-01-01T00:00:00Z'", "e2"},
      {"T eq datetime'2020-01-01T00:00:00.0000000Z'", "e2"},
      {"T eq datetime'2020-01-01T00:00:00'", "e2"},
      {"T lt datetime'2020-01-01T00:00:00.0000001Z'", "e2"},
      {"T eq '2020-01-01T00:00:00Z'", ""},
      {"G eq guid'00000000-0000-0000-0000-000000000005'", "e3"},
      {"G ne guid'00000000-0000-0000-0000-000000000006'", "e3"},
      {"X eq X'0102'", "e5"},
      {"X eq binary'0102'", "e5"},
      {"X lt X'0103'", "e5"},
      {"X gt X'01'", "e5"},
      {"Missing ne 5", ""},
      {"Missing eq 5", ""},
      {"not (Missing eq 5)", "e1 e2 e3 e4 e5"},
      {"S eq 'apple' or S eq 'banana' and N eq 99", "e1"},
      {"(S eq 'apple' or S eq 'banana') and N eq 99", ""},
      {"(S eq 'apple')and(N eq 5)", "e1"},
      {"((((S eq 'apple'))))", "e1"},
      {"not (not (S eq 'apple'))", "e1"},
      {"'apple' eq S", "e1"},
      {"6 gt N", "e1 e3"},
      {"true", "e1 e2 e3 e4 e5"},
      {"false", ""},
      {"", "e1 e2 e3 e4 e5"},
      {"PartitionKey eq 'p' and RowKey eq 'e3'", "e3"},
      {"RowKey ge 'e2' and RowKey lt 'e4'", "e2 e3"},
      {"PartitionKey gt 'p'", ""},
      {"PartitionKey eq 5", ""},
      {"PartitionKey ne 5", "e1 e2 e3 e4 e5"},
      {"Timestamp gt datetime'2000-01-01T00:00:00Z'", "e1 e2 e3 e4 e5"},
      {"s eq 'apple'", ""},
  };
  const std::vector<Row> rows = ConformanceRows();
  for (const auto& [text, matches] : kCases) {
    SCOPED_TRACE(text);
    EXPECT_EQ(MatchesAmong(rows, text), matches);
  }
}

// Rows 392 to 394.
TEST(EvaluatorTest, AnswersLongAndDeepFilters) {
  const std::vector<Row> rows = ConformanceRows();
  for (const int count : {20, 200}) {
    std::string text = "RowKey eq 'e4'";
    for (int i = 1; i < count; ++i) {
      text += " or RowKey eq 'r" + std::to_string(i) + "'";
    }
    EXPECT_EQ(MatchesAmong(rows, text), "e4");
  }
  EXPECT_EQ(MatchesAmong(rows, std::string(100, '(') + "S eq 'apple'" +
                                   std::string(100, ')')),
            "e1");
}

// Row 398: the truth table of query of the spec, 3.12, where P stands for the
// property that names the column.
TEST(EvaluatorTest, FollowsTheTruthTable) {
  const FakeProperties entity({
      {"S", Value::String("b")},
      {"I", Value::Int32(5)},
      {"L", Value::Int64(5)},
      {"D", Value::Double(5.0)},
      {"B", Value::Boolean(true)},
      {"T", DateTimeOf("2020-01-01T00:00:00Z")},
      {"G", GuidOf("00000000-0000-0000-0000-000000000005")},
      {"X", Value::Binary("\x05")},
  });
  constexpr std::string_view kColumns = "SILDBTGXM";
  const struct {
    std::string text;
    std::string answers;  // One for each column.
  } kCases[] = {
      {"P eq 5", "FTTTFFFFF"},    {"P eq 5L", "FFTTFFFFF"},
      {"P eq 5.0", "FFFTFFFFF"},  {"P ne 5", "TFFFTTTTF"},
      {"P ne 5L", "TTFFTTTTF"},   {"P lt 5", "TFFFTTTTF"},
      {"P le 5", "TTTTTTTTF"},    {"P gt 4", "FTTTFFFFF"},
      {"P ge 5", "FTTTFFFFF"},    {"P lt 4L", "TTFFTTTTF"},
      {"P eq 'b'", "TFFFFFFFF"},  {"P ge ''", "TFFFFFFFF"},
      {"P lt ''", "FTTTTTTTF"},   {"not (P ge '')", "FTTTTTTTT"},
      {"P eq true", "FFFFTFFFF"}, {"P ne true", "TTTTFTTTF"},
      {"P", "FFFFTFFFF"},         {"not P", "TTTTFTTTT"},
  };
  for (const auto& [text, answers] : kCases) {
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
      std::string filter = text;
      filter[filter.find('P')] = kColumns[i];
      SCOPED_TRACE(filter);
      EXPECT_EQ(IsTrueOf(filter, entity), answers[i] == 'T');
    }
  }
}

TEST(EvaluatorTest, OrdersValuesOfOneType) {
  const FakeProperties entity({
      {"S", Value::String("\xF0\x9F\x98\x80")},  // U+1F600: D83D DE00
      {"I", Value::Int32(-1)},
      {"L", Value::Int64(std::int64_t{1} << 53)},
      {"D", Value::Double(-0.0)},
      {"G", GuidOf("00000000-0000-0000-0000-0000000000ff")},
      {"X", Value::Binary("\x80")},
  });
  for (const std::string_view text : {
           "S lt '\xEF\xBC\xA1'",  // U+FF21, which is less in UTF-8.
           "S gt 'z'",
           "I lt 0",
           "I le -1",
           "I ge -1",
           "L lt 9007199254740993L",
           "D eq 0.0",
           "D gt -INF",
           "D lt INF",
           "G gt guid'00000000-0000-0000-0000-00000000000f'",
           "G eq guid'00000000-0000-0000-0000-0000000000FF'",
           "X gt X'7f'",
           "X gt X''",
           "X lt X'8000'",
       }) {
    SCOPED_TRACE(text);
    EXPECT_TRUE(IsTrueOf(text, entity));
  }
}

TEST(EvaluatorTest, HoldsNothingButNeOfNaN) {
  const FakeProperties entity(
      {{"NotANumber", Value::Double(std::numeric_limits<double>::quiet_NaN())},
       {"One", Value::Double(1)}});
  for (const std::string op : {"eq", "lt", "le", "gt", "ge"}) {
    SCOPED_TRACE(op);
    EXPECT_FALSE(IsTrueOf("NotANumber " + op + " 1.0", entity));
    EXPECT_FALSE(IsTrueOf("NotANumber " + op + " NaN", entity));
    EXPECT_FALSE(IsTrueOf("One " + op + " NaN", entity));
  }
  EXPECT_TRUE(IsTrueOf("NotANumber ne 1", entity));
  EXPECT_TRUE(IsTrueOf("NotANumber ne NaN", entity));
  EXPECT_TRUE(IsTrueOf("One ne NaN", entity));
}

TEST(EvaluatorTest, ComparesAnInt64LiteralWithADoubleAsDoubles) {
  const FakeProperties entity({{"D", Value::Double(9007199254740992.0)}});

  EXPECT_TRUE(IsTrueOf("D eq 9007199254740993L", entity));
}

// Writes random conditions over four Booleans and works out their answers on
// the way: bit i of a mask is the answer under assignment i, of which there
// are 16.
class ConditionWriter {
 public:
  explicit ConditionWriter(std::uint32_t seed) : random_(seed) {}

  struct Condition {
    std::string text;
    std::uint16_t mask;
  };

  Condition Any(int depth) {
    Condition condition = AndChain(depth);
    while (OneIn(2)) {
      const Condition next = AndChain(depth);
      condition.text += " or " + next.text;
      condition.mask |= next.mask;
    }
    return condition;
  }

 private:
  Condition AndChain(int depth) {
    Condition condition = Term(depth);
    while (OneIn(2)) {
      const Condition next = Term(depth);
      condition.text += " and " + next.text;
      condition.mask &= next.mask;
    }
    return condition;
  }

  Condition Term(int depth) {
    if (OneIn(4)) {
      const Condition inner = Term(depth);
      return {"not " + inner.text, static_cast<std::uint16_t>(~inner.mask)};
    }
    if (depth > 0 && OneIn(2)) {
      const Condition inner = Any(depth - 1);
      return {"(" + inner.text + ")", inner.mask};
    }
    const std::uint32_t variable = random_() % 4;
    const std::string name = "B" + std::to_string(variable);
    constexpr std::uint16_t kMasks[] = {0xAAAA, 0xCCCC, 0xF0F0, 0xFF00};
    return {OneIn(2) ? name : name + " eq true", kMasks[variable]};
  }

  bool OneIn(std::uint32_t count) { return random_() % count == 0; }

  std::mt19937 random_;
};

TEST(EvaluatorTest, AgreesWithLogicOnRandomConditions) {
  const std::uint32_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  ConditionWriter writer(seed);
  for (int round = 0; round < 500; ++round) {
    const auto [text, mask] = writer.Any(4);
    const auto filter = ParseFilter(text);
    if (!filter && text.size() > 32 * 1024) continue;
    ASSERT_TRUE(filter.has_value()) << text;
    for (unsigned i = 0; i < 16; ++i) {
      const FakeProperties entity({{"B0", Value::Boolean(i & 1)},
                                   {"B1", Value::Boolean(i & 2)},
                                   {"B2", Value::Boolean(i & 4)},
                                   {"B3", Value::Boolean(i & 8)}});
      ASSERT_EQ(Matches(*filter, entity), (mask >> i & 1) != 0)
          << text << " under " << i;
    }
  }
}

}  // namespace
}  // namespace entitable
