// Cases 516 to 534 of the conformance catalogue, and what goes with them.

#include <gtest/gtest.h>

#include <string>

#include "support/http_client.h"
#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {
namespace {

constexpr char kStart[] =
    "\xEF\xBB\xBF<?xml version=\"1.0\" encoding=\"utf-8\"?>";
constexpr char kAcl[] = "/Tab?comp=acl";
constexpr char kProperties[] = "/?restype=service&comp=properties";

std::string Policy(const std::string& id, const std::string& policy = "") {
  return "<SignedIdentifier><Id>" + id + "</Id>" + policy +
         "</SignedIdentifier>";
}

std::string Policies(const std::string& content) {
  return "<SignedIdentifiers>" + content + "</SignedIdentifiers>";
}

std::string Properties(const std::string& content) {
  return "<StorageServiceProperties>" + content + "</StorageServiceProperties>";
}

std::string Rule(const std::string& origins = "https://a.example",
                 const std::string& headers = "x-ms-*") {
  return "<CorsRule><AllowedOrigins>" + origins +
         "</AllowedOrigins><AllowedMethods>GET</AllowedMethods>"
         "<MaxAgeInSeconds>60</MaxAgeInSeconds><ExposedHeaders>" +
         headers + "</ExposedHeaders><AllowedHeaders>" + headers +
         "</AllowedHeaders></CorsRule>";
}

std::string Metrics(const std::string& days) {
  return Properties(
      "<HourMetrics><Version>1.0</Version><Enabled>false</Enabled>"
      "<RetentionPolicy><Enabled>true</Enabled><Days>" +
      days + "</Days></RetentionPolicy></HourMetrics>");
}

class SettingsFrontEndTest : public testing::Test {
 protected:
  SettingsFrontEndTest() { EXPECT_TRUE(host_.Do(NewTable("Tab")).has_value()); }

  HttpResponse Send(const std::string& method, const std::string& target,
                    const std::string& body = "",
                    const HeaderPairs& headers = {}) {
    return client_.Send(
        {.method = method, .target = target, .headers = headers, .body = body});
  }

  std::string Put(const std::string& target, const std::string& body) {
    return Outcome(Send("PUT", target, body));
  }

  std::string Preflight(const HeaderPairs& headers) {
    return Outcome(Send("OPTIONS", "/Nope()", "", headers));
  }

  // What an answer to a page of the origin has beside its own headers.
  HttpResponse CorsOf(const std::string& method, const std::string& origin) {
    HttpFrontEnd front_end(host_.engine(), "https://a");
    const RequestId id = front_end.Submit(
        {.method = method,
         .target = "/Tab()",
         .headers = {{"Origin", origin}},
         .answered = "Server,x-ms-version,ETag,x-ms-request-id"});
    return *front_end.Translate({id, host_.Await(id)}, host_.clock());
  }

  // The same by rules that come with the question.
  HttpResponse CorsBy(const std::string& rules, const HttpRequest& question) {
    HttpFrontEnd front_end(host_.engine(), "https://a");
    HttpRequest request = question;
    request.cors_rules = rules;
    const RequestId id = front_end.Submit(request);
    return *front_end.Translate({id, host_.Await(id)}, host_.clock());
  }

  MemoryHost host_;
  HttpClient client_{host_};
};

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

TEST_F(SettingsFrontEndTest, RefusesParametersThatTheResourceDoesNotHave) {
  const struct {
    const char* method;
    const char* target;
    const char* outcome;
  } kCases[] = {
      {"GET", "/Tab?comp=list", "400 InvalidQueryParameterValue"},
      {"GET", "/Tables?comp=acl", "400 InvalidQueryParameterValue"},
      {"GET", "/?comp=properties", "400 InvalidQueryParameterValue"},
      {"GET", "/?restype=service", "400 InvalidQueryParameterValue"},
      {"GET", "/?restype=account&comp=properties",
       "400 InvalidQueryParameterValue"},
      {"POST", "/Tab?comp=acl", "405 MethodNotAllowed"},
      {"DELETE", "/?restype=service&comp=properties", "405 MethodNotAllowed"},
      {"PUT", "/?restype=service&comp=stats", "405 MethodNotAllowed"},
  };
  for (const auto& [method, target, outcome] : kCases) {
    SCOPED_TRACE(target);
    EXPECT_EQ(Outcome(Send(method, target)), outcome);
  }
}

TEST_F(SettingsFrontEndTest, AnswersPreflightsByTheRules) {
  ASSERT_EQ(Put(kProperties, Properties("<Cors>" + Rule() + "</Cors>")), "202");
  const HeaderPairs asked = {{"Origin", "https://a.example"},
                             {"Access-Control-Request-Method", "GET"}};
  const auto with = [&](std::size_t index, const std::string& value) {
    HeaderPairs other = asked;
    other[index].second = value;
    return Preflight(other);
  };
  HeaderPairs named = asked;
  named.emplace_back("Access-Control-Request-Headers", "x-ms-date, X-MS-Other");
  const HttpResponse answer = Send("OPTIONS", "/Nope()", "", named);

  EXPECT_EQ(Outcome(answer), "200");
  EXPECT_EQ(HeaderOf(answer, "Access-Control-Allow-Origin"),
            "https://a.example");
  EXPECT_EQ(HeaderOf(answer, "Access-Control-Allow-Methods"), "GET");
  EXPECT_EQ(HeaderOf(answer, "Access-Control-Allow-Headers"),
            "x-ms-date, X-MS-Other");
  EXPECT_EQ(HeaderOf(answer, "Access-Control-Max-Age"), "60");
  EXPECT_EQ(HeaderOf(answer, "Access-Control-Allow-Credentials"), "true");
  EXPECT_EQ(Preflight(asked), "200");
  EXPECT_EQ(with(1, "PUT"), "403 CorsPreflightFailure");
  EXPECT_EQ(with(0, "https://A.example"), "403 CorsPreflightFailure");
  named.back().second = "content-type";
  EXPECT_EQ(Preflight(named), "403 CorsPreflightFailure");
  EXPECT_EQ(Preflight({asked[0]}), "400 InvalidHeaderValue");
  EXPECT_EQ(Preflight({asked[1]}), "400 InvalidHeaderValue");
}

TEST_F(SettingsFrontEndTest, FailsPreflightsWithoutRules) {
  EXPECT_EQ(Preflight({{"Origin", "https://a.example"},
                       {"Access-Control-Request-Method", "GET"}}),
            "403 CorsPreflightFailure");
}

// The first rule for origin and method decides, though a later one would allow
// the header.
TEST_F(SettingsFrontEndTest, AsksOnlyTheFirstRuleThatFits) {
  ASSERT_EQ(Put(kProperties,
                Properties("<Cors>" + Rule() + Rule("*", "*") + "</Cors>")),
            "202");
  const auto preflight = [&](const std::string& origin) {
    return Preflight({{"Origin", origin},
                      {"Access-Control-Request-Method", "GET"},
                      {"Access-Control-Request-Headers", "content-type"}});
  };

  EXPECT_EQ(preflight("https://a.example"), "403 CorsPreflightFailure");
  EXPECT_EQ(preflight("https://b.example"), "200");
}

TEST_F(SettingsFrontEndTest, ExposesHeadersToPagesOfTheOrigin) {
  ASSERT_EQ(Put(kProperties, Properties("<Cors>" + Rule() + "</Cors>")), "202");
  const HttpResponse answer = CorsOf("GET", "https://a.example");

  EXPECT_EQ(HeaderOf(answer, "Access-Control-Allow-Origin"),
            "https://a.example");
  EXPECT_EQ(HeaderOf(answer, "Access-Control-Expose-Headers"),
            "x-ms-version,x-ms-request-id");
  EXPECT_EQ(HeaderOf(answer, "Access-Control-Allow-Credentials"), "true");
  EXPECT_EQ(HeaderOf(answer, "Vary"), "Origin");

  const HttpResponse other = CorsOf("GET", "https://b.example");
  ASSERT_EQ(other.headers.size(), 1U);
  EXPECT_EQ(HeaderOf(other, "Vary"), "Origin");
  EXPECT_TRUE(CorsOf("POST", "https://a.example").headers.empty());
}

TEST_F(SettingsFrontEndTest, ExposesHeadersToAllOriginsOfARuleForAll) {
  ASSERT_EQ(
      Put(kProperties, Properties("<Cors>" + Rule("*", "ETag,*") + "</Cors>")),
      "202");
  const HttpResponse answer = CorsOf("GET", "https://b.example");

  EXPECT_EQ(HeaderOf(answer, "Access-Control-Allow-Origin"), "*");
  EXPECT_EQ(HeaderOf(answer, "Access-Control-Expose-Headers"),
            "ETag,Server,x-ms-version,x-ms-request-id");
  EXPECT_FALSE(HeaderOf(answer, "Vary"));
  EXPECT_FALSE(HeaderOf(answer, "Access-Control-Allow-Credentials"));
}

TEST_F(SettingsFrontEndTest, AddsNoHeadersWithoutRules) {
  EXPECT_TRUE(CorsOf("GET", "https://a.example").headers.empty());
}

TEST_F(SettingsFrontEndTest, GoesByTheRulesThatComeWithARequest) {
  ASSERT_EQ(Put(kProperties, Properties("<Cors>" + Rule("*") + "</Cors>")),
            "202");
  const std::string lines =
      "{\"kind\":\"Cors\"}\n"
      R"({"kind":"CorsRule","AllowedMethods":"GET","AllowedOrigins":"http://b",)"
      R"("AllowedHeaders":"*","ExposedHeaders":"ETag","MaxAgeInSeconds":"7"})";
  const auto answered = [&](const std::string& origin,
                            const std::string& rules) {
    return CorsBy(rules, {.method = "GET",
                          .target = "/Tab()",
                          .headers = {{"Origin", origin}},
                          .answered = "ETag"});
  };
  const auto preflight = [&](const std::string& rules) {
    return CorsBy(rules,
                  {.method = "OPTIONS",
                   .target = "/Tab()",
                   .headers = {{"Origin", "http://b"},
                               {"Access-Control-Request-Method", "GET"}}});
  };

  EXPECT_EQ(
      HeaderOf(answered("http://b", lines), "Access-Control-Allow-Origin"),
      "http://b");
  EXPECT_FALSE(
      HeaderOf(answered("http://c", lines), "Access-Control-Allow-Origin"));
  EXPECT_TRUE(answered("http://b", "").headers.empty());
  EXPECT_EQ(HeaderOf(preflight(lines), "Access-Control-Max-Age"), "7");
  EXPECT_EQ(Outcome(preflight("")), "403 CorsPreflightFailure");
  EXPECT_EQ(Outcome(preflight("{}")), "400 InvalidXmlDocument");
  EXPECT_EQ(answered("http://b", "{}").status, 400);
}

TEST_F(SettingsFrontEndTest, TakesTheVersionOfASignatureWhereNoneIsNamed) {
  EXPECT_EQ(HeaderOf(Send("GET", "/Tab()?sv=2020-12-06"), "x-ms-version"),
            "2020-12-06");
  EXPECT_EQ(HeaderOf(Send("GET", "/Tab()?sv=2020-12-06", "",
                          {{"x-ms-version", "2019-07-07"}}),
                     "x-ms-version"),
            "2019-07-07");
}

}  // namespace
}  // namespace entitable
