// random.h - chance that a failing test lets you repeat.

#ifndef ENTITABLE_TESTS_SUPPORT_RANDOM_H_
#define ENTITABLE_TESTS_SUPPORT_RANDOM_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>
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

// How often a random test tries: as often as the variable says, else `whole`
// times in `npm run test:all`, and a quarter of it in `npm test`.
inline std::size_t WantedRuns(const char* variable, std::size_t whole) {
  const char* const wanted = std::getenv(variable);
  if (wanted != nullptr) return std::strtoull(wanted, nullptr, 10);
  const char* const tests = std::getenv("ENTITABLE_TESTS");
  const bool is_whole = tests != nullptr && std::string_view(tests) == "all";
  return is_whole ? whole : (whole + 3) / 4;
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
