// outcome.h - what to request of the remote, and what follows its answers.

#ifndef ENTITABLE_SYNC_OUTCOME_H_
#define ENTITABLE_SYNC_OUTCOME_H_

#include <cstdint>
#include <string_view>

namespace entitable::sync {

enum class RequestKind : std::uint8_t {
  kNothing,  // The row is clean.
  kInsert,
  kReplace,
  kDelete,
  kWait,  // A request from the past may still take effect.
};

struct RowFacts {
  bool is_there = false;       // In the value to push.
  bool is_base_there = false;  // In the last remote version that is known.
  bool is_equal = false;       // Both are the same.
  // What a request from the past may still do to the row.
  bool may_be_inserted = false;
  bool may_change = false;
};

RequestKind RequestFor(const RowFacts& facts);

// The answer to a push.
struct PushAnswer {
  int status = 0;              // Zero: none came, so the outcome is unknown.
  std::string_view code = {};  // The service's.
};

enum class NextStep : std::uint8_t {
  kApply,               // The request took effect.
  kReadAndSettle,       // It did not; the remote has other rows.
  kReject,              // Refused for good.
  kNewCredentials,      // Ask the app, then send the same again.
  kNewCredentialsOnce,  // The same; refused again, it is refused for good.
  kNoTable,             // It is about the table, not the rows.
  kRetry,               // Later, with exactly the same rows and values.
};

NextStep NextStepOf(const PushAnswer& answer);

}  // namespace entitable::sync

#endif  // ENTITABLE_SYNC_OUTCOME_H_
