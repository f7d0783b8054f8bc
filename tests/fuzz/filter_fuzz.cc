// Any text as a filter: it is read or refused as a second reader of the spec
// does, means the same when written out again, and finds what it should.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/utf.h"
#include "fuzz/expect.h"
#include "query/lexer.h"
#include "query/literal.h"
#include "query/parser.h"
#include "query/planner.h"
#include "read/index/index_lookup.h"
#include "read/read_request.h"
#include "support/fake_properties.h"
#include "support/matches.h"
#include "support/naive_filter.h"

namespace entitable {
namespace {

// ----------------------------------------------------------------- written out

// In rising order of how strongly each binds.
enum class Strength : std::uint8_t { kOr, kAnd, kNot, kLeaf };

struct Text {
  std::string text;
  Strength strength;
};

std::string Enclosed(const Text& text, bool is_needed) {
  return is_needed ? "(" + text.text + ")" : text.text;
}

Text LeafText(const FilterNode& leaf) {
  std::string text(leaf.name);
  if (leaf.kind == FilterNodeKind::kCompare) {
    text.append(" ").append(CompareOpKeyword(leaf.op)).append(" ");
  }
  if (leaf.kind != FilterNodeKind::kProperty) AppendLiteral(leaf.literal, text);
  return {std::move(text), Strength::kLeaf};
}

Text Joined(const Text& left, const Text& right, Strength strength) {
  const char* const word = strength == Strength::kAnd ? " and " : " or ";
  return {Enclosed(left, left.strength < strength) + word +
              Enclosed(right, right.strength <= strength),
          strength};
}

// As the spec's grammar has it, with no parenthesis more than is needed, or a
// filter near the limit of depth would be beyond it.
std::string WrittenOut(const Filter& filter) {
  std::vector<Text> stack;
  for (const FilterNode& node : filter.nodes()) {
    if (node.kind < FilterNodeKind::kNot) {
      stack.push_back(LeafText(node));
      continue;
    }
    const Text right = std::move(stack.back());
    if (node.kind == FilterNodeKind::kNot) {
      stack.back() = {"not " + Enclosed(right, right.strength < Strength::kNot),
                      Strength::kNot};
      continue;
    }
    stack.pop_back();
    stack.back() = Joined(
        stack.back(), right,
        node.kind == FilterNodeKind::kAnd ? Strength::kAnd : Strength::kOr);
  }
  return std::move(stack.back().text);
}

// Words that mean something else in another place.
bool HasWordAsName(const Filter& filter) {
  for (const FilterNode& node : filter.nodes()) {
    for (const std::string_view word :
         {"not", "and", "or", "eq", "ne", "gt", "ge", "lt", "le"}) {
      if (node.kind <= FilterNodeKind::kCompare && node.name == word) {
        return true;
      }
    }
  }
  return false;
}

void ExpectSameWhenReadAgain(const Filter& filter) {
  if (HasWordAsName(filter)) return;
  const std::string text = WrittenOut(filter);
  if (text.size() > kMaxFilterBytes) return;
  const auto again = ParseFilter(text);
  Expect(again.has_value(), "a filter that was written out can be read");
  Expect(again->ToString() == filter.ToString(), "and says the same");
}

// ---------------------------------------------------------------------- asked

bool LiesBefore(const EntityKey& key, const KeyBound& bound) {
  return bound.after ? key <= bound.key : key < bound.key;
}

bool IsIn(const EntityKey& key, const std::vector<KeyRange>& ranges) {
  for (const KeyRange& range : ranges) {
    const bool is_after_start = !range.lower || !LiesBefore(key, *range.lower);
    if (is_after_start && (!range.upper || LiesBefore(key, *range.upper))) {
      return true;
    }
  }
  return false;
}

void ExpectInOrder(const std::vector<KeyRange>& ranges) {
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    Expect(ranges[i - 1].upper && ranges[i].lower &&
               LiesBefore(ranges[i - 1].upper->key, *ranges[i].lower),
           "ranges ascend and do not touch");
  }
}

constexpr std::string_view kGuid = "00000000-0000-0000-0000-000000000005";
constexpr std::int64_t kTicks = 10'000'000;

// The same entity for both readers.
FakeProperties EngineEntity(const EntityKey& key) {
  return FakeProperties(
      {{"PartitionKey", Value::String(key.partition_key)},
       {"RowKey", Value::String(key.row_key)},
       {"Timestamp", Value::OfDateTime(kMinDateTime)},
       {"S", Value::String("apple")},
       {"N", Value::Int32(5)},
       {"B", Value::Boolean(true)},
       {"D", Value::Double(1.5)},
       {"L", Value::Int64(10)},
       {"T", Value::OfDateTime({kMinDateTime.ticks + kTicks})},
       {"G", Value::OfGuid(*Guid::Parse(kGuid))},
       {"X", Value::Binary("\x01\x02")}});
}

naive::Entity NaiveEntity(const EntityKey& key) {
  using Type = naive::Value::Type;
  return {{"PartitionKey", {.type = Type::kString, .text = key.partition_key}},
          {"RowKey", {.type = Type::kString, .text = key.row_key}},
          {"Timestamp", {.type = Type::kDateTime}},
          {"S", {.type = Type::kString, .text = "apple"}},
          {"N", {.type = Type::kInt32, .integer = 5}},
          {"B", {.type = Type::kBoolean, .integer = 1}},
          {"D", {.type = Type::kDouble, .real = 1.5}},
          {"L", {.type = Type::kInt64, .integer = 10}},
          {"T", {.type = Type::kDateTime, .integer = kTicks}},
          {"G", {.type = Type::kGuid, .text = std::string(kGuid)}},
          {"X", {.type = Type::kBinary, .text = "\x01\x02"}}};
}

void Ask(const Filter& filter, const naive::Filter& other, const EntityKey& key,
         const std::vector<KeyRange>& ranges) {
  const bool is_match = Matches(filter, EngineEntity(key));
  Expect(is_match == other.IsTrueOf(NaiveEntity(key)),
         "both readers find the same");
  Expect(!is_match || IsIn(key, ranges), "every match lies in the plan");
}

void TestExtended(std::string_view text, bool is_of_default) {
  const auto filter = ParseFilter(text, FilterDialect::kExtended);
  Expect(filter || !is_of_default,
         "the extended dialect takes what the default one does");
  if (!filter) {
    Expect(IsValidUtf8(filter.error().message), "messages are text");
    return;
  }
  (void)filter->ToString();
  const auto ranges = PlanRanges(*filter);
  ExpectInOrder(ranges);
  for (const char* partition : {"", "p", "q"}) {
    for (const char* row : {"", "e1", "\xEF\xBC\xA1"}) {
      const EntityKey key{partition, row};
      Expect(!Matches(*filter, EngineEntity(key)) || IsIn(key, ranges),
             "every match lies in the plan");
    }
  }
}

}  // namespace

void Test(std::string_view text) {
  (void)Select::Parse(text).has_value();
  const auto filter = ParseFilter(text);
  TestExtended(text, filter.has_value());
  if (!filter) {
    const ErrorCode code = filter.error().code;
    Expect(
        code == ErrorCode::kInvalidInput || code == ErrorCode::kNotImplemented,
        "a filter is refused as invalid or as not implemented");
    Expect(IsValidUtf8(filter.error().message), "messages are text");
    return;
  }
  ExpectSameWhenReadAgain(*filter);
  const auto ranges = PlanRanges(*filter);
  ExpectInOrder(ranges);
  ClassifyAccess(ranges);

  if (HasWordAsName(*filter)) return;
  const naive::Filter other(text);
  if (other.status() != naive::Status::kOk) {
    // The engine takes more forms of dates, which the spec calls unverified.
    Expect(text.contains("datetime'"), "both readers take it");
    return;
  }
  for (const char* partition : {"", "p", "q", "\xF0\x9F\x98\x80"}) {
    for (const char* row : {"", "e1", "e3", "\xEF\xBC\xA1"}) {
      Ask(*filter, other, {partition, row}, ranges);
    }
  }
}

}  // namespace entitable
