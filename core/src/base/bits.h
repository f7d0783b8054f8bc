// bits.h - bitmaps in little-endian words of 64 bits, which need not be
// aligned.

#ifndef ENTITABLE_BASE_BITS_H_
#define ENTITABLE_BASE_BITS_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace entitable {

static_assert(std::endian::native == std::endian::little,
              "Words and arrays of stored values are used where they lie");

inline constexpr std::size_t kWordBits = 64;

constexpr std::size_t WordCount(std::size_t bits) {
  return (bits + kWordBits - 1) / kWordBits;
}

inline std::uint64_t WordAt(const char* words, std::size_t i) {
  std::uint64_t word;
  std::memcpy(&word, words + i * sizeof word, sizeof word);
  return word;
}

inline bool BitAt(const char* words, std::size_t i) {
  return (WordAt(words, i / kWordBits) >> i % kWordBits & 1) != 0;
}

// The bits of a word below `bit`.
constexpr std::uint64_t LowBits(std::size_t bit) {
  return (std::uint64_t{1} << bit) - 1;
}

// The number of set bits among the first `bits` bits.
inline std::size_t CountBits(const char* words, std::size_t bits) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < bits / kWordBits; ++i) {
    count += static_cast<std::size_t>(std::popcount(WordAt(words, i)));
  }
  if (bits % kWordBits != 0) {
    const std::uint64_t last = WordAt(words, bits / kWordBits);
    count += static_cast<std::size_t>(
        std::popcount(last & LowBits(bits % kWordBits)));
  }
  return count;
}

}  // namespace entitable

#endif  // ENTITABLE_BASE_BITS_H_
