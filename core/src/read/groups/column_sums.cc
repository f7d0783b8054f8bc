#include "read/groups/column_sums.h"

#include <cstring>

namespace entitable {
namespace {

// A SIMD register; see column_matcher.cc.
using WordPair [[gnu::vector_size(16)]] = std::uint64_t;

constexpr std::uint64_t kLow32 = 0xFFFF'FFFF;

// Adds up the numbers in each word of 64 bits, as far as they are at most four
// bytes wide.
//
// Halves of the numbers in a word are added side by side, first pairs of bytes,
// then pairs of those: each sum has twice the width of its parts, so none
// overflows.
template <typename Word>
Word SumWithin(Word words, std::uint8_t width) {
  constexpr std::uint64_t kBytes = 0x00FF'00FF'00FF'00FF;
  constexpr std::uint64_t kTwos = 0x0000'FFFF'0000'FFFF;
  if (width == 1) words = (words & kBytes) + (words >> 8 & kBytes);
  if (width <= 2) words = (words & kTwos) + (words >> 16 & kTwos);
  return (words & kLow32) + (words >> 32);
}

// The sum of steps from the base, which are unsigned.
//
// Sums of 32-bit numbers in words of 64 bits overflow after 2^32 of them.
// Wider numbers are split in two halves for that.
WideSum SumOfSteps(const PackedArray& numbers, std::size_t first,
                   std::size_t count) {
  const std::uint8_t width = numbers.width;
  if (width == 0) return {};
  const char* values = numbers.data + first * width;
  std::size_t words = count * width / sizeof(WordPair);
  const std::size_t rest = first + words * sizeof(WordPair) / width;
  WordPair low = {0, 0};
  WordPair high = {0, 0};
  for (; words > 0; --words, values += sizeof(WordPair)) {
    WordPair steps;
    std::memcpy(&steps, values, sizeof steps);
    if (width == 8) {
      low += steps & kLow32;
      high += steps >> 32;
    } else {
      low += SumWithin(steps, width);
    }
  }
  WideSum sum = {static_cast<std::int64_t>(high[0] + high[1]), low[0] + low[1]};
  for (std::size_t i = rest; i < first + count; ++i) {
    sum.low += numbers[i] & kLow32;
    sum.high += static_cast<std::int64_t>(numbers[i] >> 32);
  }
  return sum;
}

}  // namespace

WideSum SumOfIntegers(const Column& column, std::size_t first,
                      std::size_t count) {
  WideSum sum = SumOfSteps(column.numbers, first, count);
  sum.high += (column.base >> 32) * static_cast<std::int64_t>(count);
  sum.low += (static_cast<std::uint64_t>(column.base) & kLow32) * count;
  return sum;
}

}  // namespace entitable
