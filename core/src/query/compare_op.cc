#include "query/compare_op.h"

namespace entitable {

std::string_view CompareOpKeyword(CompareOp op) {
  switch (op) {
    case CompareOp::kEqual:
      return "eq";
    case CompareOp::kNotEqual:
      return "ne";
    case CompareOp::kLessThan:
      return "lt";
    case CompareOp::kLessThanOrEqual:
      return "le";
    case CompareOp::kGreaterThan:
      return "gt";
    case CompareOp::kGreaterThanOrEqual:
      return "ge";
  }
  return {};
}

std::optional<CompareOp> ToCompareOp(std::string_view keyword) {
  for (const CompareOp op : kCompareOps) {
    if (CompareOpKeyword(op) == keyword) return op;
  }
  return std::nullopt;
}

CompareOp Mirrored(CompareOp op) {
  switch (op) {
    case CompareOp::kLessThan:
      return CompareOp::kGreaterThan;
    case CompareOp::kLessThanOrEqual:
      return CompareOp::kGreaterThanOrEqual;
    case CompareOp::kGreaterThan:
      return CompareOp::kLessThan;
    case CompareOp::kGreaterThanOrEqual:
      return CompareOp::kLessThanOrEqual;
    default:
      return op;
  }
}

std::string_view OrderingName(CompareOp op) {
  switch (op) {
    case CompareOp::kLessThan:
      return "LessThan";
    case CompareOp::kLessThanOrEqual:
      return "LessThanOrEqual";
    case CompareOp::kGreaterThan:
      return "GreaterThan";
    case CompareOp::kGreaterThanOrEqual:
      return "GreaterThanOrEqual";
    default:
      return {};
  }
}

}  // namespace entitable
