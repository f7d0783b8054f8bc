#include <gtest/gtest.h>

#include <string>

#include "protocol/address.h"

namespace entitable {
namespace {

Result<QueryOptions> Parse(std::string_view query) {
  QueryOptions options;
  ENTITABLE_TRY(ParseQueryString(query, options));
  return options;
}

std::string CodeOf(const Result<QueryOptions>& options) {
  return options ? "read" : std::string(ErrorName(options.error().code));
}

TEST(QueryStringTest, DecodesNamesAndValues) {
  const auto options =
      Parse("$filter=A+eq+'a%2Bb%26'&%24select=A,%C3%A9&$top=5&&NextRowKey=");

  ASSERT_TRUE(options);
  EXPECT_EQ(options->filter, "A eq 'a+b&'");
  EXPECT_EQ(options->select, "A,\xC3\xA9");
  EXPECT_EQ(options->top, "5");
  EXPECT_EQ(options->next_row_key, "");
  EXPECT_EQ(options->next_partition_key, std::nullopt);
}

TEST(QueryStringTest, KeepsWhatFollowsASecondEqualsSign) {
  const auto options = Parse("NextPartitionKey=1!4!YQ==");

  ASSERT_TRUE(options);
  EXPECT_EQ(options->next_partition_key, "1!4!YQ==");
}

TEST(QueryStringTest, IgnoresUnknownNames) {
  const auto options = Parse("foo=bar&FOO&=&api-version=x&Comp=acl");

  ASSERT_TRUE(options);
  EXPECT_EQ(options->component, std::nullopt);
}

TEST(QueryStringTest, RefusesWhatBreaksARule) {
  const struct {
    const char* query;
    const char* code;
  } kCases[] = {
      {"$filter=%", "InvalidUri"},
      {"$filter=%FF", "InvalidUri"},
      {"%zz=1", "InvalidUri"},
      {"$orderby=A", "NotImplemented"},
      {"$skip=1", "NotImplemented"},
      {"$skiptoken=1", "NotImplemented"},
      {"$expand=A", "NotImplemented"},
      {"$inlinecount=allpages", "NotImplemented"},
      {"$Filter=A", "NotImplemented"},
      {"$top=1&$top=1", "InvalidInput"},
      {"$filter=&$filter=", "InvalidInput"},
      {"timeout=abc", "InvalidQueryParameterValue"},
      {"timeout=", "InvalidQueryParameterValue"},
      {"timeout=0", "InvalidQueryParameterValue"},
      {"timeout=-1", "InvalidQueryParameterValue"},
      {"timeout=1.5", "InvalidQueryParameterValue"},
  };
  for (const auto& [query, code] : kCases) {
    SCOPED_TRACE(query);
    EXPECT_EQ(CodeOf(Parse(query)), code);
  }
}

TEST(QueryStringTest, TakesAnyPositiveTimeout) {
  for (const char* query : {"timeout=1", "timeout=90", "timeout=007",
                            "timeout=99999999999999999999"}) {
    SCOPED_TRACE(query);
    EXPECT_EQ(CodeOf(Parse(query)), "read");
  }
}

}  // namespace
}  // namespace entitable
