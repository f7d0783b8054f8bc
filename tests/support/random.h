// random.h - chance that a failing test lets you repeat.

#ifndef ENTITABLE_TESTS_SUPPORT_RANDOM_H_
#define ENTITABLE_TESTS_SUPPORT_RANDOM_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>

namespace entitable {

// A new seed every run, so that many runs see more than one.  A test prints it
// with its failures; ENTITABLE_SEED in the environment brings it back.
inline std::uint64_t TestSeed() {
  static const std::uint64_t kSeed = [] {
    const char* const wanted = std::getenv("ENTITABLE_SEED");
    return wanted != nullptr ? std::strtoull(wanted, nullptr, 10)
                             : std::uint64_t{std::random_device{}()};
  }();
  return kSeed;
}

// Whether `npm run test:all` runs, not `npm test`.
inline bool IsWholeMatrix() {
  const char* const tests = std::getenv("ENTITABLE_TESTS");
  return tests != nullptr && std::string_view(tests) == "all";
}

// How often a random test tries: as often as the variable says, else `whole`
// times in `npm run test:all`, and a quarter of it in `npm test`.
inline std::size_t WantedRuns(const char* variable, std::size_t whole) {
  const char* const wanted = std::getenv(variable);
  if (wanted != nullptr) return std::strtoull(wanted, nullptr, 10);
  return IsWholeMatrix() ? whole : (whole + 3) / 4;
}

// A text that nothing can shorten.  It has 16 letters, so a draw makes many.
inline std::string RandomLetters(std::mt19937_64& random, std::size_t length) {
  std::string text(length, 'a');
  std::uint64_t drawn = 0;
  for (std::size_t i = 0; i < length; ++i) {
    drawn = i % 16 == 0 ? random() : drawn >> 4;
    text[i] = static_cast<char>('a' + (drawn & 15));
  }
  return text;
}

// Whether a random test tries once more: until it has tried as often as is
// `wanted`, and has seen enough of what it is there to compare.  A few tries
// may by chance see too little.  Ten times as many are an error of the test.
inline bool TriesAgain(std::size_t tries, std::size_t wanted,
                       bool has_seen_enough) {
  return tries < wanted || (!has_seen_enough && tries < 10 * wanted);
}

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_RANDOM_H_
