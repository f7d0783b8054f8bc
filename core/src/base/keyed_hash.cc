#include "base/keyed_hash.h"

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstring>
#include <string>

namespace entitable {
namespace {

// Atomic, because several threads of a process may create engines.  Any mixture
// of two keys is a valid key.
constinit std::atomic<std::uint64_t> process_key_0 = 0;
constinit std::atomic<std::uint64_t> process_key_1 = 0;

constexpr std::size_t kWordBytes = sizeof(std::uint64_t);

// J.-P. Aumasson, D. J. Bernstein: "SipHash: a fast short-input PRF", 2012.
// This variant has one round per word and three rounds at the end.
class SipState {
 public:
  SipState(std::uint64_t key_0, std::uint64_t key_1)
      : v0_(key_0 ^ 0x736F6D6570736575),
        v1_(key_1 ^ 0x646F72616E646F6D),
        v2_(key_0 ^ 0x6C7967656E657261),
        v3_(key_1 ^ 0x7465646279746573) {}

  void Mix(std::uint64_t word) {
    v3_ ^= word;
    CommitGroup();
    v0_ ^= word;
  }

  std::uint64_t Finish() {
    v2_ ^= 0xFF;
    for (int i = 0; i < 3; ++i) CommitGroup();
    return v0_ ^ v1_ ^ v2_ ^ v3_;
  }

 private:
  void CommitGroup() {
    v0_ += v1_;
    v1_ = std::rotl(v1_, 13) ^ v0_;
    v0_ = std::rotl(v0_, 32);
    v2_ += v3_;
    v3_ = std::rotl(v3_, 16) ^ v2_;
    v0_ += v3_;
    v3_ = std::rotl(v3_, 21) ^ v0_;
    v2_ += v1_;
    v1_ = std::rotl(v1_, 17) ^ v2_;
    v2_ = std::rotl(v2_, 32);
  }

  std::uint64_t v0_;
  std::uint64_t v1_;
  std::uint64_t v2_;
  std::uint64_t v3_;
};

}  // namespace

KeyedHash::KeyedHash()
    : key_0_(process_key_0.load(std::memory_order_relaxed)),
      key_1_(process_key_1.load(std::memory_order_relaxed)) {}

// The published SipHash-2-4 has twice as many rounds.  With 1-3, the hash is
// still good for a table in memory, whose hashes nobody outside can see.
std::uint64_t KeyedHash::Of(std::string_view bytes) const {
  SipState state(key_0_, key_1_);
  const std::uint64_t size = bytes.size();
  std::uint64_t word = 0;
  for (; bytes.size() >= kWordBytes; bytes.remove_prefix(kWordBytes)) {
    std::memcpy(&word, bytes.data(), kWordBytes);
    state.Mix(word);
  }
  // The length is in the byte above the rest.
  word = size << 56;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    word |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << 8 * i;
  }
  state.Mix(word);
  return state.Finish();
}

void KeyedHash::Stir(std::string_view random_bytes) {
  const KeyedHash old;
  std::string text(random_bytes);
  process_key_0.store(old.Of(text += '0'), std::memory_order_relaxed);
  process_key_1.store(old.Of(text += '1'), std::memory_order_relaxed);
}

}  // namespace entitable
