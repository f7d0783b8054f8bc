// lexer.h - the first stage of a filter: text to tokens.

#ifndef ENTITABLE_QUERY_LEXER_H_
#define ENTITABLE_QUERY_LEXER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entitable/result.h"
#include "model/value.h"
#include "query/fixed_string_buffer.h"

namespace entitable {

// In bytes of UTF-8, the end included.  Source: query.md of the spec, 3.9.
inline constexpr std::size_t kMaxFilterBytes = std::size_t{32} << 10;

enum class TokenKind : std::uint8_t {
  kOpen,
  kClose,
  kComma,    // Stands only in calls of functions.
  kName,     // A property or a keyword: only the parser can tell.
  kLiteral,  // Except true, false, null, NaN, INF and Infinity, which are
             // names.
  kEnd,      // The last token, empty, at the end of the filter.
};

struct Token {
  TokenKind kind;
  // Byte offsets in the filter; `end` is the first one after the token.
  std::size_t begin;
  std::size_t end;
  std::string_view text;                  // As written.
  Value literal = Value::Boolean(false);  // kLiteral alone.
};

struct TokenList {
  FixedStringBuffer strings;  // Owns what all views in the list look at.
  std::string_view filter;
  std::vector<Token> tokens;
};

// Fails with InvalidInput: a filter over its budget or not in UTF-8, a
// character or name that can stand nowhere, an unreadable literal, two tokens
// that need a space between them.
Result<TokenList> Tokenize(std::string_view filter);

// InvalidInput.  `end` is the byte offset just after the token at fault; the
// message counts it in UTF-16 code units.
Error FailSyntax(std::string_view filter, std::size_t end);

// The tokens with one space between two; literals in one spelling.
std::string ToString(const std::vector<Token>& tokens);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_LEXER_H_
