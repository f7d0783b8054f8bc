#include <gtest/gtest.h>

#include <string>

#include "protocol/address.h"

namespace entitable {
namespace {

std::string Print(const Result<Resource>& resource) {
  if (!resource) return std::string(ErrorName(resource.error().code));
  switch (resource->kind) {
    case ResourceKind::kService:
      return "service";
    case ResourceKind::kMetadata:
      return "metadata";
    case ResourceKind::kBatch:
      return "batch";
    case ResourceKind::kTables:
      return "tables";
    case ResourceKind::kTable:
      return "table " + resource->table;
    case ResourceKind::kEntities:
      return "entities of " + resource->table;
    case ResourceKind::kEntity:
      return "entity of " + resource->table + ": " + resource->partition_key +
             "|" + resource->row_key;
    case ResourceKind::kTablesInTable:
      return "tables in " + resource->table;
    case ResourceKind::kTableInTable:
      return "table in " + resource->table;
  }
  return {};
}

TEST(PathTest, NamesAResource) {
  const struct {
    const char* path;
    const char* resource;
  } kCases[] = {
      {"", "service"},
      {"/", "service"},
      {"/$batch", "batch"},
      {"/$metadata", "metadata"},
      {"/Tables", "tables"},
      {"/tables()", "tables"},
      {"/TABLES('Pets')", "table Pets"},
      {"/Tables('O''Neil')", "table O'Neil"},
      {"/Pets", "entities of Pets"},
      {"/Pets()", "entities of Pets"},
      {"/%50ets%28%29", "entities of Pets"},
      {"/Pets/", "entities of Pets"},
      {"/Pets(PartitionKey='p',RowKey='r')", "entity of Pets: p|r"},
      {"/Pets(PartitionKey='p',RowKey='r')/", "entity of Pets: p|r"},
      {"/Pets(RowKey='r',PartitionKey='p')", "entity of Pets: p|r"},
      {"/Pets(PartitionKey='p',   RowKey='r')", "entity of Pets: p|r"},
      {"/Pets(PartitionKey='',RowKey='')", "entity of Pets: |"},
      {"/Pets(PartitionKey='a''b',RowKey='''')", "entity of Pets: a'b|'"},
      {"/Pets(PartitionKey=%27a%27%27b%27,RowKey='r')",
       "entity of Pets: a'b|r"},
      {"/Pets(PartitionKey='a,b)',RowKey='(=')", "entity of Pets: a,b)|(="},
      {"/Pets(PartitionKey='a+b',RowKey='a%20b')", "entity of Pets: a+b|a b"},
      {"/Pets(PartitionKey='100%25',RowKey='%C3%B4')",
       "entity of Pets: 100%|\xC3\xB4"},
      {"/Pets(PartitionKey='p',RowKey='a%2Fb')", "entity of Pets: p|a/b"},
      {"/Pets/Tables", "tables in Pets"},
      {"/Pets/Tables()/", "tables in Pets"},
      {"/Pets/Tables('Cats')", "table in Pets"},
  };
  for (const auto& [path, resource] : kCases) {
    SCOPED_TRACE(path);
    EXPECT_EQ(Print(ParsePath(path)), resource);
  }
}

TEST(PathTest, RefusesWhatTheGrammarDoesNotKnow) {
  for (const char* path : {
           "//Pets",
           "/a/b",
           "/a/b/Tables",
           "/a//Tables",
           "//Tables",
           "/a/Tables/b",
           "/a()/Tables",
           "/a/Tables(",
           "/()",
           "/Tables(",
           "/Tables('a'",
           "/Tables(a)",
           "/Tables('a')x",
           "/Tables(TableName='a')",
           "/Pets(",
           "/Pets(PartitionKey='p')",
           "/Pets(RowKey='r')",
           "/Pets(PartitionKey='p',PartitionKey='p')",
           "/Pets(PartitionKey='p',RowKey='r',RowKey='r')",
           "/Pets(partitionkey='p',RowKey='r')",
           "/Pets(PartitionKey='p',Name='r')",
           "/Pets(PartitionKey=p,RowKey='r')",
           "/Pets(PartitionKey='p',RowKey='a'b')",
           "/Pets(PartitionKey='p',RowKey='r)",
           "/Pets( PartitionKey='p',RowKey='r')",
           "/Pets(PartitionKey='p' ,RowKey='r')",
           "/Pets(PartitionKey='p',RowKey='r')x",
       }) {
    SCOPED_TRACE(path);
    const auto resource = ParsePath(path);
    ASSERT_FALSE(resource);
    EXPECT_EQ(resource.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(resource.error().message, "Bad Request - Error in query syntax.");
  }
}

TEST(PathTest, RefusesWhatDoesNotDecodeToUtf8) {
  for (const char* path : {"/%", "/%4", "/%zz", "/%FF", "/Pets\xFF"}) {
    SCOPED_TRACE(path);
    EXPECT_EQ(Print(ParsePath(path)), "InvalidUri");
  }
}

TEST(PathTest, FindsThePathOfAnAddress) {
  EXPECT_EQ(PathOfUrl("https://a.b"), "");
  EXPECT_EQ(PathOfUrl("https://a.b/c/d"), "/c/d");
  EXPECT_EQ(PathOfUrl("/c/d"), "/c/d");
  EXPECT_EQ(PathOfUrl("/c?x=https://a"), "/c?x=https://a");
}

TEST(PathTest, FindsTheHostOfAnAddress) {
  EXPECT_EQ(HostOfUrl("https://a.b"), "a.b");
  EXPECT_EQ(HostOfUrl("https://a.b:1/c/d"), "a.b:1");
  EXPECT_EQ(HostOfUrl("/c/d"), "");
}

TEST(PathTest, FindsTheAccountInAHost) {
  const AccountHost secondary =
      AccountInHost("acct-secondary.table.core.windows.net");
  const AccountHost primary =
      AccountInHost("acct.table-secondary.core.windows.net:1");

  EXPECT_EQ(secondary.account, "acct");
  EXPECT_TRUE(secondary.is_secondary);
  EXPECT_EQ(primary.account, "acct");
  EXPECT_FALSE(primary.is_secondary);
}

TEST(PathTest, TakesTheAccountOffAPath) {
  const auto print = [](const Result<AccountPath>& place) {
    if (!place) return std::string(ErrorName(place.error().code));
    return (place->is_secondary ? "secondary " : "") + std::string(place->path);
  };

  EXPECT_EQ(print(PathInAccount("/Pets", "")), "/Pets");
  EXPECT_EQ(print(PathInAccount("/acct/Pets", "/acct")), "/Pets");
  EXPECT_EQ(print(PathInAccount("/acct", "/acct")), "");
  EXPECT_EQ(print(PathInAccount("/acct2/Pets", "/acct")), "InvalidUri");
  EXPECT_EQ(print(PathInAccount("/Pets", "/acct")), "InvalidUri");
  EXPECT_EQ(print(PathInAccount("/acct-secondary/Pets", "/acct")),
            "secondary /Pets");
  EXPECT_EQ(print(PathInAccount("/acct-secondary2/Pets", "/acct")),
            "InvalidUri");
}

TEST(PathTest, DistinguishesAHostFromOtherText) {
  for (const char* host :
       {"a", "tables.example:9999", "127.0.0.1:1", "[::1]:10002", "a_b-c"}) {
    EXPECT_TRUE(IsHost(host)) << host;
  }
  for (const std::string& text :
       {std::string(), std::string("a b"), std::string("a/b"),
        std::string("a\"b"), std::string("a@b"), std::string("\u00e9"),
        std::string(300, 'a')}) {
    EXPECT_FALSE(IsHost(text)) << text;
  }
}

}  // namespace
}  // namespace entitable
