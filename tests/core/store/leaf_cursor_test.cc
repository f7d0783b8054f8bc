// Runs whose pages are each valid, but out of order with one another: the
// cursor gives out the pages before the first such page, and no more.

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "store/leaf_builder.h"
#include "store/leaf_rows.h"
#include "store/manifest.h"
#include "support/random.h"
#include "support/sample_runs.h"

namespace entitable {
namespace {

using Keys = std::vector<std::string>;

// The naive counterpart of a run: the keys of its leaf pages, by directory
// page.
using PagesOfKeys = std::vector<std::vector<Keys>>;

std::string KeyOf(std::size_t number) {
  return "k" + std::to_string(100'000 + number);
}

PagesOfKeys RandomPages(SampleSource& random) {
  PagesOfKeys pages(1 + random.Below(3));
  std::size_t number = 0;
  for (auto& directory : pages) {
    directory.resize(1 + random.Below(4));
    for (Keys& leaf : directory) {
      for (std::size_t n = 1 + random.Below(3); n > 0; --n) {
        leaf.push_back(KeyOf(number += 10));
      }
    }
  }
  return pages;
}

// Gives a leaf page one more row, somewhere behind its last one.
void Disturb(PagesOfKeys& pages, SampleSource& random) {
  auto& directory = pages[random.Below(pages.size())];
  Keys& leaf = directory[random.Below(directory.size())];
  const std::size_t last = std::stoul(leaf.back().substr(1)) - 100'000;
  leaf.push_back(KeyOf(last + 1 + random.Below(60)));
}

// The keys before the first page that has a key at or behind the first key of
// the next page, or behind the end of the run.
Keys KeysInOrder(const PagesOfKeys& pages, const std::string& end) {
  std::vector<Keys> leaves;
  for (const auto& directory : pages) {
    leaves.insert(leaves.end(), directory.begin(), directory.end());
  }
  Keys keys;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const bool is_in_order = i + 1 < leaves.size()
                                 ? leaves[i].back() < leaves[i + 1].front()
                                 : leaves[i].back() <= end;
    if (!is_in_order) break;
    keys.insert(keys.end(), leaves[i].begin(), leaves[i].end());
  }
  return keys;
}

// The same pages, in a cache.
Run WritePages(const PagesOfKeys& pages, std::string end, PageCache& cache) {
  Run run{.end = std::move(end)};
  PageId id = 0;
  for (const auto& keys_of_leaves : pages) {
    DirectoryPage directory;
    for (const Keys& keys : keys_of_leaves) {
      LeafBuilder builder;
      for (const std::string& key : keys) builder.AddTombstone(key);
      const PageEntry entry{
          .first_key = keys.front(), .page = ++id, .totals = {keys.size()}};
      cache.Insert(entry.page, *DecodePage(builder.Finish()));
      directory.leaves.push_back(entry);
    }
    run.directories.push_back(
        {.first_key = directory.leaves.front().first_key, .page = ++id});
    cache.Insert(id, *DecodePage(directory.Encode()));
  }
  return run;
}

// What the cursor gives out.
Keys Read(const Run& run, PageWindow& window) {
  Keys keys;
  std::string key;
  for (LeafCursor cursor(run, {}); cursor.Resolve(window) && !cursor.at_end();
       cursor.Next(window)) {
    const LeafPage* const leaf = cursor.Load(window);
    if (leaf == nullptr) break;
    for (std::size_t row = 0; row < leaf->row_count(); ++row) {
      leaf->KeyOf(row, key);
      keys.push_back(key);
    }
  }
  return keys;
}

TEST(LeafCursorTest, EndsBeforeAPageThatIsOutOfOrder) {
  SampleSource random(TestSeed());
  for (int i = 0; i < 1'000; ++i) {
    PagesOfKeys pages = RandomPages(random);
    const std::string end = pages.back().back().back();
    std::size_t count = 0;
    Disturb(pages, random);
    for (const auto& directory : pages) {
      for (const Keys& leaf : directory) count += leaf.size();
    }
    PageCache cache(std::size_t{1} << 20);
    const auto run = WritePages(pages, end, cache);
    PageWindow window(cache);

    const Keys keys = Read(run, window);

    EXPECT_EQ(keys, KeysInOrder(pages, end));
    EXPECT_EQ(window.damage().has_value(), keys.size() < count);
    EXPECT_FALSE(window.is_waiting());
  }
}

// The first row of the last page is at or behind that of the next directory.
TEST(LeafCursorTest, GivesOutNoPageOfADirectoryThatIsOutOfOrder) {
  for (const std::size_t first : {20U, 25U}) {
    PagesOfKeys pages{{{KeyOf(10)}, {KeyOf(first)}}, {{KeyOf(20)}}};
    PageCache cache(std::size_t{1} << 20);
    const auto run = WritePages(pages, KeyOf(30), cache);
    PageWindow window(cache);

    EXPECT_EQ(Read(run, window), Keys{});
    EXPECT_TRUE(window.damage());
  }
}

}  // namespace
}  // namespace entitable
