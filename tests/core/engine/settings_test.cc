// What tables and the account are set to: operations of the spec, 2.13 to 2.15.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "store/value_key.h"
#include "support/archive.h"
#include "support/engine_test.h"
#include "support/memory_host.h"
#include "support/operations.h"
#include "support/repair.h"

namespace entitable {
namespace {

constexpr StoreLimits kTiny{.flush_bytes = std::size_t{1} << 20,
                            .flush_records = 3,
                            .page_bytes = 300,
                            .step_pages = 3,
                            .import_bytes = 400};

// What an answer has, which may be nothing.
std::string Lines(const Result<Response>& answer) {
  return answer ? answer->body : Outcome(answer);
}

OwnedOperation Policies(std::string table) {
  return {OperationKind::kGetPolicies, std::move(table)};
}

OwnedOperation StorePolicies(std::string table, std::string lines) {
  return {.kind = OperationKind::kSetPolicies,
          .table = std::move(table),
          .body = std::move(lines)};
}

OwnedOperation GetProperties() {
  return {OperationKind::kGetServiceProperties};
}

OwnedOperation SetProperties(std::string lines) {
  return {.kind = OperationKind::kSetServiceProperties,
          .body = std::move(lines)};
}

std::string Policy(const std::string& id, const std::string& members = "") {
  return R"({"kind":"SignedIdentifier","Id":")" + id + "\"" + members + "}\n";
}

const std::string kReaders =
    Policy("readers", R"(,"AccessPolicy.Permission":"r")");

const std::string kLoggingOff =
    R"({"kind":"Logging","Version":"1.0","Read":"false","Write":"false",)"
    R"("Delete":"false","RetentionPolicy.Enabled":"false"})"
    "\n";
const std::string kMetricsOff = R"(Metrics","Version":"1.0","Enabled":"false",)"
                                R"("RetentionPolicy.Enabled":"false"})"
                                "\n";
const std::string kNoRules = "{\"kind\":\"Cors\"}\n";
const std::string kDefaults = kLoggingOff + "{\"kind\":\"Hour" + kMetricsOff +
                              "{\"kind\":\"Minute" + kMetricsOff + kNoRules;

std::string Rule(const std::string& origins, const std::string& methods = "GET",
                 const std::string& headers = "x-ms-*",
                 const std::string& age = "60") {
  return R"({"kind":"CorsRule","AllowedMethods":")" + methods +
         R"(","AllowedOrigins":")" + origins + R"(","AllowedHeaders":")" +
         headers + R"(","ExposedHeaders":"","MaxAgeInSeconds":")" + age +
         "\"}\n";
}

class SettingsTest : public EngineTest {
 protected:
  void SetUp() override { Given(NewTable("Pets")); }
  std::string PoliciesOf(const std::string& table) {
    return Lines(host_.Do(Policies(table)));
  }
  std::string Properties() { return Lines(host_.Do(GetProperties())); }
};

TEST_F(SettingsTest, HasNoPoliciesAtFirst) {
  EXPECT_EQ(PoliciesOf("Pets"), "");
  EXPECT_EQ(Do(Policies("Nope")), "404 TableNotFound");
  EXPECT_EQ(Do(StorePolicies("Nope", kReaders)), "404 TableNotFound");
}

TEST_F(SettingsTest, KeepsPoliciesInTheirOrderUntilOthersAreSet) {
  const std::string two = Policy("z") + kReaders;

  EXPECT_EQ(Do(StorePolicies("PETS", two)), "204");
  EXPECT_EQ(PoliciesOf("Pets"), two);
  EXPECT_EQ(Do(StorePolicies("Pets", kReaders)), "204");
  EXPECT_EQ(PoliciesOf("pets"), kReaders);
  EXPECT_EQ(Do(StorePolicies("Pets", "")), "204");
  EXPECT_EQ(PoliciesOf("Pets"), "");
}

TEST_F(SettingsTest, WritesTimesWithAllTheirDigits) {
  const struct {
    const char* given;
    const char* kept;
  } kCases[] = {
      {"2011-10-11", "2011-10-11T00:00:00.0000000Z"},
      {"2011-10-11T12:30Z", "2011-10-11T12:30:00.0000000Z"},
      {"2011-10-11T12:30:05+02:00", "2011-10-11T10:30:05.0000000Z"},
      {"2011-10-11T12:30:05.1234567Z", "2011-10-11T12:30:05.1234567Z"},
  };
  for (const auto& [given, kept] : kCases) {
    SCOPED_TRACE(given);
    const auto with = [](const std::string& time) {
      return Policy("a", R"(,"AccessPolicy.Start":")" + time + "\"");
    };
    EXPECT_EQ(Do(StorePolicies("Pets", with(given))), "204");
    EXPECT_EQ(PoliciesOf("Pets"), with(kept));
  }
}

TEST_F(SettingsTest, RefusesPoliciesThatBreakARule) {
  std::string six;
  for (int i = 0; i < 6; ++i) six += Policy(std::to_string(i));
  const std::string kCases[] = {
      six,
      Policy("a") + Policy("a"),
      Policy(std::string(65, 'i')),
      Policy(""),
      Policy("a", R"(,"AccessPolicy.Start":"yesterday")"),
      Policy("a", R"(,"AccessPolicy.Expiry":"2024-13-01")"),
      Policy("a", R"(,"AccessPolicy.Permission":"x")"),
      Policy("a", R"(,"AccessPolicy.Permission":1)"),
      Policy("a", R"(,"AccessPolicy.Limit":"1")"),
      Policy("a", R"(,"Id":"b")"),
      R"({"kind":"Other","Id":"a"})",
      R"({"Id":"a"})",
      "[",
      "nonsense",
  };
  Given(StorePolicies("Pets", kReaders));
  for (const std::string& lines : kCases) {
    SCOPED_TRACE(lines);
    EXPECT_EQ(Do(StorePolicies("Pets", lines)), "400 InvalidXmlDocument");
  }
  EXPECT_EQ(PoliciesOf("Pets"), kReaders);
  EXPECT_EQ(Do(StorePolicies("Pets", Policy(std::string(64, 'i')))), "204");
}

TEST_F(SettingsTest, TakesAnEmptyTextForOneThatIsNotThere) {
  EXPECT_EQ(Do(StorePolicies("Pets",
                             Policy("a", R"(,"AccessPolicy.Start":"")"
                                         R"(,"AccessPolicy.Permission":"")"))),
            "204");
  EXPECT_EQ(PoliciesOf("Pets"), Policy("a"));
}

TEST_F(SettingsTest, LetsPoliciesDieWithTheirTable) {
  Given(StorePolicies("Pets", kReaders));
  Given(DropTable("Pets"));
  EXPECT_EQ(Do(Policies("Pets")), "404 TableNotFound");
  Given(NewTable("Pets"));

  EXPECT_EQ(PoliciesOf("Pets"), "");
}

TEST_F(SettingsTest, LeavesTheTableAsItIs) {
  Given(Insert("Pets", EntityBody("p", "r", R"("A":1)")));
  Given(StorePolicies("pets", kReaders));
  Given(SetProperties(kNoRules));

  EXPECT_EQ(TextsOf("TableName", Body(host_.Do(ListTables()))),
            std::vector<std::string>{"Pets"});
  EXPECT_EQ(Stored("Pets", "p", "r"), R"("A":1)");
  EXPECT_EQ(Do(NewTable("pets")), "409 TableAlreadyExists");
  EXPECT_EQ(Do(FindTable("Pets")).substr(0, 3), "200");
  EXPECT_EQ(Do(FindTable("")), "404 ResourceNotFound");
}

TEST_F(SettingsTest, HasDefaultsUntilPropertiesAreSet) {
  EXPECT_EQ(Properties(), kDefaults);
}

TEST_F(SettingsTest, ChangesOnlyThePropertiesThatAreNamed) {
  const std::string logging =
      R"({"kind":"Logging","Version":"1.0","Read":"true","Write":"false",)"
      R"("Delete":"true","RetentionPolicy.Enabled":"true",)"
      R"("RetentionPolicy.Days":"365"})"
      "\n";
  const std::string rules = kNoRules + Rule("https://a.example");
  const std::string metrics =
      "{\"kind\":\"Hour" + kMetricsOff + "{\"kind\":\"Minute" + kMetricsOff;

  EXPECT_EQ(Do(SetProperties(rules)), "202");
  EXPECT_EQ(Properties(), kLoggingOff + metrics + rules);
  EXPECT_EQ(Do(SetProperties(logging)), "202");
  EXPECT_EQ(Properties(), logging + metrics + rules);
  EXPECT_EQ(Do(SetProperties(kNoRules)), "202");
  EXPECT_EQ(Properties(), logging + metrics + kNoRules);
  EXPECT_EQ(Do(SetProperties("")), "202");
  EXPECT_EQ(Properties(), logging + metrics + kNoRules);
}

TEST_F(SettingsTest, RefusesPropertiesThatBreakARule) {
  const auto retention = [](const std::string& members) {
    return R"({"kind":"HourMetrics","Version":"1.0","Enabled":"false",)" +
           members + "}\n";
  };
  std::string six = kNoRules;
  for (int i = 0; i < 6; ++i) six += Rule("*");
  std::string origins = "a0";
  for (int i = 1; i < 65; ++i) origins += ",a" + std::to_string(i);
  std::string too_much;
  for (int i = 0; i < 5; ++i) {
    too_much += Rule(std::string(200, 'a') + "," + std::string(200, 'b'));
  }
  const std::string kCases[] = {
      six,
      Rule("*"),
      kNoRules + kNoRules,
      kNoRules + Rule(""),
      kNoRules + Rule("*", ""),
      kNoRules + Rule("*", "GET,BREW"),
      kNoRules + Rule("*", "GET,"),
      kNoRules + Rule("*", "GET", "a*,b*,c*"),
      kNoRules + Rule("*", "GET", "a*b"),
      kNoRules + Rule("*", "GET", std::string(257, 'h')),
      kNoRules + Rule("*", "GET", R"(x\ny)"),
      kNoRules + Rule(R"(https://\u00e4)"),
      kNoRules + Rule("*", "GET", "x", "-1"),
      kNoRules + Rule("*", "GET", "x", "soon"),
      kNoRules + Rule(origins),
      kNoRules + too_much,
      retention(R"("RetentionPolicy.Enabled":"maybe")"),
      retention(R"("RetentionPolicy.Enabled":"true")"),
      retention(
          R"("RetentionPolicy.Enabled":"true","RetentionPolicy.Days":"0")"),
      retention(
          R"("RetentionPolicy.Enabled":"true","RetentionPolicy.Days":"366")"),
      R"({"kind":"HourMetrics","Version":"1.0","Enabled":"true",)"
      R"("RetentionPolicy.Enabled":"false"})",
      R"({"kind":"Logging","Version":"1.0"})",
      R"({"kind":"Logging","Version":"9.0","Read":"false","Write":"false",)"
      R"("Delete":"false","RetentionPolicy.Enabled":"false"})",
      R"({"kind":"DefaultServiceVersion"})",
  };
  for (const std::string& lines : kCases) {
    SCOPED_TRACE(lines);
    EXPECT_EQ(Do(SetProperties(lines)), "400 InvalidXmlDocument");
  }
  EXPECT_EQ(Properties(), kDefaults);
}

TEST_F(SettingsTest, ForgetsTheDaysOfWhatIsOff) {
  EXPECT_EQ(Do(SetProperties(
                R"({"kind":"HourMetrics","Version":"1.0","Enabled":"false",)"
                R"("IncludeAPIs":"false","RetentionPolicy.Enabled":"false",)"
                R"("RetentionPolicy.Days":"7"})")),
            "202");
  EXPECT_EQ(Properties(), kDefaults);
}

// ----------------------------------------------------------------- the store

class StoredSettingsTest : public testing::Test {
 protected:
  void Given(const OwnedOperation& operation) {
    const auto answer = host_.Do(operation);
    ASSERT_TRUE(answer.has_value()) << Outcome(answer);
  }

  // Settings, followed by enough writes that they are flushed and compacted.
  void Fill() {
    Given(NewTable("Pets"));
    Given(NewTable("Other"));
    Given(StorePolicies("Pets", Policy("old")));
    Given(SetProperties(rules_));
    for (int i = 0; i < 40; ++i) {
      if (i == 20) Given(StorePolicies("Pets", kReaders));
      Given(Insert("Other", EntityBody("p", std::to_string(i), R"("A":1)")));
    }
    host_.Run();
  }

  void ExpectSettings(MemoryHost& host) {
    EXPECT_EQ(Lines(host.Do(Policies("pets"))), kReaders);
    EXPECT_EQ(Lines(host.Do(Policies("Other"))), "");
    EXPECT_TRUE(Lines(host.Do(GetProperties())).ends_with(rules_));
    EXPECT_EQ(TextsOf("TableName", Body(host.Do(ListTables()))),
              (std::vector<std::string>{"Other", "Pets"}));
  }

  std::string rules_ = kNoRules + Rule("https://a.example");
  MemoryHost host_{std::make_shared<MemoryStorage>(), Profile::kDefault, kTiny};
};

TEST_F(StoredSettingsTest, OutlivesFlushesCompactionsAndTheProcess) {
  Fill();

  ExpectSettings(host_);
  host_.Restart();
  ExpectSettings(host_);
}

TEST_F(StoredSettingsTest, AreSeenByOthersWithTheStoreOpen) {
  MemoryHost other(host_.shared_storage(), Profile::kDefault, kTiny);
  Given(NewTable("Pets"));
  Given(NewTable("Other"));
  EXPECT_EQ(Lines(other.Do(Policies("Pets"))), "");
  Given(StorePolicies("Pets", kReaders));
  Given(SetProperties(rules_));

  OwnedOperation fresh = Policies("Pets");
  fresh.with.fresh = true;
  EXPECT_EQ(Lines(other.Do(fresh)), kReaders);
  ExpectSettings(other);
}

TEST_F(StoredSettingsTest, AreInAnArchive) {
  Fill();
  const auto archive = ExportAll(host_);
  ASSERT_TRUE(archive.has_value());
  for (const std::size_t part_size : {std::size_t{7}, archive->size()}) {
    MemoryHost copy(std::make_shared<MemoryStorage>(), Profile::kDefault,
                    kTiny);
    const auto imported = ImportAll(copy, *archive, part_size);
    ASSERT_TRUE(imported.has_value()) << Outcome(imported);

    ExpectSettings(copy);
    const auto again = ExportAll(copy);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(*again, *archive);
  }
}

TEST_F(StoredSettingsTest, AreInAnArchiveWithoutTables) {
  Given(SetProperties(rules_));
  const auto archive = ExportAll(host_);
  ASSERT_TRUE(archive.has_value());
  MemoryHost copy;
  const auto imported = ImportAll(copy, *archive, 10);

  ASSERT_TRUE(imported.has_value()) << Outcome(imported);
  EXPECT_EQ(imported->body, R"({"read":4,"stored":4})");
  EXPECT_TRUE(Lines(copy.Do(GetProperties())).ends_with(rules_));
}

TEST_F(StoredSettingsTest, CountAsLinesOfAnArchive) {
  const std::string head = "{\"entitable\":\"archive\",\"version\":1}\n";
  const std::string table = "{\"TableName\":\"Pets\"}\n";
  const std::string end = "{\"tables\":1,\"entities\":0}\n";
  const struct {
    std::string archive;
    std::string outcome;
  } kCases[] = {
      {head + rules_ + table + kReaders + end, R"({"read":6,"stored":6})"},
      {head + table + Policy("a") + Policy("a") + end,
       "400 InvalidXmlDocument at 2"},
      {head + Policy("a") + table + end, "400 InvalidXmlDocument at 1"},
      {head + table + rules_ + end, "400 InvalidXmlDocument at 2"},
  };
  for (const auto& [archive, outcome] : kCases) {
    SCOPED_TRACE(archive);
    MemoryHost copy;
    const auto imported = ImportAll(copy, archive, archive.size());
    if (imported) {
      EXPECT_EQ(imported->body, outcome);
    } else {
      EXPECT_EQ(Outcome(imported), outcome);
    }
  }
}

TEST_F(StoredSettingsTest, AreSaved) {
  Fill();
  for (const Listing listing : {Listing::kNone, Listing::kPages}) {
    const auto saved = Repair(host_.storage(), listing);
    MemoryHost copy(saved.storage, Profile::kDefault, kTiny);
    ExpectSettings(copy);
  }
}

// Of the log, too, and where the rows of the tables are read one by one.
TEST_F(StoredSettingsTest, AreRecoveredWithoutAManifest) {
  Fill();
  host_.storage().values().erase(ValueKey::Manifest());
  const auto saved = Repair(host_.storage());
  MemoryHost copy(saved.storage, Profile::kDefault, kTiny);

  ExpectSettings(copy);
}

}  // namespace
}  // namespace entitable
