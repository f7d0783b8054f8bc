//   aggregates = term { "," term }
//   term       = "count"
//              | ( "count" | "sum" | "avg" | "min" | "max" | "distinct" ) name
//              | "quantile" name fraction
//              | "histogram" name ( bins | bound bound { bound } )
//
// Commas separate terms before words are looked at.  That is safe, because no
// name and no number has a comma.  Blanks and tabs separate words.  All limits
// are checked here, so later stages may trust these numbers.

#include "query/aggregate.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "base/number.h"
#include "model/names.h"
#include "query/order.h"

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
                {"max", AggregateKind::kGreatest},
                {"distinct", AggregateKind::kDistinct},
                {"quantile", AggregateKind::kQuantile},
                {"histogram", AggregateKind::kHistogram}};
  for (const auto& known : kKinds) {
    if (known.word == word) return known.kind;
  }
  return std::nullopt;
}

Failure Wrong(const char* text) { return Fail(ErrorCode::kInvalidInput, text); }

bool IsHistogram(const std::vector<double>& numbers) {
  if (numbers.size() == 1) {
    const double bins = numbers.front();
    return bins >= 1 && bins <= kMaxBins && bins == std::floor(bins);
  }
  return numbers.size() > 1 && numbers.size() <= kMaxBins + 1 &&
         std::ranges::is_sorted(numbers, std::less_equal<>());
}

Result<void> CheckNumbers(const AggregateTerm& term) {
  const auto& numbers = term.numbers;
  switch (term.kind) {
    case AggregateKind::kQuantile:
      if (numbers.size() != 1 || numbers[0] < 0 || numbers[0] > 1) {
        return Wrong(
            "A quantile has the name of a property and a number from "
            "0 to 1.");
      }
      return {};
    case AggregateKind::kHistogram:
      if (!IsHistogram(numbers)) {
        return Wrong(
            "A histogram has the name of a property, and the number "
            "of its bins, 1 to 1000, or their bounds in ascending "
            "order.");
      }
      return {};
    default:
      if (numbers.empty()) return {};
      return Wrong("Only quantiles and histograms have numbers.");
  }
}

// Reads the words of a term.
Result<AggregateTerm> ParseTerm(std::string_view text) {
  const auto kind = KindOf(ReadWord(text));
  const std::string_view name = ReadWord(text);
  const bool is_of_all = kind == AggregateKind::kCount && name.empty();
  AggregateTerm term{kind.value_or(AggregateKind::kCount), std::string(name)};
  bool is_known = kind && (is_of_all || CheckPropertyName(name));
  for (std::string_view word; !(word = ReadWord(text)).empty();) {
    const auto number = ParseDouble(word);
    is_known = is_known && number;
    if (number) term.numbers.push_back(*number);
  }
  if (!is_known) {
    return Wrong(
        "An aggregate is count, or one of count, sum, avg, min, max, "
        "distinct, quantile and histogram with the name of a "
        "property.");
  }
  ENTITABLE_TRY(CheckNumbers(term));
  return term;
}

}  // namespace

Result<std::vector<AggregateTerm>> ParseAggregates(std::string_view text) {
  std::vector<AggregateTerm> terms;
  std::string_view first = text;
  if (ReadWord(first).empty()) return terms;
  std::optional<std::string_view> rest = text;
  while (const auto words = ReadTerm(rest)) {
    ENTITABLE_TRY(AggregateTerm term, ParseTerm(*words));
    if (terms.size() == kMaxAggregates) {
      return Wrong("The query has more than 64 aggregates.");
    }
    terms.push_back(std::move(term));
  }
  return terms;
}

}  // namespace entitable
