// number_filter.h - a filter of the entities of sample_runs.h, by their number.

#ifndef ENTITABLE_TESTS_SUPPORT_NUMBER_FILTER_H_
#define ENTITABLE_TESTS_SUPPORT_NUMBER_FILTER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/bits.h"
#include "model/row_filter.h"

namespace entitable {

// Matches numbers from `least` to `most`.
//
// As hard for the store as a filter may be.  Outside of the rows that it is
// asked about, it sets all bits of a page.  If the work budget is spent, it
// begins a page in one call and ends it in the next, and it forgets the page if
// another one comes between the two.
class NumberFilter final : public RowFilter {
 public:
  NumberFilter(std::int32_t least, std::int32_t most)
      : least_(least), most_(most) {}

  bool Matches(std::int32_t number) const {
    return least_ <= number && number <= most_;
  }

  PageMatch MatchZoneMap(const PropertyList& zone_map,
                         WorkBudget& work) override {
    work.SpendParts(kPartsPerCondition);
    PageMatch match = PageMatch::kSome;
    ForEachZoneBounds(zone_map, [&](std::string_view name, auto bounds_of) {
      if (name != "N") return;
      const ZoneBounds bounds = bounds_of();
      const std::int32_t least = bounds.least.int32();
      const std::int32_t greatest = bounds.greatest.int32();
      if (greatest < least_ || most_ < least) match = PageMatch::kNone;
      if (Matches(least) && Matches(greatest)) match = PageMatch::kAll;
    });
    return match;
  }

  std::optional<std::span<const std::uint64_t>> MatchPage(
      const ColumnSource& page, WorkBudget& work) override {
    const ColumnSource::Identity identity = page.identity();
    if (begun_ != identity) {
      begun_ = identity;
      work.Spend(1);
      if (work.is_spent()) return std::nullopt;
    }
    begun_.reset();
    words_.assign(WordCount(page.row_count()), 0);
    for (std::size_t row = 0; row < page.row_count(); ++row) {
      const bool is_asked = identity.begin <= row && row < identity.end;
      if (!is_asked || MatchesRow(page, row)) {
        words_[row / kWordBits] |= std::uint64_t{1} << row % kWordBits;
      }
    }
    return words_;
  }

  bool MatchRow(const PropertySource& row, WorkBudget& work) override {
    work.Spend(1);
    KeyTable names;
    names.FindOrAdd("N");
    std::optional<Value> value;
    row.FindAll(names, {&value, 1});
    return value && Matches(value->int32());
  }

 private:
  bool MatchesRow(const ColumnSource& page, std::size_t row) const {
    if (page.live_rows() != nullptr && !BitAt(page.live_rows(), row)) {
      return false;
    }
    for (const Column& column : page.columns()) {
      if (column.name == "N" && column.Has(row)) {
        return Matches(column.ValueAt(column.IndexOf(row)).int32());
      }
    }
    return false;
  }

  std::int32_t least_;
  std::int32_t most_;
  std::optional<ColumnSource::Identity> begun_;
  std::vector<std::uint64_t> words_;
};

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_NUMBER_FILTER_H_
