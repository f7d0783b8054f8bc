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
                                         .request_id = id});

  const auto request = DecodeHttpRequest(frame, frame.size() + 100);

  ASSERT_TRUE(request);
  EXPECT_EQ(request->method, "POST");
  EXPECT_EQ(request->target, "/T?a=b");
  ASSERT_EQ(request->headers.size(), 2U);
  EXPECT_EQ(request->headers[0].name, "A");
  EXPECT_EQ(request->headers[0].value, " 1:2");
  EXPECT_EQ(request->request_id, id);
  EXPECT_EQ(request->body, "{}");
  EXPECT_EQ(request->body_capacity, 102U);
}

TEST(HttpFrameTest, RefusesAFrameThatBreaksTheGrammar) {
  const std::string method("\x01\x01\0\0\0G", 6);
  for (const std::string& frame :
       {method + method, std::string("\x01\x02\0\0\0G", 6),
        std::string("\x06\0\0\0\0", 5), std::string("\0\0\0\0\0", 5),
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
                                                      "\x03\x03\0\0\0A:b"
                                                      "\x03\x02\0\0\0C:"
                                                      "\x05\x02\0\0\0{}",
                                                      24));
}

}  // namespace
}  // namespace entitable
