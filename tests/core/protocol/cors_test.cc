#include "protocol/cors.h"

#include <gtest/gtest.h>

#include <string>

#include "support/settings_over_http_test.h"

namespace entitable {
namespace {

class CorsTest : public SettingsOverHttpTest {
 protected:
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
};

TEST_F(CorsTest, AnswersPreflightsByTheRules) {
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

TEST_F(CorsTest, FailsPreflightsWithoutRules) {
  EXPECT_EQ(Preflight({{"Origin", "https://a.example"},
                       {"Access-Control-Request-Method", "GET"}}),
            "403 CorsPreflightFailure");
}

// The first rule for origin and method decides, though a later one would allow
// the header.
TEST_F(CorsTest, AsksOnlyTheFirstRuleThatFits) {
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

TEST_F(CorsTest, ExposesHeadersToPagesOfTheOrigin) {
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

TEST_F(CorsTest, ExposesHeadersToAllOriginsOfARuleForAll) {
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

TEST_F(CorsTest, AddsNoHeadersWithoutRules) {
  EXPECT_TRUE(CorsOf("GET", "https://a.example").headers.empty());
}

TEST_F(CorsTest, GoesByTheRulesThatComeWithARequest) {
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

}  // namespace
}  // namespace entitable
