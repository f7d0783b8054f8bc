// The first violation is the one that a request is refused with.

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "entitable/validate.h"
#include "support/memory_host.h"
#include "support/operations.h"
#include "support/print_violations.h"
#include "support/random.h"

namespace entitable {
namespace {

std::string Typed(std::string_view type, std::string_view json) {
  return "\"X@odata.type\":\"Edm." + std::string(type) +
         "\",\"X\":" + std::string(json);
}

std::string Quoted(std::string_view text) {
  return '"' + std::string(text) + '"';
}

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
TEST(ValidateOrderTest, PutsTheAnswerToCreateTableFirst) {
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
TEST(ValidateOrderTest, PutsTheAnswerToAnInsertFirst) {
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

TEST(ValidateOrderTest, PutsTheAnswerToAnyInsertFirst) {
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
