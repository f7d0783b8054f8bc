#include "base/key_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "support/random.h"

namespace entitable {
namespace {

TEST(KeyTableTest, NumbersKeysInTheOrderInWhichTheyFirstCame) {
  KeyTable table;

  EXPECT_EQ(table.FindOrAdd("b"), 0U);
  EXPECT_EQ(table.FindOrAdd("a"), 1U);
  EXPECT_EQ(table.FindOrAdd("b"), 0U);
  EXPECT_EQ(table.FindOrAdd(""), 2U);

  EXPECT_EQ(table.size(), 3U);
  EXPECT_EQ(table[0], "b");
  EXPECT_EQ(table[1], "a");
  EXPECT_EQ(table[2], "");
}

TEST(KeyTableTest, FindsWhatCameAndNothingElse) {
  SCOPED_TRACE(TestSeed());
  std::mt19937_64 random(TestSeed());
  KeyTable table;
  std::map<std::string, std::size_t> model;
  for (int i = 0; i < 20'000; ++i) {
    const std::string key = std::to_string(random() % 8'000);
    const auto known = model.find(key);
    ASSERT_EQ(table.Find(key),
              known == model.end() ? KeyTable::kNone : known->second);
    if (random() % 2 == 0) continue;
    const std::size_t number = model.emplace(key, model.size()).first->second;
    ASSERT_EQ(table.FindOrAdd(key), number);
  }
}

TEST(KeyTableTest, ForgetsAllWhenItIsCleared) {
  KeyTable table;
  for (const int count : {1, 10, 5'000}) {
    SCOPED_TRACE(count);
    for (int i = 0; i < count; ++i) table.FindOrAdd(std::to_string(i));

    table.Clear();

    EXPECT_EQ(table.size(), 0U);
    EXPECT_EQ(table.Find("0"), KeyTable::kNone);
    EXPECT_EQ(table.FindOrAdd("b"), 0U);
    EXPECT_EQ(table[0], "b");
    table.Clear();
  }
}

}  // namespace
}  // namespace entitable
