#include <gtest/gtest.h>

#include <string>

#include "support/sync_rows.h"
#include "sync/remote_messages.h"

namespace entitable::sync {
namespace {

// Source: payloads of the spec, 4.8.2.
constexpr const char* kWritten =
    "--batchresponse_1\r\n"
    "Content-Type: multipart/mixed; boundary=changesetresponse_1\r\n\r\n"
    "--changesetresponse_1\r\n"
    "Content-Type: application/http\r\n"
    "Content-Transfer-Encoding: binary\r\n\r\n"
    "HTTP/1.1 204 No Content\r\n"
    "DataServiceVersion: 3.0;\r\n"
    "ETag: W/\"datetime'2026-01-01T00%3A00%3A01Z'\"\r\n\r\n\r\n"
    "--changesetresponse_1\r\n"
    "Content-Type: application/http\r\n\r\n"
    "HTTP/1.1 204 No Content\r\n"
    "DataServiceVersion: 3.0;\r\n\r\n\r\n"
    "--changesetresponse_1--\r\n--batchresponse_1--\r\n";

constexpr const char* kRefused =
    "--batchresponse_1\r\n"
    "Content-Type: multipart/mixed; boundary=changesetresponse_1\r\n\r\n"
    "--changesetresponse_1\r\n"
    "Content-Type: application/http\r\n\r\n"
    "HTTP/1.1 409 Conflict\r\n"
    "Content-Type: application/json\r\n\r\n"
    "{\"odata.error\":{\"code\":\"EntityAlreadyExists\",\"message\":"
    "{\"lang\":\"en-US\",\"value\":\"1:The entity \\\"exists\\\".\"}}}\r\n"
    "--changesetresponse_1--\r\n--batchresponse_1--\r\n";

TEST(RemoteAnswerTest, ReadsTheEtagOfEachOperation) {
  const BatchAnswer answer = ReadBatchAnswer(kWritten);
  EXPECT_EQ(answer.status, 204);
  ASSERT_EQ(answer.etags.size(), 2U);
  EXPECT_EQ(answer.etags[0], "W/\"datetime'2026-01-01T00%3A00%3A01Z'\"");
  EXPECT_EQ(answer.etags[1], "");
}

TEST(RemoteAnswerTest, ReadsTheErrorOfABatch) {
  const BatchAnswer answer = ReadBatchAnswer(kRefused);
  EXPECT_EQ(answer.status, 409);
  EXPECT_TRUE(answer.etags.empty());
  EXPECT_EQ(answer.error.code, "EntityAlreadyExists");
  EXPECT_EQ(answer.error.message, "The entity \"exists\".");
}

// Source: payloads of the spec, 4.7.
TEST(RemoteAnswerTest, ReadsTheSentenceOfAMessage) {
  const auto message = [](const std::string& value) {
    return ReadError(R"({"code":"InvalidInput","value":")" + value + "\"}")
        .message;
  };
  EXPECT_EQ(message("99:Bad.\\nRequestId:1\\nTime:2026-01-01T00:00:00Z"),
            "Bad.");
  EXPECT_EQ(message("Bad.\\r\\nRequestId:1\\r\\nTime:2026"), "Bad.");
  EXPECT_EQ(message("12"), "12");
  EXPECT_EQ(message(":x"), ":x");
  EXPECT_EQ(message(""), "");
}

TEST(RemoteAnswerTest, GivesNoEtagOfAPartThatIsCut) {
  const std::string text = kWritten;
  const std::size_t second = text.rfind("HTTP/1.1");
  for (std::size_t size = 0; size < second; ++size) {
    EXPECT_LT(ReadBatchAnswer(text.substr(0, size)).etags.size(), 2U) << size;
  }
}

TEST(RemoteAnswerTest, ReadsNoErrorFromAnotherText) {
  for (const char* const body :
       {"", "<html>", "{\"code\":7}", "{\"code\":\"x", "{\"code\""}) {
    EXPECT_EQ(ReadError(body).code, "");
  }
}

// ---------------------------------------------------------------------- pages

constexpr const char* kPage =
    "{\"odata.metadata\":\"https://a/$metadata#T\",\"value\":["
    "{\"odata.etag\":\"W/\\\"datetime'2026-01-01T00%3A00%3A01Z'\\\"\","
    "\"PartitionKey\":\"p\",\"RowKey\":\"]}\","
    "\"Timestamp\":\"2026-01-01T00:00:01Z\",\"A\":1,"
    "\"D@odata.type\":\"Edm.Double\",\"D\":3.0,"
    "\"L@odata.type\":\"Edm.Int64\",\"L\":\"9223372036854775807\"},"
    "{\"odata.etag\":\"e\",\"PartitionKey\":\"p\",\"RowKey\":\"2\","
    "\"L@odata.type\":\"Edm.Int64\",\"L\":\"no number\"},"
    "{\"PartitionKey\":\"p\",\"RowKey\":\"3\"}]}";

TEST(RemoteAnswerTest, ReadsRowsWithTheirTypes) {
  JsonReader reader;
  const EntityPage page = ReadEntityPage(reader, kPage);
  EXPECT_TRUE(page.is_whole);
  ASSERT_EQ(page.rows.size(), 1U);
  const PulledRow& row = page.rows[0];
  EXPECT_EQ(row.key, (EntityKey{"p", "]}"}));
  EXPECT_EQ(row.version.etag, "W/\"datetime'2026-01-01T00%3A00%3A01Z'\"");
  const PropertyList& properties = row.version.properties;
  EXPECT_EQ(properties.count(), 3U);
  EXPECT_EQ(properties.Find("D")->real(), 3.0);
  EXPECT_EQ(properties.Find("L")->int64(), 9223372036854775807);
}

TEST(RemoteAnswerTest, NamesRowsThatCannotBeStored) {
  JsonReader reader;
  const EntityPage page = ReadEntityPage(reader, kPage);
  ASSERT_EQ(page.refused.size(), 2U);
  EXPECT_EQ(page.refused[0].key, (EntityKey{"p", "2"}));
  EXPECT_NE(page.refused[0].reason, "");
  EXPECT_EQ(page.refused[1].key, (EntityKey{"p", "3"}));
}

TEST(RemoteAnswerTest, SeesThatAPageIsCut) {
  JsonReader reader;
  const std::string page = kPage;
  for (std::size_t size = 0; size < page.size(); ++size) {
    EXPECT_FALSE(ReadEntityPage(reader, page.substr(0, size)).is_whole) << size;
  }
  EXPECT_TRUE(ReadEntityPage(reader, "{\"value\":[]}").is_whole);
  EXPECT_TRUE(
      ReadEntityPage(reader, "{\"value\":[],\"odata.count\":\"0\"}").is_whole);
}

// ------------------------------------------------------------------- requests

TEST(RequestBodyTest, WritesATransaction) {
  PropertyList properties;
  properties.Append("D", Value::Double(3.0));
  PushRequest request{.number = 7, .partition_key = "p", .sent_at = {}};
  request.operations = {{RequestKind::kInsert, {"p", "1"}, properties, ""},
                        {RequestKind::kReplace,
                         {"p", "a'b"},
                         RowValue(PropertyList()),
                         "W/\"e\""},
                        {RequestKind::kDelete, {"p", "3"}, kAbsent, "W/\"f\""}};
  const BatchBody body = MakeBatch({"https://a", "T"}, request);

  EXPECT_EQ(body.content_type, "multipart/mixed; boundary=batch_entitable_7");
  EXPECT_EQ(
      body.text,
      "--batch_entitable_7\r\n"
      "Content-Type: multipart/mixed; boundary=changeset_entitable_7\r\n\r\n"
      "--changeset_entitable_7\r\n"
      "Content-Type: application/http\r\n"
      "Content-Transfer-Encoding: binary\r\n\r\n"
      "POST https://a/T HTTP/1.1\r\n"
      "Accept: application/json;odata=minimalmetadata\r\n"
      "DataServiceVersion: 3.0;\r\n"
      "Prefer: return-no-content\r\n"
      "Content-Type: application/json\r\n\r\n"
      "{\"PartitionKey\":\"p\",\"RowKey\":\"1\","
      "\"D@odata.type\":\"Edm.Double\",\"D\":3.0}\r\n"
      "--changeset_entitable_7\r\n"
      "Content-Type: application/http\r\n"
      "Content-Transfer-Encoding: binary\r\n\r\n"
      "PUT https://a/T(PartitionKey='p',RowKey='a''b') HTTP/1.1\r\n"
      "Accept: application/json;odata=minimalmetadata\r\n"
      "DataServiceVersion: 3.0;\r\n"
      "If-Match: W/\"e\"\r\n"
      "Content-Type: application/json\r\n\r\n"
      "{\"PartitionKey\":\"p\",\"RowKey\":\"a'b\"}\r\n"
      "--changeset_entitable_7\r\n"
      "Content-Type: application/http\r\n"
      "Content-Transfer-Encoding: binary\r\n\r\n"
      "DELETE https://a/T(PartitionKey='p',RowKey='3') HTTP/1.1\r\n"
      "Accept: application/json;odata=minimalmetadata\r\n"
      "DataServiceVersion: 3.0;\r\n"
      "If-Match: W/\"f\"\r\n\r\n\r\n"
      "--changeset_entitable_7--\r\n\r\n"
      "--batch_entitable_7--\r\n");
}

}  // namespace
}  // namespace entitable::sync
