#include "protocol/parsed_request.h"

#include <gtest/gtest.h>

#include <string>

#include "support/http_client.h"
#include "support/operations.h"

namespace entitable {
namespace {

class ParsedRequestTest : public testing::Test {
 protected:
  ParsedRequestTest() { EXPECT_TRUE(host_.Do(NewTable("Pets"))); }

  MemoryHost host_;
  HttpClient client_{host_};
};

TEST_F(ParsedRequestTest, TakesTheAccountFromThePathWhereTheAddressHasIt) {
  HttpClient client(host_, "http://127.0.0.1:10002/acct");

  EXPECT_EQ(Outcome(client.Send({.target = "/acct/Pets()"})), "200");
  EXPECT_EQ(Outcome(client.Send({.target = "http://any:1/acct/Pets()"})),
            "200");
  EXPECT_EQ(Outcome(client.Send({.target = "/other/Pets()"})),
            "400 InvalidUri");
}

TEST_F(ParsedRequestTest, RefusesAHostThatCannotStandInAnAddress) {
  EXPECT_EQ(Outcome(client_.Send(
                {.target = "/Pets()", .headers = {{"Host", "a\" b"}}})),
            "400 InvalidHeaderValue");
}

TEST_F(ParsedRequestTest, ChecksTheContentTypeOnlyOfABodyThatItReads) {
  const OwnedRequest request{.target = "/Pets()",
                             .headers = {{"Content-Type", "text/plain"}},
                             .body = "abc"};

  EXPECT_EQ(Outcome(client_.Send(request)), "200");
}

TEST_F(ParsedRequestTest, DoesNotServeTheServiceItself) {
  for (const char* target : {"/", "/$metadata"}) {
    SCOPED_TRACE(target);
    EXPECT_EQ(Outcome(client_.Send({.target = target})), "501 NotImplemented");
  }
}

TEST_F(ParsedRequestTest, RefusesParametersThatTheResourceDoesNotHave) {
  const struct {
    const char* method;
    const char* target;
    const char* outcome;
  } kCases[] = {
      {"GET", "/Pets?comp=list", "400 InvalidQueryParameterValue"},
      {"GET", "/Tables?comp=acl", "400 InvalidQueryParameterValue"},
      {"GET", "/?comp=properties", "400 InvalidQueryParameterValue"},
      {"GET", "/?restype=service", "400 InvalidQueryParameterValue"},
      {"GET", "/?restype=account&comp=properties",
       "400 InvalidQueryParameterValue"},
      {"POST", "/Pets?comp=acl", "405 MethodNotAllowed"},
      {"DELETE", "/?restype=service&comp=properties", "405 MethodNotAllowed"},
      {"PUT", "/?restype=service&comp=stats", "405 MethodNotAllowed"},
  };
  for (const auto& [method, target, outcome] : kCases) {
    SCOPED_TRACE(target);
    EXPECT_EQ(Outcome(client_.Send({.method = method, .target = target})),
              outcome);
  }
}

TEST_F(ParsedRequestTest, TakesTheVersionOfASignatureWhereNoneIsNamed) {
  EXPECT_EQ(HeaderOf(client_.Send({.target = "/Pets()?sv=2020-12-06"}),
                     "x-ms-version"),
            "2020-12-06");
  EXPECT_EQ(
      HeaderOf(client_.Send({.target = "/Pets()?sv=2020-12-06",
                             .headers = {{"x-ms-version", "2019-07-07"}}}),
               "x-ms-version"),
      "2019-07-07");
}

}  // namespace
}  // namespace entitable
