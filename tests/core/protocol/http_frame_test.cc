#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "entitable/http.h"
#include "support/http_client.h"

namespace entitable {
namespace {

TEST(HttpFrameTest, BringsEveryPartOfARequest) {
  const std::string id = "01234567-89AB-cdef-0123-456789abcdef";
  const Bytes frame = EncodeHttpRequest({.method = "POST",
                                         .target = "/T?a=b",
                                         .headers = {{"A", "1:2"}, {"A", ""}},
                                         .body = "{}",
                                         .request_id = id,
                                         .account_in_host = true});

  const auto request = DecodeHttpRequest(frame, frame.size() + 100);

  ASSERT_TRUE(request);
  EXPECT_EQ(request->method, "POST");
  EXPECT_EQ(request->target, "/T?a=b");
  ASSERT_EQ(request->headers.size(), 2U);
  EXPECT_EQ(request->headers[0].name, "A");
  EXPECT_EQ(request->headers[0].value, " 1:2");
  EXPECT_EQ(request->request_id, id);
  EXPECT_TRUE(request->account_in_host);
  EXPECT_EQ(request->body, "{}");
  EXPECT_EQ(request->body_capacity, 102U);
}

TEST(HttpFrameTest, BringsAtMostTenThousandHeaders) {
  HeaderPairs headers(10'000, {"A", "1"});
  const Bytes most = EncodeHttpRequest({.target = "/", .headers = headers});
  EXPECT_TRUE(DecodeHttpRequest(most, most.size()));
  headers.emplace_back("A", "1");
  const Bytes more = EncodeHttpRequest({.target = "/", .headers = headers});
  EXPECT_FALSE(DecodeHttpRequest(more, more.size()));
}

// Tag, length, text.
std::string Field(char tag, const std::string& text) {
  return std::string{tag, static_cast<char>(text.size()), 0, 0, 0} + text;
}

TEST(HttpFrameTest, BringsWhatASignatureAllows) {
  const std::string frame =
      Field(6, Field(1, "ra") + Field(2, "so") + Field(3, "T") + Field(4, "a") +
                   Field(5, "") + Field(6, "c") + Field(7, "d"));

  const auto request = DecodeHttpRequest(frame, frame.size());

  ASSERT_TRUE(request && request->sas_permissions);
  EXPECT_EQ(request->sas_permissions->permissions, "ra");
  EXPECT_EQ(request->sas_permissions->resource_types, "so");
  EXPECT_EQ(request->sas_permissions->table, "T");
  EXPECT_EQ(request->sas_permissions->scope.first_partition_key, "a");
  EXPECT_EQ(request->sas_permissions->scope.first_row_key, "");
  EXPECT_EQ(request->sas_permissions->scope.last_partition_key, "c");
  EXPECT_EQ(request->sas_permissions->scope.last_row_key, "d");
}

TEST(HttpFrameTest, BringsRulesOnce) {
  const std::string frame = Field(8, "{}");

  const auto request = DecodeHttpRequest(frame, frame.size());

  ASSERT_TRUE(request);
  EXPECT_EQ(request->cors_rules, "{}");
  const std::string twice = frame + frame;
  EXPECT_FALSE(DecodeHttpRequest(twice, twice.size()));
}

TEST(HttpFrameTest, RefusesSasPermissionsThatItDoesNotUnderstand) {
  for (const std::string& frame :
       {Field(6, "x"), Field(6, Field(8, "")), Field(6, Field(4, "\xff")),
        Field(6, "") + Field(6, "")}) {
    EXPECT_FALSE(DecodeHttpRequest(frame, frame.size()));
  }
}

TEST(HttpFrameTest, BringsARefusal) {
  const std::string frame = Field(9, Field(1, "401") + Field(2, "Code") +
                                         Field(3, "Why") + Field(4, "Bearer"));

  const auto request = DecodeHttpRequest(frame, frame.size());

  ASSERT_TRUE(request && request->refusal);
  EXPECT_EQ(request->refusal->status, 401);
  EXPECT_EQ(request->refusal->code, "Code");
  EXPECT_EQ(request->refusal->message, "Why");
  EXPECT_EQ(request->refusal->challenge, "Bearer");
}

TEST(HttpFrameTest, RefusesARefusalThatItDoesNotUnderstand) {
  const std::string code = Field(2, "Code");
  for (const std::string& frame :
       {Field(9, ""), Field(9, "x"), Field(9, Field(1, "403")),
        Field(9, code + Field(1, "200")), Field(9, code + Field(1, "x")),
        Field(9, Field(2, "a\nb")), Field(9, code + Field(4, "a\r\nb")),
        Field(9, code + Field(3, "\xff")), Field(9, code + Field(5, "")),
        Field(9, code) + Field(9, code)}) {
    EXPECT_FALSE(DecodeHttpRequest(frame, frame.size()));
  }
}

TEST(HttpFrameTest, RefusesAFrameThatBreaksTheGrammar) {
  const std::string method("\x01\x01\0\0\0G", 6);
  for (const std::string& frame :
       {method + method, std::string("\x01\x02\0\0\0G", 6),
        std::string("\x09\0\0\0\0", 5),
        std::string("\x07\0\0\0\0\x07\0\0\0\0", 10),
        std::string("\x07\x01\0\0\0\n", 6), std::string("\0\0\0\0\0", 5),
        std::string("\x03\x01\0\0\0A", 6), std::string("\x01\0", 2)}) {
    const auto request = DecodeHttpRequest(frame, frame.size());
    ASSERT_FALSE(request);
    EXPECT_EQ(request.error().code, ErrorCode::kInvalidInput);
  }
}

TEST(HttpFrameTest, RefusesARequestIdThatIsNoGuid) {
  for (const char* id : {"", "1", "01234567-89ab-cdef-0123-456789abcde\n"}) {
    const Bytes frame = EncodeHttpRequest({.target = "/", .request_id = id});
    EXPECT_FALSE(DecodeHttpRequest(frame, frame.size())) << id;
  }
}

TEST(HttpFrameTest, BringsEveryPartOfAnAnswer) {
  const HttpResponse response{
      .status = 404, .headers = {{"A", "b"}, {"C", ""}}, .body = "{}"};

  EXPECT_EQ(EncodeHttpResponse(response), std::string("\x94\x01"
                                                      "\x03\x07\0\0\0A:b\nC:\n"
                                                      "\x05\x02\0\0\0{}",
                                                      21));
}

}  // namespace
}  // namespace entitable
