// operation.h - the operations that an Engine executes, and their answers.
//
// An operation is a view of the caller's bytes, valid while Engine::Submit()
// runs.  All text is UTF-8; invalid UTF-8 fails with InvalidInput.  Names, keys
// and query options are as in a URL, percent-decoded.
//
// A member is set from the field of a request that has its name: see
// request/operation_fields.h, which also lists the few that have another name.

#ifndef ENTITABLE_OPERATION_H_
#define ENTITABLE_OPERATION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "entitable/json_text.h"
#include "entitable/violation.h"

namespace entitable {

// -------------------------------------------------------- the form of answers

// How many annotations an answer carries.  Source: "Payload format for Table
// service operations".
enum class MetadataLevel : std::uint8_t {
  kNone = 0,
  kMinimal = 1,
  kFull = 2,
  // Not in the service: minimal metadata, plus an annotation for each Double
  // without a fraction ("X@odata.type":"Edm.Double","X":3.0).  A reader for
  // which 3.0 and 3 are the same number can then still tell the type.
  kTyped = 3,
};

// The form of entities and tables in answers, and in the input of an import.
enum class WireFormat : std::uint8_t {
  // The service's JSON, with the annotations of the MetadataLevel.
  kJson = 0,
  // Not in the service: reads of entities return packed values, and imports
  // read them (docs/internals/frames.md).
  kValues = 1,
  // Not in the service: lists of tables and of entities return lines of an
  // archive (see ImportMode::kRestore), annotated as in kTyped at every level.
  kLines = 2,
};

struct AnswerForm {
  MetadataLevel level = MetadataLevel::kMinimal;
  WireFormat format = WireFormat::kJson;
};

// --------------------------------------------------------------------- tables

struct CreateTable {
  JsonText body = {};
  MetadataLevel level = MetadataLevel::kMinimal;
  bool echo = true;     // Answer with the table (201), or without (204).
  bool locate = false;  // The answer also holds the table's address.
};

struct DeleteTable {
  std::string_view table = {};
};

// `fresh`, here and in all other reads: first check the log for writes of other
// engines.  Otherwise the read sees the newest state that this engine knows.
struct GetTable {
  std::string_view table = {};
  MetadataLevel level = MetadataLevel::kMinimal;
  bool fresh = false;
};

// How filters are read.  The service has only the first dialect, and so has
// HTTP.  The other one also has functions, arithmetic and `in`, and compares
// numbers by their values: docs/reference/filters.md.
enum class FilterDialect : std::uint8_t { kService, kExtended };

// The options of a query.
struct FeedOptions {
  std::optional<std::string_view> filter = {};
  std::optional<std::string_view> select = {};
  std::optional<std::string_view> top = {};
  FilterDialect dialect = FilterDialect::kService;
};

struct QueryTables {
  FeedOptions options = {};
  // The continuation token of an earlier answer.
  std::optional<std::string_view> next_table_name = {};
  AnswerForm form = {};
  bool fresh = false;
};

// ------------------------------------------------- one entity, or several

struct EntityAddress {
  std::string_view table = {};
  std::string_view partition_key = {};
  std::string_view row_key = {};
};

// A range of the entities of a table in key order, both ends included.  Without
// a partition key, the range ends where the table ends.  Without a row key, it
// ends where the partition ends.
//
// As the scope of an operation: the caller may see and change only these
// entities.  Reads find no others.  A write to another entity fails with
// AuthorizationFailure.
struct KeyScope {
  std::optional<std::string_view> first_partition_key = {};
  std::optional<std::string_view> first_row_key = {};
  std::optional<std::string_view> last_partition_key = {};
  std::optional<std::string_view> last_row_key = {};
};

// `schema`, here and in other writes: rules that the resulting entity must keep
// (docs/internals/file-format.md, "Schemas"), beside those of the table.
// Otherwise the write fails with SchemaViolation.

// The body has the keys.
struct InsertEntity {
  std::string_view table = {};
  JsonText body = {};
  std::optional<std::string_view> schema = {};
  MetadataLevel level = MetadataLevel::kMinimal;
  bool echo = true;     // Answer with the entity (201), or without (204).
  bool locate = false;  // The answer also holds the entity's address.
  std::optional<KeyScope> scope = {};
};

enum class UpdateMode : std::uint8_t { kReplace, kMerge };

// With a condition: Update Entity or Merge Entity.  Without one: Insert Or
// Replace Entity or Insert Or Merge Entity.
struct UpdateEntity {
  UpdateMode mode = UpdateMode::kReplace;
  EntityAddress entity = {};
  JsonText body = {};
  std::optional<std::string_view> schema = {};
  std::optional<std::string_view> if_match = {};  // `*` or an ETag.
  std::optional<KeyScope> scope = {};

  // Not in the service.  Of an upsert that merges: the names of the properties
  // of the body to merge if there is an entity, with commas between them.  The
  // others are for a new entity alone.  So a host that has defaults needs one
  // request.
  std::optional<std::string_view> merged = {};

  // Not in the service.  For hosts in which 5.0 and 5 are the same number: an
  // Int32 whose type is not annotated becomes a Double if the stored entity has
  // a Double of this name.
  bool keeps_doubles = false;
};

struct DeleteEntity {
  EntityAddress entity = {};
  std::string_view if_match = {};  // `*` or an ETag; needed.
  std::optional<KeyScope> scope = {};
};

using TransactionPart = std::variant<InsertEntity, UpdateEntity, DeleteEntity>;

// Not in the service, and not available over HTTP.  What a transaction of the
// account has done so far: see SubmitAccountTransaction.
struct TransactionSoFar {
  // Nothing that it has read has changed up to this record of the log:
  // Response::position of its last read.
  std::optional<std::uint64_t> position = {};

  // What it has read: Response::ranges of its reads, one after another.  Of a
  // read, nothing: the read belongs to no transaction.
  std::optional<std::string_view> ranges = {};

  // Its writes, in their order.
  std::span<const TransactionPart> parts = {};
};

struct GetEntity {
  EntityAddress entity = {};
  std::optional<std::string_view> select = {};
  std::optional<std::string_view> if_none_match = {};  // `*` or an ETag.
  AnswerForm form = {};
  std::optional<KeyScope> scope = {};
  bool fresh = false;
  TransactionSoFar so_far = {};
};

struct QueryEntities {
  std::string_view table = {};
  FeedOptions options = {};
  // Continuation tokens from an earlier answer.
  std::optional<std::string_view> next_partition_key = {};
  std::optional<std::string_view> next_row_key = {};
  AnswerForm form = {};
  std::optional<KeyScope> scope = {};
  bool fresh = false;
  TransactionSoFar so_far = {};
};

// Not in the service, and not available over HTTP.  Returns the entities that
// match in the order of their properties.  Entities that are equal in it are in
// the order of their keys.
//
// Values of one type are ordered as a filter compares them, and numbers of all
// types by their values.  In ascending order, an entity without the property
// comes first.  Then come Booleans, numbers (NaN first), DateTimes, Strings,
// Guids and Binaries.  Descending order is the reverse.
//
// The continuation token has the sort values and the keys of the last entity.
// So later pages neither repeat nor leave out entities, whatever is written in
// between, except those whose sort values were changed, and new ones.  A page
// may have fewer entities than were asked for, or none, and a token.
struct QueryOrdered {
  // `top` is for one page.  The token is that of the partition key.
  QueryEntities query = {};

  // Names of properties, each with an optional `asc` or `desc`, separated by
  // commas.  Empty: the order of keys.
  std::string_view order_by = {};

  // How many entities to leave out at the beginning, and how many all pages
  // together may have; decimal.  A token has both already.
  std::optional<std::string_view> skip = {};
  std::optional<std::string_view> most = {};
  bool fresh = false;
};

// Not in the service, and not available over HTTP.  Finds the entities whose
// text has the words of the search, the best first: docs/guides/search.md.  The
// options may have a filter; `top` is how many entities to return at most.
// Entities with the same score are in the order of their keys.  The answer has
// values, whatever the format is.
//
// Fails with SearchTooLarge if the texts that have one of the words take more
// memory than a quarter of the page cache, or 4 MiB if that is more.
struct SearchEntities {
  // Continuation tokens and a scope have no effect.
  QueryEntities query = {};
  std::string_view property = {};  // Of the text: a String.
  std::string_view text = {};      // read/search/search_request.h
  bool any_word = false;           // One of the words is enough.
  bool fresh = false;
};

// Not in the service, and not available over HTTP.  Calculates aggregates of
// the entities that match, for each group of them.  Entities are in one group
// if they are equal in the order by the properties of the group (QueryOrdered),
// and the groups come in this order.
//
// The answer has values: one row for each group, whatever the format is.  The
// values of its first entity are named g0, g1 and so on, and the aggregates a0,
// a1 and so on.  A value that does not exist is missing.
//
// Fails with SumOverflow, and with AggregateTooLarge if the groups and the
// values of their aggregates take more memory than a quarter of the page cache,
// or 4 MiB if that is more.
struct QueryGroups {
  std::string_view table = {};
  std::optional<std::string_view> filter = {};
  std::string_view group_by = {};    // query/order.h; empty: one group.
  std::string_view aggregates = {};  // query/aggregate.h
  FilterDialect dialect = FilterDialect::kService;
  bool fresh = false;
};

// Not in the service, and not available over HTTP.  Counts the entities that
// match the filter.  The answer is JSON with the count and the cost of the
// query.
struct CountEntities {
  std::string_view table = {};
  std::optional<std::string_view> filter = {};
  FilterDialect dialect = FilterDialect::kService;
  bool fresh = false;

  // Instead of counting, reports the properties of the table with their stored
  // types, and what these mean for the comparisons of the filter.  The engine
  // reads entities until every comparison is known to depend on the values that
  // it is given.  So it reads the whole table if one does not, or if there is
  // no comparison.  Fails with TableNotFound if the table is replaced
  // meanwhile.
  bool reports_types = false;
};

// Not in the service.  Follows a table: the engine answers as soon as it knows
// of commits that touch the table after `position`, the number of the last log
// record that the follower knows.  Until then the request waits; the caller may
// withdraw it.  With `at_once` it does not wait: if nothing has changed, the
// answer has the status 200 and no entities.
//
// Response::position is the new position.  The body holds, as values, each
// entity that was put or deleted since the old position.  They come in no order
// and may repeat.  An entity that matches the filter is given in its current
// state.  Any other entity is given only with its keys and a meaningless ETag,
// without a timestamp; it may not have matched before, either.
//
// Each entity has an origin.  It is remote if sync made the last change of it:
// stored what the remote account has, or the result of a conflict.  Otherwise
// it is local.
//
// An answer with the status kReset has no body.  The follower must read the
// whole table again: a bulk load changed a range, or the changes are too many
// or too old, or the table was created again.  A request without a position
// gets this answer at once.  So a follower asks without a position, reads the
// whole table, and then follows.
//
// Fails with TableNotFound, also when the table is dropped.
struct AwaitChanges {
  std::string_view table = {};
  std::optional<std::string_view> filter = {};
  std::optional<std::uint64_t> position = {};
  FilterDialect dialect = FilterDialect::kService;
  bool fresh = false;
  bool at_once = false;
};

inline constexpr int kReset = 205;

// An entity group transaction: up to 100 writes of entities of one partition.
// The schemas of its parts are ignored.
struct SubmitTransaction {
  std::span<const TransactionPart> parts = {};
  std::optional<std::string_view> schema = {};
};

// Not in the service, and not available over HTTP.  A transaction of the
// account: writes of any tables and partitions, which are stored in one record
// of the log, or not at all.
//
// It is optimistic.  The host makes its reads one after another, each with what
// the transaction has done so far.  Such a read sees the writes of the
// transaction: those parts that it is given, or the ones that concern what it
// reads.  It fails with TransactionConflict if something that was read before
// has changed since.  So all reads see the account at one moment, that of the
// position of the last answer.  An entity that is not there is an answer with
// the status 404.
//
// The transaction is stored if nothing that it has read has changed until then,
// by anybody; otherwise it fails with TransactionConflict, and the host begins
// again.  A change may be taken for one of what was read although it is not:
// if it is too old to be known row by row, or if a table was created, dropped
// or loaded in bulk.
//
// Each part has its own table and schema.  An entity may be written more than
// once.  The record takes at most kMaxAccountTransactionBytes.
struct SubmitAccountTransaction {
  TransactionSoFar so_far = {};
};

inline constexpr std::size_t kMaxAccountTransactionBytes = std::size_t{8} << 20;

// -------------------------------------------------------- changes by a filter

// Not in the service.  One step of a change of all entities that match a
// filter, in the order of their keys: finds the next ones, up to 1,000 that fit
// into a record of the log, and makes the same merge or deletion of each.
//
// The step changes a prefix of what it has found, by one commit: it ends in
// front of an entity that cannot be changed, or that another writer has changed
// meanwhile.  If that is the first one, the step fails with the reason.
//
// The answer is the number of entities that were changed.  It has continuation
// tokens if more may follow; the host then repeats the operation with them.
struct ChangeEntities {
  QueryEntities query = {};  // What the answer would look like is ignored.

  // With If-Match `*` and empty keys, in place of those of each entity.
  TransactionPart change = {};
};

// -------------------------------------------------------------------- imports

// What an import does with an entity whose key already exists, in the store or
// earlier in the input.
enum class ImportMode : std::uint8_t {
  kInsert = 0,   // Stops the import: EntityAlreadyExists.
  kReplace = 1,  // Insert Or Replace.
  kMerge = 2,    // Insert Or Merge.

  // The input is an archive: whole tables, in which each entity has its old
  // Timestamp and therefore its old ETag.  ImportEntities::table is ignored.
  // The import first creates each table (TableAlreadyExists), together with the
  // table's entities in the first step.  docs/internals/file-format.md has the
  // grammar.
  kRestore = 3,
};

// Which part of which import.
struct ImportPart {
  // Identifies the import: any number that no other import in progress has.
  std::uint32_t import = 0;

  ImportMode mode = ImportMode::kInsert;
  bool begins = false;  // The first part.
  bool ends = false;    // The last part.

  // Cancels the import: the engine stores no more of it.  The answer comes when
  // that is certain; a part that was waiting is answered, too.  No other member
  // may be set.
  bool abandons = false;
};

// Not in the service.  An import loads entities into a table.  Its input is a
// JSON array, or JSON objects one after another (JSON Lines), or values, of any
// length.  The host sends the input in parts, which may be cut anywhere; each
// part is one operation.  The engine answers a part when it can take the next
// one, so memory stays bounded.
//
// The engine checks the entities like inserts and stores them in steps.  Each
// step is atomic and has one timestamp.  The stored entities are always the
// first ones of the input: when an entity breaks a rule, or already exists in
// mode kInsert, all entities before it are stored and none after it.  If the
// storage fails or the engine ends, the entities of earlier steps stay stored.
//
// The answer to a part is {"read":n,"stored":n}; the answer to the last part
// comes when all entities are stored.  An error ends the import and tells how
// many entities are stored (Error::operation).  For an archive, all three
// numbers count lines, including the first line.
struct ImportEntities {
  std::string_view table = {};
  JsonText input = {};
  WireFormat format = WireFormat::kJson;  // Of the input: kJson or kValues.
  ImportPart part = {};

  // As in UpdateEntity, for the entities of this part.  Packed entities have no
  // annotations.
  bool keeps_doubles = false;

  // Only the first part of an import may have it.  An archive has none: it
  // comes back as it was, also if it has entities that break its own schemas.
  std::optional<std::string_view> schema = {};
};

// ------------------------------------------------------------------- settings

// The settings of a table (all stored access policies) and of the account
// (service properties) are lines of records (docs/internals/file-format.md).  A
// wrong value fails with InvalidXmlDocument, as in the service.

struct GetPolicies {
  std::string_view table = {};
  bool fresh = false;
};

struct SetPolicies {
  std::string_view table = {};
  JsonText lines = {};
};

// In the format kLines, the answer leaves out properties that were never set.
struct GetServiceProperties {
  WireFormat format = WireFormat::kJson;
  bool fresh = false;
};

// Changes only the properties that are named.
struct SetServiceProperties {
  JsonText lines = {};
};

// Not in the service.  The schema that all writers of the table must keep, as
// bytes; empty if there is none.
struct GetTableSchema {
  std::string_view table = {};
  bool fresh = false;
};

// Replaces the schema; empty bytes remove it.  Stored entities stay as they
// are.  An update of one that breaks the schema must mend it; deletions are
// always allowed.
struct SetTableSchema {
  std::string_view table = {};
  std::string_view schema = {};
};

// Not in the service.  Declares the secondary indexes of a table, in place of
// those that it had, and goes on building the new ones.  Each operation does
// one step, until the answer {"entities":n,"complete":flag} is complete.  Then
// it changes nothing, so a host may repeat it at every start, and in several
// tabs at once.  Every write of the table keeps its indexes, by the same
// commit.
struct SetTableIndexes {
  std::string_view table = {};

  // Of each index the properties, as in QueryOrdered::order_by; separated by
  // semicolons.
  std::string_view indexes = {};

  // Fails with UpdateConditionNotSatisfied if other indexes are declared.  So
  // two hosts that declare different ones do not undo each other's steps.
  bool continues = false;
};

// ------------------------------------------------------------------------ sync

// Not in the service.  A step of the sync of a table with a remote: one request
// of the host to the remote lies between two steps.  The arguments are a flat
// JSON object, the body of the answer is one, too (docs/internals/frames.md).
struct SyncTable {
  std::string_view table = {};
  JsonText arguments = {};

  // What the remote has answered: texts, each with its length:u32 before it.
  std::string_view answer = {};
};

// ------------------------------------------------------------------ operations

using ReadOperation =
    std::variant<GetTable, QueryTables, GetEntity, QueryEntities, QueryOrdered,
                 SearchEntities, QueryGroups, CountEntities, AwaitChanges,
                 GetPolicies, GetServiceProperties, GetTableSchema>;
using WriteOperation =
    std::variant<CreateTable, DeleteTable, TransactionPart, SubmitTransaction,
                 SubmitAccountTransaction, SetPolicies, SetServiceProperties,
                 SetTableSchema, SetTableIndexes, SyncTable>;
using Operation =
    std::variant<ReadOperation, WriteOperation, ChangeEntities, ImportEntities>;

// A success.
struct Response {
  // The service's: 200, 201, 202, 204 or 304; kReset for AwaitChanges.
  int status = 200;
  std::string etag = {};  // Empty where the service sends none.
  std::string body = {};  // OData JSON; empty where the service sends none.

  // An absolute address; empty unless the operation's `locate` asked for it.
  std::string location = {};

  // Continuation tokens: set if and only if more results follow.
  std::optional<std::string> next_partition_key = {};
  std::optional<std::string> next_row_key = {};
  std::optional<std::string> next_table_name = {};

  // AwaitChanges: where to continue.  A read of a transaction: up to where what
  // it has read is unchanged.
  std::optional<std::uint64_t> position = {};

  // A read of a transaction: what it has read (store/range_set.h).
  std::string ranges = {};

  // AwaitChanges: for each entity of the body, 'l' or 'r'; see there.  Empty:
  // all are local.
  std::string origins = {};

  // SearchEntities: the score of each entity, separated by commas.
  std::string scores = {};

  std::vector<Response> parts = {};  // SubmitTransaction: one a part, in order.

  // Rules that a stored entity breaks in the service but not here: see
  // validate.h.  The warnings of all parts of a transaction are in the response
  // to the transaction.
  std::vector<Violation> warnings = {};
};

}  // namespace entitable

#endif  // ENTITABLE_OPERATION_H_
