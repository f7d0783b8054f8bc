#include "store/leaf_page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "store/leaf_builder.h"
#include "store/sort_key.h"
#include "support/random.h"
#include "support/random_rows.h"

namespace entitable {
namespace {

std::vector<LeafPage> Decoded(const std::vector<Bytes>& values) {
  std::vector<LeafPage> pages;
  for (const Bytes& value : values) {
    auto page = LeafPage::Decode(value);
    if (!page) {
      ADD_FAILURE() << page.error().message;
      return {};
    }
    pages.push_back(*std::move(page));
  }
  return pages;
}

void ExpectRow(const LeafPage& page, std::size_t i, const Row& row) {
  std::string key = "left over";
  page.KeyOf(i, key);
  ASSERT_EQ(key, row.sort_key);
  ASSERT_EQ(page.is_deleted(i), !row.entity.has_value());
  if (!row.entity) return;
  const Entity entity = page.EntityOf(i);
  ASSERT_EQ(entity.timestamp, row.entity->timestamp);
  ASSERT_EQ(entity.properties.bytes(), row.entity->properties.bytes());
  ASSERT_EQ(entity.properties.count(), row.entity->properties.count());
}

void ExpectRows(const std::vector<LeafPage>& pages,
                const std::vector<Row>& rows) {
  std::size_t next = 0;
  for (const LeafPage& page : pages) {
    ASSERT_LE(next + page.row_count(), rows.size());
    for (std::size_t i = 0; i < page.row_count(); ++i) {
      ASSERT_NO_FATAL_FAILURE(ExpectRow(page, i, rows[next++]));
    }
  }
  EXPECT_EQ(next, rows.size());
}

TEST(LeafPageTest, GivesBackWhateverRowsItWasMadeOf) {
  RandomRows random(TestSeed());
  SCOPED_TRACE(TestSeed());
  for (int i = 0; i < 150; ++i) {
    const RowTraits traits = random.NextTraits();
    const std::vector<Row> rows =
        random.Next(1 + random.Below(i % 8 == 0 ? 2000 : 40), traits);

    const std::vector<Bytes> values = PagesOf(rows);

    ASSERT_NO_FATAL_FAILURE(ExpectRows(Decoded(values), rows));
    for (const Bytes& value : values) {
      const auto page = LeafPage::Decode(value);
      EXPECT_TRUE(value.size() <= kMaxLeafBytes || page->row_count() == 1);
    }
  }
}

TEST(LeafPageTest, FindsTheFirstRowThatIsNotBeforeAKey) {
  RandomRows random(TestSeed());
  SCOPED_TRACE(TestSeed());
  for (int i = 0; i < 20; ++i) {
    const std::vector<Row> rows = random.Next(1 + random.Below(200), {});
    const std::vector<LeafPage> pages = Decoded(PagesOf(rows));
    ASSERT_FALSE(pages.empty());
    const std::size_t count = pages[0].row_count();

    const auto expected = [&](const std::string& key) {
      const auto found = std::partition_point(
          rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count),
          [&](const Row& row) { return row.sort_key < key; });
      return static_cast<std::size_t>(found - rows.begin());
    };
    for (const Row& row : rows) {
      std::string shorter = row.sort_key;
      std::string other = row.sort_key;
      shorter.pop_back();
      other.back() = static_cast<char>(random.Bits());
      for (const std::string& key :
           {row.sort_key, row.sort_key + '\0', shorter, other, std::string()}) {
        ASSERT_EQ(pages[0].LowerBound(key), expected(key));
      }
    }
  }
}

}  // namespace
}  // namespace entitable
