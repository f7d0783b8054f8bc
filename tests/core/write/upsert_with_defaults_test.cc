// Upserts that say what of their body is merged: operation.h, UpdateEntity.

#include <gtest/gtest.h>

#include <string>

#include "support/engine_test.h"
#include "support/operations.h"

namespace entitable {
namespace {

class UpsertWithDefaultsTest : public EngineTest {
 protected:
  void SetUp() override { Given(NewTable("Pets")); }

  static OwnedOperation Upsert(const std::string& row_key,
                               const std::string& body,
                               const std::string& merged) {
    OwnedOperation merge = Merge("Pets", "p", row_key, body);
    merge.with.property = merged;
    return merge;
  }
};

TEST_F(UpsertWithDefaultsTest, InsertsAllAndMergesWhatIsNamed) {
  for (const bool in_transaction : {false, true}) {
    const std::string row = in_transaction ? "part" : "alone";
    const auto write = [&](const OwnedOperation& one) {
      Given(in_transaction ? Transaction({one}) : one);
    };

    write(Upsert(row, R"({"A":1,"AB":2,"B":2})", "A"));
    EXPECT_EQ(Stored("Pets", "p", row), R"("A":1,"AB":2,"B":2)");
    write(Upsert(row, R"({"A":3,"AB":4,"B":4,"C":4})", "A,B"));
    EXPECT_EQ(Stored("Pets", "p", row), R"("A":3,"AB":2,"B":4)");
    write(Upsert(row, R"({"A":5,"B":5})", ""));
    EXPECT_EQ(Stored("Pets", "p", row), R"("A":3,"AB":2,"B":4)");
  }
}

TEST_F(UpsertWithDefaultsTest, KeepsTheDoublesThatAreNamed) {
  Given(Insert("Pets", EntityBody("p", "r", R"("A":1.5,"B":1.5)")));
  OwnedOperation upsert = Upsert("r", R"({"A":2,"B":3})", "A");
  upsert.keeps_doubles = true;

  Given(upsert);

  EXPECT_EQ(Stored("Pets", "p", "r"), R"("A":2.0,"B":1.5)");
}

TEST_F(UpsertWithDefaultsTest, InsertsNothingIfThereIsACondition) {
  OwnedOperation update = Upsert("none", R"({"A":1,"B":2})", "A");
  update.with.if_match = "*";

  EXPECT_EQ(Do(update), "404 ResourceNotFound");
}

}  // namespace
}  // namespace entitable
