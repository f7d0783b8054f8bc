#include "base/keyed_hash.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>

#include "base/hash_index.h"
#include "support/memory_host.h"

namespace entitable {
namespace {

// CPython 3.11 hashes bytes with SipHash-1-3; with PYTHONHASHSEED=0 the key is
// zero: hash(b'abcdefg') & (2**64 - 1).
TEST(KeyedHashTest, IsSipHash) {
  const KeyedHash hash(0, 0);
  EXPECT_EQ(hash.Of("a"), 0x407448D2B89B1813U);
  EXPECT_EQ(hash.Of("abcdefg"), 0x6DB12AAE9070F506U);
  EXPECT_EQ(hash.Of("abcdefgh"), 0x3F7B849C0B8E35EAU);
  EXPECT_EQ(hash.Of("abcdefghi"), 0xF89B34A3D11EB6E5U);
  std::string bytes;
  for (char c = 0; c < 64; ++c) bytes += c;
  EXPECT_EQ(hash.Of(bytes), 0x75E05FD5BBC870C6U);
}

TEST(KeyedHashTest, DependsOnEachHalfOfTheKey) {
  const std::set<std::uint64_t> hashes = {
      KeyedHash(0, 0).Of("a"), KeyedHash(1, 0).Of("a"), KeyedHash(0, 1).Of("a"),
      KeyedHash(1, 1).Of("a")};
  EXPECT_EQ(hashes.size(), 4U);
}

// Each engine brings random bytes, and what is made before keeps its key.
TEST(KeyedHashTest, HasAnotherKeyAfterEachEngineThatIsMade) {
  const HashIndex before;
  const std::uint32_t hash = before.HashOf("a");
  const MemoryHost host;

  EXPECT_NE(HashIndex().HashOf("a"), hash);
  EXPECT_EQ(before.HashOf("a"), hash);
}

// Pairs of words of which the second undoes the first: to a hash without a key,
// which multiplies and adds word by word, they are all the same.
TEST(KeyedHashTest, DistinguishesTextsThatWereMadeToCollide) {
  std::set<std::uint32_t> hashes;
  const HashIndex index;
  for (std::uint64_t first = 0; first < 1000; ++first) {
    std::uint64_t state = (16 ^ first) * 0x9E3779B97F4A7C15;
    state ^= state >> 32;
    std::string text(16, '\0');
    std::memcpy(text.data(), &first, sizeof first);
    std::memcpy(text.data() + sizeof first, &state, sizeof state);
    hashes.insert(index.HashOf(text));
  }
  // By chance two of a thousand have the same once in 8,600 times.
  EXPECT_GE(hashes.size(), 999U);
}

}  // namespace
}  // namespace entitable
