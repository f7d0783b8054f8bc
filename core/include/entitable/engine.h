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

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "entitable/error.h"
#include "entitable/limits.h"
#include "entitable/operation.h"
#include "entitable/result.h"
#include "entitable/steps.h"
#include "entitable/storage.h"

namespace entitable {

struct SyncSupport;  // write/sync_support.h

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

  // Starts no more background work until ResumeBackgroundWork().  The host
  // calls this before an orderly end, which would otherwise wait for many
  // steps, and as long as it does not yet have the code for such work.
  void StopBackgroundWork();
  void ResumeBackgroundWork();

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
