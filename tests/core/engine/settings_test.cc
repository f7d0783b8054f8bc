// What tables and the account are set to: operations of the spec, 2.13 to 2.15.

#include <gtest/gtest.h>

#include <string>

#include "support/engine_test.h"
#include "support/operations.h"
#include "support/settings_lines.h"

namespace entitable {
namespace {

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

}  // namespace
}  // namespace entitable
