// checker.h - collects what of an expectation does not hold.

#ifndef ENTITABLE_TESTS_SUPPORT_CONFORMANCE_CHECKER_H_
#define ENTITABLE_TESTS_SUPPORT_CONFORMANCE_CHECKER_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/conformance/json.h"
#include "support/conformance/macros.h"

namespace entitable {

// Enough to see what went wrong.
std::string Shortened(std::string_view text);
std::string Joined(const std::vector<std::string>& texts);
std::string Print(const Json& json);

class Checker {
 public:
  // The variables must outlive it.
  explicit Checker(const Variables& variables) : variables_(variables) {}

  void Note(std::string_view what, const std::string& expected,
            const std::string& found);
  void Compare(std::string_view what, const std::string& expected,
               const std::string& found);

  // A status, "4xx", or a list of them.
  void CheckStatus(const Json& expected, int status);

  // A code, or a list of them.
  void CheckCode(const Json& expected, const std::string& code);

  // What is expected of one object: the body, or an element of a feed.
  void CheckObject(const Json& expect, const Json& object);

  const Variables& variables() const { return variables_; }
  std::vector<std::string> Take() && { return std::move(mismatches_); }

 private:
  void CheckMembers(const Json& expected, const Json& object);
  void CheckCustom(const Json& expected, const Json& object);
  void CheckNames(const Json& expect, const Json& object);

  const Variables& variables_;
  std::vector<std::string> mismatches_;
};

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_CONFORMANCE_CHECKER_H_
