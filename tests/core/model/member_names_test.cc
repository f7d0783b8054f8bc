#include <gtest/gtest.h>

#include <string>

#include "model/entity_members.h"
#include "model/entity_reader.h"
#include "model/limits.h"
#include "support/numbered_members.h"
#include "support/operations.h"
#include "support/read_entity.h"

namespace entitable {
namespace {

// Cases 98 to 112.
TEST(MemberNamesTest, AcceptsEveryLegalName) {
  for (const std::string_view name :
       {"_", "_a", "Abc", "abc1", "class", "double", "timestamp", "ETag",
        "etag", "partitionKey", "\u00e9t\u00e9", "\u4e2d\u6587", "a\u0301",
        "a\u203fb", "\u2160x"}) {
    const std::string quoted = "\"" + std::string(name) + "\":1";
    EXPECT_EQ(ReadMembers(quoted), std::string(name) + ":Edm.Int32=1");
  }
  EXPECT_EQ(ReadMembers(R"("\u00e9t\u00e9":1)"), "\u00e9t\u00e9:Edm.Int32=1");
  EXPECT_EQ(ReadMembers(R"("Birthday":1,"birthday":2)"),
            "Birthday:Edm.Int32=1 birthday:Edm.Int32=2");
}

// Cases 113 to 130.
TEST(MemberNamesTest, RefusesIllegalNames) {
  for (const std::string_view name :
       {"a-b", "a b", "a.b", "1a", "a$", "@class", "a:b", "a!", "a/b",
        R"(\ue000a)", R"(a\ud83d\ude00)", R"(a\u200bb)", R"(\u00b5)",
        R"(a\u0001)", "'a'", ""}) {
    EXPECT_EQ(ReadMembers("\"" + std::string(name) + "\":1"),
              "400 PropertyNameInvalid")
        << name;
  }
  EXPECT_EQ(MessageOf(EntityBody("p", "r", R"("a-b":1)")),
            "The property name is invalid.");

  const std::string longest(255, 'n');
  EXPECT_EQ(ReadMembers("\"" + longest + "\":1"), longest + ":Edm.Int32=1");
  EXPECT_EQ(ReadMembers("\"" + longest + "n\":1"), "400 PropertyNameTooLong");
  EXPECT_EQ(MessageOf(EntityBody("p", "r", "\"" + longest + "n\":1")),
            "The property name exceeds the maximum allowed length (255).");
}

// Case 132.
TEST(MemberNamesTest, RefusesANameGivenTwice) {
  for (const char* members :
       {R"("A":1,"A":2)", R"("A":1,"B":1,"\u0041":1)", R"("RowKey":"r")",
        R"("A@odata.type":"Edm.Int64","A":"1","A@odata.type":"Edm.Int64")",
        R"("odata.etag":"x","odata.etag":"y")"}) {
    EXPECT_EQ(ReadMembers(members), "400 DuplicatePropertiesSpecified")
        << members;
  }
  EXPECT_EQ(MessageOf(EntityBody("p", "r", R"("A":1,"A":2)")),
            "A property is specified more than one time.");
}

// Cases 133 to 135.
TEST(MemberNamesTest, CountsTheCustomPropertiesThatAreNotNull) {
  JsonReader reader;
  const std::string most = EntityBody("p", "r", NumberedMembers(252));
  const auto entity = ReadNewEntity(reader, {most});
  ASSERT_TRUE(entity.has_value());
  EXPECT_EQ(entity->properties.count(), 252U);

  EXPECT_EQ(ReadMembers(NumberedMembers(253)), "400 TooManyProperties");
  EXPECT_EQ(ReadPatch("{" + NumberedMembers(253) + "}"),
            "400 TooManyProperties");
  const std::string with_null =
      EntityBody("p", "r", NumberedMembers(252) + R"(,"odata.id":"","X":null)");
  EXPECT_TRUE(ReadNewEntity(reader, {with_null}).has_value());
}

// Ours: within kMaxValidatedProperties the order above holds.
TEST(MemberNamesTest, ReadsNoNameOfABodyWithFarTooManyProperties) {
  const auto members = [](std::size_t count, const std::string& name) {
    std::string body = "{";
    for (std::size_t i = 0; i < count; ++i) {
      body += (i > 0 ? ",\"" : "\"") + name + "\":1";
    }
    return body + "}";
  };

  EXPECT_EQ(ReadNew(members(kMaxValidatedProperties, "a-b")),
            "400 DuplicatePropertiesSpecified");
  EXPECT_EQ(ReadNew(members(kMaxValidatedProperties + 1, "a-b")),
            "400 TooManyProperties");
  EXPECT_EQ(ReadNew(members(300'000, "a-")), "400 TooManyProperties");
}

}  // namespace
}  // namespace entitable
