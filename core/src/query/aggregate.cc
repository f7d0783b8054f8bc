#include "query/aggregate.h"

#include <optional>

#include "model/property_name.h"
#include "query/term_words.h"

namespace entitable {
namespace {

std::optional<AggregateKind> KindOf(std::string_view word) {
  constexpr struct {
    std::string_view word;
    AggregateKind kind;
  } kKinds[] = {{"count", AggregateKind::kCount},
                {"sum", AggregateKind::kSum},
                {"avg", AggregateKind::kAverage},
                {"min", AggregateKind::kLeast},
                {"max", AggregateKind::kGreatest}};
  for (const auto& known : kKinds) {
    if (known.word == word) return known.kind;
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<AggregateTerm>> ParseAggregates(std::string_view text) {
  std::vector<AggregateTerm> terms;
  std::string_view first = text;
  if (TakeWord(first).empty()) return terms;
  std::optional<std::string_view> rest = text;
  while (auto term = TakeTerm(rest)) {
    const auto kind = KindOf(TakeWord(*term));
    const std::string_view name = TakeWord(*term);
    const bool is_of_all = kind == AggregateKind::kCount && name.empty();
    if (!kind || !TakeWord(*term).empty() ||
        (!is_of_all && !CheckPropertyName(name))) {
      return Fail(ErrorCode::kInvalidInput,
                  "An aggregate is count, or one of count, sum, avg, min and "
                  "max with the name of a property.");
    }
    if (terms.size() == kMaxAggregates) {
      return Fail(ErrorCode::kInvalidInput,
                  "The query has more than 64 aggregates.");
    }
    terms.push_back({*kind, std::string(name)});
  }
  return terms;
}

}  // namespace entitable
