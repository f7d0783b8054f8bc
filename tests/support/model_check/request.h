// request.h - what a schedule lets an engine be asked.
//
// Every write carries its own number as the value of a property, so that what
// storage holds tells which writes took effect.

#ifndef ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_REQUEST_H_
#define ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_REQUEST_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/operations.h"

namespace entitable::model_check {

// PartitionKey and RowKey, both ASCII.
using Key = std::pair<std::string, std::string>;

// By name; values as in JSON.
using Properties = std::vector<std::pair<std::string, std::string>>;

// Which etag goes with a write.  A schedule cannot hold the etag itself: it
// comes out of the run.
enum class Condition {
  kNone,
  kAny,    // `*`
  kRight,  // The one that the entity has in storage at this moment.
  kStale,  // One that it had earlier, or that was never there.
};

struct Write {
  OperationKind kind;
  Key key;
  Properties values = {};
  Condition condition = Condition::kNone;
  std::optional<std::string> if_match = {};  // What the condition came to.
  std::string table = {};                    // Of a transaction of the account.
};

// What a query asks for: every part that is set must hold.
struct Selection {
  std::optional<std::string> partition = {};
  std::optional<std::string> row_from = {};  // Included.
  std::optional<int> least_a = {};           // Of the property A.
  std::optional<std::size_t> top = {};
};

// Where a page of results begins, and the tokens that say so.
struct Continuation {
  Key first;
  std::string next_partition_key;
  std::string next_row_key;
};

struct TransactionReads;  // reads.h

struct Request {
  std::uint64_t number = 0;  // No other request of the schedule has it.
  OperationKind kind{};
  std::string table = {};
  std::vector<Write> writes = {};  // One, or those of a transaction or import.
  std::size_t part_size = 0;       // kImportEntities: writes of a part.
  Key key = {};                    // kGetEntity
  std::string indexes = {};        // kSetTableIndexes
  Selection selection = {};        // kQueryEntities, kCountEntities

  // Reads: of what any tab was answered before.
  bool is_fresh = false;

  // kQueryEntities: the next page of what this tab asked for last.
  bool goes_on = false;
  std::optional<Continuation> continuation = {};

  // A read of the transaction of its tab, and the end of that transaction: what
  // it has read before, which comes out of the run.
  bool is_of_transaction = false;
  std::shared_ptr<const TransactionReads> reads = {};
  std::optional<std::uint64_t> position = {};
  std::string ranges = {};
};

bool IsWrite(const Request& request);

// Whether it takes away and adds nothing.
bool IsDeletion(const Request& request);

bool IsImport(const Request& request);

OwnedOperation OperationOf(const Request& request);

// The part of an import that begins with this write.
OwnedOperation PartOf(const Request& request, std::size_t first);

// What abandons the import.
OwnedOperation AbandonmentOf(const Request& request);

// "merge TabA/p1/r3 {A:5,W:14} if right"
std::string Describe(const Request& request);

}  // namespace entitable::model_check

#endif  // ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_REQUEST_H_
