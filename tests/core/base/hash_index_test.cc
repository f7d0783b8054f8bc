#include "base/hash_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace entitable {
namespace {

std::vector<std::size_t> Found(const HashIndex& index, std::uint32_t hash) {
  std::vector<std::size_t> numbers;
  auto probe = index.Begin(hash);
  for (std::size_t i; (i = index.Next(probe)) != HashIndex::kNone;) {
    numbers.push_back(i);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

TEST(HashIndexTest, FindsAllThatHaveTheHash) {
  HashIndex index;
  EXPECT_TRUE(Found(index, 7).empty());

  for (const std::uint32_t hash : {7U, 8U, 7U, 7U + 16, 7U + (1U << 31)}) {
    index.Add(hash);
  }

  EXPECT_EQ(Found(index, 7), (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(Found(index, 8), (std::vector<std::size_t>{1}));
  EXPECT_EQ(Found(index, 7 + 16), (std::vector<std::size_t>{3}));
  EXPECT_TRUE(Found(index, 9).empty());
}

TEST(HashIndexTest, GrowsAndForgets) {
  HashIndex index;
  for (std::uint32_t i = 0; i < 5000; ++i) index.Add(i * 2654435761U);
  for (std::uint32_t i = 0; i < 5000; ++i) {
    ASSERT_EQ(Found(index, i * 2654435761U), (std::vector<std::size_t>{i}));
  }

  index.Truncate(100);
  index.Add(5);

  EXPECT_EQ(index.size(), 101U);
  EXPECT_EQ(Found(index, 5), (std::vector<std::size_t>{100}));
  EXPECT_EQ(Found(index, 99 * 2654435761U), (std::vector<std::size_t>{99}));
  EXPECT_TRUE(Found(index, 100 * 2654435761U).empty());
}

TEST(HashIndexTest, DistinguishesTexts) {
  const HashIndex index;
  std::vector<std::uint32_t> hashes;
  std::string text;
  for (int i = 0; i < 40; ++i, text += '\0')
    hashes.push_back(index.HashOf(text));
  for (int i = 0; i < 20; ++i) {
    std::string other(20, 'a');
    other[static_cast<std::size_t>(i)] = 'b';
    hashes.push_back(index.HashOf(other));
  }

  std::sort(hashes.begin(), hashes.end());

  EXPECT_EQ(std::unique(hashes.begin(), hashes.end()), hashes.end());
}

}  // namespace
}  // namespace entitable
