// engine.h - the whole contract between the core and its host.
//
// An Engine is one opened account: its tables, their entities, and the rules of
// the Azure Table service.  The engine does no I/O, never waits, reads no
// clock, starts no thread and throws nothing.  The host passes in the current
// time.  When the engine needs stored values, it asks the host for them.
//
// The host drives the engine in a loop:
//
//   Result<Engine> made = Engine::Create({.account = "devstoreaccount1", ...});
//   Engine& engine = *made;  // Check it first: wrong options are an error.
//   RequestId id = engine.Submit(operation);  // Any number of them.
//   for (;;) {
//     Step step = engine.Run(now);
//     if (auto* answer = std::get_if<Answer>(&step)) {
//       // Pass the outcome to the caller of the request.
//     } else if (auto* read = std::get_if<Read>(&step)) {
//       // Fetch the values, then call Supply().
//     } else if (auto* commit = std::get_if<Commit>(&step)) {
//       // Store the batch, then call Complete().
//     } else if (std::holds_alternative<Yield>(step)) {
//       // Continue in a later turn of the event loop.
//     } else {
//       break;  // Idle.
//     }
//   }
//
// Reads and commits may take any time.  Meanwhile the host keeps calling Run(),
// which answers every request that it can.  Run() returns Idle when all
// remaining requests wait for the host.  tests/support/memory_host.h is a small
// example of a host.
//
// What a caller may rely on:
//
// - The engine answers a write with success only after the host completed its
//   commit with kOk, so the write is in storage.  A write that failed changed
//   nothing.
// - The engine rejects a write for a reason that depends on stored data (404,
//   409, 412) only after it checked the head of the log since the write was
//   submitted.
// - A read sees the newest state in storage that this engine knows.  After the
//   engine answered a write, every read submitted later sees that write.  With
//   `fresh` (operation.h), a read also sees all writes that other engines
//   answered before it was submitted.
// - The engine evaluates writes in the order of their submission.  Writes that
//   wait together share one commit.  Each write has its own timestamp.
// - No call works on reads and on steps of imports for longer than one slice
//   (WorkLimits), whatever the filter is.  Those that need more take turns, one
//   slice each.  A step of background work takes a turn like a slice.

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
#include "entitable/operation.h"
#include "entitable/result.h"
#include "entitable/storage.h"

namespace entitable {

// --------------------------------------------------------------------- steps

using RequestId = std::uint32_t;
using ReadId = std::uint32_t;
using CommitId = std::uint32_t;

// There is nothing to do before the next Submit(), Supply() or Complete().
struct Idle {
  // If not zero, the host calls Run() again after this time: background work
  // waits until the store is idle (StoreLimits::idle_ms).
  double background_work_in_ms = 0;
};

// Reads and imports have used up the slice, and more work is left; or the next
// turn is for a step of background work.  The host calls Run() again in a later
// turn of its event loop.  In between, the host does its own work, passes on
// answers, and submits or withdraws requests.
struct Yield {};

// A request is done.  Its id is not used again before 2^32 other requests.
struct Answer {
  RequestId request;
  Result<Response> outcome;
};

// The engine needs values.  The host reads all of them in one snapshot, then
// calls Supply() or ReadFailed().
struct Read {
  ReadId id;
  std::vector<ValueKey> keys;

  // If set: also all log records with a greater number.
  std::optional<std::uint64_t> records_after;

  // If the next step after Supply() is a commit, the host may keep all other
  // writers out from this read until that commit ends.  The commit can then not
  // fail with kMoved.  A host that cannot keep others out treats both like any
  // other read and commit.
  bool is_exclusive = false;
};

struct Record {
  std::uint64_t number;
  Bytes value;
};

struct Snapshot {
  // In the order of Read::keys; empty: the key has no value.
  std::vector<std::optional<Bytes>> values;
  std::vector<Record> records;  // Ascending.
};

// The engine wants the batch stored.  The host calls Complete() when it knows
// the outcome.
struct Commit {
  CommitId id;
  Batch batch;
  bool is_exclusive = false;  // It belongs to the read that was just supplied.
};

enum class CommitOutcome : std::uint8_t {
  kOk,       // Durable, as far as the storage promises.
  kMoved,    // An expectation did not hold; nothing was stored.
  kQuota,    // The storage is full; nothing was stored.
  kRefused,  // The storage failed for another reason; nothing was stored.
  kUnknown,  // It may be stored or not.  The engine finds out by reading.
};

using Step = std::variant<Idle, Answer, Read, Commit, Yield>;

// -------------------------------------------------------------------- engine

using Random128 = std::array<std::uint8_t, 16>;

// The least and greatest allowed value of a limit.
template <typename T>
struct Bounds {
  T least;
  T most;
};

// The greatest memory limit, in bytes: a quarter of a 4 GiB address space.
inline constexpr std::size_t kMaxLimitBytes =
    std::size_t{1} << (sizeof(std::size_t) > 4 ? 40 : 30);

// When the engine does background work (flush and compaction), and how much of
// the store it keeps in memory.  The allowed values precede each limit;
// Engine::Create() rejects all others.
struct StoreLimits {
  // The size of the page cache, in bytes.
  static constexpr Bounds<std::size_t> kCacheBytes = {0, kMaxLimitBytes};
  std::size_t cache_bytes = std::size_t{64} << 20;

  // The engine flushes the log into pages when the unflushed records exceed one
  // of these limits, in bytes or in records.
  static constexpr Bounds<std::size_t> kFlushBytes = {1,
                                                      std::size_t{256} << 20};
  std::size_t flush_bytes = std::size_t{1} << 20;
  static constexpr Bounds<std::size_t> kFlushRecords = {1, 1'000'000};
  std::size_t flush_records = 1000;

  // Writes wait for a flush when the unflushed records take this much memory.
  static constexpr Bounds<std::size_t> kWriteBufferBytes = {4, kMaxLimitBytes};
  std::size_t write_buffer_bytes = std::size_t{64} << 20;

  // The size of a page in bytes, and the number of pages that one compaction
  // step writes.  The defaults suit common storages.  A step is one task of
  // the host.  Short steps let a web page draw its frames in time.
  static constexpr Bounds<std::size_t> kPageBytes = {256,
                                                     std::size_t{60} * 1024};
  std::size_t page_bytes = std::size_t{60} * 1024;
  static constexpr Bounds<std::size_t> kStepPages = {1, 256};
  std::size_t step_pages = 5;

  // Background work waits until no write has come for this time, because it
  // would delay the next write.  Urgent work does not wait
  // (docs/internals/store-protocol.md).  While there are reads and no writes,
  // this is also the least time between two steps, unless the store has very
  // many runs.  Milliseconds, up to a day.
  static constexpr Bounds<double> kIdleMs = {0, 86'400'000};
  double idle_ms = 0;

  // After this time without a write, the engine also flushes a log that would
  // fill only one page, because queries examine every row of the log.
  // Milliseconds, up to a day.
  static constexpr Bounds<double> kLongIdleMs = {0, 86'400'000};
  double long_idle_ms = 200;

  // How many bytes of entities an import stores in one step.
  static constexpr Bounds<std::size_t> kImportBytes = {1,
                                                       std::size_t{64} << 20};
  std::size_t import_bytes = std::size_t{4} << 20;
};

// How much work reads and imports do at a time, in units
// (docs/internals/queries.md).  One unit takes about 100 ns on the benchmark
// machine.  At most about a day.
struct WorkLimits {
  // Their work together between one Yield and the next: about 10 ms.
  static constexpr Bounds<std::uint64_t> kSliceUnits = {1, 864'000'000'000};
  std::uint64_t slice_units = 100'000;

  // The work for one page of a list of entities or tables.  A page that costs
  // more ends early, perhaps empty, with a continuation token; the service does
  // the same after five seconds.  Counts, changes and tables as archive lines
  // have no pages.
  static constexpr Bounds<std::uint64_t> kPageUnits = {1, 864'000'000'000};
  std::uint64_t page_units = 1'000'000;

  // A page of a list of entities ends early when it is longer than this, in
  // bytes.  Otherwise 1,000 entities of 1 MiB would become a text of 1 GiB. The
  // service also ends pages early for its own reasons.
  static constexpr Bounds<std::size_t> kListBytes = {1, std::size_t{4} << 20};
  std::size_t list_bytes = std::size_t{4} << 20;
};

// The memory that any single step of a read or commit may take, for example for
// an answer of 4 MiB that grows by doubling.
inline constexpr std::size_t kStepBytes = std::size_t{16} << 20;

struct SyncSupport;  // engine/sync_support.h

// For EngineOptions::sync: links the code of sync.
const SyncSupport* WithSync();

struct EngineOptions {
  // 3 to 24 lower-case letters and digits.  Part of `odata.type`.
  std::string account = "devstoreaccount1";

  // An absolute address, "scheme://host/path", without blanks, control
  // characters, `?`, `#` and a trailing slash.  Part of `odata.metadata` and
  // `odata.id`.
  std::string base_url = "http://127.0.0.1:10002/devstoreaccount1";

  // The longest allowed keys.
  Profile profile = Profile::kDefault;

  // Random bytes that no other engine has, not all zero.  `session` is the name
  // by which this engine finds its own commits again; it also seeds the hash of
  // keys in memory, so that strangers cannot predict it.  `new_store_id` is the
  // identity of a store that this engine creates.
  Random128 session{};
  Random128 new_store_id{};

  StoreLimits store{};
  WorkLimits work{};

  // Null: steps of sync, and writes to tables that are synced, are refused.
  const SyncSupport* sync = nullptr;

  // How many bytes of requests may wait for an answer.  A write, or the start
  // of an import, that exceeds the limit fails with ServerBusy and leaves
  // nothing behind.  Below 5 MiB, the longest requests always fail.
  static constexpr Bounds<std::size_t> kMaxWaitingBytes = {4096,
                                                           kMaxLimitBytes};
  std::size_t max_waiting_bytes = std::size_t{64} << 20;

  // The most memory that a write may need until it is stored, in bytes.  A
  // write that needs more fails with RequestBodyTooLarge; it would never find
  // enough.
  std::size_t max_group_memory = SIZE_MAX;

  // Lowers the limits above, so that a request of any length fits into memory.
  static constexpr std::size_t kLeastMemoryBytes = std::size_t{64} << 20;
  void FitIntoMemory(std::size_t bytes);

  // Tells whether this many bytes of memory are available; null: always.  The
  // engine asks before each step of a read or commit.  If the answer is no, the
  // request fails with ServerBusy and has no effect.
  bool (*has_room)(std::size_t bytes) = nullptr;
};

class Engine {
 public:
  // Fails with InvalidInput if an option is outside its allowed range.  The
  // message is meant for the author of the host.
  static Result<Engine> Create(EngineOptions options);

  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;

  // Takes a request.  The engine makes every check here that needs no stored
  // data, and copies everything that it keeps.  Addresses in the answer start
  // with `base_url`; if it is empty, with EngineOptions::base_url.
  RequestId Submit(const Operation& operation, std::string_view base_url = {});

  // The answer to the request that was submitted last, if it is a read that
  // succeeds from memory within the rest of the slice.  The request is then
  // done, and Run() does not answer it.
  std::optional<Response> TakeAnswer();

  // Like Submit(), for an operation frame (frame.h).  `capacity` bytes are
  // readable from its start.
  RequestId SubmitFrame(BytesView frame, std::size_t capacity);

  // Takes a request that failed before it became an operation.  The reason is
  // its answer.
  RequestId Refuse(Error reason);

  // Withdraws a request.  True: the request will never be answered, and a write
  // was not started.  False: a write is in progress and may still succeed, or
  // the request was already answered.
  bool Cancel(RequestId request);

  // Returns the next step for the host.  `unix_milliseconds` is the current
  // time, from which the engine makes timestamps.  Timestamps never go back,
  // even if the time does.
  Step Run(double unix_milliseconds);

  // Supplies the values of a Read.  An unknown `id` is ignored.  True: the
  // Commit of an exclusive read is among the waiting steps, and Run() returns
  // it before it does anything else.
  bool Supply(ReadId id, Snapshot snapshot);

  // The read failed.  Requests that need it fail with `reason`, for example
  // StorageUnavailable.  Later requests try again.
  void ReadFailed(ReadId id, const Error& reason);

  // Reports the outcome of a Commit.
  void Complete(CommitId id, CommitOutcome outcome);

  // Starts no more background work.  The host calls this before an orderly end,
  // which would otherwise wait for many steps.
  void StopBackgroundWork();

  // How many entities reads have examined since the engine was created: the
  // cost of queries, whatever they find.
  std::uint64_t examined_entities() const;

  // How many units of work reads and imports have used since the engine was
  // created.
  std::uint64_t spent_units() const;

  // How often the engine has resumed a waiting read since it was created.  A
  // read that waits costs nothing.
  std::uint64_t visited_reads() const;

  // About how many bytes the waiting requests take: their keys, bodies, filters
  // and bookkeeping.
  std::size_t waiting_bytes() const;

  // The bytes of pages in memory, both cached and in use.  A page that two
  // requests use counts twice.  The sum is at most StoreLimits::cache_bytes,
  // plus a quarter of that (at least 4 MiB) for reads that wait or were
  // interrupted, plus what two reads, one commit and one step of background
  // work use.  The order keys that an ordered query keeps are not included:
  // also a quarter, or 4 MiB, for each one in progress and for the last one.
  std::size_t page_bytes() const;

  // Whether this many bytes are available, if necessary after dropping cached
  // pages.  True if EngineOptions::has_room is null.
  bool MakeRoom(std::size_t bytes);

 private:
  class Impl;  // engine_impl.h

  explicit Engine(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_H_
