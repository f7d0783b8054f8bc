// report.h - collects the violations that checks find.

#ifndef ENTITABLE_MODEL_REPORT_H_
#define ENTITABLE_MODEL_REPORT_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entitable/error.h"
#include "entitable/validate.h"
#include "entitable/violation.h"

namespace entitable {

// Takes violations until it is full.  The checks are the same for engines and
// forms: a report with room for one violation gives the service's answer, a
// report with more room gives a form all violations.  Each check runs in the
// service's order, and returns false once the report is full.  A report that
// stays empty allocates no memory.
class Report {
 public:
  using Path = std::optional<std::string_view>;

  explicit Report(std::size_t room = 1) : room_(room) {}

  // Each returns whether further checks should run.  Without a message, the
  // text is the usual one of the code.
  bool Add(Rule rule, ErrorCode code, Path path = {},
           std::string_view message = {});
  bool AddMeasure(Rule rule, ErrorCode code, Path path, std::size_t limit,
                  std::size_t actual, std::string_view message = {});
  // `at` is the byte offset of the bad character in the text.
  bool AddCharacter(Rule rule, ErrorCode code, Path path, std::string_view text,
                    std::size_t at, std::string_view message = {});

  // Adds all violations of another report.
  bool AddAll(Report other);

  // Adds a warning: accepted here, but the service may refuse it.
  void WarnOfMeasure(Rule rule, ErrorCode code, Path path, std::size_t limit,
                     std::size_t actual);

  const std::vector<Violation>& violations() const {
    return findings_.violations;
  }
  bool is_clean() const { return findings_.violations.empty(); }
  bool is_full() const { return findings_.violations.size() >= room_; }

  // The first violation; there must be one.
  Error FirstError() const;

  Findings Take() && { return std::move(findings_); }
  std::vector<Violation> TakeWarnings() {
    return std::move(findings_.warnings);
  }

 private:
  std::size_t room_;
  Findings findings_;
};

// Appends a JSON array.
void AppendJson(const std::vector<Violation>& violations, std::string& out);

}  // namespace entitable

#endif  // ENTITABLE_MODEL_REPORT_H_
