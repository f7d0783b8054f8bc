#include "read/groups/column_sums.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "support/random.h"

namespace entitable {
namespace {

__extension__ using Wide = __int128;

Wide NumberOf(const WideSum& sum) {
  return (Wide{sum.high} << 32) + static_cast<Wide>(sum.low);
}

// Bytes for a column of steps this wide, of which some are the greatest.
std::string StepsOf(std::uint8_t width, std::size_t count,
                    std::mt19937_64& random) {
  std::string bytes;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t step = random() % 4 == 0
                                   ? std::numeric_limits<std::uint64_t>::max()
                                   : random();
    bytes.append(reinterpret_cast<const char*>(&step), width);
  }
  return bytes;
}

TEST(ColumnSumsTest, AddsUpNumbersOfEachWidthExactly) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  std::mt19937_64 random(TestSeed());
  for (const int bytes : {0, 1, 2, 4, 8}) {
    const auto width = static_cast<std::uint8_t>(bytes);
    for (const std::int64_t base :
         {std::int64_t{0}, std::int64_t{-7}, INT64_MIN, INT64_MIN + 12'345,
          std::int64_t{1} << 40, INT64_MAX}) {
      const std::size_t count = random() % 300;
      const std::string steps = StepsOf(width, count, random);
      Column column;
      column.type = EdmType::kInt64;
      column.form = ColumnForm::kIntegers;
      column.base = base;
      column.value_count = static_cast<std::uint32_t>(count);
      column.numbers = {steps.data(), static_cast<std::uint32_t>(count), width};
      const std::size_t first = count == 0 ? 0 : random() % count;
      const std::size_t length =
          count == 0 ? 0 : random() % (count - first + 1);
      for (const auto& [begin, size] :
           {std::pair(std::size_t{0}, count), std::pair(first, length)}) {
        Wide expected = 0;
        for (std::size_t i = begin; i < begin + size; ++i) {
          expected += Wide{base} + static_cast<Wide>(column.numbers[i]);
        }
        EXPECT_TRUE(NumberOf(SumOfIntegers(column, begin, size)) == expected)
            << "width " << bytes << ", base " << base << ", from " << begin
            << ", " << size << " values";
      }
    }
  }
}

}  // namespace
}  // namespace entitable
