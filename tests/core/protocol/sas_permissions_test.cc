#include <gtest/gtest.h>

#include <string>

#include "protocol/routes.h"

namespace entitable {
namespace {

std::string Outcome(const SasPermissions& sas_permissions, OperationKind kind,
                    bool has_condition = false) {
  const auto checked =
      CheckSasPermissions(sas_permissions, kind, "People", has_condition);
  return checked ? "allowed" : std::string(ErrorName(checked.error().code));
}

constexpr char kNoPermission[] = "AuthorizationPermissionMismatch";

SasPermissions ForTable(std::string_view permissions) {
  return {.permissions = permissions, .table = "people"};
}

SasPermissions ForAccount(std::string_view permissions,
                          std::string_view resource_types) {
  return {.permissions = permissions, .resource_types = resource_types};
}

TEST(SasPermissionsTest, AsksForTheLetterOfEachOperation) {
  const struct {
    OperationKind kind;
    bool has_condition;
    const char* needed;
    const char* resource_type;
  } kCases[] = {
      {OperationKind::kQueryTables, false, "l", "c"},
      {OperationKind::kQueryTables, false, "l", "s"},
      {OperationKind::kGetTable, false, "l", "c"},
      {OperationKind::kCreateTable, false, "c", "c"},
      {OperationKind::kCreateTable, false, "w", "c"},
      {OperationKind::kDeleteTable, false, "d", "c"},
      {OperationKind::kGetEntity, false, "r", "o"},
      {OperationKind::kQueryEntities, false, "r", "o"},
      {OperationKind::kInsertEntity, false, "a", "o"},
      {OperationKind::kReplaceEntity, false, "au", "o"},
      {OperationKind::kMergeEntity, false, "au", "o"},
      {OperationKind::kReplaceEntity, true, "u", "o"},
      {OperationKind::kMergeEntity, true, "u", "o"},
      {OperationKind::kDeleteEntity, true, "d", "o"},
  };
  for (const auto& [kind, has_condition, needed, type] : kCases) {
    SCOPED_TRACE(std::to_string(static_cast<int>(kind)) + " " + needed);
    EXPECT_EQ(Outcome(ForAccount(needed, type), kind, has_condition),
              "allowed");
    for (const char letter : std::string_view(needed)) {
      std::string others = "rwdlacu";
      std::erase(others, letter);
      if (kind == OperationKind::kCreateTable) others = "rdlau";
      EXPECT_EQ(Outcome(ForAccount(others, "sco"), kind, has_condition),
                kNoPermission);
    }
  }
}

TEST(SasPermissionsTest, AsksForTheTypeFirst) {
  EXPECT_EQ(Outcome(ForAccount("", "o"), OperationKind::kQueryTables),
            "AuthorizationResourceTypeMismatch");
  EXPECT_EQ(Outcome(ForAccount("", "sc"), OperationKind::kGetEntity),
            "AuthorizationResourceTypeMismatch");
}

TEST(SasPermissionsTest, KeepsASignatureForATableToItsEntities) {
  EXPECT_EQ(Outcome(ForTable("raud"), OperationKind::kGetEntity), "allowed");
  EXPECT_EQ(Outcome(ForTable("aud"), OperationKind::kGetEntity), kNoPermission);
  EXPECT_EQ(
      Outcome({.permissions = "r", .table = "x"}, OperationKind::kGetEntity),
      "AuthorizationFailure");
  EXPECT_EQ(Outcome(ForTable("rwdlacu"), OperationKind::kQueryTables),
            "AuthorizationFailure");
}

TEST(SasPermissionsTest, LeavesABatchToItsRequests) {
  EXPECT_EQ(Outcome(ForTable(""), OperationKind::kTransaction), "allowed");
}

}  // namespace
}  // namespace entitable
