// engine.h - the whole contract between the core and its host.
//
// An Engine is one opened account: tables, the entities in them, and the rules
// of the Azure Table service.  It does no I/O, never waits, reads no clock,
// starts no thread and throws nothing.  Whatever it needs from the world it
// asks for and is given: values of storage, the time, random bytes.
//
// The host drives it:
//
//   Result<Engine> made = Engine::Create({.account = "devstoreaccount1", ...});
//   Engine& engine = *made;  // If there is one: it fails for wrong options.
//   RequestId id = engine.Submit(operation);  // Any number of them.
//   for (;;) {
//     Step step = engine.Run(now);
//     if (auto* answer = std::get_if<Answer>(&step)) {
//       // Hand the outcome to whoever submitted the request.
//     } else if (auto* read = std::get_if<Read>(&step)) {
//       // Fetch the values, then Supply() them.
//     } else if (auto* commit = std::get_if<Commit>(&step)) {
//       // Store the batch, then Complete().
//     } else if (std::holds_alternative<Yield>(step)) {
//       // Go on in a later turn of the event loop.
//     } else {
//       break;  // Idle.
//     }
//   }
//
// Reads and commits may take their time: the host goes on calling Run(), which
// answers whatever it can meanwhile, and is idle when everything left waits for
// the host.  tests/support/memory_host.h is such a host in a few lines.
//
// What a caller may rely on:
//
// - A write is answered with success only after its commit was settled as kOk:
//   then it is in storage.  A write that failed changed nothing.
// - A write is refused for a reason that depends on stored data (404, 409, 412)
//   only after the head of the log was checked since the write was submitted.
// - A read sees the newest state that this engine knows to be in storage; after
//   a write was answered, every read submitted later sees it.  With
//   Operation::fresh it sees what any engine was answered before, too.
// - Writes are evaluated in the order of their submission, those that wait
//   together share one commit, and each has a timestamp of its own.
// - No call works on reads for longer than a slice (WorkLimits), whatever a
//   filter asks for.  Reads that need more take turns, slice by slice.

#ifndef ENTITABLE_ENGINE_H_
#define ENTITABLE_ENGINE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "entitable/error.h"
#include "entitable/page.h"
#include "entitable/result.h"
#include "entitable/violation.h"

namespace entitable {

// ---------------------------------------------------------------- operations

// The numbers stand in operation frames: never change one.
enum class OperationKind : std::uint8_t {
  kCreateTable = 1,
  kDeleteTable = 2,
  kGetTable = 3,
  kQueryTables = 4,
  kInsertEntity = 5,
  kGetEntity = 6,
  kQueryEntities = 7,
  kReplaceEntity = 8,  // Update with a condition, else Insert Or Replace.
  kMergeEntity = 9,    // Merge with a condition, else Insert Or Merge.
  kDeleteEntity = 10,  // Needs a condition.
  kTransaction = 11,   // An entity group transaction of `parts`.

  // Beyond the service, and not to be had by HTTP: how many entities fit the
  // filter, whatever $top says, and what it took to find out, as JSON.
  kCountEntities = 12,

  // Beyond the service, too: see ImportPart.
  kImportEntities = 13,

  // Beyond the service, too: see kReset.
  kAwaitChanges = 14,

  // What a table and the account are set to, as lines of records
  // (docs/internals/file-format.md): all stored access policies of a table, and
  // properties of the service, of which those that are not named stay as they
  // are.  At kLines, the properties that were never set are left out.  Setting
  // fails with InvalidXmlDocument, under the service's name for it.
  kGetPolicies = 15,
  kSetPolicies = 16,
  kGetServiceProperties = 17,
  kSetServiceProperties = 18,
};

// How many annotations an answer carries.  Source: "Payload format for Table
// service operations".
enum class MetadataLevel : std::uint8_t {
  kNone = 0,
  kMinimal = 1,
  kFull = 2,
  // Beyond the service: minimal, and a Double without fraction is annotated
  // ("X@odata.type":"Edm.Double","X":3.0), so that a reader for whom 3.0 and 3
  // are one number still learns the type.
  kTyped = 3,
  // Beyond the service, too: reads of entities answer with values instead of
  // JSON (model/values_writer.h), and imports read values (model/
  // entity_reader.h).  Else as kTyped.
  kValues = 4,
  // Beyond the service, too: lists of tables and of entities answer with lines
  // of an archive (see ImportMode::kRestore) instead of a feed, types as at
  // kTyped.
  kLines = 5,
};

// What an entity of an import does where its key exists already, in the store
// or earlier in the input.
enum class ImportMode : std::uint8_t {
  kInsert = 0,   // Stops the import: EntityAlreadyExists.
  kReplace = 1,  // Insert Or Replace.
  kMerge = 2,    // Insert Or Merge.

  // The input is an archive: whole tables, each entity with the Timestamp and
  // so the etag that it had.  Operation::table is not looked at.  Each table is
  // made first (TableAlreadyExists), and made with what the first step has of
  // it.  docs/internals/file-format.md has the grammar.
  kRestore = 3,
};

// An import loads the entities of a JSON array, or of objects one after another
// (JSON Lines), into a table.  Its input may be of any length: it comes in
// parts that may be cut anywhere, each an operation of its own.  A part is
// answered when the next one may come; so memory stays bounded.
//
// Entities are checked as an insert checks them, and stored in steps, each of
// which is atomic and has one timestamp.  What is stored is always the first
// entities of the input: when an entity breaks a rule, or exists where it must
// not, all before it are stored, and none after.  A failure of the storage, or
// the end of the engine, leaves what earlier steps stored.
//
// A part is answered with {"read":n,"stored":n}, the last one when all is
// stored; or with an error that says how many are (Error::operation).  With an
// error the import ends.  Of an archive all three count lines, the first one
// included.
struct ImportPart {
  // Which import: any number that no other import under way has.
  std::uint32_t import = 0;

  ImportMode mode = ImportMode::kInsert;
  bool begins = false;  // The first part.
  bool ends = false;    // The last part.

  // No more is to be stored.  Answered when that is so; the import has ended
  // then, and a part that waited was answered, too.  Nothing else may be set.
  bool abandons = false;
};

// A run of the entities of a table in key order, both ends included.  Without a
// partition key, the end is that of the table; without a row key, that of the
// partition.
struct KeyScope {
  std::optional<std::string_view> first_partition_key = {};
  std::optional<std::string_view> first_row_key = {};
  std::optional<std::string_view> last_partition_key = {};
  std::optional<std::string_view> last_row_key = {};
};

// Following a table: kAwaitChanges is answered as soon as this engine knows of
// commits after a position, a number in `next_table_name`, that touch the
// table. Until then it waits; it may be withdrawn.  The answer has the position
// up to which it tells in its place, and in its body, as values whatever the
// level says, each entity that was put or deleted by then, in no order and
// perhaps more than once: as it is now, if it fits the filter; else only its
// keys and a meaningless etag, without a timestamp.  What does not fit may not
// have done so before, either.
//
// With this status it has no body: more happened than can be told so, because a
// range was loaded in bulk, because it is too much or too long ago, or because
// the table was made anew.  So it is answered at once where no position is
// given: a follower asks for one, then looks at the whole table, then follows.
//
// Fails with TableNotFound, also when the table is dropped.
inline constexpr int kReset = 205;

// One operation: a view of the caller's bytes, for as long as Submit() runs.
// Members that its kind does not use are not looked at.  All text is UTF-8;
// text that is not valid UTF-8 is refused with InvalidInput.
struct Operation {
  OperationKind kind{};
  MetadataLevel level = MetadataLevel::kMinimal;
  bool echo = true;  // Inserts: answer with the entity (201), or without (204).

  // Inserts and kCreateTable: answer with the address of what was made, too.
  bool locate = false;

  // What addresses in the answer begin with; empty: EngineOptions::base_url.
  std::string_view base_url = {};

  // Reads: first look for what others have written.  Else they see the newest
  // state that this engine knows of.
  bool fresh = false;

  std::string_view table;  // As in the URL; kCreateTable takes it from body.
  std::string_view partition_key;  // As in the URL; kInsertEntity: from body.
  std::string_view row_key;

  // The header's value: `*` or an etag.
  std::optional<std::string_view> if_match;
  std::optional<std::string_view> if_none_match;

  // Queries: as in the URL, percent-decoded.
  std::optional<std::string_view> filter;
  std::optional<std::string_view> select;
  std::optional<std::string_view> top;
  std::optional<std::string_view> next_partition_key;  // Continuation tokens,
  std::optional<std::string_view> next_row_key;        // as an earlier answer
  std::optional<std::string_view> next_table_name;     // gave them.

  // OData JSON, or settings.  `body_capacity` is how many bytes can be read
  // from its start: if that is kBodyPadding more than its size, it is parsed
  // where it lies, else copied once.
  std::string_view body;
  std::size_t body_capacity = 0;

  // Of entities: whoever asks may see and change these alone.  Reads find no
  // others; a write to another one fails with AuthorizationFailure.
  std::optional<KeyScope> scope;

  std::vector<Operation> parts;  // kTransaction: up to 100 entity writes.

  // kImportEntities: `body` is a stretch of the input.
  std::optional<ImportPart> import_part;
};

// Bytes that the JSON parser may read, without a meaning, behind a body.
inline constexpr std::size_t kBodyPadding = 64;

// A success.
struct Response {
  int status = 200;       // The service's: 200, 201, 202, 204 or 304.
  std::string etag = {};  // Empty where the service sends none.
  std::string body = {};  // OData JSON; empty where the service sends none.

  // Absolute; empty unless Operation::locate asked for it.
  std::string location = {};

  // Continuation tokens: present exactly when more results follow.
  std::optional<std::string> next_partition_key = {};
  std::optional<std::string> next_row_key = {};
  std::optional<std::string> next_table_name = {};

  std::vector<Response> parts = {};  // kTransaction: one a part, in order.

  // What was stored, and yet the service may refuse: see validate.h.  Those of
  // a transaction stand at the whole.
  std::vector<Violation> warnings = {};
};

// --------------------------------------------------------------------- steps

using RequestId = std::uint32_t;
using ReadId = std::uint32_t;
using CommitId = std::uint32_t;

// Nothing to do before the next Submit, Supply or Complete.
struct Idle {
  // If not zero, the host calls Run() again after so long: there is upkeep that
  // waits until no write comes (StoreLimits::idle_ms).
  double background_work_in_ms = 0;
};

// Reads have used up their slice, and there is more to do: the host calls Run()
// again in a later turn of its event loop, so that its own work, and requests
// that are withdrawn or submitted meanwhile, get their turn.
struct Yield {};

// A request is done; its id is not used again before 2^32 others.
struct Answer {
  RequestId request;
  Result<Response> outcome;
};

// The engine lacks values.  The host reads them in one snapshot, then calls
// Supply() or ReadFailed().
struct Read {
  ReadId id;
  std::vector<ValueKey> keys;

  // If set: every record of the log with a number above it, too.
  std::optional<std::uint64_t> records_after;

  // The host may let nobody else write from here to the end of the commit that
  // follows Supply() at once, if one does: then that cannot be moved.  A host
  // that cannot hold others off does both as any other read and commit.
  bool is_exclusive = false;
};

struct Record {
  std::uint64_t number;
  Bytes value;
};

struct Snapshot {
  std::vector<std::optional<Bytes>> values;  // As Read::keys; none: not there.
  std::vector<Record> records;               // Ascending.
};

// The engine wants a batch stored; the host calls Complete() when it knows.
struct Commit {
  CommitId id;
  Batch batch;
  bool is_exclusive = false;  // It goes with the read that was just supplied.
};

enum class CommitOutcome : std::uint8_t {
  kOk,       // Durable, as far as the storage promises.
  kMoved,    // An expectation did not hold; nothing was stored.
  kQuota,    // No room; nothing was stored.
  kRefused,  // Refused for another reason; nothing was stored.
  kUnknown,  // It may be stored or not: the engine finds out by reading.
};

using Step = std::variant<Idle, Answer, Read, Commit, Yield>;

// -------------------------------------------------------------------- engine

using Random128 = std::array<std::uint8_t, 16>;

// The least and the most that a limit may be.
template <typename T>
struct Bounds {
  T least;
  T most;
};

// As much memory as a limit may give away, in bytes: of 4 GiB, a quarter.
inline constexpr std::size_t kMaxLimitBytes =
    std::size_t{1} << (sizeof(std::size_t) > 4 ? 40 : 30);

// When the engine keeps the store in shape, and how much of it in memory.
// Before each limit stands what it may be; Engine::Create() refuses all else.
struct StoreLimits {
  // Pages that are kept in memory for later reads, in bytes.
  static constexpr Bounds<std::size_t> kCacheBytes = {0, kMaxLimitBytes};
  std::size_t cache_bytes = std::size_t{64} << 20;

  // A log that is longer, in bytes or records, is moved into pages.
  static constexpr Bounds<std::size_t> kFlushBytes = {1,
                                                      std::size_t{256} << 20};
  std::size_t flush_bytes = std::size_t{1} << 20;
  static constexpr Bounds<std::size_t> kFlushRecords = {1, 1'000'000};
  std::size_t flush_records = 1000;

  // How long pages become, in bytes, and how many of them a step of a merge
  // writes: what storage takes well, and other tabs hardly feel.
  static constexpr Bounds<std::size_t> kPageBytes = {256,
                                                     std::size_t{60} * 1024};
  std::size_t page_bytes = std::size_t{60} * 1024;
  static constexpr Bounds<std::size_t> kStepPages = {1, 256};
  std::size_t step_pages = 9;

  // Upkeep waits until no write has come for so long, because the next one
  // would have to wait for it; unless it presses (IsFlushUrgent(),
  // IsCompactionUrgent()).  Milliseconds, up to a day.
  static constexpr Bounds<double> kIdleMs = {0, 86'400'000};
  double idle_ms = 0;

  // When none has come for so long, a log that is worth a page is moved into
  // pages, too, because queries look at each of its rows.  Milliseconds, up to
  // a day.
  static constexpr Bounds<double> kLongIdleMs = {0, 86'400'000};
  double long_idle_ms = 200;

  // How many bytes of entities an import stores in one step.
  static constexpr Bounds<std::size_t> kImportBytes = {1,
                                                       std::size_t{64} << 20};
  std::size_t import_bytes = std::size_t{4} << 20;
};

// How much reads do at a time, in units of work (base/work_budget.h): a unit
// takes about 100 ns on the benchmark machine.  Up to a day of it.
struct WorkLimits {
  // All reads together, between one Yield and the next: about 10 ms.
  static constexpr Bounds<std::uint64_t> kSliceUnits = {1, 864'000'000'000};
  std::uint64_t slice_units = 100'000;

  // A page of a list of entities or tables.  One that costs more ends with what
  // it has, perhaps nothing, and with a continuation token, as the service's
  // page does after five seconds.  Counts, lines and changes have no pages.
  static constexpr Bounds<std::uint64_t> kPageUnits = {1, 864'000'000'000};
  std::uint64_t page_units = 1'000'000;
};

// As much memory as one step of a read or of a commit may take, whatever it is
// about: an answer of 4 MiB, say, which grows by doubling.
inline constexpr std::size_t kStepBytes = std::size_t{16} << 20;

struct EngineOptions {
  // 3 to 24 lower-case letters and digits; stands in `odata.type`.
  std::string account = "devstoreaccount1";

  // An absolute address, "scheme://host/path", without blanks, control
  // characters, `?`, `#` and a trailing slash; stands in `odata.metadata` and
  // `odata.id`.
  std::string base_url = "http://127.0.0.1:10002/devstoreaccount1";

  // How long keys may be.
  Profile profile = Profile::kDefault;

  // Random bytes that no other opener has, not all zero: the name under which
  // this engine finds its own commits again, and the identity of a store that
  // it creates.  The first also keeps strangers from knowing how keys are
  // hashed in memory.
  Random128 session{};
  Random128 new_store_id{};

  StoreLimits store{};
  WorkLimits work{};

  // How many bytes of requests may wait to be answered.  A write that finds no
  // room, or an import that begins, is answered with ServerBusy, and nothing of
  // it is kept: where the limit is less than 5 MiB, long ones never find any.
  static constexpr Bounds<std::size_t> kMaxWaitingBytes = {4096,
                                                           kMaxLimitBytes};
  std::size_t max_waiting_bytes = std::size_t{64} << 20;

  // Whether so many bytes of memory can be had; null: always.  Asked before a
  // step of a read, or a commit: where it says no, the request is answered with
  // ServerBusy, and nothing of it was done.
  bool (*has_room)(std::size_t bytes) = nullptr;
};

class Engine {
 public:
  // Fails with InvalidInput if an option is outside of the range beside it. The
  // text is for the author of the host.
  static Result<Engine> Create(EngineOptions options);

  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;

  // Takes a request.  All that does not depend on stored data is checked here,
  // and what has to be kept is copied.
  RequestId Submit(const Operation& operation);

  // What became of the request that was submitted last, if it is a read that
  // succeeds with what is in memory, within what is left of the slice: then it
  // is done, and Run() does not answer it.
  std::optional<Response> TakeAnswer();

  // As Submit(), for an operation frame (frame.h), of which `capacity` bytes
  // can be read from its start.
  RequestId SubmitFrame(BytesView frame, std::size_t capacity);

  // Takes a request that failed before it could become an operation: its answer
  // is the reason.
  RequestId Refuse(Error reason);

  // Withdraws a request.  True: it will never be answered, and a write was not
  // begun; a read stops where it is.  False: a write that is under way, which
  // may still come true, or a request that was answered.
  bool Cancel(RequestId request);

  // The next thing for the host to do.  `unix_milliseconds` is the time, by
  // which timestamps are made; they never go back even if it does.
  Step Run(double unix_milliseconds);

  // What Read asked for.  Anything else about `id` is ignored.  True: the
  // Commit that goes with an exclusive read is among the steps that wait, which
  // Run() returns before it does anything else.
  bool Supply(ReadId id, Snapshot snapshot);

  // The read failed; the requests that need it are answered with `reason`
  // (StorageUnavailable, for one).  Later requests try again.
  void ReadFailed(ReadId id, const Error& reason);

  // What became of Commit.
  void Complete(CommitId id, CommitOutcome outcome);

  // Asks for no further step of keeping the store in shape: before an orderly
  // end, which would otherwise have to wait for many.
  void StopBackgroundWork();

  // How many entities reads have looked at since the engine was made: what a
  // query costs, whatever it finds.
  std::uint64_t examined_entities() const;

  // How many units of work reads have done since the engine was made.
  std::uint64_t spent_units() const;

  // How often the engine has turned to a read that waited, since it was made: a
  // read that waits for something else costs nothing.
  std::uint64_t visited_reads() const;

  // About how many bytes of requests wait to be answered, their keys, bodies
  // and filters, and what is kept beside them.
  std::size_t waiting_bytes() const;

  // Bytes of pages in memory, those in the cache and those that are in use,
  // where a page that two requests use counts twice.  At most
  // StoreLimits::cache_bytes, a quarter of that, or 4 MiB if that is more, for
  // reads that wait or were interrupted, and what two reads, one commit and one
  // step of upkeep use.
  std::size_t page_bytes() const;

  // Whether so many bytes can be had, if need be without the pages that are
  // kept for later reads: true, if nobody said how to find out.
  bool MakeRoom(std::size_t bytes);

 private:
  class Impl;  // engine_impl.h

  explicit Engine(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_H_
