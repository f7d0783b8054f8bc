#include "query/column_matcher.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "base/bits.h"

namespace entitable {
namespace {

template <typename T>
T Load(const char* values, std::size_t k) {
  T value;
  std::memcpy(&value, values + k * sizeof value, sizeof value);
  return value;
}

// Values are compared in blocks of 64, in loops of a fixed length and without
// branches, that compilers turn into SIMD.

// Steps from the base, of one to four bytes: a byte each, then bytes to bits.
// One comparison is enough, for below `low` they wrap around and are great.
template <typename T>
std::uint64_t MatchBlock(const char* values, T low, T span) {
  char truths[kWordBits];
  for (std::size_t k = 0; k < kWordBits; ++k) {
    truths[k] = static_cast<T>(Load<T>(values, k) - low) <= span;
  }
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < kWordBits / 8; ++i) {
    // Moves the lowest bit of byte k to bit 56 + k.
    const auto bytes = Load<std::uint64_t>(truths, i);
    bits |= (bytes * 0x0102'0408'1020'4080) >> 56 << 8 * i;
  }
  return bits;
}

// Two elements as wide as the word itself, by an extension that Clang and GCC
// share: their loops of comparisons of doubles stay loops otherwise.
template <typename T>
using Pair [[gnu::vector_size(16)]] = T;
using Bits = Pair<std::int64_t>;

// The lanes of a comparison are all ones or all zeros: so each takes its bit.
template <typename T, typename PairAt>
std::uint64_t MatchPairs(PairAt pair_at, T least, T greatest) {
  Bits bits = {0, 0};
  Bits bit = {1, 2};
  for (std::size_t k = 0; k < kWordBits / 2; ++k) {
    const Pair<T> pair = pair_at(k);
    bits |= (pair >= least) & (pair <= greatest) & bit;
    bit <<= 2;
  }
  return static_cast<std::uint64_t>(bits[0] | bits[1]);
}

// `match` makes a word of 64 elements.
template <typename T, typename Match>
void MatchAll(const Column& column, std::span<std::uint64_t> matches,
              Match match) {
  constexpr std::size_t kBlockBytes = kWordBits * sizeof(T);
  const char* values = column.numbers.data;
  for (std::uint64_t& word : matches.first(column.value_count / kWordBits)) {
    word = match(values);
    values += kBlockBytes;
  }
  const std::size_t left = column.value_count % kWordBits;
  if (left == 0) return;
  char last[kBlockBytes] = {};
  std::memcpy(last, values, left * sizeof(T));
  matches.back() = match(last);
}

template <typename T>
void MatchSteps(const Column& column, std::uint64_t least,
                std::uint64_t greatest, std::span<std::uint64_t> matches) {
  const auto low = static_cast<T>(least);
  const auto span = static_cast<T>(greatest - least);
  MatchAll<T>(column, matches, [low, span](const char* values) {
    return MatchBlock<T>(values, low, span);
  });
}

// No SIMD compares unsigned numbers as wide as these: so the numbers, not the
// steps.
void MatchWide(const Column& column, const IntegerRange& range,
               std::span<std::uint64_t> matches) {
  const auto base = static_cast<std::uint64_t>(column.base);
  MatchAll<std::int64_t>(column, matches, [base, range](const char* values) {
    const auto pair_at = [=](std::size_t k) {
      return std::bit_cast<Pair<std::int64_t>>(
          Load<Pair<std::uint64_t>>(values, k) + base);
    };
    return MatchPairs<std::int64_t>(pair_at, range.least, range.greatest);
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
      return MatchWide(column, range, matches);
    default:
      std::ranges::fill(matches, ~std::uint64_t{0});
  }
}

void MatchDoubles(const Column& column, const DoubleRange& range,
                  std::span<std::uint64_t> matches) {
  MatchAll<double>(column, matches, [range](const char* values) {
    const auto pair_at = [values](std::size_t k) {
      return Load<Pair<double>>(values, k);
    };
    return MatchPairs<double>(pair_at, range.least, range.greatest);
  });
}

}  // namespace entitable
