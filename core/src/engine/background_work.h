// background_work.h - flushes and compactions, one step at a time.

#ifndef ENTITABLE_ENGINE_BACKGROUND_WORK_H_
#define ENTITABLE_ENGINE_BACKGROUND_WORK_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "base/date_time.h"
#include "engine/background_state.h"
#include "entitable/limits.h"
#include "entitable/result.h"
#include "host/host_link.h"
#include "host/memory.h"
#include "host/page_reader.h"
#include "store/store.h"

namespace entitable {

// What the rest of the engine is doing, as far as background work depends on
// it.
struct Activity {
  bool is_log_free = false;       // The log channel has nothing to do.
  bool is_write_waiting = false;  // Or a step of an import.
  bool is_importing = false;
  bool is_storing_load = false;  // The commit group is a step of an import.
  bool must_recover = false;     // The storage may have lost records.
  bool is_room_short = false;    // The storage was full.
  std::uint64_t reads = 0;       // How often a read has had its turn.
};

// Moves log records into pages (flush), and rewrites pages (compaction), when
// the engine has nothing else to do.
//
// Invariants:
// - At most one step is being stored.  It is fenced by the manifest, so it is
//   stored only if no other engine was faster.
// - A flush changes the checkpoint, which commits expect to be unchanged, so it
//   starts only between commit groups, and writes wait until it is stored.
// - A compaction does not run while a bulk load is stored: both replace the
//   manifest.
// - No step starts before recovery.  If the storage lost a record whose rows
//   are already in pages, engines that catch up from the log would find a gap.
// - After a step has failed, no step starts until more commits have come.
// - No step starts without the memory that it needs.
// - A step begins a turn of the host.  So the answers of the previous turn
//   reach their callers first, and no turn has more to do than one step.
// - While the store is only read, steps leave idle_ms to the reads in between.
//   Nothing grows meanwhile, and no read can put a step off for longer.  With
//   very many runs they leave none: reads gain more from fewer runs.
class BackgroundWork {
 public:
  BackgroundWork(const StoreLimits& limits, const HostMemory& memory,
                 Store& store, PageReader& pages, HostLink& host)
      : limits_(limits),
        memory_(memory),
        store_(store),
        pages_(pages),
        host_(host),
        window_(store.cache(), PageWindow::Hold::kForever) {}

  // kWithoutMemory: a flush that writes wait for finds no memory.
  enum class Started : std::uint8_t { kNothing, kStep, kWithoutMemory };

  // Starts a step, if one is due and the turn has just begun; else the next
  // turn is for it.
  Started Start(const Activity& activity);

  BackgroundState state() const { return state_; }
  bool wants_turn() const { return state_ == BackgroundState::kWantsTurn; }

  // Whether the log must be read because a step was moved.
  bool is_refresh_due() const { return IsMoved(); }

  // Whether further steps may start.
  void set_allowed(bool is_allowed) { is_allowed_ = is_allowed; }

  // Ends the pause after a failure.
  void Resume() { paused_until_ = 0; }

  // How long work that is due waits for the store to be idle: 0 if there is
  // none.  In milliseconds, since BeginTurn().
  double wait_ms() const { return wait_ms_; }
  void BeginTurn();

  // The engine has made or seen a change.
  void NoteChange() {
    last_change_ = host_.now();
    memory_wait_ms_ = 0;
  }

  // The log must not grow without bound.  Writes wait until a flush is stored,
  // and fail if it cannot be stored (a write stall).
  bool MustFlushFirst(const Activity& activity) const;

  // Whether the next write finds too little memory.  A flush may make room.
  void SetMemoryShort(bool is_short) { is_memory_short_ = is_short; }

  // The same for imports and compactions.
  bool MustCompactFirst(const Activity& activity) const;

  // Each fetch ends with one of the next two functions.  HoldPages() holds the
  // pages for which a compaction waits.
  void HoldPages();
  void PagesFailed(const Error& reason);

  // A request has found too little memory.  The next step gives up its pages,
  // and all records are flushed.
  void GiveWay();

  // The step was stored.  Fails with StorageEvicted or StorageDamaged.
  Result<void> Install();

  // The step was moved, or its outcome is unknown: the log must be read.
  void NoteMoved();

  // The step failed.  If writes wait for it, they must fail, too: returns the
  // reason for them.
  [[nodiscard]] std::optional<Error> Fail(const Error& reason,
                                          bool must_recover);

  // The log was read, or could not be read.  As Fail().
  [[nodiscard]] std::optional<Error> EndRefresh(const Result<void>& read,
                                                bool must_recover);

  // The store is closed.
  void Reset();

  // The pages that the next step of a compaction holds.
  const PageWindow& window() const { return window_; }

 private:
  void Handle(BackgroundEvent event) {
    state_ = Next(kBackgroundTable, state_, event);
  }
  bool IsMoved() const;
  bool IsFlush() const;
  bool HasStep() const;

  Started StartDue(const Activity& activity);
  bool IsPaused() const;
  double LeftOfMs(double ms, DateTime since) const;
  void WaitMs(double ms);
  bool MustStall() const;
  bool WaitUntilIdle(double ms);
  bool LeaveTimeToReads(const Activity& activity);
  bool HasManyRuns() const;
  bool ClaimTurn();
  bool MayCompact(const Activity& activity) const;
  Started Flush(const Activity& activity, double idle_ms);
  bool Compact(const Activity& activity);
  void Send(BackgroundStep step, BackgroundEvent sent);
  void Drop();
  void ReleaseWindow();
  void Pause();
  void PauseForMemory();

  const StoreLimits& limits_;
  const HostMemory& memory_;
  Store& store_;
  PageReader& pages_;
  HostLink& host_;

  BackgroundState state_ = BackgroundState::kIdle;

  // The step that is being stored, or that was moved and waits for a refresh.
  BackgroundStep step_;
  // The version of the state when the step was sent.
  std::uint64_t sent_version_ = 0;
  // How many reads of the log had begun when the step was moved.
  std::uint64_t reads_before_move_ = 0;

  // The pages of the next step of a compaction, and those that it waits for.
  PageWindow window_;
  std::vector<PageId> awaited_;

  // When the last step was installed, and how many reads had come before it was
  // sent.
  DateTime last_step_{};
  std::uint64_t reads_before_step_ = 0;

  bool is_allowed_ = true;
  bool is_memory_short_ = false;
  double wait_ms_ = 0;
  DateTime last_change_{};
  // Pauses are no states, because they overlap, and a flush that writes wait
  // for begins in spite of them.
  // After a failed step, no step starts until the head reaches this record.
  std::uint64_t paused_until_ = 0;
  // The same for a step that found too little memory: how long, since when.
  double memory_wait_ms_ = 0;
  DateTime short_of_memory_at_{};
};

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_BACKGROUND_WORK_H_
