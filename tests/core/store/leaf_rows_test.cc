// What a filter is told of keys, against the keys of one row after another.

#include "store/leaf_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/bits.h"
#include "base/utf.h"
#include "store/leaf_builder.h"
#include "store/sort_key.h"
#include "support/random.h"
#include "support/random_rows.h"

namespace entitable {
namespace {

constexpr KeyPart kParts[] = {KeyPart::kPartitionKey, KeyPart::kRowKey};

using Rows = std::vector<std::size_t>;

// A page of tombstones, which have all that these functions look at.
LeafPage PageOf(const std::vector<std::string>& sort_keys) {
  LeafBuilder builder;
  for (const std::string& key : sort_keys) builder.AddTombstone(key);
  return *LeafPage::Decode(builder.Finish());
}

// Keys with all that makes an order difficult: characters that UTF-16 puts
// elsewhere than UTF-8 does, those that are escaped, and texts that begin with
// one another.
std::string NextText(RandomRows& random) {
  constexpr std::string_view kCharacters[] = {
      "a",          "b",  "\u00e9", "\uFFFF",
      "\U0001F600", "\1", "\2",     std::string_view("\0", 1)};
  std::string text;
  for (std::size_t left = random.Below(4); left > 0; --left) {
    text += kCharacters[random.Below(std::size(kCharacters))];
  }
  return text;
}

// The keys of some rows of one table, between rows of two others.
struct Sample {
  std::vector<EntityKey> keys;
  std::vector<std::string> sort_keys;
  std::size_t begin = 0;
  std::size_t end = 0;

  const std::string& Text(KeyPart part, std::size_t row) const {
    return part == KeyPart::kRowKey ? keys[row].row_key
                                    : keys[row].partition_key;
  }
};

Sample NextSample(RandomRows& random) {
  std::set<std::string> keys;
  std::vector<std::string> partitions;
  for (std::size_t left = 1 + random.Below(4); left > 0; --left) {
    partitions.push_back(NextText(random));
  }
  for (std::size_t left = 1 + random.Below(150); left > 0; --left) {
    const TableId table = random.Below(4) == 0 ? 1 + random.Below(3) : 2;
    keys.insert(MakeSortKey(table, {partitions[random.Below(partitions.size())],
                                    NextText(random)}));
  }
  Sample sample;
  std::vector<TableId> tables;
  for (const std::string& sort_key : keys) {
    TableKey place = *ParseSortKey(sort_key);
    tables.push_back(place.table);
    sample.keys.push_back(std::move(place.key));
    sample.sort_keys.push_back(sort_key);
  }
  const auto [first, end] = std::ranges::equal_range(tables, TableId{2});
  sample.begin = static_cast<std::size_t>(first - tables.begin());
  sample.end = static_cast<std::size_t>(end - tables.begin());
  const std::size_t size = sample.end - sample.begin;
  sample.begin += random.Below(3) == 0 ? random.Below(size + 1) : 0;
  sample.end -=
      random.Below(3) == 0 ? random.Below(sample.end - sample.begin + 1) : 0;
  return sample;
}

std::string NextWanted(const Sample& sample, KeyPart part, RandomRows& random) {
  return random.Below(2) == 0
             ? NextText(random)
             : sample.Text(part, random.Below(sample.keys.size()));
}

Rows RowsIn(const std::vector<std::uint64_t>& words) {
  Rows rows;
  for (std::size_t row = 0; row < words.size() * kWordBits; ++row) {
    if ((words[row / kWordBits] >> row % kWordBits & 1) != 0) {
      rows.push_back(row);
    }
  }
  return rows;
}

void ExpectCompared(const LeafRows& page, const Sample& sample, KeyPart part,
                    const std::string& wanted) {
  Rows below;
  Rows equal;
  for (std::size_t row = sample.begin; row < sample.end; ++row) {
    const auto order = CompareUtf16(sample.Text(part, row), wanted);
    if (order < 0) below.push_back(row);
    if (order == 0) equal.push_back(row);
  }
  const std::size_t words = WordCount(sample.keys.size());
  std::vector<std::uint64_t> found_below(words);
  std::vector<std::uint64_t> found_equal(words);
  WorkBudget work;
  page.CompareKeys(part, wanted, found_below, found_equal, work);
  EXPECT_EQ(RowsIn(found_below), below);
  EXPECT_EQ(RowsIn(found_equal), equal);
}

void ExpectFound(const LeafRows& page, const Sample& sample, KeyPart part,
                 const std::set<std::string>& wanted) {
  Rows expected;
  for (std::size_t row = sample.begin; row < sample.end; ++row) {
    if (wanted.contains(sample.Text(part, row))) expected.push_back(row);
  }
  std::vector<Value> texts;
  for (const std::string& text : wanted) texts.push_back(Value::String(text));
  std::ranges::sort(texts, [](const Value& a, const Value& b) {
    return CompareUtf16(a.string(), b.string()) < 0;
  });
  std::vector<std::uint64_t> found(WordCount(sample.keys.size()));
  WorkBudget work;
  page.FindKeys(part, texts, found, work);
  EXPECT_EQ(RowsIn(found), expected);
}

// At least the row itself; what follows is of the rows behind it.
void ExpectRead(const LeafRows& page, const Sample& sample, KeyPart part) {
  std::vector<std::string> texts{"left over"};
  for (std::size_t row = sample.begin; row < sample.end; ++row) {
    WorkBudget work;
    page.ReadKeys(part, row, texts, work);
    ASSERT_GE(texts.size(), 1U);
    ASSERT_LE(row + texts.size(), sample.keys.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      ASSERT_EQ(texts[i], sample.Text(part, row + i)) << row << " + " << i;
    }
  }
}

TEST(LeafRowsTest, SaysOfKeysWhatEachRowSays) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  RandomRows random(TestSeed());
  const std::size_t samples = WantedRuns("ENTITABLE_RANDOM_LEAF_ROWS", 400);
  for (std::size_t i = 0; i < samples && !HasFailure(); ++i) {
    const Sample sample = NextSample(random);
    const LeafPage leaf = PageOf(sample.sort_keys);
    const LeafRows page(leaf, 1, sample.begin, sample.end);
    for (const KeyPart part : kParts) {
      for (int n = 0; n < 3; ++n) {
        ExpectCompared(page, sample, part, NextWanted(sample, part, random));
      }
      // So few that each is searched for, and so many that none is.
      for (const std::size_t most : {0U, 3U, 100U}) {
        std::set<std::string> wanted;
        for (std::size_t left = random.Below(most + 1); left > 0; --left) {
          wanted.insert(NextWanted(sample, part, random));
        }
        ExpectFound(page, sample, part, wanted);
      }
      ExpectRead(page, sample, part);
    }
  }
}

// One partition: rows with equal texts lie together, and a search finds them.
TEST(LeafRowsTest, TellsATextFromThoseThatItBegins) {
  Sample sample;
  for (const std::string_view row_key : {"", "a", "a\1", "aa", "b"}) {
    sample.keys.push_back({"p", std::string(row_key)});
    sample.sort_keys.push_back(MakeSortKey(2, sample.keys.back().view()));
  }
  sample.end = sample.keys.size();
  const LeafPage leaf = PageOf(sample.sort_keys);
  const LeafRows page(leaf, 1, 0, sample.end);
  for (const EntityKey& key : sample.keys) {
    ExpectCompared(page, sample, KeyPart::kRowKey, key.row_key);
    ExpectFound(page, sample, KeyPart::kRowKey, {key.row_key});
  }
  ExpectCompared(page, sample, KeyPart::kPartitionKey, "");
  ExpectCompared(page, sample, KeyPart::kPartitionKey, "p");
  ExpectCompared(page, sample, KeyPart::kPartitionKey, "pp");
}

// The RowKeys ascend anew in each partition.
TEST(LeafRowsTest, FindsARowKeyInEachPartition) {
  Sample sample;
  for (const std::string partition : {"p", "q"}) {
    for (const std::string row_key : {"a", "b", "c"}) {
      sample.keys.push_back({partition, row_key});
      sample.sort_keys.push_back(MakeSortKey(2, sample.keys.back().view()));
    }
  }
  sample.end = sample.keys.size();
  const LeafPage leaf = PageOf(sample.sort_keys);
  const LeafRows page(leaf, 1, 0, sample.end);

  std::vector<std::uint64_t> found(1);
  WorkBudget work;
  const std::vector<Value> texts{Value::String("a"), Value::String("c")};
  page.FindKeys(KeyPart::kRowKey, texts, found, work);

  EXPECT_EQ(RowsIn(found), (Rows{0, 2, 3, 5}));
}

}  // namespace
}  // namespace entitable
