#include <gtest/gtest.h>

#include <string>

#include "entitable/http.h"
#include "support/http_client.h"
#include "support/operations.h"

namespace entitable {
namespace {

const HeaderPairs kJson = {{"Content-Type", "application/json"}};

class HttpDoorTest : public testing::Test {
 protected:
  HttpDoorTest() { EXPECT_TRUE(host_.Do(NewTable("Pets"))); }

  MemoryHost host_;
  HttpClient client_{host_};
};

TEST_F(HttpDoorTest, CarriesOutARequestAndAnswersIt) {
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

TEST_F(HttpDoorTest, AnswersWhatItCannotRead) {
  const HttpResponse response = client_.Send(
      {.target = "/%zz", .headers = {{"x-ms-client-request-id", "mine"}}});

  EXPECT_EQ(Outcome(response), "400 InvalidUri");
  EXPECT_EQ(HeaderOf(response, "x-ms-client-request-id"), "mine");
}

TEST_F(HttpDoorTest, AnswersAFrameThatIsNone) {
  HttpDoor door(host_.engine(), "https://a");
  const RequestId id = door.SubmitFrame("nonsense", 8);

  const auto response = door.Translate({id, host_.Await(id)}, host_.clock());

  ASSERT_TRUE(response);
  EXPECT_EQ(Outcome(*response), "400 InvalidInput");
}

TEST_F(HttpDoorTest, LeavesTheAnswersToOperationsAlone) {
  HttpDoor door(host_.engine(), "https://a");
  const RequestId id = host_.Submit(ListTables());

  EXPECT_FALSE(door.Translate({id, host_.Await(id)}, host_.clock()));
}

TEST_F(HttpDoorTest, TakesTheAccountFromThePathWhereTheAddressHasIt) {
  HttpClient client(host_, "http://127.0.0.1:10002/acct");

  EXPECT_EQ(Outcome(client.Send({.target = "/acct/Pets()"})), "200");
  EXPECT_EQ(Outcome(client.Send({.target = "http://any:1/acct/Pets()"})),
            "200");
  EXPECT_EQ(Outcome(client.Send({.target = "/other/Pets()"})),
            "400 InvalidUri");
}

TEST_F(HttpDoorTest, ForgetsARequestThatIsWithdrawn) {
  HttpDoor door(host_.engine(), "https://a");
  const RequestId id = door.Submit({.method = "GET", .target = "/Tables"});

  EXPECT_TRUE(door.Cancel(id));
  EXPECT_FALSE(door.Cancel(id));
  EXPECT_FALSE(door.Translate({id, Response{}}, host_.clock()));
}

TEST_F(HttpDoorTest, WithdrawsWhatCameToTheEngineAnotherWay) {
  HttpDoor door(host_.engine(), "https://a");
  const RequestId ours = door.Submit({.method = "GET", .target = "/Tables"});
  Operation list;
  list.kind = OperationKind::kQueryTables;
  const RequestId other = host_.engine().Submit(list);

  EXPECT_TRUE(door.Cancel(other));
  EXPECT_FALSE(door.Translate({other, Response{}}, host_.clock()));
  EXPECT_TRUE(door.Translate({ours, Response{}}, host_.clock()));
}

TEST_F(HttpDoorTest, LooksAtTheContentTypeOnlyOfABodyThatIsTaken) {
  const OwnedRequest request{.target = "/Pets()",
                             .headers = {{"Content-Type", "text/plain"}},
                             .body = "abc"};

  EXPECT_EQ(Outcome(client_.Send(request)), "200");
}

TEST_F(HttpDoorTest, DoesNotServeTheServiceItself) {
  for (const char* target : {"/", "/$metadata"}) {
    SCOPED_TRACE(target);
    EXPECT_EQ(Outcome(client_.Send({.target = target})), "501 NotImplemented");
  }
}

}  // namespace
}  // namespace entitable
