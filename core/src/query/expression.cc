// The machine evaluates an expression with a stack, so no input makes it
// recurse.  contains(tolower(S),'x') is S tolower 'x' contains in postfix
// order:
//
//   node     S        tolower   'x'          contains
//   stack    "Axel"   "axel"    "axel" 'x'   the answer: true
//
// The last node is the condition.  It leaves no operand, because a condition is
// true or false and never a part of another expression.
//
// The exception is a condition on the items of an array.  The nodes of its body
// lie between those of the array and the last node, so they are run again and
// again, once for each item, and a condition in them leaves a truth value:
//
//   tags/any(x:x eq 'a' or x eq 'b')     whole(tags) | item 'a' eq item 'b' eq
//                                        or | any, with a body of 7 nodes
//
// An operand may be no value: the property is missing, a function was given
// another type, integers were divided by zero, or the result is beyond Int64.
// What is calculated of no value is no value, and no comparison of it holds,
// not even `ne`.  So the parser need not check types, which only the rows know.
// Of two integers the result is an Int64.  Of an integer and a Double, or of
// two Doubles, it is a Double, with infinities and NaN as IEEE 754 has them.
//
// Operands are views.  Those of texts in another case view texts_, which keeps
// its memory from row to row.  It grows before the first node of a row is
// evaluated and never in between: short texts would move, and their views
// break.

#include "query/expression.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

#include "base/letter_case.h"
#include "base/utf.h"
#include "model/parts.h"
#include "query/compare_op.h"
#include "query/literal.h"

namespace entitable {
namespace {

// In the order of DatePart.
constexpr std::string_view kNames[] = {"year", "month",  "day",
                                       "hour", "minute", "second"};

}  // namespace

std::optional<DatePart> DatePartNamed(std::string_view name) {
  const auto* const found = std::ranges::find(kNames, name);
  if (found == std::end(kNames)) return std::nullopt;
  return static_cast<DatePart>(found - kNames);
}

std::string_view DatePartName(DatePart part) {
  return kNames[static_cast<std::size_t>(part)];
}

std::int32_t PartOf(DateTime time, DatePart part) {
  switch (part) {
    case DatePart::kYear:
      return static_cast<std::int32_t>(time.Date().year);
    case DatePart::kMonth:
      return static_cast<std::int32_t>(time.Date().month);
    case DatePart::kDay:
      return static_cast<std::int32_t>(time.Date().day);
    case DatePart::kHour:
      return time.SecondOfDay() / 3'600;
    case DatePart::kMinute:
      return time.SecondOfDay() / 60 % 60;
    case DatePart::kSecond:
      break;
  }
  return time.SecondOfDay() % 60;
}

// ------------------------------------------------------------------ expression

namespace {

using Kind = ExpressionKind;

struct Named {
  std::string_view name;
  Kind kind;
  std::uint32_t operands;
};

constexpr Named kFunctions[] = {
    {"tolower", Kind::kToLower, 1},   {"toupper", Kind::kToUpper, 1},
    {"length", Kind::kLength, 1},     {"startswith", Kind::kStartsWith, 2},
    {"endswith", Kind::kEndsWith, 2}, {"contains", Kind::kContains, 2},
    {"whole", Kind::kWhole, 1},
};

constexpr Named kArithmetic[] = {
    {"add", Kind::kAdd, 2},      {"sub", Kind::kSubtract, 2},
    {"mul", Kind::kMultiply, 2}, {"div", Kind::kDivide, 2},
    {"mod", Kind::kModulo, 2},
};

std::optional<ExpressionNode> Find(std::span<const Named> all,
                                   std::string_view name) {
  const auto found = std::ranges::find(all, name, &Named::name);
  if (found == all.end()) return std::nullopt;
  return ExpressionNode{.kind = found->kind, .operands = found->operands};
}

std::optional<std::int64_t> AsWhole(const Value& value) {
  if (value.type() == EdmType::kInt32) return value.int32();
  if (value.type() == EdmType::kInt64) return value.int64();
  return std::nullopt;
}

std::optional<double> AsReal(const Value& value) {
  if (value.type() == EdmType::kDouble) return value.real();
  const auto whole = AsWhole(value);
  if (!whole) return std::nullopt;
  return static_cast<double>(*whole);
}

std::optional<Value> Calculated(Kind kind, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  bool is_beyond = false;
  switch (kind) {
    case Kind::kAdd:
      is_beyond = __builtin_add_overflow(a, b, &result);
      break;
    case Kind::kSubtract:
      is_beyond = __builtin_sub_overflow(a, b, &result);
      break;
    case Kind::kMultiply:
      is_beyond = __builtin_mul_overflow(a, b, &result);
      break;
    default:
      // The least integer divided by -1 is beyond Int64.
      if (b == 0) return std::nullopt;
      if (b == -1)
        return Calculated(Kind::kMultiply, a, kind == Kind::kDivide ? -1 : 0);
      result = kind == Kind::kDivide ? a / b : a % b;
      break;
  }
  if (is_beyond) return std::nullopt;
  return Value::Int64(result);
}

double Calculated(Kind kind, double a, double b) {
  switch (kind) {
    case Kind::kAdd:
      return a + b;
    case Kind::kSubtract:
      return a - b;
    case Kind::kMultiply:
      return a * b;
    case Kind::kDivide:
      return a / b;
    default:
      return std::fmod(a, b);
  }
}

std::optional<Value> Calculated(Kind kind, const Value& a, const Value& b) {
  const auto [whole_a, whole_b] = std::pair(AsWhole(a), AsWhole(b));
  if (whole_a && whole_b) return Calculated(kind, *whole_a, *whole_b);
  const auto [real_a, real_b] = std::pair(AsReal(a), AsReal(b));
  if (!real_a || !real_b) return std::nullopt;
  return Value::Double(Calculated(kind, *real_a, *real_b));
}

// Of a long part, string_view::contains() could compare all of it at each place
// of the text.
constexpr std::size_t kMostComparisons = std::size_t{1} << 20;

bool HasPart(std::string_view text, std::string_view part) {
  if (part.empty() || text.size() <= kMostComparisons / part.size()) {
    return text.contains(part);
  }
  if (text.size() < part.size()) return false;
  // Knuth, Morris and Pratt: for each prefix of the part, the longest shorter
  // one with which it ends.
  std::vector<std::uint32_t> shorter(part.size() + 1);
  const auto extend = [&](std::size_t length, char next) {
    while (length > 0 && part[length] != next) length = shorter[length];
    return length + (part[length] == next ? 1 : 0);
  };
  for (std::size_t i = 1; i < part.size(); ++i) {
    shorter[i + 1] = static_cast<std::uint32_t>(extend(shorter[i], part[i]));
  }
  std::size_t found = 0;
  for (const char next : text) {
    found = extend(found, next);
    if (found == part.size()) return true;
  }
  return false;
}

bool HoldsOfTexts(Kind kind, std::string_view text, std::string_view part) {
  if (kind == Kind::kStartsWith) return text.starts_with(part);
  if (kind == Kind::kEndsWith) return text.ends_with(part);
  return HasPart(text, part);
}

bool Holds(const ExpressionNode& node,
           std::span<const std::optional<Value>> operands, WorkBudget& work) {
  const std::optional<Value>& first = operands.front();
  if (!first) return false;
  if (node.kind == Kind::kNot) return !first->boolean();
  if (node.kind == Kind::kAnd || node.kind == Kind::kOr) {
    return operands[first->boolean() == (node.kind == Kind::kAnd)]->boolean();
  }
  for (const std::optional<Value>& one : operands) {
    if (one) work.SpendParts(one->byte_count() * kPartsPerTextByte);
  }
  const auto is_one = [&](const std::optional<Value>& other) {
    return other && CompareByValue(node.op, *first, *other);
  };
  if (node.kind == Kind::kIn || node.kind == Kind::kCompare) {
    return std::ranges::any_of(operands.subspan(1), is_one);
  }
  const std::optional<Value>& part = operands[1];
  return part && first->type() == EdmType::kString &&
         part->type() == EdmType::kString &&
         HoldsOfTexts(node.kind, first->string(), part->string());
}

// The names of the steps of a path.
void AppendPath(std::string_view path, std::string& text) {
  for (const char c : path) text += c == '\0' ? '/' : c;
}

// The name of a node in the prefix form.
std::string NameOf(const ExpressionNode& node) {
  std::string text;
  if (node.kind == Kind::kProperty) return std::string(node.name);
  if (node.kind == Kind::kWhole)
    return "(whole " + std::string(node.name) + ")";
  if (node.kind >= Kind::kNot) {
    constexpr std::string_view kWords[] = {"not", "and", "or", "any"};
    text = kWords[static_cast<int>(node.kind) - static_cast<int>(Kind::kNot)];
  }
  if (node.kind == Kind::kItem) text = "item";
  AppendPath(node.name, text);
  if (!text.empty()) return text;
  if (node.kind == Kind::kLiteral) {
    AppendLiteral(node.literal, text);
    return text;
  }
  if (node.kind == Kind::kCompare) {
    return std::string(CompareOpKeyword(node.op));
  }
  if (node.kind == Kind::kIn) return "in";
  if (node.kind == Kind::kDatePart) return std::string(DatePartName(node.part));
  for (const Named& one : kFunctions) {
    if (one.kind == node.kind) return std::string(one.name);
  }
  for (const Named& one : kArithmetic) {
    if (one.kind == node.kind) return std::string(one.name);
  }
  return text;
}

}  // namespace

std::optional<ExpressionNode> FunctionNamed(std::string_view name) {
  if (const auto part = DatePartNamed(name)) {
    return ExpressionNode{
        .kind = Kind::kDatePart, .part = *part, .operands = 1};
  }
  return Find(kFunctions, name);
}

std::optional<ExpressionNode> ArithmeticNamed(std::string_view name) {
  return Find(kArithmetic, name);
}

std::string ToString(Expression expression) {
  std::vector<std::string> parts;
  for (const ExpressionNode& node : expression) {
    std::string text = NameOf(node);
    if (node.operands > 0) {
      const auto first =
          parts.end() - static_cast<std::ptrdiff_t>(node.operands);
      text.insert(0, "(");
      for (auto part = first; part != parts.end(); ++part) {
        text.append(" ").append(*part);
      }
      text.append(")");
      parts.erase(first, parts.end());
    }
    parts.push_back(std::move(text));
  }
  return std::move(parts.back());
}

namespace {

// Of a text that is JSON.
std::optional<JsonValue> JsonAt(const std::optional<Value>& text,
                                std::string_view path, WorkBudget& work) {
  if (!text || text->type() != EdmType::kString) return std::nullopt;
  work.SpendParts(text->byte_count() * kPartsPerByteMade);
  const auto json = JsonValue::Read(text->string());
  if (!json) return std::nullopt;
  return json->At(path);
}

}  // namespace

bool ExpressionMachine::IsTrue(Expression condition,
                               std::span<const std::optional<Value>> values,
                               WorkBudget& work) {
  stack_.clear();
  used_texts_ = 0;
  // Views of a text that was made must stay valid until the row is done.
  if (texts_.size() < condition.size()) texts_.resize(condition.size());
  const ExpressionNode& root = condition.back();
  const Expression rest = condition.first(condition.size() - 1);
  const Expression body = rest.last(root.body);
  Run(rest.first(rest.size() - body.size()), values, work);
  if (root.kind == Kind::kAny) return HasItem(body, root, values, work);
  return Holds(root, stack_, work);
}

bool ExpressionMachine::HasItem(Expression body, const ExpressionNode& any,
                                std::span<const Operand> values,
                                WorkBudget& work) {
  const auto list = JsonAt(stack_.front(), any.name, work);
  if (!list || !list->is_array()) return false;
  // All items use the same room.
  const std::size_t used_texts = used_texts_;
  for (JsonElements items(*list); items.Next();) {
    item_ = items.value();
    used_texts_ = used_texts;
    stack_.clear();
    Run(body, values, work);
    if (stack_.front()->boolean()) return true;
  }
  return false;
}

void ExpressionMachine::Run(Expression nodes, std::span<const Operand> values,
                            WorkBudget& work) {
  work.SpendParts((nodes.size() + 1) * kPartsPerValue);
  for (const ExpressionNode& node : nodes) {
    const auto operands = std::span(stack_).last(node.operands);
    const Operand result = node.operands == 0 ? ValueOf(node, values)
                                              : Calculate(node, operands, work);
    stack_.resize(stack_.size() - node.operands);
    stack_.push_back(result);
  }
}

ExpressionMachine::Operand ExpressionMachine::ValueOf(
    const ExpressionNode& leaf, std::span<const Operand> values) {
  if (leaf.kind == Kind::kLiteral) return leaf.literal;
  if (leaf.kind == Kind::kProperty) return values[leaf.property];
  std::string& room = texts_[used_texts_++];
  if (leaf.kind == Kind::kItem) {
    const auto json = item_->At(leaf.name);
    return json ? json->Scalar(room) : std::nullopt;
  }
  const auto text = JoinParts(values[leaf.property],
                              values.subspan(leaf.further, kMaxFurtherParts),
                              Parts::kAll, room);
  if (!text) return std::nullopt;
  return Value::String(*text);
}

ExpressionMachine::Operand ExpressionMachine::Calculate(
    const ExpressionNode& node, std::span<const Operand> operands,
    WorkBudget& work) {
  if (IsCondition(node.kind)) {
    return Value::Boolean(Holds(node, operands, work));
  }
  const auto is_missing = [](const Operand& one) { return !one; };
  if (std::ranges::any_of(operands, is_missing)) return std::nullopt;
  const Value& first = *operands.front();
  switch (node.kind) {
    case Kind::kToLower:
    case Kind::kToUpper:
      if (first.type() != EdmType::kString) return std::nullopt;
      work.SpendOnLetters(first.string(), kPartsPerByteMade);
      return InOtherCase(node, first.string());
    case Kind::kLength:
      if (first.type() != EdmType::kString) return std::nullopt;
      work.SpendParts(first.byte_count() * kPartsPerTextByte);
      return Value::Int64(
          static_cast<std::int64_t>(Utf16Length(first.string())));
    case Kind::kDatePart:
      if (first.type() != EdmType::kDateTime) return std::nullopt;
      return Value::Int32(PartOf(first.date_time(), node.part));
    case Kind::kMember: {
      const auto json = JsonAt(first, node.name, work);
      return json ? json->Scalar(texts_[used_texts_++]) : std::nullopt;
    }
    default:
      return Calculated(node.kind, first, *operands[1]);
  }
}

ExpressionMachine::Operand ExpressionMachine::InOtherCase(
    const ExpressionNode& node, std::string_view text) {
  std::string& made = texts_[used_texts_++];
  made.clear();
  if (node.kind == Kind::kToLower) {
    AppendLowerCase(text, made);
  } else {
    AppendUpperCase(text, made);
  }
  return Value::String(made);
}

}  // namespace entitable
