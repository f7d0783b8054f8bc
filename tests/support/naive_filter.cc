#include "support/naive_filter.h"

#include <cctype>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "support/naive_literal.h"

namespace entitable::naive {

using Type = Value::Type;

struct Node {
  enum class Kind { kProperty, kLiteral, kNull, kCompare, kNot, kAnd, kOr };
  Kind kind;
  std::string name = {};  // kProperty
  Value literal = {};     // kLiteral
  std::string op = {};    // kCompare
  std::shared_ptr<const Node> left = {};
  std::shared_ptr<const Node> right = {};
};

namespace {

using Kind = Node::Kind;
using Tree = std::shared_ptr<const Node>;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool IsOperator(std::string_view word) {
  return word == "eq" || word == "ne" || word == "gt" || word == "ge" ||
         word == "lt" || word == "le";
}

// ------------------------------------------------------------------- reading

Tree Leaf(Node node) { return std::make_shared<const Node>(std::move(node)); }

bool IsOperand(const Tree& tree) {
  return tree->kind == Kind::kProperty || tree->kind == Kind::kLiteral ||
         tree->kind == Kind::kNull;
}

// One function for each production; null is a syntax error.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  // False on a syntax error.
  bool ReadFilter(Tree& root) {
    SkipBlanks();
    if (rest_.empty()) return true;
    root = ReadOr();
    SkipBlanks();
    return root != nullptr && rest_.empty();
  }

 private:
  Tree ReadOr() { return ReadChain("or", Kind::kOr); }
  Tree ReadAnd() { return ReadChain("and", Kind::kAnd); }

  Tree ReadChain(std::string_view keyword, Kind kind) {
    const auto read = [&] { return kind == Kind::kOr ? ReadAnd() : ReadNot(); };
    Tree left = read();
    while (left != nullptr && TakeConnective(keyword)) {
      Tree right = read();
      if (right == nullptr) return nullptr;
      left = Leaf({kind, {}, {}, {}, left, right});
    }
    return left;
  }

  Tree ReadNot() {
    if (!TakeNot()) return ReadPrimary();
    Tree child = ReadNot();
    if (child == nullptr) return nullptr;
    return Leaf({Kind::kNot, {}, {}, {}, child, {}});
  }

  // A comparison, or what can be a side of one.
  Tree ReadPrimary() {
    Tree left = ReadSide();
    if (left == nullptr) return nullptr;
    const std::string op = TakeOperator();
    if (op.empty()) return left;
    Tree right = ReadSide();
    if (right == nullptr) return nullptr;
    return Leaf({Kind::kCompare, {}, {}, op, left, right});
  }

  Tree ReadSide() {
    if (!rest_.starts_with('(')) return ReadOperand();
    rest_.remove_prefix(1);
    SkipBlanks();
    Tree inner = ReadOr();
    SkipBlanks();
    if (inner == nullptr || !rest_.starts_with(')')) return nullptr;
    rest_.remove_prefix(1);
    last_ = ')';
    return inner;
  }

  Tree ReadOperand() {
    if (rest_.empty()) return nullptr;
    if (rest_.front() == '\'') return ReadText("");
    std::size_t size = 0;
    const bool is_number = IsDigit(rest_.front()) || rest_.front() == '-';
    while (size < rest_.size() && Continues(size, is_number)) ++size;
    const std::string word(rest_.substr(0, size));
    rest_.remove_prefix(size);
    if (word.empty()) return nullptr;
    last_ = word.back();
    if (IsQuotedType(word) && rest_.starts_with('\'')) return ReadText(word);
    if (!Ends()) return nullptr;
    if (auto named = NamedValue(word)) {
      return Leaf({Kind::kLiteral, {}, *named});
    }
    if (word == "null") return Leaf({Kind::kNull});
    if (!is_number) return Leaf({Kind::kProperty, word});
    const auto number = ReadNumber(word);
    if (!number) return nullptr;
    return Leaf({Kind::kLiteral, {}, *number});
  }

  bool Continues(std::size_t at, bool is_number) const {
    const char c = rest_[at];
    if (IsWordCharacter(c)) return true;
    if (!is_number) return false;
    if (c == '.' || (c == '-' && at == 0)) return true;
    const bool is_sign = c == '+' || c == '-';
    return is_sign && at > 0 && (rest_[at - 1] == 'e' || rest_[at - 1] == 'E');
  }

  Tree ReadText(std::string_view type) {
    rest_.remove_prefix(1);
    std::string text;
    for (;;) {
      const std::size_t quote = rest_.find('\'');
      if (quote == std::string_view::npos) return nullptr;
      text += rest_.substr(0, quote);
      rest_.remove_prefix(quote + 1);
      if (!rest_.starts_with('\'')) break;
      text += '\'';
      rest_.remove_prefix(1);
    }
    last_ = '\'';
    if (!Ends()) return nullptr;
    if (type.empty())
      return Leaf({Kind::kLiteral, {}, {Type::kString, 0, 0, text}});
    const auto value = ReadQuoted(type, text);
    if (!value) return nullptr;
    return Leaf({Kind::kLiteral, {}, *value});
  }

  // What no blank and no parenthesis separates is not two tokens.
  bool Ends() const {
    return rest_.empty() || IsBlank(rest_.front()) || rest_.front() == ')' ||
           rest_.front() == '(';
  }

  static bool IsBlank(char c) { return c == ' ' || c == '\t'; }

  void SkipBlanks() {
    while (!rest_.empty() && IsBlank(rest_.front())) Skip();
  }
  void Skip() {
    last_ = rest_.front();
    rest_.remove_prefix(1);
  }

  std::string_view NextWord() const {
    std::size_t size = 0;
    while (size < rest_.size() && IsWordCharacter(rest_[size])) ++size;
    return rest_.substr(0, size);
  }

  // A separator (blanks, or the parenthesis before), the keyword, and another.
  bool TakeConnective(std::string_view keyword) {
    const Reader before = *this;
    const bool is_close = last_ == ')';
    const std::size_t size = rest_.size();
    SkipBlanks();
    if ((rest_.size() < size || is_close) && NextWord() == keyword) {
      rest_.remove_prefix(keyword.size());
      if (TakeSeparator()) return true;
    }
    *this = before;
    return false;
  }

  bool TakeSeparator() {
    const std::size_t size = rest_.size();
    SkipBlanks();
    return rest_.size() < size || rest_.starts_with('(');
  }

  // `not` is a property where an operator follows, or nothing that it could
  // turn round.
  bool TakeNot() {
    const Reader before = *this;
    if (NextWord() == "not") {
      rest_.remove_prefix(3);
      if (TakeSeparator() && !rest_.empty() && rest_.front() != ')' &&
          !IsOperatorNext()) {
        return true;
      }
    }
    *this = before;
    return false;
  }

  bool IsOperatorNext() const {
    Reader ahead = *this;
    const std::string word(ahead.NextWord());
    if (!IsOperator(word)) return false;
    ahead.rest_.remove_prefix(word.size());
    ahead.SkipBlanks();
    // `not eq eq 5`: eq is a property.
    return !IsOperator(ahead.NextWord());
  }

  // Empty when none follows.
  std::string TakeOperator() {
    const Reader before = *this;
    SkipBlanks();
    const std::string word(NextWord());
    if (IsOperator(word)) {
      rest_.remove_prefix(word.size());
      if (TakeSeparator()) return word;
    }
    *this = before;
    return {};
  }

  std::string_view rest_;
  char last_ = ' ';  // The last character that was taken.
};

// ------------------------------------------------------------------- meaning

Status StatusOf(const Tree& tree);

Status StatusOfComparison(const Node& node) {
  for (const Tree& side : {node.left, node.right}) {
    if (IsOperand(side)) continue;
    const Status inner = StatusOf(side);
    return inner != Status::kOk ? inner : Status::kNotImplemented;
  }
  if (node.left->kind == Kind::kNull || node.right->kind == Kind::kNull) {
    return Status::kInvalid;
  }
  return node.left->kind == node.right->kind ? Status::kNotImplemented
                                             : Status::kOk;
}

// The first fault from the left.
Status StatusOf(const Tree& tree) {
  switch (tree->kind) {
    case Kind::kProperty:
      return Status::kOk;
    case Kind::kNull:
      return Status::kInvalid;
    case Kind::kLiteral:
      return tree->literal.type == Type::kBoolean ? Status::kOk
                                                  : Status::kInvalid;
    case Kind::kCompare:
      return StatusOfComparison(*tree);
    case Kind::kNot:
      return StatusOf(tree->left);
    case Kind::kAnd:
    case Kind::kOr:
      break;
  }
  const Status left = StatusOf(tree->left);
  return left != Status::kOk ? left : StatusOf(tree->right);
}

// --------------------------------------------------------------- evaluation

std::vector<char16_t> Units(std::string_view text) {
  std::vector<char16_t> units;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t size = lead < 0x80   ? 1
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                                           : 4;
    std::uint32_t point = size == 1 ? lead : lead & (0xFFU >> (size + 1));
    for (std::size_t k = 1; k < size; ++k) {
      point = point * 64 + (static_cast<unsigned char>(text[i + k]) - 0x80U);
    }
    i += size;
    if (point >= 0x10000) {
      point -= 0x10000;
      units.push_back(static_cast<char16_t>(0xD800 + point / 0x400));
      point = 0xDC00 + point % 0x400;
    }
    units.push_back(static_cast<char16_t>(point));
  }
  return units;
}

bool Compare(const std::string& op, int order) {
  if (op == "eq") return order == 0;
  if (op == "ne") return order != 0;
  if (op == "lt") return order < 0;
  if (op == "le") return order <= 0;
  if (op == "gt") return order > 0;
  return order >= 0;
}

template <typename T>
int OrderOf(T a, T b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

bool CompareDoubles(const std::string& op, double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return op == "ne";
  return Compare(op, OrderOf(a, b));
}

// query of the spec, 3.6.
bool CompareValues(const std::string& op, const Value& property,
                   const Value& literal) {
  const bool is_int = literal.type == Type::kInt32;
  const bool is_whole = is_int || literal.type == Type::kInt64;
  if (property.type == Type::kDouble && is_whole) {
    return CompareDoubles(op, property.real,
                          static_cast<double>(literal.integer));
  }
  if (property.type == Type::kInt64 && is_int) {
    return Compare(op, OrderOf(property.integer, literal.integer));
  }
  if (property.type != literal.type) {
    return op == "ne" || op == "lt" || op == "le";
  }
  switch (property.type) {
    case Type::kString:
      return Compare(op, CompareOrdinal(property.text, literal.text));
    case Type::kDouble:
      return CompareDoubles(op, property.real, literal.real);
    case Type::kGuid:
      return Compare(op, property.text.compare(literal.text));
    case Type::kBinary: {
      const std::size_t common =
          std::min(property.text.size(), literal.text.size());
      const int order =
          std::memcmp(property.text.data(), literal.text.data(), common);
      return Compare(
          op, order != 0 ? order
                         : OrderOf(property.text.size(), literal.text.size()));
    }
    default:
      return Compare(op, OrderOf(property.integer, literal.integer));
  }
}

std::string Mirrored(const std::string& op) {
  if (op == "lt") return "gt";
  if (op == "le") return "ge";
  if (op == "gt") return "lt";
  if (op == "ge") return "le";
  return op;
}

bool IsTrue(const Node& node, const Entity& entity);

bool IsTrueComparison(const Node& node, const Entity& entity) {
  const bool is_left = node.left->kind == Kind::kProperty;
  const Node& property = is_left ? *node.left : *node.right;
  const Node& literal = is_left ? *node.right : *node.left;
  const auto found = entity.find(property.name);
  if (found == entity.end()) return false;
  return CompareValues(is_left ? node.op : Mirrored(node.op), found->second,
                       literal.literal);
}

bool IsTrue(const Node& node, const Entity& entity) {
  switch (node.kind) {
    case Kind::kProperty: {
      const auto found = entity.find(node.name);
      return found != entity.end() && found->second.type == Type::kBoolean &&
             found->second.integer != 0;
    }
    case Kind::kLiteral:
      return node.literal.integer != 0;
    case Kind::kCompare:
      return IsTrueComparison(node, entity);
    case Kind::kNot:
      return !IsTrue(*node.left, entity);
    case Kind::kAnd:
      return IsTrue(*node.left, entity) && IsTrue(*node.right, entity);
    case Kind::kOr:
      return IsTrue(*node.left, entity) || IsTrue(*node.right, entity);
    case Kind::kNull:
      break;
  }
  return false;
}

}  // namespace

int CompareOrdinal(std::string_view a, std::string_view b) {
  const auto left = Units(a);
  const auto right = Units(b);
  return left < right ? -1 : left > right ? 1 : 0;
}

Filter::Filter(std::string_view text) {
  if (!Reader(text).ReadFilter(root_)) {
    status_ = Status::kInvalid;
  } else if (root_ != nullptr) {
    status_ = StatusOf(root_);
  }
}

Filter::~Filter() = default;

bool Filter::IsTrueOf(const Entity& entity) const {
  return root_ == nullptr || IsTrue(*root_, entity);
}

}  // namespace entitable::naive
