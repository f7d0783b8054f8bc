// compare_op.h - the operators that compare a property with a literal.

#ifndef ENTITABLE_QUERY_COMPARE_OP_H_
#define ENTITABLE_QUERY_COMPARE_OP_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace entitable {

enum class CompareOp : std::uint8_t {
  kEqual,
  kNotEqual,
  kLessThan,
  kLessThanOrEqual,
  kGreaterThan,
  kGreaterThanOrEqual,
};

inline constexpr CompareOp kCompareOps[] = {
    CompareOp::kEqual,       CompareOp::kNotEqual,
    CompareOp::kLessThan,    CompareOp::kLessThanOrEqual,
    CompareOp::kGreaterThan, CompareOp::kGreaterThanOrEqual,
};

// The keyword in a filter, for example "eq".
std::string_view CompareOpKeyword(CompareOp op);

// The operator of a keyword.
std::optional<CompareOp> ToCompareOp(std::string_view keyword);

// The operator with its sides exchanged: `5 lt P` means `P gt 5`.
CompareOp Mirrored(CompareOp op);

// The service's name of an ordering operator, for example "LessThan"; empty for
// eq and ne.
std::string_view OrderingName(CompareOp op);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_COMPARE_OP_H_
