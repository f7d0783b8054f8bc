// A token is as long as it can be.  A name goes on over letters, digits, `_`
// and everything beyond ASCII, and a number over the same, `.`, and a sign
// behind an `e`.  So 5x and 5and are one wrong token and not two.  A name
// directly before a quote is the type of a literal, if there is such a type.
// Within quotes, two quotes are one.
//
// Parentheses and commas may touch anything.  Between other tokens there must
// be a blank or a tab, so 'a'and'b' is wrong although no token in it is.
//
// An error of syntax carries the position behind the wrong token, and an error
// about a literal that of its beginning, as the service has them.  The service
// counts UTF-16 units, so offsets in bytes are converted for the message.

#include "query/lexer.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/json_writer.h"
#include "base/utf.h"
#include "model/names.h"
#include "query/literal.h"

namespace entitable {
namespace {

constexpr char kTooLongText[] =
    "The filter is longer than 32,768 bytes of UTF-8.";
static_assert(kMaxFilterBytes == 32'768);

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

// Accepts more than the rules for names allow, so that a bad name is one token
// and its error points to its end.
bool StartsName(char c) {
  return IsAsciiLetter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool ContinuesName(char c) { return StartsName(c) || IsAsciiDigit(c); }

bool StartsNumber(char c) { return IsAsciiDigit(c) || c == '-'; }

bool ContinuesNumber(char c, char previous) {
  const bool after_e = previous == 'e' || previous == 'E';
  return ContinuesName(c) || c == '.' || (after_e && (c == '+' || c == '-'));
}

bool IsPunctuation(const Token& token) {
  return token.kind == TokenKind::kOpen || token.kind == TokenKind::kClose ||
         token.kind == TokenKind::kComma || token.kind == TokenKind::kSlash ||
         token.kind == TokenKind::kColon;
}

std::string Position(std::string_view filter, std::size_t offset) {
  std::string text;
  AppendDecimal(
      static_cast<std::int64_t>(Utf16Length(filter.substr(0, offset))), text);
  return text;
}

// Produces the tokens one after another, as views of the filter.
class Lexer {
 public:
  Lexer(std::string_view filter, FilterDialect dialect,
        FixedStringBuffer& strings)
      : filter_(filter),
        is_extended_(dialect == FilterDialect::kExtended),
        strings_(strings) {}

  Result<std::vector<Token>> Run();

 private:
  Result<Token> ReadToken();
  Result<Token> ReadName();
  Result<Token> ReadNumber();
  // The prefix, which names the type, was already read and starts at `begin`.
  Result<Token> ReadQuoted(std::size_t begin);

  bool at_end() const { return at_ == filter_.size(); }
  char front() const { return filter_[at_]; }

  // The text from `begin` up to the current position.
  std::string_view TextFrom(std::size_t begin) const {
    return filter_.substr(begin, at_ - begin);
  }
  Token TokenFrom(std::size_t begin, TokenKind kind) const {
    return {.kind = kind, .begin = begin, .end = at_, .text = TextFrom(begin)};
  }
  // `content` is the part of the literal that spells its value.
  Result<Token> LiteralFrom(std::size_t begin, EdmType type,
                            std::string_view content);
  // For a literal that has the form of a type but is not a valid value.
  Error FailLiteral(std::size_t begin, EdmType type) const;
  Error FailHere() const { return FailSyntax(filter_, at_); }

  std::string_view filter_;
  bool is_extended_;
  FixedStringBuffer& strings_;
  std::size_t at_ = 0;
};

Result<std::vector<Token>> Lexer::Run() {
  std::vector<Token> tokens;
  while (true) {
    while (!at_end() && IsBlank(front())) ++at_;
    if (at_end()) break;
    ENTITABLE_TRY(Token token, ReadToken());
    const bool touches = !tokens.empty() && tokens.back().end == token.begin;
    if (touches && !IsPunctuation(tokens.back()) && !IsPunctuation(token)) {
      return FailHere();
    }
    tokens.push_back(token);
  }
  tokens.push_back(TokenFrom(at_, TokenKind::kEnd));
  return tokens;
}

Result<Token> Lexer::ReadToken() {
  const char c = front();
  if (c == '\'') return ReadQuoted(at_);
  if (StartsNumber(c)) return ReadNumber();
  if (StartsName(c)) return ReadName();

  const std::size_t begin = at_++;
  if (c == '(') return TokenFrom(begin, TokenKind::kOpen);
  if (c == ')') return TokenFrom(begin, TokenKind::kClose);
  if (c == ',') return TokenFrom(begin, TokenKind::kComma);
  if (c == '/' && is_extended_) return TokenFrom(begin, TokenKind::kSlash);
  if (c == ':' && is_extended_) return TokenFrom(begin, TokenKind::kColon);
  return FailHere();
}

Result<Token> Lexer::ReadName() {
  const std::size_t begin = at_;
  while (!at_end() && ContinuesName(front())) ++at_;
  const std::string_view name = TextFrom(begin);
  if (!at_end() && front() == '\'' && QuotedType(name)) {
    return ReadQuoted(begin);
  }
  if (!CheckPropertyName(name)) return FailHere();
  return TokenFrom(begin, TokenKind::kName);
}

Result<Token> Lexer::ReadNumber() {
  const std::size_t begin = at_++;
  while (!at_end() && ContinuesNumber(front(), filter_[at_ - 1])) ++at_;
  const std::string_view text = TextFrom(begin);
  const auto type = NumberType(text);
  if (!type) return FailHere();
  return LiteralFrom(begin, *type, text);
}

Result<Token> Lexer::ReadQuoted(std::size_t begin) {
  const EdmType type = *QuotedType(TextFrom(begin));
  const std::size_t content_begin = ++at_;
  while (true) {
    at_ = std::min(filter_.find('\'', at_), filter_.size());
    if (at_end()) return FailHere();
    const bool is_doubled =
        at_ + 1 < filter_.size() && filter_[at_ + 1] == '\'';
    if (!is_doubled) break;
    at_ += 2;
  }
  const std::string_view content = TextFrom(content_begin);
  ++at_;
  return LiteralFrom(begin, type, content);
}

Result<Token> Lexer::LiteralFrom(std::size_t begin, EdmType type,
                                 std::string_view content) {
  const auto value = ReadLiteral(type, content, strings_);
  if (!value) return FailLiteral(begin, type);
  Token token = TokenFrom(begin, TokenKind::kLiteral);
  token.literal = *value;
  return token;
}

Error Lexer::FailLiteral(std::size_t begin, EdmType type) const {
  std::string message = "Unrecognized '";
  message.append(EdmTypeName(type));
  message.append("' literal '").append(TextFrom(begin));
  message.append("' at '").append(Position(filter_, begin));
  message.append("' in '").append(filter_).append("'.");
  return Fail(ErrorCode::kInvalidInput, std::move(message));
}

}  // namespace

Result<TokenList> Tokenize(std::string_view filter, FilterDialect dialect) {
  if (filter.size() > kMaxFilterBytes) {
    return Fail(ErrorCode::kInvalidInput, kTooLongText);
  }
  if (!IsValidUtf8(filter)) return Fail(ErrorCode::kInvalidInput);
  // Room for the filter, for its literals, which are shorter when decoded, and
  // for what the parser makes of these and of paths.
  FixedStringBuffer strings(3 * filter.size());
  const std::string_view copy = strings.Add(filter);
  ENTITABLE_TRY(std::vector<Token> tokens, Lexer(copy, dialect, strings).Run());
  return TokenList{std::move(strings), copy, std::move(tokens)};
}

Error FailSyntax(std::string_view filter, std::size_t end) {
  std::string message = "Syntax error at position ";
  message.append(Position(filter, end));
  message.append(" in '").append(filter).append("'.");
  return Fail(ErrorCode::kInvalidInput, std::move(message));
}

Error FailFunction(std::string_view filter, const Token& name) {
  std::string message = "Unrecognized function '";
  message.append(name.text);
  message.append("' at '").append(Position(filter, name.begin));
  message.append("' in '").append(filter).append("'.");
  return Fail(ErrorCode::kInvalidInput, std::move(message));
}

std::string ToString(const std::vector<Token>& tokens) {
  std::string text;
  for (const Token& token : tokens) {
    if (token.kind == TokenKind::kEnd) break;
    if (!text.empty()) text.push_back(' ');
    if (token.kind == TokenKind::kLiteral) {
      AppendLiteral(token.literal, text);
    } else {
      text.append(token.text);
    }
  }
  return text;
}

}  // namespace entitable
