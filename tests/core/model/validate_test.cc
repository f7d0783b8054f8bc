#include "entitable/validate.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/memory_host.h"
#include "support/operations.h"
#include "support/random.h"

namespace entitable {
namespace {

// "key-length RowKey PropertyValueTooLarge 1025>1024" or, of a character,
// "key-character RowKey OutOfRangeInput #@1"; one a line.
std::string Print(const std::vector<Violation>& violations) {
  std::string text;
  for (const Violation& one : violations) {
    if (!text.empty()) text += '\n';
    text.append(RuleName(one.rule));
    if (one.path) text.append(" ").append(*one.path);
    text.append(" ").append(ErrorName(one.code));
    if (one.limit) {
      text += ' ' + std::to_string(one.actual.value()) +
              (*one.actual > *one.limit ? '>' : '<') +
              std::to_string(*one.limit);
    }
    if (one.position) {
      text += ' ' + one.character + '@' + std::to_string(*one.position);
    }
  }
  return text;
}

std::string Check(std::string_view body) {
  return Print(ValidateEntity(body).violations);
}

// A body with sound keys.
std::string CheckMembers(std::string_view members) {
  return Check(EntityBody("p", "r", members));
}

std::string Typed(std::string_view type, std::string_view json) {
  return "\"X@odata.type\":\"Edm." + std::string(type) +
         "\",\"X\":" + std::string(json);
}

std::string Quoted(std::string_view text) {
  return '"' + std::string(text) + '"';
}

// --------------------------------------------------------------------- names

TEST(ValidateTest, ListsEveryBrokenRuleOfATableName) {
  const struct {
    std::string name;
    std::string violations;
  } kCases[] = {
      {"Pets", ""},
      {std::string(63, 'a'), ""},
      {"ab", "table-name-length OutOfRangeInput 2<3"},
      {"", "table-name-length OutOfRangeInput 0<3"},
      {std::string(64, 'a'), "table-name-length OutOfRangeInput 64>63"},
      {"1pets", "table-name-character InvalidResourceName 1@0"},
      {"my-pets", "table-name-character InvalidResourceName -@2"},
      {"\U0001F600",
       "table-name-character InvalidResourceName \U0001F600@0\n"
       "table-name-length OutOfRangeInput 2<3"},
      {"a\u00e9_" + std::string(61, 'a'),
       "table-name-character InvalidResourceName \u00e9@1\n"
       "table-name-length OutOfRangeInput 64>63"},
      {"Tables", "table-name-reserved InvalidInput"},
      {"pets\xFF", "text-encoding InvalidInput"},
  };
  for (const auto& [name, violations] : kCases) {
    EXPECT_EQ(Print(ValidateTableName(name).violations), violations) << name;
  }
}

TEST(ValidateTest, ListsEveryBrokenRuleOfAPropertyName) {
  const struct {
    std::string name;
    std::string violations;
  } kCases[] = {
      {"Age", ""},
      {"RowKey", ""},
      {std::string(255, 'n'), ""},
      {"", "property-name-length PropertyNameInvalid 0<1"},
      {"a-b", "property-name-character PropertyNameInvalid -@1"},
      {"1a", "property-name-character PropertyNameInvalid 1@0"},
      {"a\U0001F600b",
       "property-name-character PropertyNameInvalid \U0001F600@1"},
      {"\u4e2d\u6587 x", "property-name-character PropertyNameInvalid  @2"},
      {std::string(256, 'n'),
       "property-name-length PropertyNameTooLong "
       "256>255"},
      {std::string(300, 'n') + '!',
       "property-name-length PropertyNameTooLong 301>255\n"
       "property-name-character PropertyNameInvalid !@300"},
      {"a\xC3", "text-encoding InvalidInput"},
  };
  for (const auto& [name, violations] : kCases) {
    EXPECT_EQ(Print(ValidatePropertyName(name).violations), violations) << name;
  }
}

TEST(ValidateTest, ListsEveryBrokenRuleOfAKey) {
  const std::string emoji = "\U0001F600";
  const struct {
    std::string key;
    std::string violations;
  } kCases[] = {
      {"", ""},
      {std::string(1'024, 'k'), ""},
      {std::string(1'025, 'k'), "key-length PropertyValueTooLarge 1025>1024"},
      {"a#b", "key-character OutOfRangeInput #@1"},
      {emoji + "\u0085" + "/", "key-character OutOfRangeInput \u0085@2"},
      {emoji + "/\u0085", "key-character OutOfRangeInput /@2"},
      {std::string(1'025, 'k') + "?",
       "key-character OutOfRangeInput ?@1025\n"
       "key-length PropertyValueTooLarge 1026>1024"},
      {"\xED\xA0\x80", "text-encoding InvalidInput"},
  };
  for (const auto& [key, violations] : kCases) {
    EXPECT_EQ(Print(ValidateKey(key).violations), violations) << key;
  }
}

// Differences of the spec, 6.2: 1,024 characters or 1 KiB.
TEST(ValidateTest, HoldsKeysToOneKibibyteUnderTheProfileOfTheService) {
  const std::string longest(512, 'k');
  std::string emoji;
  for (int i = 0; i < 256; ++i) emoji += "\U0001F600";

  for (const std::string& key : {longest, emoji}) {
    EXPECT_EQ(Print(ValidateKey(key, Profile::kService).violations), "");
    EXPECT_EQ(Print(ValidateKey(key).warnings), "");
    EXPECT_EQ(Print(ValidateKey(key + 'k', Profile::kService).violations),
              "key-length PropertyValueTooLarge 513>512");
    EXPECT_EQ(Print(ValidateKey(key + 'k', Profile::kService).warnings), "");
    EXPECT_EQ(Print(ValidateKey(key + 'k').violations), "");
    EXPECT_EQ(Print(ValidateKey(key + 'k').warnings),
              "key-length PropertyValueTooLarge 513>512");
  }
  const std::string body = EntityBody("p", longest + 'k');
  EXPECT_EQ(Print(ValidateEntity(body).warnings),
            "key-length RowKey PropertyValueTooLarge 513>512");
  EXPECT_EQ(Print(ValidateEntity(body, Profile::kService).violations),
            "key-length RowKey PropertyValueTooLarge 513>512");
}

// ------------------------------------------------------------------ entities

TEST(ValidateTest, NamesTheRuleThatAValueBreaks) {
  const struct {
    std::string members;
    std::string violations;
  } kCases[] = {
      {Typed("Int32", "5"), ""},
      {Typed("Int32", "5.0"), "int32-format X InvalidInput"},
      {Typed("Int32", R"("five")"), "int32-format X InvalidInput"},
      {Typed("Int32", R"("")"), "int32-format X InvalidInput"},
      {Typed("Int32", "2147483648"), "int32-range X InvalidInput"},
      {Typed("Int32", R"("-2147483649")"), "int32-range X InvalidInput"},
      {Typed("Int32", "true"), "value-type X InvalidInput"},
      {Typed("Int64", R"("1.5")"), "int64-format X InvalidInput"},
      {Typed("Int64", R"("9223372036854775808")"),
       "int64-range X InvalidInput"},
      {Typed("Int64", "false"), "value-type X InvalidInput"},
      {Typed("Double", R"("x")"), "double-format X InvalidInput"},
      {Typed("Double", R"("13e7705")"), "double-range X InvalidInput"},
      {Typed("Double", "true"), "value-type X InvalidInput"},
      {Typed("Boolean", R"("yes")"), "boolean-format X InvalidInput"},
      {Typed("Boolean", "1"), "value-type X InvalidInput"},
      {Typed("DateTime", R"("tomorrow")"), "date-time-format X InvalidInput"},
      {Typed("DateTime", R"("2021-02-29T00:00:00Z")"),
       "date-time-format X InvalidInput"},
      {Typed("DateTime", R"("1600-12-31T23:59:59Z")"),
       "date-time-range X OutOfRangeInput"},
      {Typed("DateTime", "2020"), "value-type X InvalidInput"},
      {Typed("Guid", R"("7b0b7a3e")"), "guid-format X InvalidInput"},
      {Typed("Guid", "7"), "value-type X InvalidInput"},
      {Typed("Binary", R"("%%%")"), "base64 X InvalidInput"},
      {Typed("Binary", "7"), "value-type X InvalidInput"},
      {Typed("String", "5"), "value-type X InvalidInput"},
      {Typed("Decimal", R"("1")"), "type-name X InvalidInput"},
      {R"("X@odata.type":5,"X":"1")", "type-name X InvalidInput"},
      {R"("X":{"a":1})", "value-type X InvalidInput"},
      {R"("X":[1])", "value-type X InvalidInput"},
      {R"("X":1e400)", "json X InvalidInput"},
      {R"("X":"\ud800")", "json X InvalidInput"},
      {R"("X":"a\u00g0")", "json X InvalidInput"},
      {"\"X\":" + Quoted(std::string(32'769, 's')),
       "string-length X PropertyValueTooLarge 32769>32768"},
      {Typed("Binary", Quoted(std::string(87'384, 'A'))),
       "binary-length X PropertyValueTooLarge 65538>65536"},
  };
  for (const auto& [members, violations] : kCases) {
    EXPECT_EQ(CheckMembers(members), violations) << members.substr(0, 80);
  }
}

TEST(ValidateTest, NamesTheRuleThatAKeyBreaks) {
  EXPECT_EQ(Check(R"({})"),
            "key-missing PartitionKey PropertiesNeedValue\n"
            "key-missing RowKey PropertiesNeedValue");
  EXPECT_EQ(Check(R"({"PartitionKey":5,"RowKey":null})"),
            "key-type PartitionKey InvalidInput\n"
            "key-missing RowKey PropertiesNeedValue");
  EXPECT_EQ(Check(R"({"PartitionKey":"a/b","RowKey":"\tc"})"),
            "key-character PartitionKey OutOfRangeInput /@1\n"
            "key-character RowKey OutOfRangeInput \t@0");
  EXPECT_EQ(Check(R"({"PartitionKey":{},"RowKey":"r"})"),
            "value-type PartitionKey InvalidInput");
}

TEST(ValidateTest, NamesTheRuleThatABodyBreaks) {
  for (const char* body : {"", "[]", "null", R"({"PartitionKey":"p")",
                           R"({"A":1}{})", "{\"A\":\"\xFF\"}"}) {
    EXPECT_EQ(Check(body), "json InvalidInput") << body;
  }
  EXPECT_EQ(Check(std::string(4'194'305, ' ')),
            "body-size RequestBodyTooLarge 4194305>4194304");
}

TEST(ValidateTest, NamesTheRulesOfAllPropertiesTogether) {
  EXPECT_EQ(CheckMembers(R"("A":1,"B":2,"A":3,"A":4,"B":5)"),
            "property-duplicate A DuplicatePropertiesSpecified\n"
            "property-duplicate B DuplicatePropertiesSpecified");

  std::string members;
  for (int i = 0; i < 253; ++i) members += ",\"n" + std::to_string(i) + "\":1";
  EXPECT_EQ(CheckMembers(members.substr(1)),
            "property-count TooManyProperties 253>252");

  // By the formula: each name has two units, each string 32,768.
  std::string strings;
  for (char c = 'A'; c < 'A' + 26; ++c) {
    strings +=
        ",\"" + std::string(2, c) + "\":" + Quoted(std::string(32'768, 's'));
  }
  EXPECT_EQ(CheckMembers(strings.substr(1)),
            "entity-size EntityTooLarge " +
                std::to_string(4 + 2 * 2 + 26 * (8 + 4 + 65'536 + 4)) +
                ">1048576");
}

TEST(ValidateTest, ListsWhatIsWrongEverywhereInTheOrderOfTheService) {
  const std::string body =
      R"({"L":")" + std::string(32'769, 's') +
      R"(","G@odata.type":"Edm.Guid","G":"x","a-b":1,"1":{},)"
      R"("@odata.type":"Edm.Int32","D@odata.type":"Edm.DateTime",)"
      R"("D":"0001-01-01T00:00:00Z","PartitionKey":"a/b","G":"y"})";

  EXPECT_EQ(Check(body),
            "value-type 1 InvalidInput\n"
            "property-duplicate G DuplicatePropertiesSpecified\n"
            "property-name-character a-b PropertyNameInvalid -@1\n"
            "property-name-character 1 PropertyNameInvalid 1@0\n"
            "property-name-character @odata.type PropertyNameInvalid @@0\n"
            "key-character PartitionKey OutOfRangeInput /@1\n"
            "key-missing RowKey PropertiesNeedValue\n"
            "guid-format G InvalidInput\n"
            "date-time-range D OutOfRangeInput\n"
            "guid-format G InvalidInput\n"
            "string-length L PropertyValueTooLarge 32769>32768");
}

TEST(ValidateTest, SaysItInTheWordsOfTheService) {
  const auto violations =
      ValidateEntity(R"({"PartitionKey":"a\\b","RowKey":"r","a b":1})")
          .violations;

  ASSERT_EQ(violations.size(), 2U);
  EXPECT_EQ(violations[0].message, "The property name is invalid.");
  EXPECT_EQ(violations[1].message,
            R"(The 'PartitionKey' parameter of value 'a\b' is out of range.)");
}

TEST(ValidateTest, PrintsFindingsAsJson) {
  Findings findings;
  EXPECT_EQ(ToJson(findings), R"({"violations":[],"warnings":[]})");

  findings = ValidateKey("\u00e9?" + std::string(600, 'k'));
  EXPECT_EQ(ToJson(findings),
            R"({"violations":[{"rule":"key-character",)"
            R"("code":"OutOfRangeInput",)"
            R"("message":"One of the request inputs is out of range.",)"
            R"("position":1,"character":"?"}],)"
            R"("warnings":[{"rule":"key-length",)"
            R"("code":"PropertyValueTooLarge","message":")" +
                findings.warnings.at(0).message +
                R"(","limit":512,"actual":602}]})");
  EXPECT_EQ(ToJson(ValidateEntity(R"({"PartitionKey":"p","RowKey":"r","":1})")),
            R"({"violations":[{"rule":"property-name-length","path":"",)"
            R"("code":"PropertyNameInvalid",)"
            R"("message":"The property name is invalid.",)"
            R"("limit":1,"actual":0}],"warnings":[]})");
}

TEST(ValidateTest, GivesEveryRuleANameOfItsOwn) {
  std::set<std::string_view> names;
  int count = 0;
#define ENTITABLE_X(name, code)             \
  ++count;                                  \
  EXPECT_EQ(RuleName(Rule::k##name), code); \
  names.insert(code);
  ENTITABLE_RULES(ENTITABLE_X)
#undef ENTITABLE_X
  EXPECT_EQ(names.size(), static_cast<std::size_t>(count));
}

// -------------------------------------------------------------------- bounds

TEST(ValidateTest, EndsTheListWhenItIsVeryLong) {
  std::string body = "{\"a\":1";
  for (int i = 0; i < 100'000; ++i) body += ",\"-" + std::to_string(i) + "\":1";

  EXPECT_EQ(ValidateEntity(body + '}').violations.size(), kMaxViolations);
}

// Quadratic work would take minutes.
TEST(ValidateTest, StaysQuickOverABodyOfAnnotations) {
  std::string body = "{\"PartitionKey\":\"p\",\"RowKey\":\"r\"";
  for (int i = 0; i < 80'000; ++i) {
    const std::string name = "n" + std::to_string(i);
    body.append(",\"").append(name).append("@odata.type\":\"Edm.Int64\"");
    body.append(",\"").append(name).append("\":1");
  }
  body += '}';
  ASSERT_LT(body.size(), 4'194'304U);
  const auto start = std::chrono::steady_clock::now();

  EXPECT_EQ(Check(body), "property-count TooManyProperties 80000>252");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

// ------------------------------------------------------- the service's answer

// What an engine says to the insert, and that it says the first violation.
void ExpectTheEngineToAgree(MemoryHost& host, const std::string& body) {
  const auto violations = ValidateEntity(body).violations;
  const auto answer = host.Do(Insert("Pets", body));
  SCOPED_TRACE(body.substr(0, 500) + "\n" + Print(violations));
  if (violations.empty()) {
    EXPECT_TRUE(answer ||
                answer.error().code == ErrorCode::kEntityAlreadyExists)
        << Outcome(answer);
    return;
  }
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(ErrorName(violations.front().code), ErrorName(answer.error().code));
  EXPECT_EQ(violations.front().message, answer.error().message);
}

MemoryHost HostWithPets() {
  MemoryHost host;
  EXPECT_EQ(Outcome(host.Do(NewTable("Pets"))), "201");
  return host;
}

// Cases 2 to 16.
TEST(ValidateTest, PutsTheAnswerToCreateTableFirst) {
  MemoryHost host;
  for (const std::string& name :
       {std::string("ab"), std::string("a"), std::string(),
        std::string(64, 'a'), std::string("1abc"), std::string("a-b-c"),
        std::string("a_bc"), std::string("a bc"), std::string("abc\u00e9"),
        std::string("abc\uff11"), std::string("$abc"), std::string("tables"),
        std::string("TABLES"), std::string(80, '-')}) {
    const auto violations = ValidateTableName(name).violations;
    const auto answer = host.Do(NewTable(name));
    ASSERT_FALSE(violations.empty()) << name;
    ASSERT_FALSE(answer.has_value()) << name;
    EXPECT_EQ(violations.front().code, answer.error().code) << name;
    EXPECT_EQ(violations.front().message, answer.error().message) << name;
  }
}

// Every case from 44 to 218 in which an insert is refused for its body.
TEST(ValidateTest, PutsTheAnswerToAnInsertFirst) {
  MemoryHost host = HostWithPets();
  std::vector<std::string> bodies = {R"({"PartitionKey":"p"})",
                                     R"({"RowKey":"r"})",
                                     R"({"PartitionKey":"p","RowKey":null})",
                                     R"({"PartitionKey":"p","RowKey":5})",
                                     R"({"PartitionKey":true,"RowKey":"r"})",
                                     std::string(4'194'305, ' ')};
  for (const std::string& key :
       {std::string(1'025, 'k'), std::string(2'048, 'k'), std::string("a/b"),
        std::string(R"(a\\b)"), std::string("a#b"), std::string("a?b"),
        std::string(R"(a\tb)"), std::string(R"(a\nb)"),
        std::string(R"(\u0000)"), std::string(R"(\u001f)"),
        std::string(R"(\u007f)"), std::string(R"(\u0080)"),
        std::string(R"(\u009f)"), std::string(R"(\ud800)")}) {
    bodies.push_back(EntityBody(key, "r"));
    bodies.push_back(EntityBody("p", key));
    bodies.push_back(EntityBody(key, key));
  }
  for (const char* name :
       {"a-b", "a b", "a.b", "1a", "a$", "@class", "a:b", "a!", "a/b",
        R"(\ue000a)", R"(a\ud83d\ude00)", R"(a\u200bb)", R"(\u00b5)",
        R"(a\u0001)", "'a'", ""}) {
    bodies.push_back(EntityBody("p", "r", Quoted(name) + ":1"));
  }
  std::string many;
  for (int i = 0; i < 253; ++i) many += ",\"n" + std::to_string(i) + "\":1";
  std::string large;
  for (char c = 'a'; c < 'a' + 16; ++c) {
    large += ",\"" + std::string(1, c) + "@odata.type\":\"Edm.Binary\",\"" +
             std::string(1, c) + "\":" + Quoted(std::string(87'380, 'A'));
  }
  for (const std::string& members :
       {Quoted(std::string(256, 'n')) + ":1",
        std::string(R"("A":1,"A":2)"),
        many.substr(1),
        std::string(R"("X":{"a":1})"),
        std::string(R"("X":[1])"),
        "\"X\":" + Quoted(std::string(32'769, 's')),
        "\"X\":" + Quoted(std::string(65'536, 's')),
        Typed("Double", R"("1.797693134862316e308")"),
        std::string(R"("X":1e400)"),
        Typed("Int32", R"("-3.1")"),
        Typed("Int32", "2147483648"),
        Typed("Int64", R"("9223372036854775808")"),
        Typed("Int64", R"("-9223372036854775809")"),
        Typed("Int64", R"("1.5")"),
        Typed("Int64", R"("")"),
        Typed("Boolean", R"("yes")"),
        Typed("DateTime", R"("2021-02-29T00:00:00Z")"),
        Typed("DateTime", R"("1600-12-31T23:59:59.9999999Z")"),
        Typed("DateTime", R"("0001-01-01T00:00:00Z")"),
        Typed("DateTime", R"("tomorrow")"),
        Typed("Guid", R"("7b0b7a3e")"),
        Typed("Binary", R"("%%%")"),
        Typed("Binary", Quoted(std::string(87'384, 'A'))),
        Typed("String", "5"),
        Typed("Decimal", R"("1")"),
        large.substr(1)}) {
    bodies.push_back(EntityBody("p", "r", members));
  }
  for (const std::string& body : bodies) {
    ASSERT_FALSE(ValidateEntity(body).violations.empty())
        << body.substr(0, 200);
    ExpectTheEngineToAgree(host, body);
  }
}

template <typename Choices>
const auto& Any(const Choices& choices, std::mt19937_64& random) {
  return choices[random() % std::size(choices)];
}

// Most are sound, so that bodies break no rule, one, or several.
std::string RandomMember(std::mt19937_64& random) {
  static const std::string kNames[] = {"A",         "B",
                                       "C",         "D1",
                                       "\\u00e9",   "_",
                                       "a-b",       "1a",
                                       "",          "RowKey",
                                       "odata.x",   "@x",
                                       "X\xC2\xB5", std::string(256, 'n')};
  static const std::string kTypes[] = {R"("Edm.String")",
                                       R"("Edm.Int32")",
                                       R"("Edm.Int64")",
                                       R"("Edm.Double")",
                                       R"("Edm.Boolean")",
                                       R"("Edm.DateTime")",
                                       R"("Edm.Guid")",
                                       R"("Edm.Binary")",
                                       R"("Edm.Byte")",
                                       "5",
                                       "null"};
  static const std::string kValues[] = {
      "1",
      "-0",
      "1.5",
      "1e400",
      "2147483648",
      "true",
      "null",
      R"("")",
      R"("1")",
      R"("1e999")",
      R"("x")",
      R"("true")",
      R"("\ud800")",
      "{}",
      "[[]]",
      R"("AA==")",
      R"("1600-01-01")",
      R"("2020-01-01T00:00:00Z")",
      R"("00000000-0000-0000-0000-000000000000")",
      Quoted(std::string(32'769, 's'))};
  const std::string name =
      random() % 3 != 0 ? std::string(1, static_cast<char>('a' + random() % 26))
                        : Any(kNames, random);
  std::string member =
      Quoted(name) + ":" + (random() % 3 != 0 ? "1" : Any(kValues, random));
  if (random() % 4 != 0) return member;
  const std::string type =
      Quoted(name + "@odata.type") + ":" +
      (random() % 2 != 0 ? R"("Edm.Int64")" : Any(kTypes, random));
  return random() % 2 != 0 ? type + "," + member : member + "," + type;
}

std::string RandomKey(std::string_view name, std::mt19937_64& random) {
  static const std::string kValues[] = {
      R"("a#b")",    "5",  "null",
      R"("\u0000")", "{}", Quoted(std::string(1'025, 'k'))};
  const std::string value = random() % 6 != 0 ? R"("k")" : Any(kValues, random);
  return Quoted(name) + ":" + value;
}

TEST(ValidateTest, PutsTheAnswerToAnyInsertFirst) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  std::mt19937_64 random(TestSeed());
  MemoryHost host = HostWithPets();
  int refused = 0;
  for (int i = 0; i < 5'000; ++i) {
    std::string body = "{";
    if (random() % 16 != 0) body += RandomKey("PartitionKey", random) + ",";
    for (std::size_t left = random() % 6; left > 0; --left) {
      body += RandomMember(random) + ",";
    }
    body += RandomKey("RowKey", random) + (random() % 64 != 0 ? "}" : "");
    ExpectTheEngineToAgree(host, body);
    refused += !ValidateEntity(body).violations.empty();
    if (HasFailure()) return;
  }
  EXPECT_GT(refused, 1'000);
  EXPECT_LT(refused, 4'900);
}

}  // namespace
}  // namespace entitable
