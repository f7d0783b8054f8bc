// Inserts, updates, merges and deletes: cases 136 to 145, 213 to 278 of the
// spec; conditions and timestamps have test files of their own.

#include <gtest/gtest.h>

#include <string>

#include "base/text_encodings.h"
#include "support/numbered_members.h"
#include "support/one_entity_test.h"

namespace entitable {
namespace {

using EntityOperationsTest = OneEntityTest;

std::string BinaryMember(const std::string& name, std::size_t byte_count) {
  std::string member =
      "\"" + name + R"(@odata.type":"Edm.Binary",")" + name + "\":\"";
  AppendBase64(std::string(byte_count, 'x'), member);
  return member + '"';
}

// ------------------------------------------------------------------- inserts

// Cases 219 and 231.
TEST_F(EntityOperationsTest, InsertAnswersWithTheEntity) {
  const auto answer = host_.Do(Insert("Tab", EntityBody("p", "r")));

  ASSERT_EQ(Outcome(answer), "201");
  EXPECT_EQ(answer->body, Body(host_.Do(Get("Tab", "p", "r"))));
  EXPECT_EQ(Stored(), "");
}

// Case 221.
TEST_F(EntityOperationsTest, InsertAnswersWithoutTheEntityOnRequest) {
  const auto answer =
      host_.Do(Insert("Tab", EntityBody("p", "r"), {.echo = false}));

  ASSERT_EQ(Outcome(answer), "204");
  EXPECT_EQ(answer->body, "");
  EXPECT_EQ(answer->etag, StoredEtag());
}

TEST_F(EntityOperationsTest, InsertAnswersAtTheLevelAskedFor) {
  const auto answer = host_.Do(
      Insert("Tab", EntityBody("p", "r"), {.level = MetadataLevel::kNone}));

  EXPECT_EQ(Body(answer), R"({"PartitionKey":"p","RowKey":"r",)"
                          R"("Timestamp":"2024-01-02T03:04:05.6780001Z"})");
}

// Case 223.
TEST_F(EntityOperationsTest, InsertRefusesKeysThatExist) {
  GivenEntity(R"("A":1)");

  EXPECT_EQ(Do(Insert("Tab", EntityBody("p", "r", R"("A":2)"))),
            "409 EntityAlreadyExists");
  EXPECT_EQ(MessageOf(Insert("Tab", EntityBody("p", "r"))),
            "The specified entity already exists.");
  EXPECT_EQ(Stored(), R"("A":1)");
}

// Cases 226 to 228, 47 and 132; the rest in entity_reader_test.cc.
TEST_F(EntityOperationsTest, InsertRefusesABodyThatBreaksARule) {
  EXPECT_EQ(Do(Insert("Tab", "[]")), "400 InvalidInput");
  EXPECT_EQ(Do(Insert("Tab", "")), "400 InvalidInput");
  EXPECT_EQ(Do(Insert("Tab", R"({"PartitionKey":"p")")), "400 InvalidInput");
  EXPECT_EQ(Do(Insert("Tab", "{}")), "400 PropertiesNeedValue");
  EXPECT_EQ(Do(Insert("Tab", EntityBody("p", "r", R"("A":1,"A":2)"))),
            "400 DuplicatePropertiesSpecified");
}

TEST_F(EntityOperationsTest, InsertIgnoresAnIfMatch) {
  EXPECT_EQ(Do(Insert("Tab", EntityBody("p", "r"), {.if_match = "x"})), "201");
}

// ------------------------------------------------------- updates and upserts

// Cases 234 to 239, 263 to 266.
TEST_F(EntityOperationsTest, ReplaceAndMergeDifferInWhatTheyKeep) {
  const struct {
    const char* body;
    const char* replaced;
    const char* merged;
  } kCases[] = {
      {R"({"A":9})", R"("A":9)", R"("A":9,"B":2)"},
      {R"({"C":3})", R"("C":3)", R"("A":1,"B":2,"C":3)"},
      {R"({"A":null})", "", R"("A":1,"B":2)"},
      {R"({"A":null,"B":5})", R"("B":5)", R"("A":1,"B":5)"},
      {R"({})", "", R"("A":1,"B":2)"},
      {R"({"A":"text"})", R"("A":"text")", R"("A":"text","B":2)"},
  };
  for (const auto& [body, replaced, merged] : kCases) {
    for (const With& with : {With{}, With{.if_match = "*"}}) {
      SCOPED_TRACE(body);
      GivenEntity(R"("A":1,"B":2)");
      EXPECT_EQ(Put(body, with), "204");
      EXPECT_EQ(Stored(), replaced);
      EXPECT_EQ(Remove({.if_match = "*"}), "204");

      GivenEntity(R"("A":1,"B":2)");
      EXPECT_EQ(Patch(body, with), "204");
      EXPECT_EQ(Stored(), merged);
      EXPECT_EQ(Remove({.if_match = "*"}), "204");
    }
  }
}

TEST_F(EntityOperationsTest, UpdatesAnswerWithAnEtagAndNothingElse) {
  GivenEntity(R"("A":1)");
  for (const auto& operation :
       {Replace("Tab", "p", "r", "{}"), Merge("Tab", "p", "r", "{}"),
        Replace("Tab", "p", "r", "{}", {.if_match = "*"})}) {
    const auto answer = host_.Do(operation);
    ASSERT_EQ(Outcome(answer), "204");
    EXPECT_EQ(answer->body, "");
    EXPECT_EQ(answer->etag, StoredEtag());
  }
}

// Cases 240 to 244.
TEST_F(EntityOperationsTest, UpsertsCreateWhereUpdatesFindNothing) {
  for (const char* tag : {"*", R"(W/"x")"}) {
    EXPECT_EQ(Put("{}", {.if_match = tag}), "404 ResourceNotFound") << tag;
    EXPECT_EQ(Patch("{}", {.if_match = tag}), "404 ResourceNotFound") << tag;
  }

  EXPECT_EQ(Put(R"({"C":3})"), "204");
  EXPECT_EQ(Stored(), R"("C":3)");
  EXPECT_EQ(Remove({.if_match = "*"}), "204");
  EXPECT_EQ(Patch(R"({"C":3})"), "204");
  EXPECT_EQ(Stored(), R"("C":3)");
}

// Cases 267 to 269.
TEST_F(EntityOperationsTest, TheAddressOfAnUpdateOutranksItsBody) {
  GivenEntity(R"("A":1)");
  host_.set_clock(MemoryHost::kSomeTime + 1'000);

  EXPECT_EQ(Put(R"({"PartitionKey":"p","RowKey":"other","A":2,)"
                R"("Timestamp":"1999-01-01T00:00:00Z"})"),
            "204");

  EXPECT_EQ(Stored(), R"("A":2)");
  EXPECT_EQ(StoredEtag(), "W/\"datetime'2024-01-02T03%3A04%3A06.678Z'\"");
  EXPECT_EQ(Do(Get("Tab", "p", "other")), "404 ResourceNotFound");
}

// Cases 136, 137 and 218.
TEST_F(EntityOperationsTest, MergeMayNotGrowAnEntityBeyondItsLimits) {
  GivenEntity(NumberedMembers(252));
  EXPECT_EQ(Patch(R"({"one_more":1})"), "400 TooManyProperties");
  EXPECT_EQ(Patch(R"({"n0":2})"), "204");
  EXPECT_EQ(Remove({.if_match = "*"}), "204");

  std::string large;
  for (int i = 0; i < 14; ++i) {
    if (i > 0) large += ',';
    large += BinaryMember("b" + std::to_string(i), 65'536);
  }
  GivenEntity(large);
  std::string patch = "{" + BinaryMember("c0", 65'536);
  EXPECT_EQ(Patch(patch + "," + BinaryMember("c1", 65'536) + "," +
                  BinaryMember("c2", 65'536) + "}"),
            "400 EntityTooLarge");
  EXPECT_EQ(Patch(patch + "}"), "204");
}

// Cases 144 and 145; data model, 1.3.1.
TEST_F(EntityOperationsTest, KeepsTheOrderOfAnInsertAndSortsAfterAnUpdate) {
  GivenEntity(R"("b":1,"a":2)");
  EXPECT_EQ(Stored(), R"("b":1,"a":2)");

  EXPECT_EQ(Patch("{}"), "204");
  EXPECT_EQ(Stored(), R"("a":2,"b":1)");
  EXPECT_EQ(Put(R"({"b":1,"a":2})"), "204");
  EXPECT_EQ(Stored(), R"("a":2,"b":1)");

  EXPECT_EQ(Do(Merge("Tab", "p", "new", R"({"b":1,"a":2})")), "204");
  EXPECT_EQ(EngineTest::Stored("Tab", "p", "new"), R"("a":2,"b":1)");
}

// Case 301.
TEST_F(EntityOperationsTest, TakesBackWhatItAnswered) {
  GivenEntity(R"("D":7.0,"I":7,"L@odata.type":"Edm.Int64","L":"7","S":"7",)"
              R"("T@odata.type":"Edm.DateTime","T":"2020-01-01T00:00:00Z")");
  const std::string stored = Stored();
  for (const auto level :
       {MetadataLevel::kMinimal, MetadataLevel::kFull, MetadataLevel::kTyped}) {
    const std::string body =
        Body(host_.Do(Get("Tab", "p", "r", {.level = level})));
    EXPECT_EQ(Put(body), "204");
    EXPECT_EQ(Stored(), stored);
  }
}

// ------------------------------------------------------------------- deletes

// Cases 256 to 259.
TEST_F(EntityOperationsTest, DeleteNeedsAConditionAndAnEntity) {
  EXPECT_EQ(Remove({.if_match = "*"}), "404 ResourceNotFound");
  GivenEntity("");
  EXPECT_EQ(Remove({}), "400 InvalidInput");

  const auto answer = host_.Do(Delete("Tab", "p", "r"));

  ASSERT_EQ(Outcome(answer), "204");
  EXPECT_EQ(answer->etag, "");
  EXPECT_EQ(answer->body, "");
  EXPECT_EQ(Stored(), "404 ResourceNotFound");
}

// Cases 224, 260 to 262.
TEST_F(EntityOperationsTest, NeedsATable) {
  for (const std::string table : {"Nope", "a-b", ""}) {
    SCOPED_TRACE(table);
    EXPECT_EQ(Do(Insert(table, EntityBody("p", "r"))), "404 TableNotFound");
    EXPECT_EQ(Do(Delete(table, "p", "r")), "404 TableNotFound");
    EXPECT_EQ(Do(Replace(table, "p", "r", "{}")), "404 TableNotFound");
    EXPECT_EQ(Do(Merge(table, "p", "r", "{}", {.if_match = "*"})),
              "404 TableNotFound");
    EXPECT_EQ(Do(Get(table, "p", "r")), "404 TableNotFound");
  }
  EXPECT_EQ(MessageOf(Insert("Nope", EntityBody("p", "r"))),
            "The table specified does not exist.");
}

// --------------------------------------------------------------------- reads

// Cases 271 and 272.
TEST_F(EntityOperationsTest, GetAnswersWithoutABodyWhatTheClientHas) {
  GivenEntity(R"("A":1)");
  const std::string etag = StoredEtag();

  EXPECT_EQ(Do(Get("Tab", "p", "r", {.if_none_match = R"(W/"other")"})), "200");
  const auto known = host_.Do(Get("Tab", "p", "r", {.if_none_match = etag}));

  ASSERT_EQ(Outcome(known), "304");
  EXPECT_EQ(known->body, "");
  EXPECT_EQ(Do(Get("Tab", "p", "other", {.if_none_match = etag})),
            "404 ResourceNotFound");
  EXPECT_EQ(Do(Get("Tab", "p", "r", {.if_none_match = "x"})),
            "400 InvalidInput");
}

// Case 279.
TEST_F(EntityOperationsTest, GetHasAnEtagAtEveryLevel) {
  GivenEntity("");
  for (const auto level : {MetadataLevel::kNone, MetadataLevel::kMinimal,
                           MetadataLevel::kFull, MetadataLevel::kTyped}) {
    EXPECT_EQ(EtagOf(Get("Tab", "p", "r", {.level = level})), StoredEtag());
  }
}

}  // namespace
}  // namespace entitable
