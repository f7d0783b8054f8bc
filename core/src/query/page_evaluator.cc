#include "query/page_evaluator.h"

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <utility>

#include "base/bits.h"
#include "query/column_matcher.h"
#include "query/compare_op.h"
#include "query/evaluator.h"
#include "query/pruning.h"

namespace entitable {
namespace {

using Words = std::span<std::uint64_t>;

constexpr std::uint64_t kAll = ~std::uint64_t{0};

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

// A condition that is tested on a column.
class Question {
 public:
  Question(const Conditions& conditions, const Condition& leaf)
      : leaf_(leaf),
        set_(leaf.kind == ConditionKind::kAmong ? &conditions.SetOf(leaf)
                                                : nullptr) {}

  CompareOp op() const { return leaf_.op; }
  const Value& literal() const { return leaf_.literal; }
  const LiteralSet* set() const { return set_; }

  bool IsTrueOf(const Value& value) const {
    if (set_ != nullptr) {
      return set_->Has(value) == (leaf_.op == CompareOp::kEqual);
    }
    return leaf_.by_value ? CompareByValue(leaf_.op, value, leaf_.literal)
                          : Compare(leaf_.op, value, leaf_.literal);
  }

  // Whether the values of a column are compared by value in a way that loops
  // over columns cannot.
  bool NeedsEach(EdmType column) const {
    return leaf_.by_value && set_ == nullptr &&
           !IsComparedExactly(column, leaf_.literal);
  }

  std::uint64_t parts_per_value() const {
    return set_ == nullptr ? kPartsPerValue : kPartsPerSetSearch;
  }

 private:
  const Condition& leaf_;
  const LiteralSet* set_;
};

void MatchBooleans(const Question& asked, const Column& column, Words values) {
  const bool of_true = asked.IsTrueOf(Value::Boolean(true));
  const bool of_false = asked.IsTrueOf(Value::Boolean(false));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t word = WordAt(column.numbers.data, i);
    values[i] = Choose(of_true, word) | Choose(of_false, ~word);
  }
}

// Tests each value with the comparison of the row evaluator.
void MatchEach(const Question& asked, const Column& column, Words values,
               WorkBudget& work) {
  work.SpendParts(column.value_count * asked.parts_per_value());
  Fill(values, false);
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < column.value_count; ++i) {
    const Value value = column.ValueAt(i);
    const std::uint64_t truth = asked.IsTrueOf(value);
    values[i / kWordBits] |= truth << i % kWordBits;
    bytes += value.byte_count();
  }
  work.SpendParts(bytes * kPartsPerTextByte);
}

// Whether each value equals the literal, for texts and bytes.  Most others have
// another length, which is compared first.
void MatchTexts(const Question& asked, const Column& column, Words values,
                WorkBudget& work) {
  work.SpendParts(column.value_count * kPartsPerValue);
  const Value& literal = asked.literal();
  const std::string_view text =
      literal.type() == EdmType::kString ? literal.string() : literal.binary();
  Fill(values, false);
  std::size_t compared = 0;
  for (std::size_t i = 0; i < column.value_count; ++i) {
    const std::string_view value = column.EntryTextAt(i);
    compared += value.size() == text.size() ? 1 : 0;
    const std::uint64_t truth = value == text;
    values[i / kWordBits] |= truth << i % kWordBits;
  }
  work.SpendParts(compared * text.size() * kPartsPerTextByte);
  if (IsInverted(asked.op())) Invert(values);
}

// Tests each entry once.  Then searches the values for the matching entries or
// for the others, whichever are fewer.
void MatchDictionary(const Question& asked, const Column& column, Words values,
                     WorkBudget& work) {
  work.SpendParts(column.entry_count * asked.parts_per_value());
  std::array<std::array<std::uint8_t, 256>, 2> entries;
  std::array<std::size_t, 2> counts{};
  for (std::size_t k = 0; k < column.entry_count; ++k) {
    const Value entry = column.EntryAt(k);
    work.SpendParts(entry.byte_count() * kPartsPerTextByte);
    const bool truth = asked.IsTrueOf(entry);
    entries[truth][counts[truth]++] = static_cast<std::uint8_t>(k);
  }
  const bool fewer = counts[true] <= counts[false];
  if (counts[fewer] == 0) return Fill(values, !fewer);
  MatchEntries(column, {entries[fewer].data(), counts[fewer]}, values);
  if (!fewer) Invert(values);
}

void MatchNumbers(CompareOp op, const Value& literal, const Column& column,
                  Words values) {
  if (column.form == ColumnForm::kIntegers) {
    MatchIntegers(column, IntegersFor(op, IntegerOf(literal)), values);
  } else {
    MatchDoubles(column, DoublesFor(op, DoubleOf(literal)), values);
  }
  if (IsInverted(op)) Invert(values);
}

// This many loops over a packed column take as long as one lookup per value.
constexpr std::size_t kMaxLoops = kPartsPerSetSearch / kPartsPerPackedValue;

// The literals, in their order, that lie in the range of the column's integers.
std::span<const Value> Within(const Column& column,
                              std::span<const Value> literals) {
  if (column.form != ColumnForm::kIntegers) return literals;
  const auto from = [&](const auto& is_before) {
    return std::partition_point(
        literals.begin(), literals.end(),
        [&](const Value& literal) { return is_before(IntegerOf(literal)); });
  };
  const auto steps = [&column](std::int64_t number) {
    return static_cast<std::uint64_t>(number) -
           static_cast<std::uint64_t>(column.base);
  };
  const std::uint64_t most = GreatestOf(column.numbers.width);
  return {from([&](std::int64_t number) { return number < column.base; }),
          from([&](std::int64_t number) {
            return number < column.base || steps(number) <= most;
          })};
}

// Runs one loop per literal; if there are many literals, looks up each value
// instead.
void MatchNumbersAmong(const Question& asked, const Column& column,
                       Words values, Words room, WorkBudget& work) {
  std::size_t count = 0;
  for (const EdmType type : ComparableWith(column.type)) {
    count += Within(column, asked.set()->Of(type)).size();
  }
  if (count > kMaxLoops) return MatchEach(asked, column, values, work);
  work.SpendParts(count * column.value_count * kPartsPerPackedValue);
  Fill(values, false);
  for (const EdmType type : ComparableWith(column.type)) {
    for (const Value& literal : Within(column, asked.set()->Of(type))) {
      MatchNumbers(CompareOp::kEqual, literal, column, room);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] |= room[i];
    }
  }
  if (IsInverted(asked.op())) Invert(values);
}

// Whether a value of the column can be equal to a literal.
bool HasComparable(const Question& asked, const Column& column) {
  if (asked.set() == nullptr) {
    return IsComparable(column.type, asked.literal().type());
  }
  return std::ranges::any_of(ComparableWith(column.type), [&](EdmType type) {
    return !asked.set()->Of(type).empty();
  });
}

// Values of a type that is not comparable count as less.
bool HoldsOfOthers(const Question& asked) {
  return asked.set() == nullptr ? Holds(asked.op(), std::partial_ordering::less)
                                : IsInverted(asked.op());
}

void MatchColumn(const Question& asked, const Column& column, Words values,
                 Words room, WorkBudget& work) {
  if (asked.NeedsEach(column.type)) {
    const bool have_order = HaveOrder(column.type, asked.literal().type());
    return have_order ? MatchEach(asked, column, values, work)
                      : Fill(values, false);
  }
  if (!HasComparable(asked, column)) return Fill(values, HoldsOfOthers(asked));
  switch (column.form) {
    case ColumnForm::kIntegers:
    case ColumnForm::kDoubles:
      if (asked.set() != nullptr) {
        return MatchNumbersAmong(asked, column, values, room, work);
      }
      work.SpendParts(column.value_count * kPartsPerPackedValue);
      return MatchNumbers(asked.op(), asked.literal(), column, values);
    case ColumnForm::kBits:
      return MatchBooleans(asked, column, values);
    case ColumnForm::kDictionary:
      return MatchDictionary(asked, column, values, work);
    case ColumnForm::kTexts:
      if (asked.set() == nullptr &&
          (asked.op() == CompareOp::kEqual || IsInverted(asked.op()))) {
        return MatchTexts(asked, column, values, work);
      }
      [[fallthrough]];
    default:
      return MatchEach(asked, column, values, work);
  }
}

// Combines the result into the rows: each row with a value gets the bit of that
// value.
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

PageEvaluator::PageEvaluator(const Filter& filter)
    : conditions_(filter),
      partition_key_(conditions_.names().Find("PartitionKey")),
      row_key_(conditions_.names().Find("RowKey")) {}

PageMatch PageEvaluator::MatchZoneMap(const PropertyList& zone_map,
                                      WorkBudget& work) {
  work.SpendParts(kPartsPerUnit + zone_map.count() * kPartsPerProperty +
                  conditions_.nodes().size() * kPartsPerCondition);
  return PruneByZoneMap(conditions_, zone_map);
}

bool PageEvaluator::MatchRow(const PropertySource& row, WorkBudget& work) {
  values_.assign(conditions_.names().size(), std::nullopt);
  const std::size_t passed = row.FindAll(conditions_.names(), values_);
  work.SpendParts(kPartsPerUnit + passed * kPartsPerProperty);
  return Matches(conditions_, values_, work);
}

std::optional<std::span<const std::uint64_t>> PageEvaluator::MatchPage(
    const ColumnSource& page, WorkBudget& work) {
  FindColumns(page.columns(), work);
  if (!is_in_progress_ || identity_ != page.identity()) Begin(page);
  const std::vector<Condition>& nodes = conditions_.nodes();
  while (next_ < nodes.size()) {
    const Condition& node = nodes[next_];
    if (!Evaluate(node, page, work)) return std::nullopt;
    ++next_;
    if (IsDecided(node)) break;
    if (work.is_spent() && next_ < nodes.size()) return std::nullopt;
  }
  is_in_progress_ = false;
  const Words rows = At(0);
  if (page.live_rows() != nullptr) {
    for (std::size_t i = 0; i < word_count_; ++i) {
      rows[i] &= WordAt(page.live_rows(), i);
    }
  }
  const std::size_t last = page.row_count() % kWordBits;
  if (last != 0) rows.back() &= LowBits(last);
  return rows;
}

void PageEvaluator::Begin(const ColumnSource& page) {
  identity_ = page.identity();
  is_in_progress_ = true;
  next_ = depth_ = 0;
  tests_.Restart();
  word_count_ = WordCount(page.row_count());
  words_.resize((conditions_.max_depth() + 2) * word_count_);
}

// Done for every page: a page that was fetched again may have moved in memory.
void PageEvaluator::FindColumns(std::span<const Column> columns,
                                WorkBudget& work) {
  work.SpendParts(columns.size() * kPartsPerProperty);
  first_columns_.assign(conditions_.names().size(), KeyTable::kNone);
  next_columns_.assign(columns.size(), KeyTable::kNone);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::size_t property = conditions_.names().Find(columns[i].name);
    if (property == KeyTable::kNone) continue;
    next_columns_[i] = std::exchange(first_columns_[property], i);
  }
}

// Whether the answer is known, so that the other conditions do not matter.
bool PageEvaluator::IsDecided(const Condition& node) {
  return depth_ == 1 && node.on_false == Conditions::kNoMatch && HasNone(At(0));
}

// Returns false if the budget is spent within the node.
bool PageEvaluator::Evaluate(const Condition& node, const ColumnSource& page,
                             WorkBudget& work) {
  work.SpendParts(kPartsPerColumnCondition);
  if (node.kind == ConditionKind::kTest) {
    const Words rows = At(depth_);
    if (!tests_.is_paused()) Fill(rows, false);
    const Expression test = conditions_.TestOf(node);
    if (!tests_.Match(test, conditions_.names(), page, rows, work)) {
      return false;
    }
    ++depth_;
  } else if (node.is_leaf()) {
    MatchLeaf(node, page, At(depth_++), work);
  } else if (node.kind == ConditionKind::kNot) {
    Invert(At(depth_ - 1));
  } else {
    const Words right = At(--depth_);
    const Words left = At(depth_ - 1);
    const bool is_and = node.kind == ConditionKind::kAnd;
    for (std::size_t i = 0; i < word_count_; ++i) {
      left[i] = is_and ? left[i] & right[i] : left[i] | right[i];
    }
  }
  return true;
}

void PageEvaluator::MatchLeaf(const Condition& leaf, const ColumnSource& page,
                              Words rows, WorkBudget& work) {
  if (leaf.kind == ConditionKind::kConstant) {
    return Fill(rows, leaf.literal.boolean());
  }
  if (leaf.property == partition_key_) {
    return MatchKeys(leaf, KeyPart::kPartitionKey, page, rows, work);
  }
  if (leaf.property == row_key_) {
    return MatchKeys(leaf, KeyPart::kRowKey, page, rows, work);
  }
  Fill(rows, false);
  const Question asked(conditions_, leaf);
  for (std::size_t i = first_columns_[leaf.property]; i != KeyTable::kNone;
       i = next_columns_[i]) {
    const Column& column = page.columns()[i];
    const std::size_t words = WordCount(column.value_count);
    const Words values = At(conditions_.max_depth()).first(words);
    const Words room = At(conditions_.max_depth() + 1).first(words);
    MatchColumn(asked, column, values, room, work);
    AddRows(column, values, rows);
  }
}

// Every row has both keys, and they are Strings.
void PageEvaluator::MatchKeys(const Condition& leaf, KeyPart part,
                              const ColumnSource& page, Words rows,
                              WorkBudget& work) {
  Fill(rows, false);
  if (leaf.kind == ConditionKind::kAmong) {
    page.FindKeys(part, conditions_.SetOf(leaf).Of(EdmType::kString), rows,
                  work);
    if (IsInverted(leaf.op)) Invert(rows);
    return;
  }
  const auto holds = [&](std::partial_ordering order) {
    return Holds(leaf.op, order);
  };
  if (leaf.literal.type() != EdmType::kString) {
    return Fill(rows, !leaf.by_value && holds(std::partial_ordering::less));
  }
  const Words equal = At(conditions_.max_depth());
  Fill(equal, false);
  page.CompareKeys(part, leaf.literal.string(), rows, equal, work);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint64_t below = rows[i];
    rows[i] =
        Choose(holds(std::partial_ordering::less), below) |
        Choose(holds(std::partial_ordering::equivalent), equal[i]) |
        Choose(holds(std::partial_ordering::greater), ~(below | equal[i]));
  }
}

}  // namespace entitable
