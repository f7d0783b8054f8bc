// report.h - where checks say what they found.

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

// Takes violations until it is full.  One that has room for a single violation
// gives the service's answer, one that has room for many gives a form all of
// them, and the checks are the same: each runs in the service's order, and
// returns false when it was told that the report is full.  A report that stays
// empty costs nothing.
class Report {
 public:
  using Path = std::optional<std::string_view>;

  explicit Report(std::size_t room = 1) : room_(room) {}

  // Each returns whether the checks go on.  Without a message, it is the text
  // that usually goes with the code.
  bool Add(Rule rule, ErrorCode code, Path path = {},
           std::string_view message = {});
  bool AddMeasure(Rule rule, ErrorCode code, Path path, std::size_t limit,
                  std::size_t actual, std::string_view message = {});
  // `at`: the offset in bytes of the character at fault in the text.
  bool AddCharacter(Rule rule, ErrorCode code, Path path, std::string_view text,
                    std::size_t at, std::string_view message = {});

  // All that another one holds.
  bool AddAll(Report other);

  // What is taken, though the service may refuse it.
  void WarnOfMeasure(Rule rule, ErrorCode code, Path path, std::size_t limit,
                     std::size_t actual);

  bool is_clean() const { return findings_.violations.empty(); }
  bool is_full() const { return findings_.violations.size() >= room_; }

  // The first violation, of which there must be one.
  Error FirstError() const;

  Findings Take() && { return std::move(findings_); }
  std::vector<Violation> TakeWarnings() {
    return std::move(findings_.warnings);
  }

 private:
  std::size_t room_;
  Findings findings_;
};

// A JSON array.
void AppendJson(const std::vector<Violation>& violations, std::string& out);

}  // namespace entitable

#endif  // ENTITABLE_MODEL_REPORT_H_
