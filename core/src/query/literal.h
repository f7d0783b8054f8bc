// literal.h - reads and prints the constants of a filter.

#ifndef ENTITABLE_QUERY_LITERAL_H_
#define ENTITABLE_QUERY_LITERAL_H_

#include <array>
#include <cassert>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"

namespace entitable {

// A string buffer that never moves its bytes.

// Views of added texts stay valid as long as the buffer lives, even when the
// buffer object is moved: a moved vector hands on its memory, a moved string
// may not.  For the same reason the capacity is fixed, and the buffer cannot be
// copied.
class FixedStringBuffer {
 public:
  explicit FixedStringBuffer(std::size_t capacity) { bytes_.reserve(capacity); }

  FixedStringBuffer(FixedStringBuffer&&) = default;
  FixedStringBuffer& operator=(FixedStringBuffer&&) = default;

  std::string_view Add(std::string_view text) {
    assert(text.size() <= bytes_.capacity() - bytes_.size());
    const std::size_t begin = bytes_.size();
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    return {bytes_.data() + begin, text.size()};
  }

 private:
  std::vector<char> bytes_;
};

// --------------------------------------------------------------------- literal

// The type of a number by its form: `5` is Int32, `5L` is Int64, and `5.0`,
// `5e1`, `5d` and `-INF` are Double.  Nothing for other text.
std::optional<EdmType> NumberType(std::string_view text);

// The type of a quoted literal by the word directly before its opening quote.
// No word means String.  Nothing for a word that names no type.
std::optional<EdmType> QuotedType(std::string_view prefix);

// The value of a number, or of a quoted literal.  For a quoted literal, `text`
// is the text between the quotes, with quotes still doubled.  Nothing if the
// type has no such value.  Texts that must be decoded are added to `strings`;
// they need no more room than `text`.
std::optional<Value> ReadLiteral(EdmType type, std::string_view text,
                                 FixedStringBuffer& strings);

// The value of a name that is a literal: true and false in any case, NaN, INF
// and Infinity.
std::optional<Value> WordLiteral(std::string_view word);

// Appends the literal in the spelling that shows its type.
void AppendLiteral(const Value& value, std::string& out);

// ----------------------------------------------------------------- literal set

// A sorted set of literals, for conditions on one property.

// A lookup takes a number of comparisons that is logarithmic in the size.  A
// value equals a literal if Compare() with kEqual is true.
class LiteralSet {
 public:
  // The texts of the literals must outlive the set.
  explicit LiteralSet(std::vector<Value> literals);

  bool Has(const Value& property) const;

  // The literals of one type, sorted and without duplicates.
  std::span<const Value> Of(EdmType type) const;

  // The literals of this type from the first one that is not less than the
  // property's value.  The two types must be comparable.
  std::span<const Value> From(EdmType type, const Value& property) const;

 private:
  std::vector<Value> literals_;           // By type, then by value.
  std::array<std::size_t, 10> starts_{};  // By type.
};

}  // namespace entitable

#endif  // ENTITABLE_QUERY_LITERAL_H_
