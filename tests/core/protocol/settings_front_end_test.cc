// Cases 516 to 534 of the conformance catalogue, and what goes with them.

#include <gtest/gtest.h>

#include <string>

#include "support/settings_over_http_test.h"

namespace entitable {
namespace {

constexpr char kStart[] =
    "\xEF\xBB\xBF<?xml version=\"1.0\" encoding=\"utf-8\"?>";
constexpr char kAcl[] = "/Tab?comp=acl";

std::string Policy(const std::string& id, const std::string& policy = "") {
  return "<SignedIdentifier><Id>" + id + "</Id>" + policy +
         "</SignedIdentifier>";
}

std::string Policies(const std::string& content) {
  return "<SignedIdentifiers>" + content + "</SignedIdentifiers>";
}

std::string Metrics(const std::string& days) {
  return Properties(
      "<HourMetrics><Version>1.0</Version><Enabled>false</Enabled>"
      "<RetentionPolicy><Enabled>true</Enabled><Days>" +
      days + "</Days></RetentionPolicy></HourMetrics>");
}

using SettingsFrontEndTest = SettingsOverHttpTest;

TEST_F(SettingsFrontEndTest, AnswersPoliciesAsXml) {
  const HttpResponse answer = Send("GET", kAcl);

  EXPECT_EQ(Outcome(answer), "200");
  EXPECT_EQ(answer.body, std::string(kStart) + "<SignedIdentifiers />");
  EXPECT_EQ(HeaderOf(answer, "Content-Type"), "application/xml");
  EXPECT_FALSE(HeaderOf(answer, "Cache-Control"));
  EXPECT_EQ(Outcome(Send("HEAD", kAcl)), "200");
}

TEST_F(SettingsFrontEndTest, KeepsPolicies) {
  const std::string dates =
      "<AccessPolicy><Start>2011-10-11</Start><Expiry>2011-10-12</Expiry>"
      "<Permission>r</Permission></AccessPolicy>";

  EXPECT_EQ(Put(kAcl, Policies(Policy("a", dates) + Policy("b"))), "204");
  EXPECT_EQ(
      Send("GET", kAcl).body,
      kStart + Policies(Policy("a",
                               "<AccessPolicy>"
                               "<Start>2011-10-11T00:00:00.0000000Z</Start>"
                               "<Expiry>2011-10-12T00:00:00.0000000Z</Expiry>"
                               "<Permission>r</Permission></AccessPolicy>") +
                        Policy("b")));
  EXPECT_EQ(Put(kAcl, "<SignedIdentifiers />"), "204");
  EXPECT_EQ(Send("GET", kAcl).body,
            std::string(kStart) + "<SignedIdentifiers />");
}

TEST_F(SettingsFrontEndTest, ClearsPoliciesWithoutABody) {
  ASSERT_EQ(Put(kAcl, Policies(Policy("a"))), "204");

  EXPECT_EQ(Put(kAcl, ""), "204");
  EXPECT_EQ(Send("GET", kAcl).body,
            std::string(kStart) + "<SignedIdentifiers />");
}

TEST_F(SettingsFrontEndTest, RefusesPoliciesInXml) {
  std::string six;
  for (int i = 0; i < 6; ++i) six += Policy(std::to_string(i));
  const HttpResponse answer = Send("PUT", kAcl, Policies(six));

  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(HeaderOf(answer, "x-ms-error-code"), "InvalidXmlDocument");
  EXPECT_EQ(HeaderOf(answer, "Content-Type"), "application/xml");
  EXPECT_NE(answer.body.find("<m:code>InvalidXmlDocument</m:code>"),
            Bytes::npos);
  EXPECT_EQ(Put(kAcl, Policies(Policy(std::string(65, 'i')))),
            "400 InvalidXmlDocument");
  EXPECT_EQ(HeaderOf(Send("GET", "/Nope?comp=acl"), "x-ms-error-code"),
            "TableNotFound");
}

TEST_F(SettingsFrontEndTest, AnswersPropertiesInTheirOrder) {
  const std::string off =
      "<Version>1.0</Version><Enabled>false</Enabled><RetentionPolicy>"
      "<Enabled>false</Enabled></RetentionPolicy>";
  const std::string logging =
      "<Logging><Version>1.0</Version><Read>false</Read><Write>false</Write>"
      "<Delete>false</Delete><RetentionPolicy><Enabled>false</Enabled>"
      "</RetentionPolicy></Logging>";
  const std::string rest = "<HourMetrics>" + off +
                           "</HourMetrics><MinuteMetrics>" + off +
                           "</MinuteMetrics>";

  EXPECT_EQ(Send("GET", kProperties).body,
            kStart + Properties(logging + rest + "<Cors />"));
  EXPECT_EQ(Put(kProperties, Properties("<Cors>" + Rule() + "</Cors>")), "202");
  EXPECT_EQ(
      Send("GET", kProperties).body,
      kStart + Properties(logging + rest +
                          "<Cors><CorsRule><AllowedMethods>GET</AllowedMethods>"
                          "<AllowedOrigins>https://a.example</AllowedOrigins>"
                          "<AllowedHeaders>x-ms-*</AllowedHeaders>"
                          "<ExposedHeaders>x-ms-*</ExposedHeaders>"
                          "<MaxAgeInSeconds>60</MaxAgeInSeconds></CorsRule>"
                          "</Cors>"));
}

TEST_F(SettingsFrontEndTest, HoldsPropertiesToTheirLimits) {
  std::string six;
  for (int i = 0; i < 6; ++i) six += Rule();

  EXPECT_EQ(Put(kProperties, Properties("<Cors>" + six + "</Cors>")),
            "400 InvalidXmlDocument");
  EXPECT_EQ(Put(kProperties, Metrics("366")), "400 InvalidXmlDocument");
  EXPECT_EQ(Put(kProperties, Metrics("365")), "202");
  EXPECT_EQ(Put(kProperties, ""), "400 InvalidXmlDocument");
}

TEST_F(SettingsFrontEndTest, GivesStatisticsOnlyAtTheSecondaryAddress) {
  const std::string target = "/?restype=service&comp=stats";
  const HttpResponse answer = Send(
      "GET", target, "", {{"Host", "acct-secondary.table.core.windows.net"}});

  EXPECT_EQ(Outcome(Send("GET", target)), "400 InvalidQueryParameterValue");
  EXPECT_EQ(answer.body,
            std::string(kStart) +
                "<StorageServiceStats><GeoReplication><Status>live</Status>"
                "<LastSyncTime>Tue, 02 Jan 2024 03:04:05 GMT</LastSyncTime>"
                "</GeoReplication></StorageServiceStats>");
}

TEST_F(SettingsFrontEndTest, OnlyReadsAtTheSecondaryAddress) {
  HttpClient client(host_, "http://127.0.0.1:10002/acct");
  const auto send = [&](const std::string& method, const std::string& target,
                        const std::string& body = "") {
    return Outcome(
        client.Send({.method = method,
                     .target = target,
                     .headers = {{"Content-Type", "application/json"}},
                     .body = body}));
  };
  const std::string kWriteRefused = "403 InsufficientAccountPermissions";

  EXPECT_EQ(send("GET", "/acct-secondary/Tab()"), "200");
  EXPECT_EQ(send("GET", "/acct-secondary/?restype=service&comp=stats"), "200");
  EXPECT_EQ(send("POST", "/acct-secondary/Tables", R"({"TableName":"New"})"),
            kWriteRefused);
  EXPECT_EQ(send("PUT", "/acct-secondary/Tab?comp=acl", ""), kWriteRefused);
  EXPECT_EQ(send("DELETE", "/acct-secondary/Tables('Tab')"), kWriteRefused);
}

}  // namespace
}  // namespace entitable
