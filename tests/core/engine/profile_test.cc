#include <gtest/gtest.h>

#include <string>

#include "entitable/operation.h"
#include "entitable/result.h"
#include "support/frame_field.h"
#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {
namespace {

const std::string kLongKey(513, 'k');

MemoryHost HostOf(Profile profile) {
  MemoryHost host(std::make_shared<MemoryStorage>(), profile);
  EXPECT_EQ(Outcome(host.Do(NewTable("Pets"))), "201");
  return host;
}

// "RowKey 513" for each warning.
std::string WarningsOf(const Result<Response>& answer) {
  if (!answer) return Outcome(answer);
  std::string text;
  for (const Violation& warning : answer->warnings) {
    if (!text.empty()) text += ' ';
    text += *warning.path + ' ' + std::to_string(*warning.actual);
  }
  return text;
}

TEST(ProfileTest, WarnsOfStoredKeysThatTheServiceMayRefuse) {
  MemoryHost host = HostOf(Profile::kDefault);

  EXPECT_EQ(WarningsOf(host.Do(Insert("Pets", EntityBody("p", "r")))), "");
  EXPECT_EQ(WarningsOf(host.Do(
                Insert("Pets", EntityBody("p", std::string(512, 'k'))))),
            "");
  EXPECT_EQ(WarningsOf(host.Do(Insert("Pets", EntityBody(kLongKey, "r")))),
            "PartitionKey 513");
  EXPECT_EQ(WarningsOf(host.Do(Replace("Pets", kLongKey, kLongKey, "{}"))),
            "PartitionKey 513 RowKey 513");
  EXPECT_EQ(WarningsOf(host.Do(Merge("Pets", "p", kLongKey, "{}"))),
            "RowKey 513");
}

TEST(ProfileTest, WarnsOfNothingThatIsNotNew) {
  MemoryHost host = HostOf(Profile::kDefault);
  ASSERT_EQ(Outcome(host.Do(Replace("Pets", "p", kLongKey, "{}"))), "204");

  EXPECT_EQ(WarningsOf(host.Do(Get("Pets", "p", kLongKey))), "");
  EXPECT_EQ(WarningsOf(
                host.Do(Merge("Pets", "p", kLongKey, "{}", {.if_match = "*"}))),
            "");
  EXPECT_EQ(WarningsOf(host.Do(Delete("Pets", "p", kLongKey))), "");
}

TEST(ProfileTest, CollectsTheWarningsOfATransaction) {
  MemoryHost host = HostOf(Profile::kDefault);

  EXPECT_EQ(WarningsOf(host.Do(
                Transaction({Insert("Pets", EntityBody("p", kLongKey)),
                             Insert("Pets", EntityBody("p", "r")),
                             Replace("Pets", "p", kLongKey + "k", "{}")}))),
            "RowKey 513 RowKey 514");
}

TEST(ProfileTest, RefusesTheSameKeysWhereTheServiceRules) {
  MemoryHost host = HostOf(Profile::kService);

  EXPECT_EQ(WarningsOf(host.Do(
                Insert("Pets", EntityBody("p", std::string(512, 'k'))))),
            "");
  for (const OwnedOperation& write : {Insert("Pets", EntityBody("p", kLongKey)),
                                      Insert("Pets", EntityBody(kLongKey, "r")),
                                      Replace("Pets", "p", kLongKey, "{}"),
                                      Merge("Pets", kLongKey, "r", "{}")}) {
    EXPECT_EQ(Outcome(host.Do(write)), "400 PropertyValueTooLarge");
  }
  EXPECT_EQ(Outcome(host.Do(Get("Pets", "p", kLongKey))),
            "404 ResourceNotFound");
  EXPECT_EQ(Outcome(host.Do(Delete("Pets", "p", kLongKey))),
            "404 ResourceNotFound");
}

TEST(ProfileTest, CarriesWarningsInTheFrameOfTheAnswer) {
  Response response{.status = 204};
  EXPECT_EQ(FrameOf(response).size(), 2U);

  response.warnings.push_back({Rule::kKeyLength,
                               ErrorCode::kPropertyValueTooLarge, "text",
                               "RowKey", 512, 513});
  const std::string json = R"([{"rule":"key-length","path":"RowKey",)"
                           R"("code":"PropertyValueTooLarge","message":"text",)"
                           R"("limit":512,"actual":513}])";
  const std::string length = {static_cast<char>(json.size()), 0, 0, 0};
  EXPECT_EQ(FrameOf(response), std::string("\xCC\0\x07", 3) + length + json);
}

}  // namespace
}  // namespace entitable
