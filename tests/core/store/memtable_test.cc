#include "store/memtable.h"

#include <gtest/gtest.h>

#include <string>

namespace entitable {
namespace {

MemRow Put(std::uint64_t number) { return {number, EntityView{}}; }

std::string Key(TableId table, const char* row_key) {
  return MakeSortKey(table, {"p", row_key});
}

// "1/a 2/b": the rows, by table and RowKey.
std::string Print(const Memtable& memtable) {
  std::string text;
  for (const auto& [sort_key, row] : memtable.rows()) {
    const auto place = ParseSortKey(sort_key);
    if (!text.empty()) text += ' ';
    text += std::to_string(place->table) + '/' + place->key.row_key;
    if (!row.entity) text += '-';
  }
  return text;
}

TEST(MemtableTest, KeepsTheNewestStateOfEachRow) {
  Memtable rows;
  rows.Put(Key(1, "a"), Put(1));
  rows.Put(Key(1, "b"), Put(1));
  rows.Put(Key(1, "a"), {2, std::nullopt});

  EXPECT_EQ(Print(rows), "1/a- 1/b");
  ASSERT_NE(rows.Find(Key(1, "a")), nullptr);
  EXPECT_EQ(rows.Find(Key(1, "a"))->number, 2U);
  EXPECT_EQ(rows.Find(Key(1, "c")), nullptr);
}

TEST(MemtableTest, ErasesATableWithoutATrace) {
  Memtable rows;
  for (const TableId table : {1U, 2U, 3U}) {
    rows.Put(Key(table, "a"), Put(1));
    rows.Put(Key(table, "b"), Put(1));
  }

  rows.Erase(WholeTable(2));

  EXPECT_EQ(Print(rows), "1/a 1/b 3/a 3/b");
}

TEST(MemtableTest, ForgetsWhatIsInPages) {
  Memtable rows;
  rows.Put(Key(1, "a"), Put(1));
  rows.Put(Key(1, "b"), Put(2));
  rows.Put(Key(1, "c"), Put(3));
  rows.Put(Key(1, "a"), Put(4));

  rows.Forget(2);

  EXPECT_EQ(Print(rows), "1/a 1/c");
}

}  // namespace
}  // namespace entitable
