#include "store/sort_key.h"

#include <gtest/gtest.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <string_view>

#include "support/random.h"

namespace entitable {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

constexpr std::uint64_t kLastTable = UINT64_MAX;

// Where an order by bytes and one by UTF-16 code units may part.
constexpr std::string_view kCharacters[] = {
    "\0"sv,     "\x01"sv,   "\x02"sv,       "a"sv,
    "b"sv,      "\x7F"sv,   "\u0080"sv,     "\u07FF"sv,
    "\u0800"sv, "\uD7FF"sv, "\uE000"sv,     "\uEFFF"sv,
    "\uF000"sv, "\uFFFF"sv, "\U00010000"sv, "\U0010FFFF"sv};
constexpr TableId kTables[] = {0,      1,       2,          255,       256,
                               0xFFFF, 0x10000, 1ULL << 56, kLastTable};

class RandomKeys {
 public:
  explicit RandomKeys(std::uint64_t seed) : random_(seed) {}

  TableKey Next() {
    return {kTables[random_() % std::size(kTables)], {Text(), Text()}};
  }
  bool Flip() { return random_() % 2 == 0; }
  char Byte() { return static_cast<char>(random_()); }
  std::size_t Below(std::size_t limit) { return random_() % limit; }

 private:
  std::string Text() {
    std::string text;
    for (std::size_t length = Below(4); length > 0; --length) {
      text += kCharacters[Below(std::size(kCharacters))];
    }
    return text;
  }

  std::mt19937_64 random_;
};

std::string SortKeyOf(const TableKey& key) {
  return MakeSortKey(key.table, key.key.view());
}

std::strong_ordering OrderOf(const TableKey& a, const TableKey& b) {
  const auto order = a.table <=> b.table;
  return order != 0 ? order : a.key <=> b.key;
}

bool Contains(const SortRange& range, const std::string& sort_key) {
  return range.begin <= sort_key && sort_key < range.end;
}

bool IsAbove(const KeyBound& bound, const EntityKey& key) {
  return key < bound.key || (bound.after && key == bound.key);
}

TEST(SortKeyTest, WritesTheGrammar) {
  EXPECT_EQ(MakeSortKey(0, {"", ""}), "\0\0"sv);
  EXPECT_EQ(MakeSortKey(7, {"ab", "c"}), "\1\7ab\0c"sv);
  EXPECT_EQ(MakeSortKey(0x102, {"\0"sv, "\1"}), "\2\1\2\1\1\0\1\2"sv);
  EXPECT_EQ(MakeSortKey(1, {"\uE000", "\U00010000"}),
            "\1\1\xFE\x80\x80\0\xF0\x90\x80\x80"sv);
}

TEST(SortKeyTest, IsInTheOrderOfTableAndKeys) {
  RandomKeys keys(TestSeed());
  SCOPED_TRACE(TestSeed());
  for (int i = 0; i < 100'000; ++i) {
    const TableKey a = keys.Next();
    TableKey b = keys.Next();
    if (keys.Flip()) b.table = a.table;
    if (keys.Flip()) b.key.partition_key = a.key.partition_key;

    ASSERT_EQ(SortKeyOf(a) <=> SortKeyOf(b), OrderOf(a, b))
        << SortKeyOf(a) << " and " << SortKeyOf(b);
  }
}

TEST(SortKeyTest, IsReadAsItWasWritten) {
  RandomKeys keys(TestSeed());
  SCOPED_TRACE(TestSeed());
  for (int i = 0; i < 20'000; ++i) {
    const TableKey key = keys.Next();

    const auto parsed = ParseSortKey(SortKeyOf(key));

    ASSERT_TRUE(parsed.has_value());
    ASSERT_EQ(parsed->table, key.table);
    ASSERT_EQ(parsed->key, key.key);
  }
}

TEST(SortKeyTest, RefusesBytesThatItCannotHaveWritten) {
  constexpr std::string_view kCases[] = {
      ""sv,          // No table.
      "\1"sv,        // Half a table.
      "\1\0a\0b"sv,  // A leading zero.
      "\x09\1\1\1\1\1\1\1\1\1\0"sv,
      "\1\1a"sv,        // No end of the PartitionKey.
      "\1\1a\0b\0c"sv,  // Two of them.
      "\1\1\1\0b"sv,    // Half an escape.
      "\1\1\1\3\0b"sv,
      "\1\1a\0\1"sv,
      "\1\1\xEE\x80\x80\0"sv,
      "\1\1\x80\0"sv,  // Not UTF-8.
      "\1\1a\0\xFE\x80"sv,
  };
  for (const std::string_view bytes : kCases) {
    EXPECT_FALSE(ParseSortKey(bytes).has_value()) << bytes;
  }
}

// Often with the table and PartitionKey of the key before, and often invalid.
TEST(SortKeyParserTest, ReadsEachKeyAsIfItWereTheFirst) {
  RandomKeys keys(TestSeed());
  SCOPED_TRACE(TestSeed());
  SortKeyParser parser;
  TableKey key = keys.Next();
  for (int i = 0; i < 100'000; ++i) {
    const TableKey next = keys.Next();
    if (keys.Flip()) key = next;
    key.key.row_key = next.key.row_key;
    std::string bytes = SortKeyOf(key);
    if (keys.Flip()) bytes[keys.Below(bytes.size())] = keys.Byte();
    if (keys.Flip()) bytes.resize(keys.Below(bytes.size()));

    const auto expected = ParseSortKey(bytes);
    ASSERT_EQ(parser.Parse(bytes), expected.has_value());
    if (!expected) continue;
    ASSERT_EQ(parser.parsed().table, expected->table);
    ASSERT_EQ(parser.parsed().key, expected->key);
  }
}

// A code of one key may be the text of another.
TEST(SortKeyParserTest, ReadsThePartitionKeyAgainIfItOnlyLooksTheSame) {
  SortKeyParser parser;
  const TableKey plain{1, {"\1\1"s, "r"}};
  const TableKey coded{1, {"\0"s, "r"}};

  ASSERT_TRUE(parser.Parse(SortKeyOf(plain)));
  ASSERT_TRUE(parser.Parse(SortKeyOf(coded)));

  EXPECT_EQ(parser.parsed().key, coded.key);
}

TEST(SortKeyTest, HasOneFormWhateverTheBytes) {
  RandomKeys keys(TestSeed());
  SCOPED_TRACE(TestSeed());
  for (int i = 0; i < 100'000; ++i) {
    std::string bytes = SortKeyOf(keys.Next());
    bytes[keys.Below(bytes.size())] = keys.Byte();
    if (keys.Flip()) bytes[keys.Below(bytes.size())] = keys.Byte();
    if (keys.Flip()) bytes.resize(keys.Below(bytes.size()));

    const auto parsed = ParseSortKey(bytes);
    if (!parsed) continue;
    ASSERT_EQ(SortKeyOf(*parsed), bytes);
  }
}

TEST(SortRangeTest, HoldsTheEntitiesBetweenItsBounds) {
  RandomKeys keys(TestSeed());
  SCOPED_TRACE(TestSeed());
  for (int i = 0; i < 50'000; ++i) {
    const TableKey candidate = keys.Next();
    const TableKey low = keys.Next();
    const TableKey high = keys.Next();
    KeyRange range;
    if (keys.Flip()) range.lower = {low.key, keys.Flip()};
    if (keys.Flip()) range.upper = {high.key, keys.Flip()};
    if (range.lower && keys.Flip()) range.lower->key = candidate.key;
    if (range.upper && keys.Flip()) range.upper->key = candidate.key;
    const TableId table = keys.Flip() ? candidate.table : low.table;

    const bool is_inside =
        candidate.table == table &&
        !(range.lower && IsAbove(*range.lower, candidate.key)) &&
        !(range.upper && !IsAbove(*range.upper, candidate.key));
    ASSERT_EQ(Contains(MakeSortRange(table, range), SortKeyOf(candidate)),
              is_inside);
  }
}

TEST(SortRangeTest, EndsAPartitionBeforeTheNextPossibleOne) {
  const SortRange partition = MakeSortRange(
      1, {KeyBound{{"p", ""}, false}, KeyBound{{"p\0"s, ""}, false}});

  EXPECT_TRUE(Contains(partition, MakeSortKey(1, {"p", ""})));
  EXPECT_TRUE(Contains(partition, MakeSortKey(1, {"p", "\uFFFF\uFFFF"})));
  EXPECT_FALSE(Contains(partition, MakeSortKey(1, {"p\0"sv, ""})));
  EXPECT_FALSE(Contains(partition, MakeSortKey(1, {"o\uFFFF", ""})));
}

TEST(SortRangeTest, OfAWholeTableHasNoOther) {
  for (const TableId table : kTables) {
    const SortRange whole = WholeTable(table);

    EXPECT_EQ(whole, MakeSortRange(table, {}));
    EXPECT_TRUE(Contains(whole, MakeSortKey(table, {"", ""})));
    EXPECT_TRUE(Contains(whole, MakeSortKey(table, {"\uFFFF", "\uFFFF"})));
    for (const TableId other : kTables) {
      const std::string key = MakeSortKey(other, {"a", ""});
      EXPECT_EQ(Contains(whole, key), other == table);
    }
  }
}

}  // namespace
}  // namespace entitable
