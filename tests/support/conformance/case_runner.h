// case_runner.h - carries out the conformance cases of tests/conformance.

#ifndef ENTITABLE_TESTS_SUPPORT_CONFORMANCE_CASE_RUNNER_H_
#define ENTITABLE_TESTS_SUPPORT_CONFORMANCE_CASE_RUNNER_H_

#include <iosfwd>
#include <string>
#include <vector>

#include "support/conformance/json.h"

namespace entitable {

struct ConformanceCase {
  int number = 0;
  std::string mark;
  std::string name;  // Of the test: unique.
  std::string title;
  std::string expected;
  Json steps;
};

// For the test program, which would else print every byte of a case.
void PrintTo(const ConformanceCase& one, std::ostream* out);

// All cases with the mark C, or all without.
std::vector<ConformanceCase> LoadConformanceCases(bool is_choice);

struct CaseOutcome {
  std::vector<std::string> failures;
  std::vector<std::string> soft;  // What may differ, and does.
};

CaseOutcome RunConformanceCase(const ConformanceCase& one);

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_CONFORMANCE_CASE_RUNNER_H_
