#include <gtest/gtest.h>

#include <string>

#include "support/conformance/case_runner.h"

namespace entitable {
namespace {

class ConformanceTest : public testing::TestWithParam<ConformanceCase> {};

TEST_P(ConformanceTest, AnswersAsTheSpecificationSays) {
  SCOPED_TRACE(GetParam().title + "\n  => " + GetParam().expected);

  const CaseOutcome outcome = RunConformanceCase(GetParam());

  for (const std::string& failure : outcome.failures) ADD_FAILURE() << failure;
  for (const std::string& soft : outcome.soft) RecordProperty("soft", soft);
}

std::string NameOf(const testing::TestParamInfo<ConformanceCase>& info) {
  return info.param.name;
}

// What the service is known to do.
INSTANTIATE_TEST_SUITE_P(Service, ConformanceTest,
                         testing::ValuesIn(LoadConformanceCases(false)),
                         NameOf);

// Our own choices, where no source speaks: the cases marked C.
INSTANTIATE_TEST_SUITE_P(Choice, ConformanceTest,
                         testing::ValuesIn(LoadConformanceCases(true)), NameOf);

TEST(ConformanceFilesTest, HoldAllCasesButThoseOfSignatures) {
  const std::size_t count =
      LoadConformanceCases(false).size() + LoadConformanceCases(true).size();

  EXPECT_GT(count, 450U);
}

}  // namespace
}  // namespace entitable
