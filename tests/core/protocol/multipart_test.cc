#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "protocol/batch_request.h"

namespace entitable {
namespace {

constexpr std::size_t kAnyNumber = 9;

// "[a] [b]", or what became of it instead.
std::string Split(std::string_view body, std::size_t limit = kAnyNumber) {
  std::vector<std::string_view> parts;
  if (!SplitParts(body, "b", limit, parts)) return "unreadable";
  std::string text;
  for (const std::string_view part : parts) {
    text.append("[").append(part).append("]");
  }
  return text;
}

TEST(MultipartTest, FindsTheBoundaryInAContentType) {
  const struct {
    const char* type;
    const char* boundary;
  } kCases[] = {
      {"multipart/mixed; boundary=batch_b1", "batch_b1"},
      {"multipart/mixed;boundary=\"b 1\"", "b 1"},
      {"Multipart/Mixed; charset=utf-8; Boundary= Mixed ; a=b", "Mixed"},
      {"multipart/mixed", ""},
      {"multipart/mixed; boundary=", ""},
      {"multipart/mixed; boundary=\"\"", ""},
      {"multipart/mixed; boundary=\"", ""},
      {"multipart/form-data; boundary=b", ""},
      {"application/json; boundary=b", ""},
      {"", ""},
  };
  for (const auto& [type, boundary] : kCases) {
    EXPECT_EQ(BoundaryOf(type), boundary) << type;
  }
}

TEST(MultipartTest, TakesPartsApart) {
  const struct {
    std::string_view body;
    const char* parts;
  } kCases[] = {
      {"--b\r\none\r\n--b\r\ntwo\r\n--b--\r\n", "[one][two]"},
      {"--b\none\n--b--", "[one]"},
      {"before\r\n--b\r\none\r\n--b--\r\nafter\r\n--b\r\n", "[one]"},
      {"--b \t\r\none\r\n--b-- \r\n", "[one]"},
      {"--b\r\n\r\n\r\n--b--", "[\r\n]"},
      {"--b\r\n--b--", "[]"},
      {"--b\r\none\r\n--b\r\n", "[one]"},
      {"--b\r\none\r\n--b", "[one]"},
      {"--b--\r\n", ""},
      {"", ""},
      {"nothing", ""},
  };
  for (const auto& [body, parts] : kCases) {
    EXPECT_EQ(Split(body), parts) << body;
  }
}

TEST(MultipartTest, SeesADelimiterOnlyInALineOfItsOwn) {
  EXPECT_EQ(Split("--b\r\na --b--\r\n--bb\r\n-b\r\n--b-\r\n--b--"),
            "[a --b--\r\n--bb\r\n-b\r\n--b-]");
}

TEST(MultipartTest, RefusesAPartThatDoesNotEnd) {
  EXPECT_EQ(Split("--b\r\none"), "unreadable");
  EXPECT_EQ(Split("--b\r\none\r\n--b\r\ntwo\r\n"), "unreadable");
}

TEST(MultipartTest, StopsBehindTheLastPartThatIsAllowed) {
  EXPECT_EQ(Split("--b\n1\n--b\n2\n--b\n3\n--b\n4", 2), "[1][2]");
}

TEST(MultipartTest, TakesHeadersUpToTheEmptyLine) {
  std::string_view text = "A: 1 \r\nb:\n\r\nrest: 1\r\n";
  std::vector<HttpRequest::Header> headers;

  ASSERT_TRUE(ReadHeaders(text, headers));

  ASSERT_EQ(headers.size(), 2U);
  EXPECT_EQ(headers[0].name, "A");
  EXPECT_EQ(headers[0].value, " 1");
  EXPECT_EQ(headers[1].name, "b");
  EXPECT_EQ(headers[1].value, "");
  EXPECT_EQ(text, "rest: 1\r\n");
}

TEST(MultipartTest, RefusesLinesThatAreNoHeadersAndTooMany) {
  std::vector<HttpRequest::Header> headers;
  std::string_view text = "no header\r\n\r\n";
  EXPECT_FALSE(ReadHeaders(text, headers));

  std::string many;
  for (int i = 0; i < 100; ++i) many += "a:b\r\n";
  text = many;
  headers.clear();
  EXPECT_TRUE(ReadHeaders(text, headers));
  many += "a:b\r\n";
  text = many;
  headers.clear();
  EXPECT_FALSE(ReadHeaders(text, headers));
}

TEST(MultipartTest, ReadsARequestLine) {
  HttpRequest request;
  std::string_view text =
      "\r\n\r\nGET /T(PartitionKey='p', RowKey='r') HTTP/1.1\r\nrest";

  ASSERT_TRUE(ReadRequestLine(text, request));

  EXPECT_EQ(request.method, "GET");
  EXPECT_EQ(request.target, "/T(PartitionKey='p', RowKey='r')");
  EXPECT_EQ(text, "rest");
}

TEST(MultipartTest, RefusesWhatIsNoRequestLine) {
  for (std::string_view text :
       {"", "\r\n", "GET /T\r\n", "GET\r\n", "GET HTTP/1.1\r\n",
        " HTTP/1.1\r\n", "HTTP/1.1 GET /T\r\n"}) {
    HttpRequest request;
    SCOPED_TRACE(text);
    EXPECT_FALSE(ReadRequestLine(text, request));
  }
}

}  // namespace
}  // namespace entitable
