#include "protocol/headers.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace entitable {
namespace {

using Headers = std::vector<HttpRequest::Header>;

template <typename T>
std::string CodeOf(const Result<T>& result) {
  return result ? "fine" : std::string(ErrorName(result.error().code));
}

TEST(HeadersTest, FindsAHeaderWhateverItsCase) {
  const Headers headers = {{"if-match", " * \t"}, {"Prefer", ""}};
  const HeaderList list(headers);

  EXPECT_EQ(list.Find("If-Match"), "*");
  EXPECT_EQ(list.Find("Prefer"), "");
  EXPECT_EQ(list.Find("Accept"), std::nullopt);
}

TEST(HeadersTest, JoinsAHeaderThatCameMoreThanOnce) {
  const Headers headers = {{"If-Match", "W/\"a\""}, {"IF-MATCH", "W/\"b\""}};

  EXPECT_EQ(HeaderList(headers).Find("If-Match"), "W/\"a\", W/\"b\"");
}

TEST(HeadersTest, AcceptsEveryVersionThatThereIs) {
  for (const HttpRequest::Header& header : Headers{
           {"x-ms-version", "2013-08-15"},
           {"x-ms-version", "2015-12-11"},
           {"x-ms-version", "2019-02-02"},
           {"x-ms-version", "2031-01-01"},
           {"DataServiceVersion", "1.0"},
           {"DataServiceVersion", "3"},
           {"MaxDataServiceVersion", "3;NetFx"},
           {"DataServiceVersion", "3.0;"},
           {"DataServiceVersion", "3.0;NetFx"},
           {"MaxDataServiceVersion", "2.0; NetFx"},
           {"x-ms-client-request-id", "any text"},
       }) {
    SCOPED_TRACE(header.value);
    EXPECT_EQ(CodeOf(CheckHeaders({header})), "fine");
  }
}

TEST(HeadersTest, RefusesValuesThatAreNone) {
  const std::string long_id(1025, 'a');
  for (const HttpRequest::Header& header : Headers{
           {"x-ms-version", "nonsense"},
           {"x-ms-version", ""},
           {"x-ms-version", "2019-02-30"},
           {"x-ms-version", "2012-02-12"},
           {"x-ms-version", "2019-02-02T00:00:00Z"},
           {"DataServiceVersion", "4.0"},
           {"DataServiceVersion", ""},
           {"MaxDataServiceVersion", "4"},
           {"x-ms-client-request-id", long_id},
           {"x-ms-client-request-id", "a\r\nSet-Cookie: b"},
       }) {
    SCOPED_TRACE(header.value);
    EXPECT_EQ(CodeOf(CheckHeaders({header})), "InvalidHeaderValue");
  }
}

TEST(HeadersTest, TunnelsFourMethodsThroughPost) {
  for (const char* method : {"MERGE", "PATCH", "PUT", "DELETE"}) {
    const Headers headers = {{"x-http-method", method}};
    const auto effective = EffectiveMethod("POST", HeaderList(headers));
    ASSERT_TRUE(effective);
    EXPECT_EQ(*effective, method);
  }
  EXPECT_EQ(*EffectiveMethod("GET", HeaderList(Headers())), "GET");
}

TEST(HeadersTest, RefusesATunnelThatLeadsNowhere) {
  const auto code_of = [](const char* method, const Headers& headers) {
    return CodeOf(EffectiveMethod(method, HeaderList(headers)));
  };

  EXPECT_EQ(code_of("GET", {{"X-HTTP-Method", "MERGE"}}),
            "XMethodNotUsingPost");
  EXPECT_EQ(code_of("POST", {{"X-HTTP-Method", "GET"}}),
            "XMethodIncorrectValue");
  EXPECT_EQ(code_of("POST", {{"X-HTTP-Method", "merge"}}),
            "XMethodIncorrectValue");
  EXPECT_EQ(code_of("POST", {{"X-HTTP-Method", ""}}), "XMethodIncorrectValue");
  EXPECT_EQ(
      code_of("POST", {{"X-HTTP-Method", "MERGE"}, {"X-HTTP-Method", "MERGE"}}),
      "XMethodIncorrectCount");
}

TEST(HeadersTest, TakesNoBodyButJson) {
  const struct {
    const char* type;
    const char* code;
  } kCases[] = {
      {"application/json", "fine"},
      {"Application/JSON", "fine"},
      {"application/json;odata=nometadata", "fine"},
      {"application/json; charset=utf-8", "fine"},
      {"application/atom+xml", "AtomFormatNotSupported"},
      {"application/atom+xml;type=entry", "AtomFormatNotSupported"},
      {"application/xml", "MediaTypeNotSupported"},
      {"text/plain", "MediaTypeNotSupported"},
      {"", "MediaTypeNotSupported"},
  };
  for (const auto& [type, code] : kCases) {
    SCOPED_TRACE(type);
    const Headers headers = {{"Content-Type", type}};
    EXPECT_EQ(CodeOf(CheckContentType(HeaderList(headers))), code);
  }
}

TEST(HeadersTest, ReadsTwoPreferencesAndPassesOverAllOthers) {
  const auto read = [](const char* prefer) {
    const Headers headers = {{"Prefer", prefer}};
    return ReadPreference(HeaderList(headers));
  };

  EXPECT_EQ(read("return-content"), Preference::kContent);
  EXPECT_EQ(read("return-no-content"), Preference::kNoContent);
  EXPECT_EQ(read("nonsense"), Preference::kNone);
  EXPECT_EQ(read(""), Preference::kNone);
}

}  // namespace
}  // namespace entitable
