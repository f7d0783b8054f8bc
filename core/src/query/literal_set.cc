#include "query/literal_set.h"

#include <algorithm>
#include <utility>

#include "base/heap_sort.h"
#include "model/value_order.h"
#include "query/evaluator.h"

namespace entitable {
namespace {

// NaN is never in a set, because nothing equals it.
bool IsBefore(const Value& a, const Value& b) {
  return a.type() != b.type() ? a.type() < b.type() : OrderOfOneType(a, b) < 0;
}

bool IsSame(const Value& a, const Value& b) {
  return a.type() == b.type() && OrderOfOneType(a, b) == 0;
}

bool IsNaN(const Value& literal) {
  return OrderOfOneType(literal, literal) != 0;
}

std::size_t NumberOf(EdmType type) { return static_cast<std::size_t>(type); }

}  // namespace

LiteralSet::LiteralSet(std::vector<Value> literals)
    : literals_(std::move(literals)) {
  std::erase_if(literals_, IsNaN);
  HeapSort(literals_, IsBefore);
  literals_.erase(std::unique(literals_.begin(), literals_.end(), IsSame),
                  literals_.end());
  for (const Value& literal : literals_)
    ++starts_[NumberOf(literal.type()) + 1];
  for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
}

std::span<const Value> LiteralSet::Of(EdmType type) const {
  const std::size_t begin = starts_[NumberOf(type)];
  return std::span(literals_).subspan(begin,
                                      starts_[NumberOf(type) + 1] - begin);
}

std::span<const Value> LiteralSet::From(EdmType type,
                                        const Value& property) const {
  const std::span<const Value> literals = Of(type);
  const auto first = std::partition_point(
      literals.begin(), literals.end(),
      [&](const Value& literal) { return Order(property, literal) > 0; });
  return {first, literals.end()};
}

bool LiteralSet::Has(const Value& property) const {
  for (const EdmType type : ComparableWith(property.type())) {
    const std::span<const Value> literals = From(type, property);
    if (!literals.empty() && Order(property, literals.front()) == 0)
      return true;
  }
  return false;
}

}  // namespace entitable
