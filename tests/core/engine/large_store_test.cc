// Tables that are much larger than the cache, compared with a map.  Every read
// waits for pages, and every flush is followed by compactions.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/engine_test.h"
#include "support/random.h"
#include "support/stored_pages.h"

namespace entitable {
namespace {

// What the Text of a row is, by RowKey.
using Rows = std::map<std::string, std::string>;

class LargeStoreTest : public testing::Test {
 protected:
  void SetUp() override { Expect("201", NewTable("Tab")); }

  std::size_t Below(std::size_t end) { return random_() % end; }

  std::string RandomText(std::size_t length) {
    std::string text(length, ' ');
    for (char& c : text) c = static_cast<char>('A' + Below(26));
    return text;
  }

  void Expect(const std::string& outcome, const OwnedOperation& operation) {
    ASSERT_EQ(Outcome(host_.Do(operation)), outcome);
  }

  static std::string BodyOf(const std::string& row_key,
                            const std::string& text) {
    return EntityBody("p", row_key, "\"Text\":\"" + text + "\"");
  }

  void Insert(const std::vector<std::string>& row_keys,
              std::size_t text_length) {
    std::vector<OwnedOperation> parts;
    for (const std::string& row_key : row_keys) {
      rows_[row_key] = RandomText(1 + Below(2 * text_length));
      parts.push_back(
          entitable::Insert("Tab", BodyOf(row_key, rows_[row_key])));
      if (parts.size() < 100) continue;
      Expect("202", Transaction(std::exchange(parts, {})));
    }
    if (!parts.empty()) Expect("202", Transaction(std::move(parts)));
  }

  const std::string& RandomRowKey() {
    return std::next(rows_.begin(),
                     static_cast<std::ptrdiff_t>(Below(rows_.size())))
        ->first;
  }

  void ChangeOne() {
    const std::string row_key = RandomRowKey();
    if (Below(3) == 0) {
      rows_.erase(row_key);
      return Expect("204", Delete("Tab", "p", row_key));
    }
    rows_[row_key] = RandomText(1 + Below(400));
    Expect("204",
           Merge("Tab", "p", row_key, "{\"Text\":\"" + rows_[row_key] + "\"}"));
  }

  // Every row, in order, and nothing else.
  Rows Stored() {
    Rows rows;
    OwnedOperation query = Query("Tab");
    for (bool has_more = true; has_more;) {
      const auto page = host_.Do(query);
      if (!page) {
        ADD_FAILURE() << Outcome(page) << page.error().message;
        break;
      }
      const auto keys = TextsOf("RowKey", page->body);
      const auto texts = TextsOf("Text", page->body);
      EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
      for (std::size_t i = 0; i < keys.size(); ++i) {
        EXPECT_TRUE(rows.try_emplace(keys[i], texts.at(i)).second) << keys[i];
      }
      has_more = page->next_row_key.has_value();
      query.with.next_partition_key = page->next_partition_key;
      query.with.next_row_key = page->next_row_key;
    }
    return rows;
  }

  void ExpectAllIsThere() {
    EXPECT_TRUE(Stored() == rows_);
    EXPECT_EQ(ReadStoredPages(host_.storage()).flaws,
              std::vector<std::string>());
  }

  std::size_t LiveBytes() const {
    std::size_t bytes = 0;
    for (const auto& [row_key, text] : rows_) {
      bytes += row_key.size() + text.size();
    }
    return bytes;
  }

  std::mt19937_64 random_{TestSeed()};
  MemoryHost host_{
      std::make_shared<MemoryStorage>(),
      Profile::kDefault,
      {.cache_bytes = 200'000, .flush_bytes = 150'000, .flush_records = 100}};
  Rows rows_;
};

// Long keys make directories long, too.
TEST_F(LargeStoreTest, HoldsRowsOfLongKeysInAnyOrder) {
  SCOPED_TRACE(testing::Message() << "ENTITABLE_SEED=" << TestSeed());
  std::vector<std::string> row_keys;
  for (int i = 0; i < 6'000; ++i)
    row_keys.push_back(RandomText(20 + Below(880)));
  Insert(row_keys, 200);

  const StoredPages pages = ReadStoredPages(host_.storage());
  EXPECT_GT(pages.leaves, 50U);
  EXPECT_GT(pages.directories, pages.runs);
  ExpectAllIsThere();

  host_.Restart();
  ExpectAllIsThere();
}

TEST_F(LargeStoreTest, KeepsUpWithRandomUpdatesAndDeletions) {
  SCOPED_TRACE(testing::Message() << "ENTITABLE_SEED=" << TestSeed());
  std::vector<std::string> row_keys;
  for (int i = 0; i < 6'000; ++i) row_keys.push_back(std::to_string(i * 7919));
  Insert(row_keys, 200);

  for (int i = 0; i < 3'000; ++i) {
    ChangeOne();
    if (i % 500 == 0) host_.Restart();
  }

  ExpectAllIsThere();
  for (int i = 0; i < 300; ++i) {
    const std::string row_key = RandomRowKey();
    EXPECT_EQ(TextsOf("Text", Body(host_.Do(Get("Tab", "p", row_key)))),
              std::vector{rows_[row_key]});
  }
}

TEST_F(LargeStoreTest, TakesLittleMoreThanWhatLives) {
  std::vector<std::string> row_keys;
  for (int i = 0; i < 6'000; ++i) row_keys.push_back(std::to_string(i));
  Insert(row_keys, 200);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 1'000; ++i) ChangeOne();
    const StoredPages pages = ReadStoredPages(host_.storage());
    // One and a half times the live data, one step, and the unflushed records
    // with their grace.
    EXPECT_LT(pages.bytes, LiveBytes() * 3 / 2 + 700'000 + 2 * 150'000);
    EXPECT_LE(pages.runs, 4U);
  }
}

TEST_F(LargeStoreTest, GivesBackTheRoomOfADroppedTable) {
  std::vector<std::string> row_keys;
  for (int i = 0; i < 6'000; ++i) row_keys.push_back(std::to_string(i));
  Insert(row_keys, 200);
  Expect("201", NewTable("Other"));
  Expect("201", entitable::Insert("Other", EntityBody("p", "r")));

  Expect("204", DropTable("Tab"));
  // More records, so that the log is long enough for the next flush.
  for (int i = 0; i < 200; ++i) {
    Expect("204", Merge("Other", "p", "r", "{}"));
  }

  const StoredPages pages = ReadStoredPages(host_.storage());
  EXPECT_LE(pages.rows, 10U);
  EXPECT_EQ(pages.flaws, std::vector<std::string>());
  EXPECT_LT(pages.bytes, 500'000U);
  Expect("201", NewTable("Tab"));
  EXPECT_EQ(Stored(), Rows());
}

TEST_F(LargeStoreTest, HoldsEntitiesThatAreLongerThanAPage) {
  for (const std::size_t length : {20'000U, 70'000U, 400'000U}) {
    std::string members;
    const std::string text = RandomText(length / 20);
    for (int i = 0; i < 20; ++i) {
      members +=
          (i > 0 ? ",\"P" : "\"P") + std::to_string(i) + "\":\"" + text + '"';
    }
    Expect("201", entitable::Insert(
                      "Tab", EntityBody("p", std::to_string(length), members)));
  }
  for (int i = 0; i < 300; ++i) {
    Expect("204", Replace("Tab", "p", "small", "{}"));
  }
  host_.Restart();

  EXPECT_EQ(
      TextsOf("P19", Body(host_.Do(Get("Tab", "p", "400000")))).at(0).size(),
      20'000U);
  EXPECT_EQ(ReadStoredPages(host_.storage()).flaws, std::vector<std::string>());
}

// A read of pages comes with the manifest but without the log.  The manifest
// may be missing for two reasons.
TEST_F(LargeStoreTest, DistinguishesAMissingStoreFromAMissingManifest) {
  std::vector<std::string> row_keys;
  for (int i = 0; i < 2'000; ++i) row_keys.push_back(std::to_string(i));
  Insert(row_keys, 200);
  auto& values = host_.storage().values();
  const MemoryStorage::Values sound = values;
  const std::string filter = "Text ge 'M' and Text lt 'MB'";

  host_.Restart();
  Expect("200", ListTables());
  values.erase(ValueKey::Manifest());
  Expect("500 StorageDamaged", Query("Tab", {.filter = filter}));

  values = sound;
  Expect("200", ListTables());
  values.clear();
  Expect("410 StorageEvicted", Query("Tab", {.filter = filter}));
  values = sound;
  Expect("410 StorageEvicted", Query("Tab", {.filter = filter}));
}

// Each page has a valid checksum, but is in the place of another one.
TEST_F(LargeStoreTest, TakesNoPageForAnother) {
  std::vector<std::string> row_keys;
  for (int i = 0; i < 2'000; ++i) row_keys.push_back(std::to_string(i));
  Insert(row_keys, 200);
  auto& values = host_.storage().values();
  std::vector<ValueKey> pages;
  for (const auto& [key, value] : values) {
    if (key.kind == ValueKey::Kind::kPage) pages.push_back(key);
  }
  ASSERT_GT(pages.size(), 4U);

  for (std::size_t i = 1; i < pages.size(); ++i) {
    std::swap(values.at(pages[i - 1]), values.at(pages[i]));
    host_.Restart();
    // Every page may have some.
    const std::string filter = "Text ge 'M' and Text lt 'MB'";
    EXPECT_EQ(Outcome(host_.Do(Query("Tab", {.filter = filter}))),
              "500 StorageDamaged")
        << i;
    std::swap(values.at(pages[i - 1]), values.at(pages[i]));
  }
  host_.Restart();
  ExpectAllIsThere();
}

}  // namespace
}  // namespace entitable
