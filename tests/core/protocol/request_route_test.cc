#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "protocol/routes.h"

namespace entitable {
namespace {

std::string Route(const HttpRequest& request,
                  std::string_view account_path = "") {
  return RouteOf(request, account_path, Profile::kDefault);
}

std::string RouteOfGet(std::string_view target) {
  return Route({.method = "GET", .target = target});
}

std::string RouteOfPost(std::string_view target, std::string_view body) {
  return Route({.method = "POST",
                .target = target,
                .headers = {{"Content-Type", "application/json"}},
                .body = body});
}

TEST(RequestRouteTest, FindsThePartitionOfAnEntity) {
  const std::string_view entity =
      "/Pets(PartitionKey='a%20%C3%A9''s',RowKey='1')";
  const HttpRequest::Header json = {"Content-Type", "application/json"};
  for (const char* method : {"GET", "PUT", "MERGE", "DELETE"}) {
    SCOPED_TRACE(method);
    EXPECT_EQ(Route({.method = method,
                     .target = entity,
                     .headers = {json, {"If-Match", "*"}},
                     .body = "{}"}),
              R"({"table":"pets","partition":"a \u00e9's"})");
  }
  EXPECT_EQ(Route({.method = "POST",
                   .target = entity,
                   .headers = {json, {"X-HTTP-Method", "MERGE"}},
                   .body = "{}"}),
            R"({"table":"pets","partition":"a \u00e9's"})");
  EXPECT_EQ(RouteOfPost("/PETS", R"({"RowKey":"1","PartitionKey":"\u0061"})"),
            R"({"table":"pets","partition":"a"})");
}

TEST(RequestRouteTest, RemovesThePathOfTheAccount) {
  const HttpRequest request{.method = "GET",
                            .target =
                                "http://h/acct/Pets(PartitionKey='a',"
                                "RowKey='1')?$select=x"};

  EXPECT_EQ(Route(request, "/acct"), R"({"table":"pets","partition":"a"})");
  EXPECT_EQ(Route(request, "/other"), "{}");
}

TEST(RequestRouteTest, FindsTheOnlyPartitionOfAFilter) {
  const std::string partition = R"({"table":"pets","partition":"a"})";
  for (const char* filter :
       {"PartitionKey eq 'a'", "RowKey gt '1' and PartitionKey eq 'a'",
        "'a' eq PartitionKey and (age lt 3 or age gt 7)",
        "PartitionKey eq 'a' or (PartitionKey eq 'a' and RowKey eq '1')",
        "PartitionKey ge 'a' and PartitionKey le 'a'"}) {
    SCOPED_TRACE(filter);
    EXPECT_EQ(RouteOfGet(std::string("/Pets()?$filter=") + filter), partition);
  }
}

TEST(RequestRouteTest, SendsOtherQueriesEverywhere) {
  for (const char* filter :
       {"PartitionKey eq 'a' or PartitionKey eq 'b'", "PartitionKey ge 'a'",
        "PartitionKey eq 'a' or age eq 3", "RowKey eq 'a'", "",
        "not (PartitionKey eq 'a')",
        "PartitionKey ge 'a' and PartitionKey lt 'ab'"}) {
    SCOPED_TRACE(filter);
    EXPECT_EQ(RouteOfGet(std::string("/Pets()?$filter=") + filter),
              R"({"table":"pets","top":1000})");
  }
  EXPECT_EQ(RouteOfGet("/Pets?$top=010&$select=age,%20%22x"), "{}");
  EXPECT_EQ(RouteOfGet("/Pets?$top=010&$select=age,%20name"),
            R"({"table":"pets","top":10,"select":"age, name"})");
}

TEST(RequestRouteTest, FindsThePartitionOfABatch) {
  const auto batch = [](std::string_view part) {
    const std::string body =
        std::string("--b\r\nContent-Type: application/http\r\n\r\n")
            .append(part)
            .append("\r\n--b--\r\n");
    return Route({.method = "POST",
                  .target = "/$batch",
                  .headers = {{"Content-Type", "multipart/mixed; boundary=b"}},
                  .body = body});
  };

  EXPECT_EQ(batch("GET /Pets()?$filter=age%20eq%203&$top=2 HTTP/1.1\r\n\r\n"),
            R"({"table":"pets","top":2,)"
            R"("part":"/Pets()?$filter=age%20eq%203&$top=2"})");
  EXPECT_EQ(batch("GET http://h/Pets(PartitionKey='a',RowKey='1') HTTP/1.1"
                  "\r\n\r\n"),
            R"({"table":"pets","partition":"a"})");

  const std::string change_set =
      "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n"
      "--c\r\nContent-Type: application/http\r\n\r\n"
      "DELETE /Pets(PartitionKey='x',RowKey='1') HTTP/1.1\r\n"
      "If-Match: *\r\n\r\n"
      "\r\n--c--\r\n--b--\r\n";
  EXPECT_EQ(Route({.method = "POST",
                   .target = "/$batch",
                   .headers = {{"Content-Type", "multipart/mixed; boundary=b"}},
                   .body = change_set}),
            R"({"table":"pets","partition":"x"})");
}

TEST(RequestRouteTest, KnowsWhatDefinesTables) {
  EXPECT_EQ(RouteOfPost("/Tables", R"({"TableName":"Pets"})"),
            R"({"defines":"pets"})");
  EXPECT_EQ(Route({.method = "DELETE", .target = "/Tables('Pets')"}),
            R"({"defines":"pets"})");
  EXPECT_EQ(Route({.method = "PUT", .target = "/Pets?comp=acl"}),
            R"({"defines":"pets"})");
  EXPECT_EQ(Route({.method = "PUT",
                   .target = "/?restype=service&comp=properties",
                   .body = "<StorageServiceProperties/>"}),
            R"({"defines":""})");
}

TEST(RequestRouteTest, HasNoPlaceForOtherRequests) {
  for (const char* target : {"/Tables", "/Tables('Pets')", "/Pets?comp=acl",
                             "/", "/a/b", "/?restype=service&comp=properties",
                             "/Pets?$top=2000", "/Pets?$filter=age%20eq"}) {
    SCOPED_TRACE(target);
    EXPECT_EQ(RouteOfGet(target), "{}");
  }
  EXPECT_EQ(RouteOfPost("/Pets", R"({"PartitionKey":"a"})"), "{}");
  EXPECT_EQ(RouteOfPost("/Pets", R"({"PartitionKey":"a")"), "{}");
  EXPECT_EQ(Route({.method = "OPTIONS",
                   .target = "/Pets(PartitionKey='a',RowKey='1')",
                   .headers = {{"Origin", "https://a"},
                               {"Access-Control-Request-Method", "GET"}}}),
            "{}");
}

}  // namespace
}  // namespace entitable
