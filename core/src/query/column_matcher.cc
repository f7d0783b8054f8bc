#include "query/column_matcher.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <limits>

#include "base/bits.h"

namespace entitable {
namespace {

// An integer column has steps from its base, so the range is moved by the base,
// too, and is cut to what a step of this width can be.  Whether a step is in it
// is then one unsigned comparison: step - low <= high - low.  By width:
//
//   0    all values are the base: all match, or none does
//   1    16 values at a time
//   2    widened to four bytes first
//   4    4 values at a time
//   8    2 values at a time, as signed numbers of the same order
//
// Values are compared in blocks of 64.  Each block makes one word of the
// result.  The loops have a fixed length and no branches, so that compilers can
// turn them into SIMD.

template <typename T>
T Load(const char* values, std::size_t k) {
  T value;
  std::memcpy(&value, values + k * sizeof value, sizeof value);
  return value;
}

// A SIMD register, by an extension of Clang and GCC.  Without it, the compilers
// vectorize few of these loops.
template <typename T>
using Lanes [[gnu::vector_size(16)]] = T;

// One bit for each of 16 lanes, which are all ones or all zeros.
std::uint64_t BitsOf(Lanes<std::int8_t> truths) {
#ifdef __wasm_simd128__
  return __builtin_wasm_bitmask_i8x16(truths);
#else
  const auto halves = std::bit_cast<Lanes<std::uint64_t>>(truths & 1);
  // Moves the lowest bit of byte k to bit 56 + k.
  const auto bits = halves * 0x0102'0408'1020'4080 >> 56;
  return bits[0] | bits[1] << 8;
#endif
}

// Values are steps from the base, one byte each.  One comparison is enough:
// values below `low` wrap around and become large.
std::uint64_t MatchBytes(const char* values, std::uint8_t low,
                         std::uint8_t span) {
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < kWordBits / 16; ++k) {
    const auto steps = Load<Lanes<std::uint8_t>>(values, k);
    bits |= BitsOf(steps - low <= span) << 16 * k;
  }
  return bits;
}

// Steps of four bytes, four at a time.  The lanes of a comparison are all ones
// or all zeros, so each contributes its bit.
std::uint64_t MatchFours(const char* values, std::uint32_t low,
                         std::uint32_t span) {
  std::uint64_t word = 0;
  for (std::size_t half = 0; half < 2; ++half) {
    Lanes<std::uint32_t> bits = {0, 0, 0, 0};
    Lanes<std::uint32_t> bit = {1, 2, 4, 8};
    for (std::size_t k = 8 * half; k < 8 * half + 8; ++k) {
      const auto steps = Load<Lanes<std::uint32_t>>(values, k);
      bits |= (steps - low <= span) & bit;
      bit <<= 4;
    }
    const std::uint64_t found = bits[0] | bits[1] | bits[2] | bits[3];
    word |= found << 32 * half;
  }
  return word;
}

// The same for elements as wide as a word, two at a time.
template <typename T>
std::uint64_t MatchPairs(const char* values, const NumberRange<T>& range) {
  Lanes<std::int64_t> bits = {0, 0};
  Lanes<std::int64_t> bit = {1, 2};
  for (std::size_t k = 0; k < kWordBits / 2; ++k) {
    const auto pair = Load<Lanes<T>>(values, k);
    bits |= (pair >= range.least) & (pair <= range.greatest) & bit;
    bit <<= 2;
  }
  return static_cast<std::uint64_t>(bits[0] | bits[1]);
}

// `match` makes the word of a block.
template <typename Match>
void MatchAll(const Column& column, std::span<std::uint64_t> matches,
              Match match) {
  const std::size_t width = column.numbers.width;
  const char* values = column.numbers.data;
  for (std::uint64_t& word : matches.first(column.value_count / kWordBits)) {
    word = match(values);
    values += kWordBits * width;
  }
  const std::size_t left = column.value_count % kWordBits;
  if (left == 0) return;
  const std::size_t missing = kWordBits - left;
  if (matches.size() > 1) {
    // The last block begins within the block before it.
    matches.back() = match(values - missing * width) >> missing;
    return;
  }
  char block[kWordBits * sizeof(std::uint64_t)] = {};
  std::memcpy(block, values, left * width);
  matches.back() = match(block);
}

// There is no SIMD comparison of unsigned 64-bit numbers.  Inverting the
// highest bit turns them into signed numbers of the same order.
std::uint64_t MatchEights(const char* values, std::uint64_t least,
                          std::uint64_t greatest) {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;
  const IntegerRange range{static_cast<std::int64_t>(least - kHalf),
                           static_cast<std::int64_t>(greatest - kHalf)};
  std::uint64_t numbers[kWordBits];
  for (std::size_t k = 0; k < kWordBits; ++k) {
    numbers[k] = Load<std::uint64_t>(values, k) - kHalf;
  }
  return MatchPairs(reinterpret_cast<const char*>(numbers), range);
}

std::uint64_t MatchTwos(const char* values, std::uint32_t low,
                        std::uint32_t span) {
  std::uint32_t steps[kWordBits];
  for (std::size_t k = 0; k < kWordBits; ++k) {
    steps[k] = Load<std::uint16_t>(values, k);
  }
  return MatchFours(reinterpret_cast<const char*>(steps), low, span);
}

// With more entries than this, it is faster to look up each value.
constexpr std::size_t kFewEntries = 8;

}  // namespace

std::uint64_t GreatestOf(std::uint8_t width) {
  constexpr auto kAll = std::numeric_limits<std::uint64_t>::max();
  return width == 0 ? 0 : kAll >> (64 - 8 * width);
}

void MatchIntegers(const Column& column, const IntegerRange& range,
                   std::span<std::uint64_t> matches) {
  const auto base = static_cast<std::uint64_t>(column.base);
  const std::uint8_t width = column.numbers.width;
  // The bounds as steps from the base.  No step is negative.
  const std::uint64_t least =
      static_cast<std::uint64_t>(std::max(range.least, column.base)) - base;
  const std::uint64_t greatest = std::min(
      static_cast<std::uint64_t>(range.greatest) - base, GreatestOf(width));
  const bool has_match =
      !range.is_empty() && range.greatest >= column.base && least <= greatest;
  if (!has_match || width == 0) {
    std::ranges::fill(matches, has_match ? ~std::uint64_t{0} : 0);
    return;
  }
  const std::uint64_t span = greatest - least;
  MatchAll(column, matches, [=](const char* values) {
    const auto low = static_cast<std::uint32_t>(least);
    const auto few = static_cast<std::uint32_t>(span);
    switch (width) {
      case 1:
        return MatchBytes(values, static_cast<std::uint8_t>(low),
                          static_cast<std::uint8_t>(few));
      case 2:
        return MatchTwos(values, low, few);
      case 4:
        return MatchFours(values, low, few);
      default:
        return MatchEights(values, least, greatest);
    }
  });
}

void MatchEntries(const Column& column, std::span<const std::uint8_t> entries,
                  std::span<std::uint64_t> matches) {
  if (entries.size() > kFewEntries) {
    std::array<std::uint8_t, 256> truths{};
    for (const std::uint8_t entry : entries) truths[entry] = 1;
    return MatchAll(column, matches, [&truths](const char* values) {
      std::uint64_t word = 0;
      for (std::size_t k = 0; k < kWordBits; ++k) {
        const std::uint64_t truth = truths[Load<std::uint8_t>(values, k)];
        word |= truth << k;
      }
      return word;
    });
  }
  MatchAll(column, matches, [entries](const char* values) {
    std::uint64_t word = 0;
    for (const std::uint8_t entry : entries) {
      word |= MatchBytes(values, entry, 0);
    }
    return word;
  });
}

void MatchDoubles(const Column& column, const DoubleRange& range,
                  std::span<std::uint64_t> matches) {
  MatchAll(column, matches,
           [range](const char* values) { return MatchPairs(values, range); });
}

}  // namespace entitable
