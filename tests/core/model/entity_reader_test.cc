#include "model/entity_reader.h"

#include <gtest/gtest.h>

#include <string>

#include "model/limits.h"
#include "support/numbered_members.h"
#include "support/operations.h"
#include "support/print_properties.h"
#include "support/read_entity.h"

namespace entitable {
namespace {

constexpr char kUnreadable[] =
    "An error occurred while processing this request.";

// ---------------------------------------------------------------------- keys

// Cases 44 to 56 and 97.
TEST(EntityReaderTest, TakesTheKeysFromTheBody) {
  JsonReader reader;
  const auto entity = ReadNewEntity(
      reader, {R"({"A":1,"RowKey":" r'\u00e9","PartitionKey":""})"});

  ASSERT_TRUE(entity.has_value());
  EXPECT_EQ(entity->key.partition_key, "");
  EXPECT_EQ(entity->key.row_key, " r'\u00e9");
  EXPECT_EQ(Print(entity->properties), "A:Edm.Int32=1");
}

TEST(EntityReaderTest, NeedsBothKeysAsStrings) {
  const struct {
    const char* body;
    const char* outcome;
  } kCases[] = {
      {R"({"PartitionKey":"p"})", "400 PropertiesNeedValue"},
      {R"({"RowKey":"r"})", "400 PropertiesNeedValue"},
      {R"({})", "400 PropertiesNeedValue"},
      {R"({"PartitionKey":"p","RowKey":null})", "400 PropertiesNeedValue"},
      {R"({"PartitionKey":null,"RowKey":"r"})", "400 PropertiesNeedValue"},
      {R"({"PartitionKey":"p","rowkey":"r"})", "400 PropertiesNeedValue"},
      {R"({"PartitionKey":"p","RowKey":5})", "400 InvalidInput"},
      {R"({"PartitionKey":true,"RowKey":"r"})", "400 InvalidInput"},
      {R"({"PartitionKey@odata.type":"Edm.String","PartitionKey":"p",)"
       R"("RowKey@odata.type":"Edm.String","RowKey":"r"})",
       ""},
      {R"({"PartitionKey":"p","RowKey@odata.type":"Edm.Int32","RowKey":"5"})",
       "400 InvalidInput"},
      {R"({"PartitionKey":"p","RowKey@odata.type":5,"RowKey":"5"})",
       "400 InvalidInput"},
      {R"({"PartitionKey":"p","RowKey":"\ud800"})", "400 InvalidInput"},
  };
  for (const auto& [body, outcome] : kCases) {
    EXPECT_EQ(ReadNew(body), outcome) << body;
  }
  EXPECT_EQ(MessageOf(R"({"PartitionKey":"p","RowKey":5})"),
            "One of the request inputs is not valid.");
}

// Cases 53 to 56.
TEST(EntityReaderTest, LimitsTheLengthOfKeys) {
  std::string emoji;
  for (int i = 0; i < 512; ++i) emoji += "\U0001F600";

  EXPECT_EQ(ReadNew(EntityBody("p", std::string(1024, 'k'))), "");
  EXPECT_EQ(ReadNew(EntityBody(emoji, emoji)), "");
  for (const auto& key : {std::string(1025, 'k'), emoji + "k"}) {
    EXPECT_EQ(ReadNew(EntityBody("p", key)), "400 PropertyValueTooLarge");
    EXPECT_EQ(ReadNew(EntityBody(key, "r")), "400 PropertyValueTooLarge");
  }
}

// Cases 60 to 73.
TEST(EntityReaderTest, NamesTheKeyWithAForbiddenCharacter) {
  for (const std::string_view key :
       {"a/b", R"(a\\b)", "a#b", "a?b", R"(a\tb)", R"(a\nb)", R"(\u0000)",
        R"(\u001f)", R"(\u007f)", R"(\u0080)", R"(\u009F)"}) {
    EXPECT_EQ(ReadNew(EntityBody(key, "r")), "400 OutOfRangeInput") << key;
    EXPECT_EQ(ReadNew(EntityBody("p", key)), "400 OutOfRangeInput") << key;
  }
  for (const std::string_view key : {R"(\u00a0)", " ", "a'b", "100%", "a+b"}) {
    EXPECT_EQ(ReadNew(EntityBody(key, key)), "") << key;
  }
  EXPECT_EQ(MessageOf(EntityBody(R"(a\\b)", "a#b")),
            R"(The 'PartitionKey' parameter of value 'a\b' is out of range.)");
  EXPECT_EQ(MessageOf(EntityBody("p", "a#b")),
            "The 'RowKey' parameter of value 'a#b' is out of range.");
}

// Cases 138 to 141; payloads of the spec, 4.6.
TEST(EntityReaderTest, PassesOverWhatIsNoProperty) {
  for (const char* members :
       {R"("Timestamp":"2001-01-01T00:00:00Z")", R"("Timestamp":5)",
        R"("Timestamp@odata.type":"Edm.DateTime","Timestamp":"x")",
        R"("odata.etag":"W/\"x\"")", R"("odata.metadata":"x","odata.type":"x")",
        R"("odata.id":1,"odata.editLink":"x","odata.readLink":"x")",
        R"("odata.anything":true)", R"("X":null)", R"("a-b":null)",
        R"("X@odata.type":"Edm.Int64","X":null)",
        R"("X@odata.type":"Edm.Int64")", R"("X@odata.type":"Edm.Decimal")",
        R"("X@odata.mediaType":"x")", R"("X@anything":1)"}) {
    EXPECT_EQ(ReadMembers(members), "") << members;
  }
}

// ------------------------------------------------------------------- updates

// Cases 267 to 269.
TEST(EntityReaderTest, PassesOverTheKeysInAnUpdate) {
  EXPECT_EQ(ReadPatch(R"({"A":1})"), "A:Edm.Int32=1");
  EXPECT_EQ(ReadPatch(R"({"PartitionKey":"q","RowKey":"s","A":1})"),
            "A:Edm.Int32=1");
  EXPECT_EQ(ReadPatch(R"({"PartitionKey":5,"RowKey":"a/b"})"), "");
  EXPECT_EQ(ReadPatch(R"({"Timestamp":"1999-01-01T00:00:00Z"})"), "");
  EXPECT_EQ(ReadPatch(R"({"A":null})"), "");
  EXPECT_EQ(ReadPatch("{}"), "");
}

TEST(EntityReaderTest, ChecksAnUpdateLikeANewEntity) {
  EXPECT_EQ(ReadPatch(""), "400 InvalidInput");
  EXPECT_EQ(ReadPatch(R"({"a-b":1})"), "400 PropertyNameInvalid");
  EXPECT_EQ(ReadPatch(R"({"A":1,"A":1})"), "400 DuplicatePropertiesSpecified");
  EXPECT_EQ(ReadPatch(R"({"@odata.type":"Edm.Int64"})"),
            "400 PropertyNameInvalid");
  EXPECT_EQ(ReadPatch(R"({"A@odata.type":"Edm.Guid","A":"x"})"),
            "400 InvalidInput");
  EXPECT_EQ(ReadPatch("{\"A\":\"" + std::string(32'769, 's') + "\"}"),
            "400 PropertyValueTooLarge");
}

// ------------------------------------------------------------ bodies, order

// Cases 142, 143, 226 to 228.
TEST(EntityReaderTest, RefusesABodyThatIsNoFlatObject) {
  for (const std::string& body :
       {std::string(), std::string("[]"), std::string(R"({"PartitionKey":"p")"),
        std::string("null"), EntityBody("p", "r", R"("X":{"a":1})"),
        EntityBody("p", "r", R"("X":[1])"), EntityBody("p", "r", R"("X":1,)"),
        EntityBody("p", "r", R"("X":1/**/)"),
        EntityBody("p", "r", R"("Timestamp":{})"),
        EntityBody("p", "r", R"("odata.x":[])")}) {
    EXPECT_EQ(ReadNew(body), "400 InvalidInput") << body;
    EXPECT_EQ(MessageOf(body), kUnreadable) << body;
  }
}

// Case 217.
TEST(EntityReaderTest, LimitsTheSizeOfABody) {
  std::string body = EntityBody("p", "r");
  body.insert(0, kMaxBodyBytes - body.size(), ' ');
  EXPECT_EQ(ReadNew(body), "");
  EXPECT_EQ(ReadNew(' ' + body), "413 RequestBodyTooLarge");
  EXPECT_EQ(ReadPatch(std::string(kMaxBodyBytes + 1, '{')),
            "413 RequestBodyTooLarge");
}

// Each body breaks the rule that it is named for and, as far as they can be
// combined, all later ones.  Source: data model of the spec, 1.4, last
// paragraph.
TEST(EntityReaderTest, ReportsTheFirstBrokenRuleInTheOrderOfTheSpec) {
  const std::string too_long = std::string(32'769, 's');
  const std::string name_twice = R"("A":1,"A":1)";
  const std::string bad_name = R"("a-b":1)";
  const std::string too_many = NumberedMembers(253);
  const std::string bad_key = R"("PartitionKey":"a/b","RowKey":5)";
  const std::string bad_value = R"("V@odata.type":"Edm.Guid","V":"x")";
  const std::string large_value = "\"L\":\"" + too_long + "\"";
  const std::string good_keys = R"("PartitionKey":"p","RowKey":"r")";
  const auto object = [](std::initializer_list<std::string> members) {
    std::string body = "{";
    for (const std::string& one : members) {
      if (body.size() > 1) body += ',';
      body += one;
    }
    return body + "}";
  };

  EXPECT_EQ(ReadNew(object({large_value, bad_value, bad_key, too_many, bad_name,
                            name_twice, "!"})),
            "400 InvalidInput");
  EXPECT_EQ(ReadNew(object({large_value, bad_value, bad_key, too_many, bad_name,
                            name_twice})),
            "400 DuplicatePropertiesSpecified");
  EXPECT_EQ(
      ReadNew(object({large_value, bad_value, bad_key, too_many, bad_name})),
      "400 PropertyNameInvalid");
  EXPECT_EQ(ReadNew(object({large_value, bad_value, bad_key, too_many})),
            "400 TooManyProperties");
  EXPECT_EQ(ReadNew(object({large_value, bad_value, bad_key})),
            "400 OutOfRangeInput");
  EXPECT_EQ(ReadNew(object({large_value, bad_value, good_keys})),
            "400 InvalidInput");
  EXPECT_EQ(ReadNew(object({large_value, good_keys})),
            "400 PropertyValueTooLarge");
}

// -------------------------------------------------------------------- tables

// Cases 33 to 35; operations of the spec, 2.8.
TEST(TableNameReaderTest, ReadsTheBodyOfCreateTable) {
  const struct {
    const char* body;
    const char* outcome;
  } kCases[] = {
      {R"({"TableName":"abc"})", "abc"},
      {R"({"odata.metadata":"x","TableName":"\u00e9"})", "\u00e9"},
      {R"({"TableName@odata.type":"Edm.String","TableName":"a-b"})", "a-b"},
      {R"({"TableName":""})", ""},
      {R"({})", "400 PropertiesNeedValue"},
      {R"({"TableName":null})", "400 PropertiesNeedValue"},
      {R"({"TableName":5})", "400 InvalidInput"},
      {R"({"TableName":)", "400 InvalidInput"},
      {R"({"TableName":{}})", "400 InvalidInput"},
      {R"({"TableName":"abc","Other":1})", "400 InvalidInput"},
      {R"({"TableName":"a","TableName":"b"})",
       "400 DuplicatePropertiesSpecified"},
      {"", "400 InvalidInput"},
  };
  JsonReader reader;
  for (const auto& [body, outcome] : kCases) {
    const auto name = ReadTableName(reader, {body});
    EXPECT_EQ(name ? *name : Refusal(name.error()), outcome) << body;
  }
}

}  // namespace
}  // namespace entitable
