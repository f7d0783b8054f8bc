#include "store/memtable.h"

#include <gtest/gtest.h>

#include <string>

namespace entitable {
namespace {

// An entity that is told apart by its timestamp.
Entity At(std::int64_t ticks) { return {DateTime{ticks}, {}}; }

KeyRange From(EntityKey lower, EntityKey upper) {
  return {KeyBound{std::move(lower), false}, KeyBound{std::move(upper), false}};
}

// "p/r p/s": the keys of a run.
std::string Print(Memtable::Run run) {
  std::string keys;
  for (auto at = run.begin; at != run.end; ++at) {
    if (!keys.empty()) keys += ' ';
    keys += at->first.partition_key + '/' + at->first.row_key;
  }
  return keys;
}

TEST(MemtableTest, KeepsTheNewestStateOfEachKey) {
  Memtable entities;
  entities.Put(1, {"p", "r"}, At(1));
  entities.Put(1, {"p", "r"}, At(2));

  ASSERT_NE(entities.Find(1, {"p", "r"}), nullptr);
  EXPECT_EQ(entities.Find(1, {"p", "r"})->timestamp.ticks, 2);
  EXPECT_EQ(entities.Find(1, {"p", "R"}), nullptr);
  EXPECT_EQ(entities.Find(2, {"p", "r"}), nullptr);
}

TEST(MemtableTest, ErasesOneEntityOrAWholeTable) {
  Memtable entities;
  entities.Put(1, {"p", "r"}, At(1));
  entities.Put(1, {"p", "s"}, At(1));
  entities.Put(2, {"p", "r"}, At(1));

  entities.Erase(1, {"p", "r"});
  entities.Erase(1, {"p", "nothing"});
  entities.Erase(9, {"p", "r"});
  EXPECT_EQ(Print(entities.Range(1, {})), "p/s");

  entities.EraseTable(1);
  EXPECT_EQ(Print(entities.Range(1, {})), "");
  EXPECT_EQ(Print(entities.Range(2, {})), "p/r");
}

// Cases 94 and 96: by UTF-16 units, not by UTF-8 bytes.
TEST(MemtableTest, IsOrderedByPartitionKeyThenRowKey) {
  Memtable entities;
  for (const char* partition_key : {"b", "\uFF21", "B", "\U0001F600", ""}) {
    entities.Put(1, {partition_key, "2"}, At(1));
    entities.Put(1, {partition_key, "10"}, At(1));
  }

  EXPECT_EQ(Print(entities.Range(1, {})),
            "/10 /2 B/10 B/2 b/10 b/2 \U0001F600/10 \U0001F600/2 "
            "\uFF21/10 \uFF21/2");
}

TEST(MemtableTest, FindsTheEntitiesWithinARange) {
  Memtable entities;
  for (const char* row_key : {"", "1", "2", "3"}) {
    entities.Put(1, {"p", row_key}, At(1));
    entities.Put(1, {"q", row_key}, At(1));
  }

  EXPECT_EQ(Print(entities.Range(1, From({"p", "1"}, {"p", "3"}))), "p/1 p/2");
  EXPECT_EQ(Print(entities.Range(1, From({"p", "21"}, {"q", ""}))), "p/3");
  EXPECT_EQ(Print(entities.Range(1, {KeyBound{{"q", "2"}, true}, {}})), "q/3");
  EXPECT_EQ(Print(entities.Range(1, {{}, KeyBound{{"p", "1"}, true}})),
            "p/ p/1");
  EXPECT_EQ(Print(entities.Range(1, From({"r", ""}, {"s", ""}))), "");
  EXPECT_EQ(Print(entities.Range(2, From({"p", ""}, {"q", ""}))), "");
}

}  // namespace
}  // namespace entitable
