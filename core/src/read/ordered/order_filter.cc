#include "read/ordered/order_filter.h"

#include <bit>

#include "base/bits.h"
#include "model/schema_format.h"
#include "model/zone_map.h"

namespace entitable {
namespace {

// No value is the beginning of another, so the first values decide unless they
// are equal.
int CompareFirst(std::string_view value, std::string_view order_key) {
  return value.compare(order_key.substr(0, value.size()));
}

}  // namespace

OrderFilter::OrderFilter(RowFilter& filter, std::span<const OrderTerm> terms,
                         OrderKeys& keys, const std::string& after,
                         const FirstRows& rows)
    : filter_(filter),
      terms_(terms),
      keys_(keys),
      after_(after),
      rows_(rows),
      has_first_column_(!terms.empty() && !IsKeyName(terms.front().name)) {}

PageMatch OrderFilter::MatchZoneMap(const PropertyList& zone_map,
                                    WorkBudget& work) {
  const PageMatch match = filter_.MatchZoneMap(zone_map, work);
  if (match == PageMatch::kNone || !HasBounds()) return match;
  return MayHave(zone_map) ? PageMatch::kSome : PageMatch::kNone;
}

std::optional<std::span<const std::uint64_t>> OrderFilter::MatchPage(
    const ColumnSource& page, WorkBudget& work) {
  const auto found = filter_.MatchPage(page, work);
  if (!found || !HasBounds()) return found;
  keys_.Use(page.identity().page, page.columns());
  matches_.assign(found->begin(), found->end());
  for (std::size_t i = 0; i < matches_.size(); ++i) {
    for (std::uint64_t left = matches_[i]; left != 0; left &= left - 1) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(left));
      value_.clear();
      keys_.AppendFirst(i * kWordBits + bit, value_);
      if (IsTooEarly(value_) || IsTooLate(value_)) {
        matches_[i] &= ~(std::uint64_t{1} << bit);
      }
      work.SpendParts(kPartsPerValue + value_.size() * kPartsPerTextByte);
    }
  }
  return matches_;
}

bool OrderFilter::IsTooEarly(std::string_view first_value) const {
  return !after_.empty() && CompareFirst(first_value, after_) < 0;
}

bool OrderFilter::IsTooLate(std::string_view first_value) const {
  const std::string* const last = rows_.last();
  return last != nullptr && CompareFirst(first_value, *last) > 0;
}

// Rows without the property may be in the page, too.  Bounds of texts are not
// values.
bool OrderFilter::MayHave(const PropertyList& zone_map) const {
  const std::string& name = terms_.front().name;
  const bool descends = terms_.front().descends;
  bool may_have = true;
  ForEachZoneBounds(zone_map, [&](std::string_view of, const auto& bounds_of) {
    if (of != name) return;
    const ZoneBounds bounds = bounds_of();
    if (bounds.least.type() == EdmType::kString) return;
    const auto bytes_of = [&](const Value* value) {
      std::string bytes;
      AppendOrderValue(value, descends, bytes);
      return bytes;
    };
    const bool has_all = name == "Timestamp";
    const std::string least = bytes_of(&bounds.least);
    const std::string greatest = bytes_of(&bounds.greatest);
    const std::string& first = descends ? greatest : least;
    const std::string& last = descends ? least : greatest;
    const std::string missing = bytes_of(nullptr);
    may_have = (!IsTooLate(first) || (!has_all && !IsTooLate(missing))) &&
               (!IsTooEarly(last) || (!has_all && !IsTooEarly(missing)));
  });
  return may_have;
}

}  // namespace entitable
