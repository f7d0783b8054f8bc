#include "store/key_block.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "store/column_writer.h"

namespace entitable {
namespace {

using namespace std::string_view_literals;

std::string Hundred(int number) {
  std::string digits = std::to_string(1000 + number);
  return "key" + digits;
}

PackedArray ArrayOf(const Words& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()),
          static_cast<std::uint32_t>(numbers.size()), 8};
}

// A block over what a writer holds, which must outlive it.
KeyBlock BlockOf(const KeyBlockWriter& writer, std::size_t count) {
  return {writer.entries(), ArrayOf(writer.restarts()), count};
}

bool IsSound(std::string_view entries, std::size_t count) {
  const Words restarts = {0};
  std::string last_key;
  return KeyBlock(entries, ArrayOf(restarts), count).IsSound(last_key);
}

TEST(KeyBlockTest, KeepsOfEachKeyWhatDiffersFromTheOneBefore) {
  KeyBlockWriter writer;
  for (const std::string_view key : {"ab"sv, "abc"sv, "ad"sv}) writer.Add(key);

  EXPECT_EQ(writer.entries(), "\0\2ab\2\1c\1\1d"sv);
  EXPECT_EQ(writer.restarts(), Words{0});
  std::string last_key;
  EXPECT_TRUE(BlockOf(writer, 3).IsSound(last_key));
  EXPECT_EQ(last_key, "ad");
}

TEST(KeyBlockTest, KnowsABoundOfItsSizeBeforeAKeyIsAdded) {
  KeyBlockWriter writer;
  for (int i = 0; i < 100; ++i) {
    const std::size_t expected = writer.BytesWith(Hundred(i));
    writer.Add(Hundred(i));

    EXPECT_LE(writer.bytes(), expected);
  }
  EXPECT_EQ(writer.restarts().size(), 7U);
}

TEST(KeyBlockTest, FindsKeysAndThePlacesBetweenThem) {
  for (const int count : {1, 15, 16, 17, 32, 33, 100}) {
    KeyBlockWriter writer;
    for (int i = 0; i < count; ++i) writer.Add(Hundred(i));
    const KeyBlock block = BlockOf(writer, static_cast<std::size_t>(count));
    std::string last_key;
    ASSERT_TRUE(block.IsSound(last_key));
    EXPECT_EQ(last_key, Hundred(count - 1));

    EXPECT_EQ(block.LowerBound(""), 0U);
    EXPECT_EQ(block.LowerBound("kez"), static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      const auto row = static_cast<std::size_t>(i);
      std::string key;
      block.KeyOf(row, key);
      EXPECT_EQ(key, Hundred(i));
      EXPECT_EQ(block.LowerBound(key), row);
      EXPECT_EQ(block.LowerBound(key + '\0'), row + 1);
      EXPECT_EQ(block.LowerBound(Hundred(i).substr(0, 6) + '/'), row / 10 * 10);
    }
  }
}

TEST(KeyBlockTest, RefusesEntriesThatNoWriterMakes) {
  EXPECT_TRUE(IsSound("\0\1a\0\1b"sv, 2));
  EXPECT_TRUE(IsSound("\0\0\0\1b"sv, 2)) << "the first key may be empty";
  EXPECT_FALSE(IsSound("\0\1a"sv, 2)) << "a key is missing";
  EXPECT_FALSE(IsSound("\0\1a\0\1b"sv, 1)) << "one is left over";
  EXPECT_FALSE(IsSound("\1\1a"sv, 1)) << "nothing to share";
  EXPECT_FALSE(IsSound("\0\1a\2\1b"sv, 2)) << "more than there is to share";
  EXPECT_FALSE(IsSound("\0\1b\0\1a"sv, 2)) << "out of order";
  EXPECT_FALSE(IsSound("\0\1a\1\0"sv, 2)) << "the same again";
  EXPECT_FALSE(IsSound("\0\2ab\0\2ac"sv, 2)) << "shares less than it could";
  EXPECT_FALSE(IsSound("\0\2a"sv, 1)) << "cut";
  EXPECT_FALSE(IsSound("\0\x80\0a"sv, 1)) << "a varint of another form";

  KeyBlockWriter writer;
  for (int i = 0; i < 17; ++i) writer.Add(Hundred(i));
  const Words restarts = {0, 0};
  std::string last_key;
  EXPECT_FALSE(
      KeyBlock(writer.entries(), ArrayOf(restarts), 17).IsSound(last_key));
}

}  // namespace
}  // namespace entitable
