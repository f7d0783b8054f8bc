#include "base/heap_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace entitable {
namespace {

TEST(HeapSortTest, SortsEveryOrderOfAFewElements) {
  std::vector<int> order = {1, 2, 2, 3, 4};
  const std::vector<int> sorted = order;
  do {
    std::vector<int> elements = order;
    HeapSort(elements);
    EXPECT_EQ(elements, sorted);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(HeapSortTest, SortsByAnotherOrder) {
  std::vector<std::string> elements = {"b", "c", "a"};

  HeapSort(elements, std::greater<>());

  EXPECT_EQ(elements, (std::vector<std::string>{"c", "b", "a"}));
}

TEST(HeapSortTest, SortsNothing) {
  std::vector<int> elements;
  HeapSort(elements);
  EXPECT_TRUE(elements.empty());
}

}  // namespace
}  // namespace entitable
