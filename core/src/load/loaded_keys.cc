#include "load/loaded_keys.h"

#include <algorithm>
#include <cstddef>

namespace entitable {
namespace {

// 4 MiB, regardless of the number of keys.
constexpr std::uint64_t kBits = std::uint64_t{1} << 25;
constexpr int kBitsPerKey = 6;
constexpr int kBitsPerWord = 64;

// The bits of a key: a fixed number of positions with equal distances.
class Places {
 public:
  explicit Places(std::uint64_t hash) : at_(hash), step_((at_ >> 32) | 1) {}

  std::uint64_t Next() { return (at_ += step_) & (kBits - 1); }

 private:
  std::uint64_t at_;
  std::uint64_t step_;
};

}  // namespace

void LoadedKeys::Add(std::uint64_t hash) {
  if (bits_.empty()) bits_.resize(kBits / kBitsPerWord);
  Places places(hash);
  for (int i = 0; i < kBitsPerKey; ++i) {
    const std::uint64_t place = places.Next();
    bits_[static_cast<std::size_t>(place / kBitsPerWord)] |=
        std::uint64_t{1} << place % kBitsPerWord;
  }
}

bool LoadedKeys::MayHave(std::uint64_t hash) const {
  if (bits_.empty()) return false;
  Places places(hash);
  for (int i = 0; i < kBitsPerKey; ++i) {
    const std::uint64_t place = places.Next();
    const std::uint64_t word =
        bits_[static_cast<std::size_t>(place / kBitsPerWord)];
    if ((word >> place % kBitsPerWord & 1) == 0) return false;
  }
  return true;
}

bool LoadedKeys::HasRun(const Run& run) const {
  return !run.directories.empty() &&
         std::find(runs_.begin(), runs_.end(), run.directories.front().page) !=
             runs_.end();
}

}  // namespace entitable
