#include "protocol/answer.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "support/memory_host.h"

namespace entitable {
namespace {

const DateTime kNow = DateTime::FromUnixMilliseconds(MemoryHost::kSomeTime);

// One line a header, then the body.
std::string Print(const HttpResponse& response) {
  std::string text = std::to_string(response.status) + '\n';
  for (const auto& [name, value] : response.headers) {
    text.append(name).append(": ").append(value).append("\n");
  }
  return text + response.body;
}

TEST(AnswerTest, SaysWhatTheServiceSaysOfASuccess) {
  const RequestContext context{.request_id = "id", .client_request_id = "mine"};
  Response response{.etag = "W/\"x\"",
                    .body = "{}",
                    .next_partition_key = "1!4!YQ--",
                    .next_row_key = "1!0!"};

  EXPECT_EQ(Print(MakeAnswer(context, std::move(response), &kNow)),
            "200\n"
            "Server: Entitable\n"
            "x-ms-request-id: id\n"
            "x-ms-version: 2019-02-02\n"
            "x-ms-client-request-id: mine\n"
            "Date: Tue, 02 Jan 2024 03:04:05 GMT\n"
            "Content-Type: application/json;odata=minimalmetadata;"
            "streaming=true;charset=utf-8\n"
            "X-Content-Type-Options: nosniff\n"
            "Cache-Control: no-cache\n"
            "ETag: W/\"x\"\n"
            "x-ms-continuation-NextPartitionKey: 1!4!YQ--\n"
            "x-ms-continuation-NextRowKey: 1!0!\n"
            "{}");
}

TEST(AnswerTest, NamesWhatAnInsertWithoutEchoMade) {
  const RequestContext context{.request_id = "id",
                               .preference = Preference::kNoContent};
  Response response{.status = 204, .location = "https://a/T"};

  EXPECT_EQ(Print(MakeAnswer(context, std::move(response), &kNow)),
            "204\n"
            "Server: Entitable\n"
            "x-ms-request-id: id\n"
            "x-ms-version: 2019-02-02\n"
            "Date: Tue, 02 Jan 2024 03:04:05 GMT\n"
            "X-Content-Type-Options: nosniff\n"
            "Cache-Control: no-cache\n"
            "Preference-Applied: return-no-content\n"
            "Location: https://a/T\n"
            "DataServiceId: https://a/T\n"
            "Content-Length: 0\n");
}

TEST(AnswerTest, PutsRequestAndTimeIntoTheMessageOfAnError) {
  const RequestContext context{.request_id = "id",
                               .level = MetadataLevel::kNone};

  EXPECT_EQ(
      Print(MakeAnswer(context, Error(ErrorCode::kTableNotFound), kNow)),
      "404\n"
      "Server: Entitable\n"
      "x-ms-request-id: id\n"
      "x-ms-version: 2019-02-02\n"
      "Date: Tue, 02 Jan 2024 03:04:05 GMT\n"
      "X-Content-Type-Options: nosniff\n"
      "Content-Type: application/json;odata=nometadata;"
      "streaming=true;charset=utf-8\n"
      R"({"odata.error":{"code":"TableNotFound","message":{"lang":"en-US",)"
      R"("value":"The table specified does not exist.\nRequestId:id\n)"
      R"(Time:2024-01-02T03:04:05.6780000Z"}}})");
}

TEST(AnswerTest, IsXmlForClientsThatAcceptNoJson) {
  const RequestContext context{.request_id = "id", .level = std::nullopt};

  EXPECT_EQ(
      Print(MakeAnswer(
          context, Error(ErrorCode::kAtomFormatNotSupported, "a<b>&"), kNow)),
      "415\n"
      "Server: Entitable\n"
      "x-ms-request-id: id\n"
      "x-ms-version: 2019-02-02\n"
      "Date: Tue, 02 Jan 2024 03:04:05 GMT\n"
      "x-ms-error-code: AtomFormatNotSupported\n"
      "Content-Type: application/xml\n"
      "<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"yes\"?>"
      "<m:error xmlns:m=\"http://schemas.microsoft.com/ado/2007/08/"
      "dataservices/metadata\"><m:code>AtomFormatNotSupported</m:code>"
      "<m:message xml:lang=\"en-US\">a&lt;b>&amp;\n"
      "RequestId:id\nTime:2024-01-02T03:04:05.6780000Z"
      "</m:message></m:error>");
}

TEST(AnswerTest, GivesTheDayOfTheWeek) {
  const auto date_at = [](double unix_milliseconds) {
    const auto time = DateTime::FromUnixMilliseconds(unix_milliseconds);
    const HttpResponse response = MakeAnswer({}, Response{}, &time);
    return response.headers[3].value;
  };

  EXPECT_EQ(date_at(0), "Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(date_at(951'782'399'999), "Mon, 28 Feb 2000 23:59:59 GMT");
  EXPECT_EQ(date_at(1'735'603'200'000), "Tue, 31 Dec 2024 00:00:00 GMT");
}

}  // namespace
}  // namespace entitable
