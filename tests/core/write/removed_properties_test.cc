// Merges that remove properties: docs/internals/frames.md, "Removed
// properties".

#include <gtest/gtest.h>

#include <string>

#include "support/engine_test.h"
#include "support/operations.h"

namespace entitable {
namespace {

constexpr char kWithoutB[] = R"({"B@entitable.removed":true})";
constexpr char kParts[] = R"("A":"0","A_1":"1","A_2":"2","A_3":"3","A_02":"4",)"
                          R"("A_16":"5","A_17":"6","AB_3":"7","A_3x":"8")";

class RemovedPropertiesTest : public EngineTest {
 protected:
  void SetUp() override {
    Given(NewTable("Pets"));
    Given(Insert("Pets", EntityBody("p", "r", R"("A":1,"B":2,"C":3)")));
  }

  std::string Row() { return Stored("Pets", "p", "r"); }
};

TEST_F(RemovedPropertiesTest, AMergeRemovesAndSetsInOneWrite) {
  Given(Merge("Pets", "p", "r", R"({"C":4,"B@entitable.removed":true})",
              {.if_match = "*"}));

  EXPECT_EQ(Row(), R"("A":1,"C":4)");
}

TEST_F(RemovedPropertiesTest, SoDoAnUpsertATransactionAndAChangeOfMany) {
  for (const OwnedOperation& one :
       {Merge("Pets", "p", "r", kWithoutB),
        Transaction({Merge("Pets", "p", "r", kWithoutB)}),
        MergeMatching("Pets", kWithoutB, "A eq 1")}) {
    Given(Merge("Pets", "p", "r", R"({"B":2})"));
    Given(one);
    EXPECT_EQ(Row(), R"("A":1,"C":3)");
  }
}

TEST_F(RemovedPropertiesTest, AnImportThatMergesRemoves) {
  const std::string input =
      EntityBody("p", "r", R"("B@entitable.removed":true,"D":4)") +
      EntityBody("p", "new", R"("A":1,"B":2)") +
      EntityBody("p", "new", R"("B@entitable.removed":true)");
  for (const ImportMode mode : {ImportMode::kReplace, ImportMode::kMerge}) {
    Given(Replace("Pets", "p", "r", R"({"A":1,"B":2})"));
    Given(Import("Pets", input, {.mode = mode, .begins = true, .ends = true}));

    const bool merges = mode == ImportMode::kMerge;
    EXPECT_EQ(Row(), merges ? R"("A":1,"D":4)" : R"("D":4)");
    EXPECT_EQ(Stored("Pets", "p", "new"), merges ? R"("A":1)" : "");
  }
}

TEST_F(RemovedPropertiesTest, APartIsRemovedWithItsLaterParts) {
  Given(Replace("Pets", "p", "r", "{" + std::string(kParts) + "}"));
  Given(Merge("Pets", "p", "r",
              R"({"A":"new","A_2@entitable.removed":"parts"})"));

  EXPECT_EQ(Row(), R"("A":"new","AB_3":"7","A_02":"4","A_1":"1",)"
                   R"("A_17":"6","A_3x":"8")");
}

TEST_F(RemovedPropertiesTest, WhatIsRemovedAndGivenIsSet) {
  Given(Merge("Pets", "p", "r", R"({"B":9,"B@entitable.removed":true})"));

  EXPECT_EQ(Row(), R"("A":1,"B":9,"C":3)");
}

// Source: data model, 1.3: null is like a missing member.
TEST_F(RemovedPropertiesTest, NullRemovesNothing) {
  Given(Merge("Pets", "p", "r",
              R"({"A":null,"B@odata.type":"Edm.Int32",)"
              R"("B":null,"C@entitable.removed":false})"));

  EXPECT_EQ(Row(), R"("A":1,"B":2,"C":3)");
}

TEST_F(RemovedPropertiesTest, NothingToRemoveIsNoFailure) {
  const std::string body =
      R"({"D@entitable.removed":true,"E_2@entitable.removed":"parts"})";
  for (const OwnedOperation& one :
       {Merge("Pets", "p", "r", body), Merge("Pets", "p", "r", body)}) {
    Given(one);
    EXPECT_EQ(Row(), R"("A":1,"B":2,"C":3)");
  }
  Given(Merge("Pets", "p", "new", body));
  EXPECT_EQ(Stored("Pets", "p", "new"), "");
  Given(Insert("Pets", EntityBody("p", "n2", R"("A@entitable.removed":true)")));
  EXPECT_EQ(Stored("Pets", "p", "n2"), "");
}

// Of version 2: A is an Int32 that is required.
TEST_F(RemovedPropertiesTest, TheResultMustKeepTheSchema) {
  OwnedOperation merge =
      Merge("Pets", "p", "r", R"({"A@entitable.removed":true})");
  merge.schema = std::string(
      "\x02\x00\x01"
      "A"
      "\x02\x00\x00",
      7);

  EXPECT_EQ(Do(merge), "400 SchemaViolation");
  EXPECT_EQ(Row(), R"("A":1,"B":2,"C":3)");
}

TEST_F(RemovedPropertiesTest, AnIndexForgetsTheValue) {
  while (!Body(host_.Do(SetIndexes("Pets", "B"))).contains("true")) {
  }
  Given(Merge("Pets", "p", "r", kWithoutB));
  EXPECT_EQ(Body(host_.Do(Count("Pets", "B eq 2"))).substr(0, 10),
            R"({"count":0)");
}

}  // namespace
}  // namespace entitable
