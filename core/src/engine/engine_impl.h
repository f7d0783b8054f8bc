// engine_impl.h - opens and closes the account, and decides whose turn it is.
//
// A call of Run() does all that needs no answer of the host.  It returns a step
// for the host as soon as there is one.  Otherwise Advance() does the first of
// these that is possible, and the loop begins again:
//
//   1  open the store         it is closed, and a request waits
//   2  a background step      it was promised this turn; the slice ends with it
//   3  a read goes on         there are units left in the slice
//   4  a paused import goes   the same; in every other slice it comes before 3
//   5  refuse all requests    the store is evicted, and no read can go on
//   6  read the log           somebody must know what is new
//   7  begin a commit group   a write or a step of an import waits
//   8  fetch pages            reads, the group or a compaction lack some
//   9  background work        a step that is due asks for the next turn
//
// If nothing is possible, the host gets Yield or Idle.  Yield means that the
// slice is spent and reads or an import have more to do, or that a background
// step wants a turn.  The host lets others run and calls again, which begins a
// new slice.  Idle names the time after which background work may begin.
//
// The host may work for three channels at the same time, none of which waits
// for another: the log, pages, and background steps.  An answer names what it
// is about by an id.  HostLink finds the channel, or nothing if the engine has
// given it up meanwhile.  Who uses the log channel is known from the phase,
// UserIn():
//
//             a read returns        it fails             a commit ends
//   opener    Open()                all requests fail    read again, or fail
//   group     catch up, judge it    the group fails      judge it, answer
//   refresh   catch up              fresh reads fail     -
//
// All that is found out of the log is applied before anybody continues.  So the
// group, reads and background work see one state, and never two.
//
// FailAll() is the only way to close the store.  It answers everything that
// waits, and HostLink::Reset() makes late answers of the host meaningless.  A
// group that the host may still store fails with StorageOutcomeUnknown.

#ifndef ENTITABLE_ENGINE_ENGINE_IMPL_H_
#define ENTITABLE_ENGINE_ENGINE_IMPL_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/json_reader.h"
#include "base/work_budget.h"
#include "commit/commit_pipeline.h"
#include "commit/import_queue.h"
#include "commit/log_phase.h"
#include "engine/background_work.h"
#include "engine/request_intake.h"
#include "engine/store_opener.h"
#include "entitable/engine.h"
#include "entitable/result.h"
#include "host/host_link.h"
#include "host/memory.h"
#include "host/page_reader.h"
#include "read/read_scheduler.h"
#include "store/store.h"

namespace entitable {

// A part of the engine knows only the parts that its constructor takes.  It
// returns what it needs from others, and this class passes that on.
//
// Invariant: the phase tells what the log channel is doing.  A commit group, a
// refresh and the opening of the store need that channel, so only one of them
// is in progress at a time.  Only Handle() changes the phase.
class Engine::Impl {
 public:
  explicit Impl(EngineOptions options);
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  RequestId Submit(const Result<Operation>& operation,
                   std::string_view base_url = {}) {
    return requests_.Submit(operation, base_url);
  }
  std::optional<Response> TakeAnswer() {
    return reads_.AnswerAtOnce(requests_.last_request());
  }
  bool Cancel(RequestId request) { return requests_.Cancel(request); }
  Step Run(double unix_milliseconds);
  bool Supply(ReadId id, Snapshot snapshot);
  void ReadFailed(ReadId id, const Error& reason);
  void Complete(CommitId id, CommitOutcome outcome);
  void AllowBackgroundWork(bool is_allowed) {
    background_.set_allowed(is_allowed);
  }
  std::uint64_t examined_entities() const { return reads_.examined_entities(); }
  std::uint64_t spent_units() const { return work_.spent(); }
  std::uint64_t visited_reads() const { return reads_.visited_reads(); }
  std::size_t waiting_bytes() const { return requests_.waiting_bytes(); }
  std::size_t page_bytes() const {
    return store_.cache().bytes() + store_.cache().held_bytes();
  }
  bool MakeRoom(std::size_t bytes) const { return memory_.MakeRoom(bytes); }

 private:
  // --- Turns

  bool HasRequests() const;

  // Begins a new slice if the last one has made the host wait.
  void BeginRun();

  // Whether the slice is spent and there is more to do.
  bool IsSliceOver();

  // Whether the next run must begin a new slice, in another turn of the host.
  bool MustYield();

  // Does the next piece of work.  Returns whether there was any that needs no
  // host.
  bool Advance();
  bool IsRefreshDue() const;
  bool IsTurnOfLoad() const;
  bool IsTurnOfWrite() const;
  bool StartOrFailGroup();
  void FailNextWrite(const Error& reason);
  void StartGroup();
  bool FetchPages();
  Activity activity() const;

  // --- The log channel

  void Handle(LogEvent event);
  void Handle(Result<LogEvent> event);
  void ReadLog(std::uint64_t records_after, bool is_exclusive = false);
  bool CatchUpWith(const Snapshot& snapshot);
  void ContinueGroup(const Snapshot& snapshot);
  void Refresh(const Snapshot& snapshot);
  void EndRefresh(const Result<void>& read);

  // --- The other channels

  void AcceptPages(Snapshot snapshot);
  void PagesFailed(const Error& reason);
  void CompleteBackgroundStep(CommitOutcome outcome);

  // Fails the waiting writes, if there is a reason: a flush that they wait for
  // has failed.
  void FailStalled(const std::optional<Error>& reason);

  // --- The account

  void Open(const Snapshot& snapshot);

  // Answers all waiting requests with the reason.  The next request opens the
  // store again.
  void FailAll(const Error& reason);

  EngineOptions options_;
  JsonReader json_;
  HostLink host_;
  Store store_{options_.store};
  HostMemory memory_{options_, store_};
  PageReader pages_;
  ImportQueue imports_{options_, json_, host_};
  WorkBudget work_;  // What reads and imports may still do in this slice.
  CommitPipeline commits_{options_, memory_, store_, pages_,
                          imports_, host_,   work_};
  BackgroundWork background_{options_.store, memory_, store_, pages_, host_};
  ReadScheduler reads_{options_,
                       memory_,
                       store_,
                       pages_,
                       host_,
                       work_,
                       commits_.window(),
                       background_.window()};
  RequestIntake requests_{options_, memory_,  json_,    store_,
                          reads_,   commits_, imports_, host_};
  StoreOpener opener_{options_.new_store_id, store_, host_};

  LogPhase phase_ = LogPhase::kClosed;
  bool must_yield_ = false;
  // This slice is a step of background work.
  bool is_turn_of_background_ = false;
  // In every other slice, an import comes before the reads.
  bool is_turn_of_import_ = false;
  // The state's progress when the last read of the log began.
  Store::Progress asked_at_{};
  // A fetch of pages has shown that the log has newer records.
  bool is_catch_up_due_ = false;
};

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_ENGINE_IMPL_H_
