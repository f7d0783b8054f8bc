// reads.h - whether a read saw what was there.

#ifndef ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_READS_H_
#define ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_READS_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/model_check/feed.h"
#include "support/model_check/history.h"

namespace entitable::model_check {

// What a read was answered.
struct Seen {
  std::string outcome;
  std::vector<std::string> tables = {};  // kQueryTables
  Feed feed = {};                        // kGetEntity, kQueryEntities
  std::optional<Key> next = {};          // Where the next page begins.
  std::size_t count = 0;                 // kCountEntities
};
Seen SeenIn(const Result<Response>& answer);

// What a transaction of the account has read.
struct TransactionReads {
  std::vector<std::pair<Request, Seen>> all = {};
};

// Whether the state gives just these answers.
bool Agrees(const TransactionReads& reads, const State& state);

// The first moment, from `from` on, whose state gives just this answer, and to
// a read of a transaction those before it, too. just this answer.
std::optional<Moment> FindMoment(const Request& request, const Seen& seen,
                                 const History& history, Moment from);

// For a page of results, a count, or a list of tables that was put together
// over some time: each key or name, in their order, as of a moment that is
// right for it and not before the one of the key before.  Returns the last of
// them, as early as it can be; nothing if there are none.
std::optional<Moment> FindMomentsByKey(const Request& request, const Seen& seen,
                                       const History& history, Moment from);

}  // namespace entitable::model_check

#endif  // ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_READS_H_
