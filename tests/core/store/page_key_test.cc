#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "store/key_block.h"
#include "store/leaf_page.h"
#include "support/random.h"
#include "support/random_rows.h"

namespace entitable {
namespace {

class PageKeyTest : public testing::Test {
 protected:
  // A page with so many rows, which rows_ has, too.
  LeafPage PageOf(std::size_t count) {
    rows_ = random_.Next(count, {});
    auto page = LeafPage::Decode(PagesOf(rows_).front());
    EXPECT_TRUE(page.has_value());
    EXPECT_EQ(page->row_count(), rows_.size());
    return *std::move(page);
  }

  const std::string& KeyAt(std::size_t row) const {
    return rows_[row].sort_key;
  }

  RandomRows random_{TestSeed()};
  testing::ScopedTrace trace_{__FILE__, __LINE__, TestSeed()};
  std::vector<Row> rows_;
};

TEST_F(PageKeyTest, ReadsRowsInAnyOrder) {
  const LeafPage page = PageOf(3 * kKeysPerRestart);
  PageKey key;
  constexpr std::size_t kRestart = kKeysPerRestart;
  for (const std::size_t row :
       {std::size_t{5}, std::size_t{5}, std::size_t{6}, std::size_t{9},
        kRestart - 1, kRestart, kRestart + 1, 2 * kRestart + 2, 2 * kRestart,
        std::size_t{0}, std::size_t{3}}) {
    EXPECT_EQ(key.Read(page, row), KeyAt(row)) << row;
  }
}

TEST_F(PageKeyTest, ReadsAnotherPageAfterItForgot) {
  const LeafPage first = PageOf(20);
  PageKey key;
  key.Read(first, 3);
  const LeafPage second = PageOf(20);

  key.Forget();

  EXPECT_EQ(key.Read(second, 4), KeyAt(4));
  EXPECT_EQ(second.last_key(), KeyAt(19));
}

}  // namespace
}  // namespace entitable
