#include "query/page_evaluator.h"

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <string_view>

#include "base/bits.h"
#include "query/column_matcher.h"
#include "query/forecast.h"
#include "query/value_range.h"

namespace entitable {
namespace {

using Words = std::span<std::uint64_t>;

constexpr std::uint64_t kAll = ~std::uint64_t{0};

bool IsLeaf(const FilterNode& node) { return node.kind < FilterNodeKind::kNot; }

bool IsJoin(const FilterNode& node) { return node.kind > FilterNodeKind::kNot; }

void Invert(Words words) {
  for (std::uint64_t& word : words) word = ~word;
}

void Fill(Words words, bool truth) {
  std::ranges::fill(words, truth ? kAll : 0);
}

bool HasNone(std::span<const std::uint64_t> words) {
  std::uint64_t any = 0;
  for (const std::uint64_t word : words) any |= word;
  return any == 0;
}

std::uint64_t Choose(bool truth, std::uint64_t words) {
  return truth ? words : 0;
}

void MatchBooleans(const Comparison& asked, const Column& column,
                   Words values) {
  const bool of_true = Compare(asked.op, Value::Boolean(true), asked.literal);
  const bool of_false = Compare(asked.op, Value::Boolean(false), asked.literal);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t word = WordAt(column.numbers.data, i);
    values[i] = Choose(of_true, word) | Choose(of_false, ~word);
  }
}

// One value after the other, by the row evaluator's own comparison.
void MatchEach(const Comparison& asked, const Column& column, Words values) {
  Fill(values, false);
  for (std::size_t i = 0; i < column.value_count; ++i) {
    const std::uint64_t truth =
        Compare(asked.op, column.ValueAt(i), asked.literal);
    values[i / kWordBits] |= truth << i % kWordBits;
  }
}

// Each entry once; then the fewer of those that match and those that do not are
// looked for.
void MatchDictionary(const Comparison& asked, const Column& column,
                     Words values) {
  std::array<std::array<std::uint8_t, 256>, 2> entries;
  std::array<std::size_t, 2> counts{};
  for (std::size_t k = 0; k < column.entry_count; ++k) {
    const bool truth = Compare(asked.op, column.EntryAt(k), asked.literal);
    entries[truth][counts[truth]++] = static_cast<std::uint8_t>(k);
  }
  const bool fewer = counts[true] <= counts[false];
  if (counts[fewer] == 0) return Fill(values, !fewer);
  MatchEntries(column, {entries[fewer].data(), counts[fewer]}, values);
  if (!fewer) Invert(values);
}

void MatchNumbers(const Comparison& asked, const Column& column, Words values) {
  if (column.form == ColumnForm::kIntegers) {
    MatchIntegers(column, IntegersFor(asked.op, IntegerOf(asked.literal)),
                  values);
  } else {
    MatchDoubles(column, DoublesFor(asked.op, DoubleOf(asked.literal)), values);
  }
  if (IsInverted(asked.op)) Invert(values);
}

void MatchColumn(const Comparison& asked, const Column& column, Words values) {
  if (!IsComparable(column.type, asked.literal.type())) {
    return Fill(values, Holds(asked.op, std::partial_ordering::less));
  }
  switch (column.form) {
    case ColumnForm::kIntegers:
    case ColumnForm::kDoubles:
      return MatchNumbers(asked, column, values);
    case ColumnForm::kBits:
      return MatchBooleans(asked, column, values);
    case ColumnForm::kDictionary:
      return MatchDictionary(asked, column, values);
    default:
      return MatchEach(asked, column, values);
  }
}

// Gives each row that has a value the bit of its value, and adds them up.
void AddRows(const Column& column, Words values, Words rows) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (column.presence.data == nullptr) {
      rows[i] |= values[i];
      continue;
    }
    for (std::uint64_t left = WordAt(column.presence.data, i); left != 0;
         left &= left - 1, ++next) {
      const std::uint64_t truth = values[next / kWordBits] >> next % kWordBits;
      rows[i] |= (truth & 1) << std::countr_zero(left);
    }
  }
}

}  // namespace

PageEvaluator::PageEvaluator(const Filter& filter) : filter_(filter) {
  std::size_t depth = 0;
  for (const FilterNode& node : filter.nodes()) {
    if (IsLeaf(node)) max_depth_ = std::max(max_depth_, ++depth);
    if (IsJoin(node)) --depth;
  }
}

PageEvaluator::Words PageEvaluator::At(std::size_t depth) {
  return Words(words_).subspan(depth * word_count_, word_count_);
}

Forecast PageEvaluator::Foresee(const PropertyList& zones, WorkBudget& work) {
  work.Spend(1 + filter_.nodes().size() / kConditionsPerUnit);
  return ForecastOf(filter_, zones);
}

bool PageEvaluator::MatchRow(const PropertySource& row, WorkBudget& work) {
  work.Spend(1 + filter_.nodes().size() / kConditionsPerUnit);
  return Matches(filter_, row);
}

std::optional<std::span<const std::uint64_t>> PageEvaluator::MatchPage(
    const ColumnSource& page, WorkBudget& work) {
  work.Spend(1 +
             page.row_count() / kPackedValuesPerUnit * filter_.nodes().size());
  const std::size_t row_count = page.row_count();
  word_count_ = WordCount(row_count);
  words_.resize((max_depth_ + 1) * word_count_);
  std::size_t depth = 0;
  for (const FilterNode& node : filter_.nodes()) {
    if (IsLeaf(node)) {
      MatchLeaf(node, page, At(depth++));
    } else if (node.kind == FilterNodeKind::kNot) {
      Invert(At(depth - 1));
    } else {
      const Words right = At(--depth);
      const Words left = At(depth - 1);
      const bool is_and = node.kind == FilterNodeKind::kAnd;
      for (std::size_t i = 0; i < word_count_; ++i) {
        left[i] = is_and ? left[i] & right[i] : left[i] | right[i];
      }
    }
    // No other condition can matter.
    const bool is_decisive = depth == 1 && node.on_false == Filter::kNoMatch;
    if (is_decisive && HasNone(At(0))) break;
  }
  const Words rows = At(0);
  if (page.live_rows() != nullptr) {
    for (std::size_t i = 0; i < word_count_; ++i) {
      rows[i] &= WordAt(page.live_rows(), i);
    }
  }
  if (row_count % kWordBits != 0) rows.back() &= LowBits(row_count % kWordBits);
  return rows;
}

void PageEvaluator::MatchLeaf(const FilterNode& leaf, const ColumnSource& page,
                              Words rows) {
  if (leaf.kind == FilterNodeKind::kConstant) {
    return Fill(rows, leaf.literal.boolean());
  }
  const Comparison asked = ComparisonOf(leaf);
  if (leaf.name == "PartitionKey" || leaf.name == "RowKey") {
    const KeyPart part =
        leaf.name == "RowKey" ? KeyPart::kRowKey : KeyPart::kPartitionKey;
    return MatchKeys(asked, part, page, rows);
  }
  Fill(rows, false);
  for (const Column& column : page.columns()) {
    if (column.name != leaf.name) continue;
    const Words values = At(max_depth_).first(WordCount(column.value_count));
    MatchColumn(asked, column, values);
    AddRows(column, values, rows);
  }
}

void PageEvaluator::MatchKeys(const Comparison& asked, KeyPart part,
                              const ColumnSource& page, Words rows) {
  const auto holds = [&](std::partial_ordering order) {
    return Holds(asked.op, order);
  };
  if (asked.literal.type() != EdmType::kString) {
    return Fill(rows, holds(std::partial_ordering::less));
  }
  const Words equal = At(max_depth_);
  Fill(equal, false);
  Fill(rows, false);
  page.CompareKeys(part, asked.literal.string(), rows, equal);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint64_t below = rows[i];
    rows[i] =
        Choose(holds(std::partial_ordering::less), below) |
        Choose(holds(std::partial_ordering::equivalent), equal[i]) |
        Choose(holds(std::partial_ordering::greater), ~(below | equal[i]));
  }
}

}  // namespace entitable
