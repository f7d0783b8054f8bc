#include "protocol/routes.h"

#include <gtest/gtest.h>

#include <string>

namespace entitable {
namespace {

std::string Print(const Result<OperationKind>& kind) {
  return kind ? std::to_string(static_cast<int>(*kind))
              : std::string(ErrorName(kind.error().code));
}

TEST(RoutesTest, GivesEveryMethodItsMeaning) {
  const struct {
    const char* method;
    ResourceKind resource;
    OperationKind kind;
  } kCases[] = {
      {"GET", ResourceKind::kTables, OperationKind::kQueryTables},
      {"POST", ResourceKind::kTables, OperationKind::kCreateTable},
      {"GET", ResourceKind::kTable, OperationKind::kGetTable},
      {"DELETE", ResourceKind::kTable, OperationKind::kDeleteTable},
      {"GET", ResourceKind::kEntities, OperationKind::kQueryEntities},
      {"POST", ResourceKind::kEntities, OperationKind::kInsertEntity},
      {"GET", ResourceKind::kEntity, OperationKind::kGetEntity},
      {"PUT", ResourceKind::kEntity, OperationKind::kReplaceEntity},
      {"MERGE", ResourceKind::kEntity, OperationKind::kMergeEntity},
      {"PATCH", ResourceKind::kEntity, OperationKind::kMergeEntity},
      {"DELETE", ResourceKind::kEntity, OperationKind::kDeleteEntity},
  };
  for (const auto& [method, resource, kind] : kCases) {
    SCOPED_TRACE(method);
    EXPECT_EQ(Print(FindRoute(method, resource)),
              Print(Result<OperationKind>(kind)));
  }
}

TEST(RoutesTest, RefusesMethodsThatAResourceDoesNotHave) {
  const struct {
    const char* method;
    ResourceKind resource;
  } kCases[] = {
      {"DELETE", ResourceKind::kTables},  {"PUT", ResourceKind::kTables},
      {"PUT", ResourceKind::kTable},      {"POST", ResourceKind::kTable},
      {"PUT", ResourceKind::kEntities},   {"DELETE", ResourceKind::kEntities},
      {"MERGE", ResourceKind::kEntities}, {"HEAD", ResourceKind::kEntities},
      {"POST", ResourceKind::kEntity},    {"HEAD", ResourceKind::kEntity},
      {"get", ResourceKind::kEntity},     {"", ResourceKind::kEntity},
      {"GET", ResourceKind::kBatch},      {"POST", ResourceKind::kMetadata},
  };
  for (const auto& [method, resource] : kCases) {
    SCOPED_TRACE(method);
    EXPECT_EQ(Print(FindRoute(method, resource)), "MethodNotAllowed");
  }
}

TEST(RoutesTest, SaysWhatIsNotImplemented) {
  EXPECT_EQ(Print(FindRoute("GET", ResourceKind::kService)), "NotImplemented");
  EXPECT_EQ(Print(FindRoute("GET", ResourceKind::kMetadata)), "NotImplemented");
  EXPECT_EQ(Print(FindRoute("GET", ResourceKind::kTablesInTable)),
            "NotImplemented");
}

}  // namespace
}  // namespace entitable
