// expectations.h - whether an answer is what a conformance case expects.

#ifndef ENTITABLE_TESTS_SUPPORT_CONFORMANCE_EXPECTATIONS_H_
#define ENTITABLE_TESTS_SUPPORT_CONFORMANCE_EXPECTATIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "entitable/http.h"
#include "entitable/operation.h"
#include "entitable/result.h"
#include "support/conformance/json.h"
#include "support/conformance/macros.h"

namespace entitable {

// What came of a step: one answer, or the pages of a query.
struct Observed {
  std::vector<HttpResponse> answers;
  std::uint64_t examined = 0;  // Entities that the engine has examined.

  const HttpResponse& answer() const { return answers.front(); }
};

// The answer, if it is an error; or, if it is one to a batch of which a part
// failed, the same with the body of that part.
std::optional<HttpResponse> FailedPart(const HttpResponse& answer);

// One line for each member of `expect` that does not hold; README.md in
// tests/conformance explains them.
std::vector<std::string> Mismatches(const Observed& observed,
                                    const Json& expect,
                                    const Variables& variables);

// The same for a transaction.
std::vector<std::string> Mismatches(const Result<Response>& outcome,
                                    const Json& expect,
                                    const Variables& variables);

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_CONFORMANCE_EXPECTATIONS_H_
