// log_survey.h - what the log and the root of a store are worth.

#ifndef ENTITABLE_SURVEY_LOG_SURVEY_H_
#define ENTITABLE_SURVEY_LOG_SURVEY_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "entitable/engine.h"
#include "entitable/survey.h"
#include "store/log_base.h"
#include "store/log_record.h"
#include "store/root.h"

namespace entitable {

// All that could be read of a snapshot of the log with base and root.
struct SurveyedLog {
  std::optional<LogBase> base = {};
  std::optional<Root> root = {};
  bool is_root_lost = false;            // There was one.
  std::vector<LogRecord> records = {};  // Ascending.

  // The last record of which all changes are in pages, as far as anybody knows.
  std::uint64_t folded() const {
    return root ? root->number : base ? base->number : 0;
  }
};

// `has_pages`: the host knows of some.
SurveyedLog LookAtLog(const Snapshot& snapshot, bool has_pages,
                      std::vector<Finding>& findings);

// Whether a load into pages stands in the record.
bool HasLoad(const LogRecord& record);

// The flaw that an error of decoding tells of.
Flaw FlawOf(const Error& error);

}  // namespace entitable

#endif  // ENTITABLE_SURVEY_LOG_SURVEY_H_
