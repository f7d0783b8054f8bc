#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "read/groups/groups_query.h"
#include "support/random.h"

namespace entitable {
namespace {

using Numbers = std::vector<std::uint32_t>;

Numbers ListOf(std::span<const std::uint32_t> numbers) {
  return {numbers.begin(), numbers.end()};
}

TEST(ColumnValuesTest, FindsEveryRowOfAColumnWithoutGaps) {
  ColumnValues values;
  const Numbers rows = {0, 3, 64, 65};
  values.Find(Column(), rows);
  EXPECT_EQ(ListOf(values.values()), rows);
  EXPECT_EQ(ListOf(values.places()), (Numbers{0, 1, 2, 3}));
}

TEST(ColumnValuesTest, FindsTheRowsThatHaveAValue) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  std::mt19937_64 random(TestSeed());
  ColumnValues values;
  for (int turn = 0; turn < 50; ++turn) {
    const std::size_t count = 1 + random() % 300;
    std::vector<std::uint64_t> words(WordCount(count));
    for (std::uint64_t& word : words) word = random() | random();
    Column column;
    column.presence = {reinterpret_cast<const char*>(words.data()),
                       static_cast<std::uint32_t>(words.size()), 8};
    Numbers rows;
    Numbers expected_places;
    Numbers expected_values;
    for (std::uint32_t row = 0; row < count; ++row) {
      if (random() % 3 == 0) continue;
      if (column.Has(row)) {
        expected_places.push_back(static_cast<std::uint32_t>(rows.size()));
        expected_values.push_back(
            static_cast<std::uint32_t>(column.IndexOf(row)));
      }
      rows.push_back(row);
    }
    values.Find(column, rows);
    EXPECT_EQ(ListOf(values.places()), expected_places);
    EXPECT_EQ(ListOf(values.values()), expected_values);
  }
}

}  // namespace
}  // namespace entitable
