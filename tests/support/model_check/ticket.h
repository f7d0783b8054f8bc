// ticket.h - one request on its way through a schedule.

#ifndef ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_TICKET_H_
#define ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_TICKET_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "support/model_check/request.h"

namespace entitable::model_check {

inline constexpr std::size_t kMaxTabs = 4;

// A rule that does not hold.  Two failures are the same if their rules are.
struct Violation {
  std::string rule;
  std::string what = {};
};

// A place in the history of a storage: how many batches were stored before.
using Moment = std::size_t;

// What a stored batch did for a write.
struct Effect {
  Moment moment;                         // Of the state that has it.
  std::string outcome;                   // That the write must be answered.
  std::optional<std::string> etag = {};  // If something of it is left to see.
};

struct Ticket {
  enum class Status {
    kWaiting,
    kDone,     // Answered with a success.
    kFailed,   // Answered: it has not come true and never will.
    kUnknown,  // Answered: it may come true, or not.
    kLost,     // Its tab crashed, so the same.
  };

  Request request;
  std::size_t tab = 0;
  std::uint64_t serial = 0;  // Grows with the order of submission.

  Moment submitted_at = 0;
  Moment known = 0;  // No state before this may be read.

  // How many reads of pages its tab had been given; see Judge.
  std::size_t page_reads = 0;

  Status status = Status::kWaiting;

  // What became of a write, told by the history alone.  Some batches would look
  // the same with and without it (what it inserted was deleted within the same
  // batch): then it has no effect, and what it would be answered is possible.
  std::optional<Effect> effect = {};
  std::set<std::string> possible_outcomes = {};

  // Of an import: how many of its entities were handed to the engine, and are
  // in the storage.
  std::size_t sent = 0;
  std::size_t stored = 0;
  bool is_abandoned = false;
};

}  // namespace entitable::model_check

#endif  // ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_TICKET_H_
