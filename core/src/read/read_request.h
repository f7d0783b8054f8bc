// read_request.h - an operation that reads, and that has passed every check
// that needs no stored data.
//
// What a request says is checked and parsed once, when it is submitted.  A
// query then only meets what depends on stored data: whether the table is
// there, and what is in it.

#ifndef ENTITABLE_READ_READ_REQUEST_H_
#define ENTITABLE_READ_READ_REQUEST_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/key_table.h"
#include "entitable/operation.h"
#include "entitable/result.h"
#include "model/entity_key.h"
#include "model/etag.h"
#include "query/filter.h"
#include "query/type_census.h"
#include "request/operation_texts.h"

namespace entitable {

// The properties that a query returns ($select).

// Repeated names count, too.  Source: query of the spec, 3.7.
inline constexpr std::size_t kMaxSelectedNames = 255;

class Select {
 public:
  // Selects all properties.
  Select() = default;

  // Reads the value of $select, percent-decoded: names separated by commas,
  // with optional blanks.  Blank text or a single `*` selects all.  Fails with
  // InvalidInput if a name is invalid or there are too many.
  static Result<Select> Parse(std::string_view text);

  bool is_all() const { return names_.size() == 0; }

  // In the order of the request, without duplicates; empty if all are selected.
  const KeyTable& names() const { return names_; }

 private:
  KeyTable names_;
};

// ---------------------------------------------------------------- read request

// A name of a table is any text in a request that reads.  A text that is not a
// valid name is simply not found.

struct GetTableRequest {
  std::string table;
  OwnedAnswerForm form;
};

// Gets the settings of the account or of a table.
struct GetSettingsRequest {
  std::optional<std::string> table = {};
  WireFormat format = WireFormat::kJson;
  bool is_of_schema = false;  // Of a table: its schema, not its policies.
};

// The projection, and how the client wrote it.
struct Projection {
  Select select = {};
  std::optional<std::string> raw = {};
};

// FeedOptions that were read.
struct Feed {
  Filter filter;
  std::size_t top;
  Projection projection;
};

struct QueryTablesRequest {
  Feed feed;
  std::string first = {};  // The name, in lower case, where the page begins.
  OwnedAnswerForm form = {};
};

struct GetEntityRequest {
  std::string table;
  EntityKey key;
  std::optional<EtagCondition> unless;  // If-None-Match
  Projection projection;
  OwnedAnswerForm form;
};

// What a query does with the entities that match.
enum class QueryPurpose : std::uint8_t {
  kReturn,
  kFind,   // The same, for a change: query.h.
  kCount,  // The answer also describes the plan, and there are no pages.
  kTypes,  // Reports the types of all entities; they need not match.
  kAwait,  // Waits for changes of them.
};

struct QueryEntitiesRequest {
  std::string table;
  Feed feed;
  // The ranges that the page may have to examine.
  std::vector<KeyRange> ranges;
  QueryPurpose purpose;
  OwnedAnswerForm form = {};                          // kReturn
  std::optional<std::uint64_t> after = std::nullopt;  // kAwait: this record.
  bool at_once = false;                               // kAwait
  // kFind: that the change adds to an entity; 0 for a deletion.
  std::size_t change_bytes = 0;
  std::unique_ptr<TypeCensus> census = nullptr;  // kTypes
};

// These fail with the service's code for the first broken rule.  Their texts
// must be valid (operation_texts.h).  `base_url` is as in Engine::Submit().

// Writes to the place where the request will stay.  A read by key is so short
// that moving the request would take a similar time.
Result<void> ReadGetEntity(const GetEntity& operation,
                           std::string_view base_url,
                           GetEntityRequest& request);

Result<QueryEntitiesRequest> ReadQuery(const QueryEntities& operation,
                                       std::string_view base_url);
Result<QueryEntitiesRequest> ReadQuery(const CountEntities& operation);
Result<QueryEntitiesRequest> ReadQuery(const AwaitChanges& operation);
Result<QueryTablesRequest> ReadQuery(const QueryTables& operation,
                                     std::string_view base_url);

// For queries that scan the ranges and nothing else.  Makes a filter that says
// no more than the ranges one that every entity matches.  Then no row needs a
// test, and pages of which all entities match need not be read to be counted.
void LeaveOutRangeFilter(QueryEntitiesRequest& request);

}  // namespace entitable

#endif  // ENTITABLE_READ_READ_REQUEST_H_
