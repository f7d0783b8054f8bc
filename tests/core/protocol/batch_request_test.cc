#include "protocol/batch_request.h"

#include <gtest/gtest.h>

#include <string>

#include "support/http_client.h"
#include "support/operations.h"

namespace entitable {
namespace {

using std::string_literals::operator""s;

const HeaderPairs kMultipart = {
    {"Content-Type", "multipart/mixed; boundary=b"}};

std::string ChangeSet(const std::string& requests) {
  return "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n" + requests +
         "--c--\r\n--b--\r\n";
}

std::string Part(const std::string& request) {
  return "--c\r\nContent-Type: application/http\r\n\r\n" + request + "\r\n";
}

std::string InsertPart(const std::string& row_key) {
  return Part("POST /Pets HTTP/1.1\r\nContent-Type: application/json\r\n\r\n" +
              EntityBody("p", row_key));
}

class BatchRequestTest : public testing::Test {
 protected:
  BatchRequestTest() { EXPECT_TRUE(host_.Do(NewTable("Pets"))); }

  HttpResponse Send(const std::string& body,
                    const std::string& target = "/$batch") {
    return client_.Send({.method = "POST",
                         .target = target,
                         .headers = kMultipart,
                         .body = body});
  }

  MemoryHost host_;
  HttpClient client_{host_};
};

TEST_F(BatchRequestTest, TakesTheAccountFromAddressesOrLeavesItOut) {
  HttpClient client(host_, "http://127.0.0.1:10002/pets");
  const std::string merge =
      " HTTP/1.1\r\nContent-Type: application/json\r\n"
      "\r\n{\"A\":1}";
  // The account is called as the table is, so only what follows tells.
  const HttpResponse response = client.Send(
      {.method = "POST",
       .target = "/pets/$batch",
       .headers = kMultipart,
       .body = ChangeSet(
           Part("PUT /pets/pets(PartitionKey='p',RowKey='1')" + merge) +
           Part("PUT /pets(PartitionKey='p',RowKey='2')" + merge) +
           Part("PUT pets(PartitionKey='p',RowKey='3')" + merge) +
           Part("PUT http://a/pets/pets(PartitionKey='p',RowKey='4')" +
                merge))});

  EXPECT_EQ(Outcome(response), "202");
  for (const char* row_key : {"1", "2", "3", "4"}) {
    EXPECT_TRUE(host_.Do(Get("Pets", "p", row_key))) << row_key;
  }
}

TEST_F(BatchRequestTest, IgnoresTheAcceptHeaderOfTheBatch) {
  HeaderPairs headers = kMultipart;
  headers.emplace_back("Accept", "multipart/mixed");

  const HttpResponse response =
      client_.Send({.method = "POST",
                    .target = "/$batch",
                    .headers = headers,
                    .body = ChangeSet(InsertPart("r"))});

  EXPECT_EQ(Outcome(response), "202");
}

TEST_F(BatchRequestTest, GivesEachPartItsOwnLevel) {
  const auto insert = [](const std::string& row_key, const std::string& level) {
    return Part(
        "POST /Pets HTTP/1.1\r\nContent-Type: application/json\r\n"
        "Accept: application/json;odata=" +
        level + "\r\n\r\n" + EntityBody("p", row_key));
  };

  const std::string body =
      Send(ChangeSet(insert("1", "nometadata") + insert("2", "fullmetadata")))
          .body;

  EXPECT_TRUE(body.contains("odata=nometadata;"));
  EXPECT_TRUE(body.contains("odata=fullmetadata;"));
  EXPECT_TRUE(
      body.contains("\r\n\r\n{\"PartitionKey\":\"p\",\"RowKey\":\"1\""));
  EXPECT_TRUE(body.contains("\"odata.type\":\"acct.Pets\""));
}

TEST_F(BatchRequestTest, GivesTheContinuationTokenOfAQuery) {
  ASSERT_TRUE(host_.Do(Insert("Pets", EntityBody("p", "1"))));
  ASSERT_TRUE(host_.Do(Insert("Pets", EntityBody("p", "2"))));

  const HttpResponse response = Send(
      "--b\r\nContent-Type: application/http\r\n\r\n"
      "GET /Pets()?$top=1 HTTP/1.1\r\n\r\n\r\n--b--");

  EXPECT_TRUE(
      response.body.contains("\r\nx-ms-continuation-NextRowKey: 1!4!Mg--\r\n"));
}

TEST_F(BatchRequestTest, AnswersTheWholeBatchWhenTheStoreFails) {
  host_.faults().RefuseNextCommit(CommitOutcome::kQuota);

  const HttpResponse response = Send(ChangeSet(InsertPart("r")));

  EXPECT_EQ(Outcome(response), "507 StorageQuotaExceeded");
}

TEST_F(BatchRequestTest, WritesNoTables) {
  const HttpResponse response = Send(ChangeSet(
      Part("POST /Tables HTTP/1.1\r\nContent-Type: application/json\r\n\r\n"
           "{\"TableName\":\"Birds\"}")));

  EXPECT_EQ(Outcome(response), "202");
  EXPECT_TRUE(response.body.contains("HTTP/1.1 400 Bad Request"));
  EXPECT_FALSE(host_.Do(FindTable("Birds")));
}

TEST_F(BatchRequestTest, HoldsNoOtherBatch) {
  const HttpResponse response = Send(
      ChangeSet(Part("POST /$batch HTTP/1.1\r\nContent-Type: multipart/mixed; "
                     "boundary=d\r\n\r\n--d--\r\n")));

  EXPECT_TRUE(response.body.contains("HTTP/1.1 400 Bad Request"));
}

// A client could otherwise write headers of the answer.
TEST_F(BatchRequestTest, RepeatsNoContentIdWithControlCharacters) {
  for (const std::string& id : {"1\rInjected: yes"s, "1\x7f"s, "1\0"s + "2"}) {
    const HttpResponse response = Send(ChangeSet(
        Part("POST /Pets HTTP/1.1\r\nContent-Type: application/json\r\n"
             "Content-ID: " +
             id + "\r\n\r\n" + EntityBody("p", "r"))));

    EXPECT_EQ(Outcome(response), "202");
    EXPECT_TRUE(response.body.contains("HTTP/1.1 400 Bad Request"));
    EXPECT_FALSE(response.body.contains("Content-ID"));
    EXPECT_FALSE(response.body.contains(id));
  }
}

// Recorded from the service, which finds these failures in execution.
TEST_F(BatchRequestTest, SaysThatItKeptToAPreferenceWhichFailed) {
  const auto insert = [](const std::string& row_key, const std::string& more) {
    return Part(
        "POST /Pets HTTP/1.1\r\nContent-Type: application/json\r\n"
        "Prefer: return-no-content\r\n\r\n" +
        EntityBody("p", row_key, more));
  };
  std::string too_many;
  for (int i = 0; i < 101; ++i) too_many += insert(std::to_string(i), "");
  std::string properties;
  for (int i = 0; i < 253; ++i) {
    properties.append(properties.empty() ? "\"P" : ",\"P");
    properties.append(std::to_string(i)).append("\":1");
  }
  const struct {
    std::string code;
    std::string parts;
  } kCases[] = {
      {"InvalidDuplicateRow", insert("r", "") + insert("r", "")},
      {"InvalidInput", too_many},
      {"PropertyNameTooLong",
       insert("r", "\"" + std::string(256, 'P') + "\":1")},
      {"TooManyProperties", insert("r", properties)},
  };
  for (const auto& [code, parts] : kCases) {
    SCOPED_TRACE(code);
    const Bytes answer = Send(ChangeSet(parts)).body;

    EXPECT_TRUE(answer.contains(code)) << answer;
    EXPECT_TRUE(
        answer.contains("\r\nCache-Control: no-cache\r\n"
                        "Preference-Applied: return-no-content\r\n"))
        << answer;
  }
}

TEST_F(BatchRequestTest, RefusesWhatItCannotRead) {
  for (const std::string& body :
       {std::string(), std::string("--b--"), std::string("--b\r\n\r\n--b--"),
        ChangeSet("--c\r\n"), ChangeSet(Part("")), ChangeSet(Part("nonsense")),
        ChangeSet(Part("POST /Pets HTTP/1.1\r\nno header\r\n\r\n{}")),
        std::string("--b\r\nContent-Type: application/http\r\n\r\n"
                    "POST /Pets HTTP/1.1\r\n\r\n{}\r\n--b--")}) {
    SCOPED_TRACE(body);
    EXPECT_EQ(Outcome(Send(body)), "400 InvalidInput");
  }
}

}  // namespace
}  // namespace entitable
