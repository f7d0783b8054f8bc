#include "store/leaf_page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/envelope.h"
#include "store/leaf_builder.h"
#include "store/leaf_format.h"
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
  ASSERT_EQ(page.is_tombstone(i), !row.entity.has_value());
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

TEST(LeafPageTest, FindsARowAndTheFirstThatIsNotBeforeAKey) {
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
        const std::size_t first = expected(key);
        const bool is_there = first < count && rows[first].sort_key == key;
        ASSERT_EQ(pages[0].LowerBound(key), first);
        ASSERT_EQ(pages[0].FindRow(key),
                  is_there ? std::optional(first) : std::nullopt);
      }
    }
  }
}

// Whatever a page tells of itself can be asked for.
void ReadAll(const LeafPage& page) {
  std::string key;
  for (std::size_t i = 0; i < page.row_count(); ++i) {
    page.KeyOf(i, key);
    if (ParseSortKey(key)) page.LowerBound(key);
    page.LowerBound(std::string(1, static_cast<char>(i)));
    if (page.is_tombstone(i)) continue;
    const Entity entity = page.EntityOf(i);
    ASSERT_TRUE(PropertyList::FromBytes(entity.properties.bytes()));
    ASSERT_LE(entity.timestamp, kMaxDateTime);
  }
}

TEST(LeafPageTest, RefusesEveryCutAndEveryFlippedBit) {
  RandomRows random(TestSeed());
  SCOPED_TRACE(TestSeed());
  const std::vector<Row> rows = random.Next(5, random.NextTraits());
  const Bytes value = PagesOf(rows).front();
  for (std::size_t size = 0; size < value.size(); ++size) {
    ASSERT_FALSE(LeafPage::Decode(value.substr(0, size)).has_value());
  }
  for (std::size_t bit = 0; bit < 8 * std::min(value.size(), 4000UL); ++bit) {
    Bytes damaged = value;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);

    const auto page = LeafPage::Decode(damaged);

    ASSERT_FALSE(page.has_value());
    // A version that has become greater looks like a newer one.
    const bool is_newer = static_cast<unsigned char>(damaged[4]) >
                          static_cast<unsigned char>(value[4]);
    ASSERT_EQ(page.error().code, is_newer ? ErrorCode::kStorageVersionNewer
                                          : ErrorCode::kStorageDamaged);
  }
}

// The checksum is made right again, as if the damage had been there before.
TEST(LeafPageTest, SurvivesAnyBodyUnderARightChecksum) {
  RandomRows random(TestSeed());
  SCOPED_TRACE(TestSeed());
  std::size_t taken = 0;
  for (int i = 0; i < 200; ++i) {
    RowTraits traits = random.NextTraits();
    traits.names = 1 + traits.names % 12;
    const std::vector<Row> rows = random.Next(1 + random.Below(40), traits);
    const Bytes body = PagesOf(rows).front().substr(kEnvelopeBytes);
    for (int damage = 0; damage < 100; ++damage) {
      Bytes damaged = body;
      // The directory, where most can go wrong, is at the beginning.
      const std::size_t range =
          random.Below(2) == 0 ? std::min(body.size(), 150UL) : body.size();
      for (std::size_t n = random.Below(3); n < 3; ++n) {
        damaged[random.Below(range)] = static_cast<char>(
            random.Below(2) == 0 ? random.Bits() : random.Below(20));
      }
      if (random.Below(16) == 0) damaged.resize(random.Below(body.size()));

      const auto page = LeafPage::Decode(Seal(kLeafKind, damaged));

      if (!page) {
        ASSERT_EQ(page.error().code, ErrorCode::kStorageDamaged);
        continue;
      }
      ++taken;
      ASSERT_NO_FATAL_FAILURE(ReadAll(*page));
    }
  }
  EXPECT_GT(taken, 0U) << "else nothing was read";
}

TEST(LeafPageTest, RefusesAnEmptyBody) {
  EXPECT_FALSE(LeafPage::Decode(Seal(kLeafKind, {})).has_value());
  EXPECT_FALSE(LeafPage::Decode(Seal(kLeafKind, Bytes(100, '\0'))).has_value());
}

TEST(LeafPageTest, StaysSoundWhenItIsMoved) {
  LeafBuilder builder;
  ASSERT_TRUE(builder.Add("a", {kMinDateTime, {}}));
  auto page = LeafPage::Decode(builder.Finish());
  ASSERT_TRUE(page.has_value());

  const LeafPage moved = *std::move(page);

  std::string key;
  moved.KeyOf(0, key);
  EXPECT_EQ(key, "a");
  EXPECT_EQ(moved.TimestampOf(0), kMinDateTime);
  EXPECT_EQ(moved.PropertiesOf(0).count(), 0U);
}

}  // namespace
}  // namespace entitable
