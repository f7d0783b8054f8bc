#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "entitable/http.h"
#include "support/http_client.h"
#include "support/operations.h"

namespace entitable {
namespace {

const HeaderPairs kJson = {{"Content-Type", "application/json"}};

class HttpFrontEndTest : public testing::Test {
 protected:
  HttpFrontEndTest() { EXPECT_TRUE(host_.Do(NewTable("Pets"))); }

  MemoryHost host_;
  HttpClient client_{host_};
};

TEST_F(HttpFrontEndTest, CarriesOutARequestAndAnswersIt) {
  const HttpResponse response =
      client_.Send({.method = "POST",
                    .target = "/pets",
                    .headers = kJson,
                    .body = EntityBody("p", "a b", R"("A":1)")});

  EXPECT_EQ(Outcome(response), "201");
  EXPECT_EQ(HeaderOf(response, "Location"),
            "https://acct.table.core.windows.net/"
            "pets(PartitionKey='p',RowKey='a%20b')");
  EXPECT_EQ(Outcome(client_.Send(
                {.target = "/Pets(PartitionKey='p',RowKey='a%20b')"})),
            "200");
}

TEST_F(HttpFrontEndTest, AnswersWhatItCannotRead) {
  const HttpResponse response = client_.Send(
      {.target = "/%zz", .headers = {{"x-ms-client-request-id", "mine"}}});

  EXPECT_EQ(Outcome(response), "400 InvalidUri");
  EXPECT_EQ(HeaderOf(response, "x-ms-client-request-id"), "mine");
}

TEST_F(HttpFrontEndTest, AnswersAFrameThatIsNone) {
  HttpFrontEnd front_end(host_.engine(), "https://a");
  const RequestId id = front_end.SubmitFrame("nonsense", 8);

  const auto response =
      front_end.Translate({id, host_.Await(id)}, host_.clock());

  ASSERT_TRUE(response);
  EXPECT_EQ(Outcome(*response), "400 InvalidInput");
}

TEST_F(HttpFrontEndTest, FindsARequestAmongManyThatWait) {
  HttpFrontEnd front_end(host_.engine(), "https://a");
  std::vector<RequestId> ids;
  for (int i = 0; i < 30'000; ++i) {
    ids.push_back(front_end.Submit({.method = "GET", .target = "/Nothing()"}));
  }
  host_.Run();
  std::reverse(ids.begin(), ids.end());

  EXPECT_FALSE(front_end.Cancel(ids.front()));
  for (const RequestId id : ids) {
    const auto response =
        front_end.Translate({id, host_.Await(id)}, host_.clock());
    ASSERT_TRUE(response);
    ASSERT_EQ(Outcome(*response), "404 TableNotFound");
  }
  EXPECT_FALSE(front_end.Translate({ids.front(), Response{}}, host_.clock()));
}

TEST_F(HttpFrontEndTest, LeavesTheAnswersToOperationsAlone) {
  HttpFrontEnd front_end(host_.engine(), "https://a");
  const RequestId id = host_.Submit(ListTables());

  EXPECT_FALSE(front_end.Translate({id, host_.Await(id)}, host_.clock()));
}

// Case 559.
TEST_F(HttpFrontEndTest, MakesAddressesWithTheHostOfTheRequest) {
  HttpClient client(host_, "http://127.0.0.1:10002/acct");
  HeaderPairs headers = kJson;
  headers.emplace_back("Host", "tables.example:9999");

  const HttpResponse made = client.Send({.method = "POST",
                                         .target = "/acct/Pets",
                                         .headers = headers,
                                         .body = EntityBody("p", "r", "")});
  const HttpResponse read =
      client.Send({.target = "http://other:1/acct/Pets()", .headers = headers});
  const HttpResponse own = client_.Send({.target = "/Pets()"});

  EXPECT_EQ(HeaderOf(made, "Location"),
            "http://tables.example:9999/acct/"
            "Pets(PartitionKey='p',RowKey='r')");
  EXPECT_TRUE(made.body.contains(
      R"("http://tables.example:9999/acct/$metadata#Pets/@Element")"));
  EXPECT_TRUE(read.body.contains(R"("http://other:1/acct/$metadata#Pets")"));
  EXPECT_TRUE(own.body.contains(
      R"("https://acct.table.core.windows.net/$metadata#Pets")"));
}

TEST_F(HttpFrontEndTest, ServesAnAccountThatTheHostNames) {
  HttpClient client(host_, "http://127.0.0.1:10002/acct");
  const auto send = [&](std::string target, HeaderPairs headers = {},
                        std::string body = {}) {
    headers.insert(headers.end(), kJson.begin(), kJson.end());
    return client.Send({.method = body.empty() ? "GET" : "POST",
                        .target = std::move(target),
                        .headers = std::move(headers),
                        .body = std::move(body),
                        .account_in_host = true});
  };
  const HeaderPairs host = {{"Host", "acct.table.localhost:1"}};

  const HttpResponse made = send("/Pets", host, EntityBody("p", "r", ""));
  const HttpResponse read = send("http://acct.table.localhost:1/Pets()");

  EXPECT_EQ(HeaderOf(made, "Location"),
            "http://acct.table.localhost:1/Pets(PartitionKey='p',RowKey='r')");
  EXPECT_TRUE(
      read.body.contains(R"("http://acct.table.localhost:1/$metadata#Pets")"));
  const std::string secondary = "http://acct-secondary.table.localhost:1";
  EXPECT_EQ(Outcome(send(secondary + "/?restype=service&comp=stats")), "200");
  EXPECT_EQ(Outcome(send(secondary + "/Pets", {}, EntityBody("p", "q", ""))),
            "403 InsufficientAccountPermissions");
  // What names the account in other addresses is a table here.
  EXPECT_EQ(Outcome(send("/acct", host)), "404 TableNotFound");
}

// Recorded from clients that were given the address of a table as that of the
// account.
TEST_F(HttpFrontEndTest, AnswersWhoTakesATableForTheAccount) {
  HttpClient by_path(host_, "http://127.0.0.1:10002/acct");
  const std::string text =
      "The number of keys specified in the URI does not match number of key "
      "properties for the resource 'acct.Pets'.";
  const auto remove = [](std::string target) {
    return OwnedRequest{.method = "DELETE",
                        .target = std::move(target),
                        .headers = {{"Host", "acct.table.core.windows.net"}}};
  };

  EXPECT_EQ(Outcome(client_.Send({.method = "POST",
                                  .target = "/Pets/Tables",
                                  .headers = kJson,
                                  .body = R"({"TableName":"Cats"})"})),
            "400 PropertiesNeedValue");
  EXPECT_EQ(Outcome(client_.Send({.target = "/Pets/Tables"})),
            "501 NotImplemented");
  for (const HttpResponse& answer :
       {client_.Send(remove("/Pets/Tables('Pets')")),
        by_path.Send(remove("/acct/Pets/Tables('Pets')"))}) {
    EXPECT_EQ(Outcome(answer), "400 InvalidInput");
    EXPECT_TRUE(answer.body.contains(text)) << answer.body;
  }
  EXPECT_EQ(Outcome(client_.Send({.target = "/Pets()"})), "200");
}

// The address is percent-encoded.
TEST_F(HttpFrontEndTest, RepeatsASelectionAsAPartOfAnAddress) {
  const HttpResponse read =
      client_.Send({.target = "/Pets()?$select=age,%20sex"});

  EXPECT_TRUE(read.body.contains(R"(#Pets&$select=age,%20sex")")) << read.body;
}

// Tag, length, text.
std::string FrameField(char tag, const std::string& text) {
  const auto size = static_cast<char>(text.size());
  return std::string{tag, size, 0, 0, 0} + text;
}

class RefusalTest : public HttpFrontEndTest {
 protected:
  HttpResponse Refuse(const std::string& accept,
                      const std::string& code = "Code") {
    const std::string refusal = FrameField(1, "401") + FrameField(2, code) +
                                FrameField(3, "Why <&>") +
                                FrameField(4, "Bearer x");
    const std::string frame =
        FrameField(1, "DELETE") + FrameField(2, "/Tables('Pets')") +
        FrameField(3, "Accept:" + accept) +
        FrameField(3, "x-ms-client-request-id:mine") +
        FrameField(4, "11111111-2222-3333-4444-555555555555") +
        FrameField(9, refusal);
    HttpFrontEnd front_end(host_.engine(), "https://a");
    const RequestId id = front_end.SubmitFrame(frame, frame.size());
    return *front_end.Translate({id, host_.Await(id)}, host_.clock());
  }
};

TEST_F(RefusalTest, IsJsonForClientsThatAcceptJson) {
  const HttpResponse refused = Refuse("application/json;odata=nometadata");

  EXPECT_EQ(refused.status, 401);
  EXPECT_EQ(HeaderOf(refused, "Content-Type"), "application/json");
  EXPECT_EQ(HeaderOf(refused, "x-ms-error-code"), "Code");
  EXPECT_EQ(HeaderOf(refused, "WWW-Authenticate"), "Bearer x");
  EXPECT_EQ(HeaderOf(refused, "x-ms-client-request-id"), "mine");
  EXPECT_TRUE(refused.body.starts_with(
      R"({"odata.error":{"code":"Code","message":{"lang":"en-US","value":)"
      R"("Why <&>\nRequestId:11111111-2222-3333-4444-555555555555\nTime:)"));
  EXPECT_EQ(Outcome(client_.Send({.target = "/Pets()"})), "200");
}

TEST_F(RefusalTest, IsXmlForClientsThatAcceptNoJson) {
  const HttpResponse refused = Refuse("application/atom+xml,application/xml");

  EXPECT_EQ(refused.status, 401);
  EXPECT_EQ(HeaderOf(refused, "Content-Type"), "application/xml");
  EXPECT_EQ(HeaderOf(refused, "x-ms-error-code"), "Code");
  EXPECT_TRUE(refused.body.contains("<m:code>Code</m:code>"));
  EXPECT_TRUE(refused.body.contains("Why &lt;&amp;>\nRequestId:"));
}

// Source: auth of the spec, 5.8.
TEST_F(RefusalTest, IsXmlForClientsThatDoNotAskForJson) {
  for (const char* accept :
       {"", "*/*", "application/*", "text/html,*/*;q=0.8"}) {
    SCOPED_TRACE(accept);
    const HttpResponse refused = Refuse(accept);
    const HttpResponse forbidden = Refuse(accept, "AuthorizationFailure");

    EXPECT_EQ(HeaderOf(refused, "Content-Type"), "application/xml");
    EXPECT_EQ(HeaderOf(refused, "x-ms-error-code"), "Code");
    EXPECT_EQ(HeaderOf(forbidden, "Content-Type"), "application/json");
  }
}

TEST_F(HttpFrontEndTest, ForgetsARequestThatIsWithdrawn) {
  HttpFrontEnd front_end(host_.engine(), "https://a");
  const RequestId id = front_end.Submit({.method = "GET", .target = "/Tables"});

  EXPECT_TRUE(front_end.Cancel(id));
  EXPECT_FALSE(front_end.Cancel(id));
  EXPECT_FALSE(front_end.Translate({id, Response{}}, host_.clock()));
}

TEST_F(HttpFrontEndTest, WithdrawsWhatCameToTheEngineAnotherWay) {
  HttpFrontEnd front_end(host_.engine(), "https://a");
  const RequestId ours =
      front_end.Submit({.method = "GET", .target = "/Tables"});
  const RequestId other = host_.engine().Submit(QueryTables{});

  EXPECT_TRUE(front_end.Cancel(other));
  EXPECT_FALSE(front_end.Translate({other, Response{}}, host_.clock()));
  EXPECT_TRUE(front_end.Translate({ours, Response{}}, host_.clock()));
}

}  // namespace
}  // namespace entitable
