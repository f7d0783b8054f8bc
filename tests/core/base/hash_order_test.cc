#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/hash_index.h"
#include "support/random.h"

namespace entitable {
namespace {

using Numbers = std::vector<std::size_t>;

TEST(HashOrderTest, PutsEqualTextsBesideEachOther) {
  SCOPED_TRACE(TestSeed());
  std::mt19937_64 random(TestSeed());
  HashOrder order;
  std::vector<std::string> texts;
  std::map<std::string, Numbers> model;
  for (std::size_t i = 0; i < 5'000; ++i) {
    texts.push_back(std::to_string(random() % 2'000));
    model[texts.back()].push_back(i);
    order.Add(texts.back());
  }

  order.Sort();

  std::set<std::size_t> seen;
  for (auto rest = order.all(); !rest.empty();) {
    std::map<std::string, Numbers> alike;
    for (const auto& entry : HashOrder::TakeAlike(rest)) {
      const std::size_t number = HashOrder::NumberIn(entry);
      EXPECT_TRUE(seen.insert(number).second);
      alike[texts[number]].push_back(number);
    }
    for (const auto& [text, numbers] : alike) EXPECT_EQ(numbers, model[text]);
  }
  EXPECT_EQ(seen.size(), texts.size());
}

TEST(HashOrderTest, FindsEveryTextAndNothingElse) {
  HashOrder order;
  EXPECT_TRUE(order.Find("a").empty());
  order.Add("b");
  order.Add("a");
  order.Add("b");

  order.Sort();

  ASSERT_EQ(order.Find("b").size(), 2U);
  EXPECT_EQ(HashOrder::NumberIn(order.Find("b")[0]), 0U);
  EXPECT_EQ(HashOrder::NumberIn(order.Find("b")[1]), 2U);
  ASSERT_EQ(order.Find("a").size(), 1U);
  EXPECT_TRUE(order.Find("c").empty());
}

}  // namespace
}  // namespace entitable
