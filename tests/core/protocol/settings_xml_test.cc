#include "protocol/settings_xml.h"

#include <gtest/gtest.h>

#include <string>

namespace entitable {
namespace {

std::string Read(const std::string& xml,
                 std::string_view root = kPoliciesElement) {
  const auto lines = SettingsFromXml(xml, root);
  return lines ? *lines : std::string(ErrorName(lines.error().code));
}

const std::string kStart =
    "\xEF\xBB\xBF<?xml version=\"1.0\" encoding=\"utf-8\"?>";

std::string Policy(const std::string& content) {
  return "<SignedIdentifiers><SignedIdentifier>" + content +
         "</SignedIdentifier></SignedIdentifiers>";
}

TEST(SettingsXmlTest, MakesALineOfEachRecord) {
  EXPECT_EQ(Read("<SignedIdentifiers/>"), "");
  EXPECT_EQ(Read(kStart + "<SignedIdentifiers />"), "");
  EXPECT_EQ(
      Read(kStart + "\r\n<SignedIdentifiers>\n  <SignedIdentifier>\n<Id>a</Id>"
                    "<AccessPolicy><Start>2024-01-01</Start><Permission>r"
                    "</Permission></AccessPolicy></SignedIdentifier>"
                    "<SignedIdentifier><Id>b</Id><AccessPolicy/>"
                    "</SignedIdentifier></SignedIdentifiers>\n"),
      R"({"kind":"SignedIdentifier","Id":"a",)"
      R"("AccessPolicy.Start":"2024-01-01","AccessPolicy.Permission":"r"})"
      "\n"
      R"({"kind":"SignedIdentifier","Id":"b"})"
      "\n");
}

TEST(SettingsXmlTest, PutsRulesBehindTheirList) {
  EXPECT_EQ(Read("<StorageServiceProperties><Cors><CorsRule><MaxAgeInSeconds>"
                 "1</MaxAgeInSeconds></CorsRule><CorsRule></CorsRule></Cors>"
                 "<Logging><RetentionPolicy><Enabled>true</Enabled>"
                 "</RetentionPolicy></Logging></StorageServiceProperties>",
                 kPropertiesElement),
            "{\"kind\":\"Cors\"}\n"
            "{\"kind\":\"CorsRule\",\"MaxAgeInSeconds\":\"1\"}\n"
            "{\"kind\":\"CorsRule\"}\n"
            "{\"kind\":\"Logging\",\"RetentionPolicy.Enabled\":\"true\"}\n");
}

TEST(SettingsXmlTest, DecodesTexts) {
  EXPECT_EQ(Read(Policy("<Id a='>' b=\"/\">&lt;&amp;&gt;&quot;&apos;&#65;"
                        "&#x1F43e;<!-- > -->\xC3\xA9</Id>")),
            "{\"kind\":\"SignedIdentifier\","
            "\"Id\":\"<&>\\\"'A\\ud83d\\udc3e\\u00e9\"}\n");
}

TEST(SettingsXmlTest, RefusesWhatIsNoSuchDocument) {
  const std::string kCases[] = {
      "",
      "text",
      "<SignedIdentifiers>",
      "<SignedIdentifiers></SignedIdentifier>",
      "<SignedIdentifiers/><SignedIdentifiers/>",
      "<SignedIdentifiers/>text",
      "</SignedIdentifiers>",
      "<StorageServiceProperties/>",
      "<SignedIdentifiers>text</SignedIdentifiers>",
      "<SignedIdentifiers><Id>a</Id></SignedIdentifiers>",
      "<SignedIdentifiers><CorsRule/></SignedIdentifiers>",
      Policy("text"),
      Policy("<Id>a<b/>c</Id>"),
      Policy("<Id>&nbsp;</Id>"),
      Policy("<Id>&#xD800;</Id>"),
      Policy("<Id>&#0;</Id>"),
      Policy("<Id>&#x110000;</Id>"),
      Policy("<Id>&lt</Id>"),
      Policy("<Id>\xFF</Id>"),
      Policy("<Id a='</Id>"),
      Policy("<>a</>"),
      Policy("<![CDATA[a]]>"),
      Policy("<a><b><c><d><e><f/></e></d></c></b></a>"),
      "<!DOCTYPE a [<!ENTITY b 'c'>]><SignedIdentifiers/>",
      "<!-- <SignedIdentifiers/>",
  };
  for (const std::string& xml : kCases) {
    SCOPED_TRACE(xml);
    EXPECT_EQ(Read(xml), "InvalidXmlDocument");
  }
}

TEST(SettingsXmlTest, WritesElementsInTheOrderOfTheMembers) {
  EXPECT_EQ(SettingsToXml("", kPoliciesElement),
            kStart + "<SignedIdentifiers />");
  EXPECT_EQ(SettingsToXml(R"({"kind":"SignedIdentifier","Id":"<&>\u00e9",)"
                          R"("AccessPolicy.Start":"s","AccessPolicy.Expiry":)"
                          R"("e"})"
                          "\n",
                          kPoliciesElement),
            kStart +
                "<SignedIdentifiers><SignedIdentifier><Id>&lt;&amp;&gt;"
                "\xC3\xA9</Id><AccessPolicy><Start>s</Start><Expiry>e</Expiry>"
                "</AccessPolicy></SignedIdentifier></SignedIdentifiers>");
}

TEST(SettingsXmlTest, WritesTheListOfRulesEvenIfItIsEmpty) {
  EXPECT_EQ(SettingsToXml("{\"kind\":\"Cors\"}\n", kPropertiesElement),
            kStart +
                "<StorageServiceProperties><Cors />"
                "</StorageServiceProperties>");
  EXPECT_EQ(SettingsToXml("{\"kind\":\"Cors\"}\n"
                          "{\"kind\":\"CorsRule\",\"A\":\"\"}\n"
                          "{\"kind\":\"CorsRule\",\"A\":\"1\"}\n",
                          kPropertiesElement),
            kStart +
                "<StorageServiceProperties><Cors><CorsRule><A></A>"
                "</CorsRule><CorsRule><A>1</A></CorsRule></Cors>"
                "</StorageServiceProperties>");
}

}  // namespace
}  // namespace entitable
