// The engine's reading of filters against a second one, on random filters and
// entities.  ENTITABLE_FILTER_PAIRS: how many pairs, by default 20,000.

#include "support/random_filter.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "query/parser.h"
#include "query/planner.h"
#include "support/fake_properties.h"
#include "support/matches.h"
#include "support/naive_filter.h"
#include "support/random.h"
#include "support/random_extended_filter.h"

namespace entitable {
namespace {

constexpr std::size_t kEntitiesPerFilter = 4;

std::size_t WantedPairs() {
  return WantedRuns("ENTITABLE_FILTER_PAIRS", 20'000);
}

// The engine's view of a value; the text must outlive it.
Value EngineValue(const naive::Value& value) {
  using Type = naive::Value::Type;
  switch (value.type) {
    case Type::kString:
      return Value::String(value.text);
    case Type::kInt32:
      return Value::Int32(static_cast<std::int32_t>(value.integer));
    case Type::kInt64:
      return Value::Int64(value.integer);
    case Type::kDouble:
      return Value::Double(value.real);
    case Type::kBoolean:
      return Value::Boolean(value.integer != 0);
    case Type::kDateTime:
      return Value::OfDateTime({kMinDateTime.ticks + value.integer});
    case Type::kGuid:
      return Value::OfGuid(*Guid::Parse(value.text));
    case Type::kBinary:
      break;
  }
  return Value::Binary(value.text);
}

FakeProperties EngineEntity(const naive::Entity& entity) {
  FakeProperties::Map values;
  for (const auto& [name, value] : entity) {
    values.emplace(name, EngineValue(value));
  }
  return FakeProperties(std::move(values));
}

// Less than zero when the key of the entity lies before the bound.
int CompareToBound(const naive::Entity& entity, const KeyBound& bound) {
  const int partition = naive::CompareOrdinal(entity.at("PartitionKey").text,
                                              bound.key.partition_key);
  if (partition != 0) return partition;
  const int row =
      naive::CompareOrdinal(entity.at("RowKey").text, bound.key.row_key);
  if (row != 0) return row;
  return bound.after ? -1 : 1;
}

bool IsIn(const naive::Entity& entity, const std::vector<KeyRange>& ranges) {
  for (const KeyRange& range : ranges) {
    if (range.lower && CompareToBound(entity, *range.lower) < 0) continue;
    if (range.upper && CompareToBound(entity, *range.upper) > 0) continue;
    return true;
  }
  return false;
}

naive::Status StatusOf(const Result<Filter>& filter) {
  return filter ? naive::Status::kOk
                : static_cast<naive::Status>(HttpStatus(filter.error().code));
}

struct Tally {
  std::size_t pairs = 0;
  std::size_t matches = 0;
  std::size_t refused = 0;
};

void Compare(const std::string& text, RandomFilters& random, Tally& tally) {
  SCOPED_TRACE("filter: " + text);
  const naive::Filter expected(text);
  const auto filter = ParseFilter(text);
  ASSERT_EQ(StatusOf(filter), expected.status())
      << (filter ? filter->ToString() : filter.error().message);
  tally.refused += !filter;
  ASSERT_TRUE(!filter ||
              ParseFilter(text, FilterDialect::kExtended).has_value());
  const auto ranges = filter ? PlanRanges(*filter) : std::vector<KeyRange>();
  for (std::size_t i = 0; i < kEntitiesPerFilter; ++i) {
    const naive::Entity entity = random.NextEntity();
    ++tally.pairs;
    if (!filter) continue;
    const bool is_match = expected.IsTrueOf(entity);
    tally.matches += is_match;
    ASSERT_EQ(Matches(*filter, EngineEntity(entity)), is_match)
        << filter->ToString() << "\nof " << ToString(entity);
    if (is_match) {
      ASSERT_TRUE(IsIn(entity, ranges))
          << ToString(ranges) << "\nof " << ToString(entity);
    }
  }
}

TEST(RandomFilterTest, MeansWhatASecondReaderOfTheSpecSays) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  RandomFilters random(TestSeed());
  const std::size_t wanted = WantedPairs();
  Tally tally;
  while (tally.pairs < wanted && !HasFatalFailure()) {
    Compare(random.NextFilter(), random, tally);
  }
  RecordProperty("pairs", static_cast<int>(tally.pairs));
  // Else the filters are such that comparing says little.
  EXPECT_GT(tally.matches, tally.pairs / 10);
  EXPECT_LT(tally.matches, tally.pairs * 8 / 10);
  EXPECT_GT(tally.refused, tally.pairs / kEntitiesPerFilter / 100);
}

TEST(RandomFilterTest, MeansWhatItsTreeSaysInTheExtendedDialect) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  RandomExtendedFilters random(TestSeed());
  const std::size_t wanted = WantedPairs();
  std::size_t matches = 0;
  for (std::size_t pairs = 0; pairs < wanted; pairs += kEntitiesPerFilter) {
    const ExtendedFilter expected = random.Next();
    SCOPED_TRACE("filter: " + expected.text);
    const auto filter = ParseFilter(expected.text, FilterDialect::kExtended);
    ASSERT_TRUE(filter.has_value()) << filter.error().message;
    const auto ranges = PlanRanges(*filter);
    for (std::size_t i = 0; i < kEntitiesPerFilter; ++i) {
      const naive::Entity entity = random.NextEntity();
      const bool is_match = expected.is_true_of(entity);
      matches += is_match;
      ASSERT_EQ(Matches(*filter, EngineEntity(entity)), is_match)
          << filter->ToString() << "\nof " << ToString(entity);
      ASSERT_TRUE(!is_match || IsIn(entity, ranges)) << ToString(ranges);
    }
  }
  EXPECT_GT(matches, wanted / 10);
  EXPECT_LT(matches, wanted * 8 / 10);
}

// The grammar reads `not and B` in two ways, for any word may be a property.
bool IsAmbiguous(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  for (std::size_t at = text.find("not"); at != std::string_view::npos;
       at = text.find("not", at + 1)) {
    const std::size_t next = text.find_first_not_of(kBlanks, at + 3);
    if (next == std::string_view::npos) continue;
    const std::string_view rest = text.substr(next);
    for (const std::string_view word :
         {"and", "or", "eq", "ne", "gt", "ge", "lt", "le"}) {
      if (rest.starts_with(word)) return true;
    }
  }
  return false;
}

// Why a damaged filter is refused is a matter of taste; that it is, is not.
TEST(RandomFilterTest, IsReadOrRefusedAsASecondReaderDoes) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  RandomFilters random(TestSeed() + 1);
  const std::size_t wanted = WantedPairs() / kEntitiesPerFilter;
  Tally tally;
  for (std::size_t i = 0; i < wanted && !HasFailure(); ++i) {
    const std::string text = random.Damaged(random.NextFilter());
    if (IsAmbiguous(text)) continue;
    const bool is_read = ParseFilter(text).has_value();
    const bool is_expected = naive::Filter(text).status() == naive::Status::kOk;
    EXPECT_EQ(is_read, is_expected) << text;
    if (is_read && is_expected) Compare(text, random, tally);
  }
}

}  // namespace
}  // namespace entitable
