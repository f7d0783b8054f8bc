// The column evaluator against the row evaluator, on random pages and filters.

#include "query/page_evaluator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/bits.h"
#include "query/evaluator.h"
#include "query/literal.h"
#include "query/parser.h"
#include "store/leaf_page.h"
#include "store/leaf_rows.h"
#include "store/sort_key.h"
#include "support/matches.h"
#include "support/naive_rows.h"
#include "support/random.h"
#include "support/random_extended_filter.h"
#include "support/random_filter.h"
#include "support/random_rows.h"

namespace entitable {
namespace {

// A page and the entities it was made of.
struct Sample {
  LeafPage page;
  std::vector<Row> rows;
};

Sample SampleOf(std::vector<Row> rows) {
  auto page = LeafPage::Decode(PagesOf(rows).front());
  rows.resize(page->row_count());
  return {*std::move(page), std::move(rows)};
}

bool IsMatch(const Filter& filter, const Row& row) {
  if (!row.entity) return false;
  const auto key = ParseSortKey(row.sort_key);
  return Matches(filter, EntityRow(key->key.view(), *row.entity));
}

// Some of the rows of one table, as a scan asks for them.
struct Slice {
  std::size_t begin;
  std::size_t end;
};

Slice SliceOf(const Sample& sample, RandomRows& random) {
  const auto table = [&](std::size_t row) {
    return ParseSortKey(sample.rows[row].sort_key)->table;
  };
  const std::size_t middle = random.Below(sample.rows.size());
  const auto is_in = [&](std::size_t row) {
    return table(row) == table(middle) && random.Below(200) > 0;
  };
  Slice slice{middle, middle + 1};
  while (slice.begin > 0 && is_in(slice.begin - 1)) --slice.begin;
  while (slice.end < sample.rows.size() && is_in(slice.end)) ++slice.end;
  return slice;
}

// Returns how many rows match.
std::size_t Compare(const Filter& filter, const Sample& sample,
                    RandomRows& random) {
  PageEvaluator evaluator(filter);
  std::size_t matches = 0;
  // Twice, because an evaluator goes from page to page.
  for (int round = 0; round < 2; ++round) {
    const auto [begin, end] = SliceOf(sample, random);
    WorkBudget work;
    work.Refill(random.Below(2) == 0 ? 1 : 1'000'000);
    const LeafRows rows(sample.page, 1, begin, end);
    auto found = evaluator.MatchPage(rows, work);
    while (!found) found = evaluator.MatchPage(rows, work);
    const auto words = *found;
    EXPECT_EQ(words.size(), WordCount(sample.rows.size()));
    for (std::size_t i = sample.rows.size(); i < words.size() * kWordBits;
         ++i) {
      EXPECT_EQ(words[i / kWordBits] >> i % kWordBits & 1, 0U);
    }
    for (std::size_t i = begin; i < end; ++i) {
      const bool bit = (words[i / kWordBits] >> i % kWordBits & 1) != 0;
      const bool expected = IsMatch(filter, sample.rows[i]);
      matches += bit;
      EXPECT_EQ(bit, expected) << "row " << i << ": " << filter.ToString();
      if (bit != expected) return matches;
    }
  }
  return matches / 2;
}

// The leaves one by one, as the filter has them.
bool IsMatchLeafByLeaf(const Filter& filter, const Row& row) {
  const auto key = ParseSortKey(row.sort_key);
  const EntityRow properties(key->key.view(), *row.entity);
  std::vector<bool> answers;
  for (const FilterNode& node : filter.nodes()) {
    if (node.kind == FilterNodeKind::kCompare) {
      KeyTable names;
      names.FindOrAdd(node.name);
      std::optional<Value> value;
      properties.FindAll(names, {&value, 1});
      answers.push_back(value && Compare(node.op, *value, node.literal));
      continue;
    }
    const bool right = answers.back();
    answers.pop_back();
    answers.back() = node.kind == FilterNodeKind::kAnd
                         ? answers.back() && right
                         : answers.back() || right;
  }
  return answers.back();
}

void CompareSet(const Filter& filter, const Sample& sample,
                RandomRows& random) {
  Compare(filter, sample, random);
  for (int i = 0; i < 10; ++i) {
    const Row& row = sample.rows[random.Below(sample.rows.size())];
    if (!row.entity) continue;
    EXPECT_EQ(IsMatch(filter, row), IsMatchLeafByLeaf(filter, row))
        << filter.ToString();
  }
}

// ----------------------------------------------------- filters as users write

Sample NextSample(RandomFilters& filters, RandomRows& random) {
  std::map<std::string, Row> rows;
  const bool has_deleted = random.Below(2) == 0;
  for (std::size_t left = 1 + random.Below(300); left > 0; --left) {
    const naive::Entity entity = filters.NextEntity();
    Row row{MakeSortKey(1 + random.Below(2), KeyOf(entity)), EntityOf(entity)};
    if (has_deleted && random.Below(4) == 0) row.entity.reset();
    rows[row.sort_key] = std::move(row);
  }
  std::vector<Row> sorted;
  for (auto& [key, row] : rows) sorted.push_back(std::move(row));
  return SampleOf(std::move(sorted));
}

TEST(PageEvaluatorTest, SaysOfEachRowWhatTheRowEvaluatorSays) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  RandomFilters filters(TestSeed());
  RandomRows random(TestSeed());
  std::size_t matches = 0;
  std::size_t rows = 0;
  const std::size_t samples = WantedRuns("ENTITABLE_RANDOM_PAGES", 40);
  const auto has_seen_enough = [&] {
    return matches > rows / 40 && matches < rows * 8 / 10;
  };
  for (std::size_t i = 0;
       TriesAgain(i, samples, has_seen_enough()) && !HasFailure(); ++i) {
    const Sample sample = NextSample(filters, random);
    for (int k = 0; k < 50 && !HasFailure(); ++k) {
      const auto filter = ParseFilter(filters.NextFilter());
      if (!filter) continue;
      matches += Compare(*filter, sample, random);
      rows += sample.rows.size();
    }
  }
  EXPECT_TRUE(has_seen_enough()) << matches << " of " << rows << " match";
}

TEST(PageEvaluatorTest, AnswersAsRowsDoInTheExtendedDialect) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  RandomExtendedFilters filters(TestSeed());
  RandomRows random(TestSeed());
  std::size_t matches = 0;
  std::size_t rows = 0;
  const std::size_t samples = WantedRuns("ENTITABLE_RANDOM_PAGES", 20);
  const auto has_seen_enough = [&] {
    return matches > rows / 40 && matches < rows * 8 / 10;
  };
  for (std::size_t i = 0;
       TriesAgain(i, samples, has_seen_enough()) && !HasFailure(); ++i) {
    const Sample sample = NextSample(filters, random);
    for (int k = 0; k < 50 && !HasFailure(); ++k) {
      const auto filter =
          ParseFilter(filters.Next().text, FilterDialect::kExtended);
      ASSERT_TRUE(filter.has_value()) << filter.error().message;
      matches += Compare(*filter, sample, random);
      rows += sample.rows.size();
    }
  }
  EXPECT_TRUE(has_seen_enough()) << matches << " of " << rows << " match";
}

// --------------------------------------------- literals from among the values

struct Literal {
  std::string name;
  Value value;
};

// One of a row's values, or one beside it; the row must outlive it.
Literal NextLiteral(const std::vector<Row>& rows, RandomRows& random) {
  while (true) {
    const Row& row = rows[random.Below(rows.size())];
    if (!row.entity || row.entity->properties.count() == 0) continue;
    std::size_t left = random.Below(row.entity->properties.count());
    PropertyCursor cursor(row.entity->properties);
    auto property = cursor.Next();
    for (; left > 0; --left) property = cursor.Next();
    Value value = property->value;
    const auto step = static_cast<std::int64_t>(random.Below(3)) - 1;
    if (value.type() == EdmType::kInt32) {
      const std::int64_t near = value.int32() + step;
      value = random.Below(2) == 0
                  ? Value::Int64(near)
                  : Value::Int32(static_cast<std::int32_t>(near));
    } else if (value.type() == EdmType::kDouble && random.Below(2) == 0) {
      value = Value::Double(value.real() + static_cast<double>(step) / 2);
    }
    return {std::string(property->name), value};
  }
}

Filter NextComparison(const std::vector<Row>& rows, RandomRows& random) {
  const Literal literal = NextLiteral(rows, random);
  FixedStringBuffer text(literal.name.size());
  FilterNode node;
  node.kind = FilterNodeKind::kCompare;
  node.op = kCompareOps[random.Below(6)];
  node.name = text.Add(literal.name);
  node.literal = literal.value;
  node.by_value = random.Below(2) == 0;
  return Filter(std::move(text), {node});
}

TEST(PageEvaluatorTest, ComparesColumnsOfEveryForm) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  RandomRows random(TestSeed());
  const std::size_t samples = WantedRuns("ENTITABLE_FILTER_SAMPLES", 60);
  for (std::size_t i = 0; i < samples && !HasFailure(); ++i) {
    RowTraits traits = random.NextTraits();
    traits.names = 8 + traits.names % 8;
    traits.has_one_schema = traits.has_one_schema || i % 4 == 0;
    traits.deleted_percent %= 50;
    const Sample sample =
        SampleOf(random.Next(100 + random.Below(300), traits));
    bool has_value = false;
    for (const Row& row : sample.rows) {
      has_value =
          has_value || (row.entity && row.entity->properties.count() > 0);
    }
    if (!has_value) continue;
    for (int k = 0; k < 100 && !HasFailure(); ++k) {
      Compare(NextComparison(sample.rows, random), sample, random);
    }
  }
}

// An `or` of `eq`, or an `and` of `ne`, on one property, a key, or several.
std::string NextChain(const std::vector<Row>& rows, RandomRows& random) {
  const bool is_or = random.Below(2) == 0;
  const std::size_t count = 2 + random.Below(random.Below(4) == 0 ? 200 : 6);
  const bool has_one_name = random.Below(4) > 0;
  const std::size_t kind = random.Below(3);
  std::string first_name;
  std::string text;
  for (std::size_t i = 0; i < count;) {
    std::string name = "RowKey";
    std::string spelled;
    if (kind < 2) {
      const Row& row = rows[random.Below(rows.size())];
      const EntityKey key = ParseSortKey(row.sort_key)->key;
      if (kind == 1) name = "PartitionKey";
      AppendLiteral(Value::String(kind == 1 ? key.partition_key : key.row_key),
                    spelled);
    } else {
      const Literal literal = NextLiteral(rows, random);
      if (first_name.empty()) first_name = literal.name;
      name = has_one_name ? first_name : literal.name;
      AppendLiteral(literal.value, spelled);
    }
    if (text.size() + spelled.size() > 30'000) break;
    if (!text.empty()) text += is_or ? " or " : " and ";
    text += name + (is_or ? " eq " : " ne ") + spelled;
    ++i;
  }
  return text;
}

TEST(PageEvaluatorTest, FindsValuesAndKeysInSets) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  RandomRows random(TestSeed());
  std::size_t filters = 0;
  const std::size_t samples = WantedRuns("ENTITABLE_FILTER_SAMPLES", 60);
  for (std::size_t i = 0; i < samples && !HasFailure(); ++i) {
    RowTraits traits = random.NextTraits();
    traits.names = 1 + traits.names % 4;
    traits.deleted_percent %= 50;
    const Sample sample =
        SampleOf(random.Next(100 + random.Below(300), traits));
    bool has_value = false;
    for (const Row& row : sample.rows) {
      has_value =
          has_value || (row.entity && row.entity->properties.count() > 0);
    }
    if (!has_value) continue;
    for (int k = 0; k < 20 && !HasFailure(); ++k) {
      const std::string text = NextChain(sample.rows, random);
      const auto filter = ParseFilter(text);
      if (!filter) continue;
      ++filters;
      CompareSet(*filter, sample, random);
    }
  }
  EXPECT_GT(filters, 100U);
}

// However little work it may do at a time, and whatever it was asked between.
TEST(PageEvaluatorTest, GoesOnWithThePageThatItStoppedIn) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  RandomRows random(TestSeed());
  RowTraits traits = random.NextTraits();
  traits.names = 4;
  const Sample sample = SampleOf(random.Next(300, traits));
  const LeafRows rows(sample.page, 1, 0, sample.rows.size());
  std::string text = "RowKey lt '5'";
  for (int i = 0; i < 100; ++i) {
    text += " or RowKey gt '" + std::to_string(i) + "' and RowKey lt '" +
            std::to_string(i) + "5'";
  }
  const auto filter = ParseFilter(text);
  PageEvaluator evaluator(*filter);
  WorkBudget work;

  int slices = 1;
  std::uint64_t most = 0;
  while (true) {
    const std::uint64_t spent = work.spent();
    work.Refill(1'000);
    const auto found = evaluator.MatchPage(rows, work);
    most = std::max(most, work.spent() - spent);
    if (found) break;
    ++slices;
  }

  EXPECT_GT(slices, 2);
  EXPECT_LT(most, 3'000U);
}

TEST(PageEvaluatorTest, SelectsNoDeletion) {
  const Sample sample = SampleOf({{MakeSortKey(1, {"p", "a"}), {}},
                                  {MakeSortKey(1, {"p", "b"}), Entity{}}});
  for (const char* const text : {"", "true", "not N", "RowKey le 'b'"}) {
    const auto filter = ParseFilter(text);

    WorkBudget work;
    work.Refill(1000);
    EXPECT_EQ((*PageEvaluator(*filter).MatchPage(LeafRows(sample.page, 1, 0, 2),
                                                 work))[0],
              2U)
        << text;
  }
}

}  // namespace
}  // namespace entitable
