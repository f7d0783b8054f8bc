#include "store/table_row.h"

#include <gtest/gtest.h>

#include "store/sort_key.h"

namespace entitable {
namespace {

TEST(TableRowTest, ComesBackFromItsEntity) {
  const auto table = ReadTableRow(MakeTableRow({7, "Pets"}));

  ASSERT_TRUE(table.has_value());
  EXPECT_EQ(table->id, 7U);
  EXPECT_EQ(table->name, "Pets");
}

TEST(TableRowTest, IsFoundInAnyCase) {
  EXPECT_EQ(TableRowKey("Pets"), TableRowKey("pETS"));
  EXPECT_NE(TableRowKey("Pets"), TableRowKey("Pet"));
}

TEST(TableRowTest, IsInATableOfItsOwnBeforeAllOthers) {
  EXPECT_GE(TableRowKey("Pets"), WholeTable(kCatalogue).begin);
  EXPECT_LT(TableRowKey("Pets"), WholeTable(kCatalogue).end);
  EXPECT_LE(WholeTable(kCatalogue).end, WholeTable(1).begin);
}

TEST(TableRowTest, IsNotReadFromAnotherEntity) {
  Entity no_id{};
  no_id.properties.Append("Name", Value::String("Pets"));
  Entity bad_id = no_id;
  bad_id.properties.Append("Id", Value::Int64(0));

  EXPECT_FALSE(ReadTableRow(Entity{}).has_value());
  EXPECT_FALSE(ReadTableRow(no_id).has_value());
  EXPECT_FALSE(ReadTableRow(bad_id).has_value());
}

}  // namespace
}  // namespace entitable
