#include "entitable/error.h"

#include <gtest/gtest.h>

#include "entitable/result.h"

namespace entitable {
namespace {

TEST(ErrorTest, GivesEachCodeTheNameAndStatusOfTheService) {
  const struct {
    ErrorCode code;
    std::string_view name;
    int status;
  } kCases[] = {
      {ErrorCode::kAtomFormatNotSupported, "AtomFormatNotSupported", 415},
      {ErrorCode::kInvalidInput, "InvalidInput", 400},
      {ErrorCode::kMethodNotAllowed, "MethodNotAllowed", 405},
      {ErrorCode::kNotImplemented, "NotImplemented", 501},
      {ErrorCode::kTableNotFound, "TableNotFound", 404},
      {ErrorCode::kUpdateConditionNotSatisfied, "UpdateConditionNotSatisfied",
       412},
      {ErrorCode::kStorageUnavailable, "StorageUnavailable", 503},
  };
  for (const auto& [code, name, status] : kCases) {
    EXPECT_EQ(ErrorName(code), name);
    EXPECT_EQ(HttpStatus(code), status);
  }
}

TEST(ErrorTest, FailsWithTheUsualTextUnlessAnotherIsGiven) {
  const Result<int> usual = Fail(ErrorCode::kTableNotFound);
  const Result<int> other = Fail(ErrorCode::kTableNotFound, "Gone.");

  EXPECT_EQ(usual.error().message, "The table specified does not exist.");
  EXPECT_EQ(other.error().message, "Gone.");
}

}  // namespace
}  // namespace entitable
