// Keys: cases 44 to 97 of the spec.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/engine_test.h"

namespace entitable {
namespace {

class EntityKeysTest : public EngineTest {
 protected:
  void SetUp() override { Given(NewTable("Tab")); }

  std::string InsertKeys(std::string_view partition_key,
                         std::string_view row_key) {
    return Do(Insert("Tab", EntityBody(partition_key, row_key)));
  }

  std::string GetKeys(const std::string& partition_key,
                      const std::string& row_key) {
    return Do(Get("Tab", partition_key, row_key));
  }
};

using Keys = std::vector<std::string>;

// Cases 44 to 46 and 73.
TEST_F(EntityKeysTest, MayBeEmpty) {
  EXPECT_EQ(InsertKeys("", ""), "201");
  EXPECT_EQ(InsertKeys("", "r"), "201");
  EXPECT_EQ(InsertKeys("p", ""), "201");
  EXPECT_EQ(InsertKeys("p", " "), "201");

  EXPECT_EQ(GetKeys("", ""), "200");
  EXPECT_EQ(GetKeys("", "r"), "200");
  EXPECT_EQ(GetKeys("p", ""), "200");
  EXPECT_EQ(GetKeys("p", " "), "200");
  EXPECT_EQ(GetKeys("", " "), "404 ResourceNotFound");
}

// Cases 47 to 51.
TEST_F(EntityKeysTest, MustStandInTheBodyOfAnInsert) {
  EXPECT_EQ(Do(Insert("Tab", R"({"PartitionKey":"p"})")),
            "400 PropertiesNeedValue");
  EXPECT_EQ(Do(Insert("Tab", R"({"RowKey":"r"})")), "400 PropertiesNeedValue");
  EXPECT_EQ(Do(Insert("Tab", R"({"PartitionKey":"p","RowKey":null})")),
            "400 PropertiesNeedValue");
  EXPECT_EQ(Do(Insert("Tab", R"({"PartitionKey":"p","RowKey":5})")),
            "400 InvalidInput");
  EXPECT_EQ(MessageOf(Insert("Tab", R"({"PartitionKey":"p"})")),
            "The values are not specified for all properties in the entity.");
}

// The order of all checks: data model, 1.4, last paragraph.
TEST_F(EntityKeysTest, AreJudgedBehindTheNamesOfABodyAndBeforeItsValues) {
  const std::string no_value = R"({"A@odata.type":"Edm.Int64","A":"x"})";
  for (const std::string& key : {std::string("a#b"), std::string(1025, 'k')}) {
    const std::string of_key =
        key.size() < 10 ? "400 OutOfRangeInput" : "400 PropertyValueTooLarge";
    EXPECT_EQ(Do(Replace("Tab", "p", key, "{")), "400 InvalidInput");
    EXPECT_EQ(Do(Merge("Tab", "p", key, R"({"A":1,"A":2})")),
              "400 DuplicatePropertiesSpecified");
    EXPECT_EQ(Do(Replace("Tab", key, "r", R"({"a b":1})")),
              "400 PropertyNameInvalid");
    EXPECT_EQ(Do(Merge("Tab", key, "r", no_value)), of_key);
  }
}

// Case 52.
TEST_F(EntityKeysTest, AreAnsweredWithoutAnAnnotation) {
  const auto answer =
      host_.Do(Insert("Tab", R"({"PartitionKey@odata.type":"Edm.String",)"
                             R"("PartitionKey":"p","RowKey":"r"})"));

  ASSERT_EQ(Outcome(answer), "201");
  EXPECT_EQ(answer->body.find("PartitionKey@"), std::string::npos);
}

// Cases 53 to 59.
TEST_F(EntityKeysTest, HaveAtMost1024Utf16Units) {
  std::string emoji;
  for (int i = 0; i < 512; ++i) emoji += "\U0001F600";
  const std::string longest(1024, 'k');
  const std::string too_long(1025, 'k');

  EXPECT_EQ(InsertKeys("p", longest), "201");
  EXPECT_EQ(GetKeys("p", longest), "200");
  EXPECT_EQ(InsertKeys("p", emoji), "201");
  EXPECT_EQ(GetKeys("p", emoji), "200");
  EXPECT_EQ(Do(Replace("Tab", longest, longest, "{}")), "204");

  for (const std::string& key : {too_long, std::string(2048, 'k')}) {
    EXPECT_EQ(InsertKeys("p", key), "400 PropertyValueTooLarge");
    EXPECT_EQ(Do(Replace("Tab", "p", key, "{}")), "400 PropertyValueTooLarge");
    EXPECT_EQ(Do(Merge("Tab", key, "r", "{}")), "400 PropertyValueTooLarge");
    EXPECT_EQ(GetKeys("p", key), "404 ResourceNotFound");
    EXPECT_EQ(Do(Delete("Tab", "p", key)), "404 ResourceNotFound");
    EXPECT_EQ(Do(Replace("Tab", "p", key, "{}", {.if_match = "*"})),
              "404 ResourceNotFound");
    EXPECT_EQ(Do(Merge("Tab", key, "r", "{}", {.if_match = "*"})),
              "404 ResourceNotFound");
  }
}

// Cases 60 to 71; the table of data model, 1.3.4.
TEST_F(EntityKeysTest, MayNotHoldForbiddenCharacters) {
  EXPECT_EQ(InsertKeys("a/b", "r"), "400 OutOfRangeInput");
  EXPECT_EQ(InsertKeys("p", R"(a\u009f)"), "400 OutOfRangeInput");
  EXPECT_EQ(MessageOf(Insert("Tab", EntityBody(R"(a\\b)", "r"))),
            R"(The 'PartitionKey' parameter of value 'a\b' is out of range.)");
  EXPECT_EQ(MessageOf(Insert("Tab", EntityBody("p", "a#b"))),
            "The 'RowKey' parameter of value 'a#b' is out of range.");
}

// Cases 85 to 87.
TEST_F(EntityKeysTest, InAnAddressMayNameWhatCannotBe) {
  for (const std::string key :
       {"a#b", "a?b", "a\u0080", "a\u0082", "a\u009f"}) {
    EXPECT_EQ(GetKeys("p", key), "404 ResourceNotFound") << key;
    EXPECT_EQ(GetKeys(key, "r"), "404 ResourceNotFound") << key;
    for (const With& with : {With{}, With{.if_match = "*"}}) {
      EXPECT_EQ(Do(Replace("Tab", "p", key, "{}", with)),
                "400 OutOfRangeInput");
      EXPECT_EQ(Do(Merge("Tab", key, "r", "{}", with)), "400 OutOfRangeInput");
    }
    EXPECT_EQ(Do(Delete("Tab", "p", key)), "400 OutOfRangeInput") << key;
    EXPECT_EQ(MessageOf(Delete("Tab", "p", key)),
              "One of the request inputs is out of range.");
  }
}

// Cases 83 and 84; the last rows of the table of data model, 1.3.4.
TEST_F(EntityKeysTest, InAnAddressMayNotBreakItsSyntax) {
  using std::string_literals::operator""s;
  for (const std::string& key :
       {"a/b"s, "a\\b"s, "a\0b"s, "a\tb"s, "\x1F"s, "\x7F"s, "\u0081"s,
        "\u008d"s, "\u008f"s, "\u0090"s, "\u009d"s}) {
    SCOPED_TRACE(testing::PrintToString(key));
    EXPECT_EQ(GetKeys("p", key), "400 InvalidInput");
    EXPECT_EQ(GetKeys(key, "r"), "400 InvalidInput");
    EXPECT_EQ(Do(Replace("Tab", "p", key, "{}")), "400 InvalidInput");
    EXPECT_EQ(Do(Merge("Tab", "p", key, "{}")), "400 InvalidInput");
    EXPECT_EQ(Do(Delete("Tab", key, "r")), "400 InvalidInput");
    EXPECT_EQ(MessageOf(Get("Tab", "p", key)),
              "Bad Request - Error in query syntax.");
  }
}

// Cases 72, 74, 75, 77 to 82, and what else data model, 1.3.4, calls legal.
TEST_F(EntityKeysTest, MayHoldEveryOtherCharacter) {
  const struct {
    std::string in_json;
    std::string key;
    std::string in_answer;
  } kCases[] = {
      {"a'b", "a'b", "a'b"},
      {"100%", "100%", "100%"},
      {"a+b", "a+b", "a+b"},
      {"a,b=c&d", "a,b=c&d", "a,b=c&d"},
      {" x y ", " x y ", " x y "},
      {R"(\")", "\"", R"(\")"},
      {"(<|>@:)", "(<|>@:)", "(<|>@:)"},
      {R"(\u00a0)", "\u00a0", R"(\u00a0)"},
      {R"(\u00f4)", "\u00f4", R"(\u00f4)"},
      {"\U0001F600", "\U0001F600", R"(\ud83d\ude00)"},
  };
  for (const auto& [in_json, key, in_answer] : kCases) {
    SCOPED_TRACE(key);
    EXPECT_EQ(InsertKeys("p", in_json), "201");
    EXPECT_EQ(TextsOf("RowKey", Body(host_.Do(Get("Tab", "p", key)))),
              Keys{in_answer});
    EXPECT_EQ(Do(Delete("Tab", "p", key)), "204");
  }
}

// Case 92.
TEST_F(EntityKeysTest, AreCaseSensitive) {
  InsertKeys("p", "r");

  EXPECT_EQ(GetKeys("p", "r"), "200");
  EXPECT_EQ(GetKeys("P", "r"), "404 ResourceNotFound");
  EXPECT_EQ(GetKeys("p", "R"), "404 ResourceNotFound");
}

// Cases 93 to 95.
TEST_F(EntityKeysTest, AreOrderedByUtf16Units) {
  for (const char* key : {"10", "2", "1", "a", "A", "_", "", R"(\u00e9)", "~",
                          R"(e\u0301)", R"(\uff21)", R"(\ud83d\ude00)"}) {
    ASSERT_EQ(InsertKeys("p", key), "201") << key;
  }

  EXPECT_EQ(RowKeysOf(host_, Query("Tab")),
            (Keys{"", "1", "10", "2", "A", "_", "a", R"(e\u0301)", "~",
                  R"(\u00e9)", R"(\ud83d\ude00)", R"(\uff21)"}));
}

// Case 96.
TEST_F(EntityKeysTest, AreOrderedByPartitionFirst) {
  InsertKeys("b", "1");
  InsertKeys("a", "2");
  InsertKeys("a", "1");
  InsertKeys("B", "1");

  const std::string feed = Body(host_.Do(Query("Tab")));

  EXPECT_EQ(TextsOf("PartitionKey", feed), (Keys{"B", "a", "a", "b"}));
  EXPECT_EQ(TextsOf("RowKey", feed), (Keys{"1", "1", "2", "1"}));
}

// Case 97.
TEST_F(EntityKeysTest, MayNotHoldALoneSurrogate) {
  EXPECT_EQ(InsertKeys("p", R"(\ud800)"), "400 InvalidInput");
  EXPECT_EQ(GetKeys("p", "\xED\xA0\x80"), "400 InvalidInput");
  EXPECT_EQ(Do(Replace("Tab", "\xFF", "r", "{}")), "400 InvalidInput");
}

}  // namespace
}  // namespace entitable
