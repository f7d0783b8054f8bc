#include "query/column_matcher.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>

#include "base/bits.h"

namespace entitable {
namespace {

// Values are compared in blocks of 64, into a byte each, in loops of a fixed
// length that compilers turn into SIMD; then the bytes become a word of bits.
using Truth = std::uint8_t[kWordBits];

std::uint64_t Packed(const Truth& truth) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < kWordBits; i += 8) {
    std::uint64_t bytes;
    std::memcpy(&bytes, truth + i, sizeof bytes);
    // Moves the lowest bit of byte k to bit 56 + k.
    bits |= (bytes * 0x0102'0408'1020'4080) >> 56 << i;
  }
  return bits;
}

template <typename T, typename Predicate>
void MatchAll(const Column& column, std::span<std::uint64_t> matches,
              Predicate is_match) {
  T block[kWordBits] = {};
  Truth truth;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const std::size_t first = i * kWordBits;
    const std::size_t count = std::min(kWordBits, column.value_count - first);
    const char* const from = column.numbers.data + first * sizeof(T);
    if (count == kWordBits) {
      std::memcpy(block, from, sizeof block);
    } else {
      std::memcpy(block, from, count * sizeof(T));
    }
    for (std::size_t k = 0; k < kWordBits; ++k) truth[k] = is_match(block[k]);
    matches[i] = Packed(truth);
  }
}

// The steps from the base that lead into the range: one comparison each, for
// below `least` they wrap around and are great.
template <typename T>
void MatchSteps(const Column& column, std::uint64_t least,
                std::uint64_t greatest, std::span<std::uint64_t> matches) {
  const auto low = static_cast<T>(least);
  const auto span = static_cast<T>(greatest - least);
  MatchAll<T>(column, matches, [low, span](T step) {
    return static_cast<T>(step - low) <= span;
  });
}

std::uint64_t GreatestOf(std::uint8_t width) {
  constexpr auto kAll = std::numeric_limits<std::uint64_t>::max();
  return width == 0 ? 0 : kAll >> (64 - 8 * width);
}

}  // namespace

void MatchIntegers(const Column& column, const IntegerRange& range,
                   std::span<std::uint64_t> matches) {
  // A column ends before the numbers do.
  if (range.is_empty() || range.greatest < column.base) {
    std::ranges::fill(matches, 0);
    return;
  }
  const auto base = static_cast<std::uint64_t>(column.base);
  const std::uint64_t last = GreatestOf(column.numbers.width);
  const std::uint64_t least =
      range.least <= column.base
          ? 0
          : static_cast<std::uint64_t>(range.least) - base;
  const std::uint64_t greatest =
      std::min(last, static_cast<std::uint64_t>(range.greatest) - base);
  if (least > greatest) {
    std::ranges::fill(matches, 0);
    return;
  }
  switch (column.numbers.width) {
    case 1:
      return MatchSteps<std::uint8_t>(column, least, greatest, matches);
    case 2:
      return MatchSteps<std::uint16_t>(column, least, greatest, matches);
    case 4:
      return MatchSteps<std::uint32_t>(column, least, greatest, matches);
    case 8:
      return MatchSteps<std::uint64_t>(column, least, greatest, matches);
    default:
      std::ranges::fill(matches, ~std::uint64_t{0});
  }
}

void MatchDoubles(const Column& column, const DoubleRange& range,
                  std::span<std::uint64_t> matches) {
  MatchAll<double>(column, matches, [range](double number) {
    // Both are always asked, for a loop without branches.
    return static_cast<bool>(static_cast<int>(number >= range.least) &
                             static_cast<int>(number <= range.greatest));
  });
}

}  // namespace entitable
