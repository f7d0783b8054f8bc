#include "store/catalogue.h"

#include <gtest/gtest.h>

namespace entitable {
namespace {

TEST(CatalogueTest, FindsATableInAnyCaseAndKeepsItsSpelling) {
  Catalogue catalogue;
  ASSERT_TRUE(catalogue.Create(1, "Pets"));

  const Table* table = catalogue.Find("pETS");

  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->id, 1U);
  EXPECT_EQ(table->name, "Pets");
  EXPECT_EQ(catalogue.Find("Pet"), nullptr);
  EXPECT_EQ(catalogue.Find(""), nullptr);
}

TEST(CatalogueTest, IsOrderedByFoldedNames) {
  Catalogue catalogue;
  catalogue.Create(1, "bbb");
  catalogue.Create(2, "aaa");
  catalogue.Create(3, "Ccc");

  std::string names;
  for (const auto& [folded, table] : catalogue.tables()) names += table.name;

  EXPECT_EQ(names, "aaabbbCcc");
}

TEST(CatalogueTest, RefusesANameThatIsTaken) {
  Catalogue catalogue;
  ASSERT_TRUE(catalogue.Create(1, "Pets"));

  EXPECT_FALSE(catalogue.Create(2, "PETS"));

  EXPECT_EQ(catalogue.next_id(), 2U);
  EXPECT_EQ(catalogue.Find("pets")->id, 1U);
}

TEST(CatalogueTest, NeverGivesAnIdAgain) {
  Catalogue catalogue;
  ASSERT_TRUE(catalogue.Create(catalogue.next_id(), "Pets"));
  ASSERT_TRUE(catalogue.Drop(1));
  EXPECT_EQ(catalogue.next_id(), 2U);

  EXPECT_FALSE(catalogue.Create(1, "Pets"));
  EXPECT_FALSE(catalogue.Create(0, "Pets"));
  ASSERT_TRUE(catalogue.Create(5, "Pets"));

  EXPECT_EQ(catalogue.next_id(), 6U);
  EXPECT_FALSE(catalogue.Create(4, "Shops"));
}

TEST(CatalogueTest, DropsExactlyTheTableOfTheId) {
  Catalogue catalogue;
  catalogue.Create(1, "Pets");
  catalogue.Create(2, "Petshops");

  EXPECT_TRUE(catalogue.Drop(1));

  EXPECT_EQ(catalogue.Find("Pets"), nullptr);
  EXPECT_NE(catalogue.Find("Petshops"), nullptr);
  EXPECT_FALSE(catalogue.Drop(1));
  EXPECT_FALSE(catalogue.Drop(7));
}

}  // namespace
}  // namespace entitable
