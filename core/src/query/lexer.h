// lexer.h - the first stage of a filter: turns text into tokens.

#ifndef ENTITABLE_QUERY_LEXER_H_
#define ENTITABLE_QUERY_LEXER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entitable/operation.h"
#include "entitable/result.h"
#include "model/value.h"
#include "query/literal.h"

namespace entitable {

// In bytes of UTF-8; this length is still allowed.  Source: query of the spec,
// 3.9.
inline constexpr std::size_t kMaxFilterBytes = std::size_t{32} << 10;

enum class TokenKind : std::uint8_t {
  kOpen,
  kClose,
  kComma,    // Only valid in calls of functions.
  kSlash,    // Only in the extended dialect: the steps of a path.
  kColon,    // The same: behind the variable of `any`.
  kName,     // A property or a keyword: only the parser can tell.
  kLiteral,  // Not true, false, null, NaN, INF and Infinity, which are names.
  kEnd,      // The last token: empty, at the end of the filter.
};

struct Token {
  TokenKind kind;
  // Byte offsets in the filter.  `end` is the first offset behind the token.
  std::size_t begin;
  std::size_t end;
  std::string_view text;                  // As written.
  Value literal = Value::Boolean(false);  // Only for kLiteral.
};

struct TokenList {
  // Owns the texts of all views in the list.  It has room for one more text for
  // each literal, of at most the same length.
  FixedStringBuffer strings;
  std::string_view filter;
  std::vector<Token> tokens;
};

// Fails with InvalidInput: a filter that is too long or not UTF-8, an invalid
// character or name, an unreadable literal, or two tokens without the required
// space between them.
Result<TokenList> Tokenize(std::string_view filter,
                           FilterDialect dialect = FilterDialect::kService);

// Makes an InvalidInput error.  `end` is the byte offset directly behind the
// bad token; the message counts in UTF-16 code units.
Error FailSyntax(std::string_view filter, std::size_t end);

// The same for the name of a function that does not exist.
Error FailFunction(std::string_view filter, const Token& name);

// The tokens separated by single spaces, with literals in their standard
// spelling.
std::string ToString(const std::vector<Token>& tokens);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_LEXER_H_
