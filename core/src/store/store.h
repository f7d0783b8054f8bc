// store.h - the store of an account, as the engine uses it.
//
// Everything that changes the store goes through here: opening it, catching up
// with the log, applying records, flushes and compactions.  Reads work on the
// state that it hands out: store/lookup.h finds one row, store/scan.h many.

#ifndef ENTITABLE_STORE_STORE_H_
#define ENTITABLE_STORE_STORE_H_

#include <cassert>
#include <memory>
#include <optional>
#include <vector>

#include "entitable/limits.h"
#include "entitable/result.h"
#include "entitable/storage.h"
#include "store/account_state.h"
#include "store/flush.h"
#include "store/log_record.h"
#include "store/overlay.h"
#include "store/page_cache.h"
#include "store/recent_changes.h"

namespace entitable {

// The page cache is there even while the store is closed, because requests that
// wait for the store to open already have windows into it.  Everything else
// needs an open store.
class Store {
 public:
  // How old the values are that a read asks for.
  using Progress = AccountState::Progress;

  explicit Store(const StoreLimits& limits)
      : limits_(limits), cache_(limits.cache_bytes) {}

  // --- Opening

  // The keys that CatchUp() needs the values of, in their order.
  static std::vector<ValueKey> Keys();

  // Those of Open(), which takes some pages, too (store/opening_pages.h).
  static std::vector<ValueKey> OpeningKeys();

  bool is_open() const { return state_ != nullptr; }

  // From a snapshot with all log records.  The value of the last opening key
  // may be left out.  Returns false if there is no store yet.  Fails with
  // StorageDamaged.
  Result<bool> Open(const Snapshot& snapshot);

  // What makes a new store.
  static Batch MakeCreation(const Random128& store_id);

  void Close();

  // --- Reading

  const AccountState& state() const { return assert(state_), *state_; }
  PageCache& cache() { return cache_; }
  const PageCache& cache() const { return cache_; }

  // Rows that only the next read is to see.
  Overlay Cover(BytesView record) { return {open_state(), record}; }

  // The tables that changed since the last call.  Valid until the next call.
  const RecentChanges::Touched& TakeTouched() {
    return open_state().TakeTouched();
  }

  // --- The log

  Progress progress() const { return state().progress(); }

  // Applies what a read of the log has returned, which began at `asked_at`.
  // Fails with StorageDamaged or StorageEvicted; the store must then be closed.
  Result<void> CatchUp(const Snapshot& snapshot, const Progress& asked_at);

  // The same for the manifest alone, which comes with fetched pages.
  Result<void> AcceptManifest(const std::optional<Bytes>& value,
                              const Progress& asked_at);

  // The unflushed records that the storage has lost, after CatchUp() with the
  // same snapshot.  Fails with StorageDamaged.
  Result<std::vector<Put>> LostRecords(const Snapshot& snapshot) const;

  // Whether the store has the commit.  Nothing: unknown.
  std::optional<bool> HasCommit(const Author& author) const;

  // A record that was made for this state is stored; with the pages of a bulk
  // load, if there is a manifest.  Fails with StorageDamaged if the record does
  // not fit the state after all.
  Result<void> Apply(const RecordHead& head, SharedBytes value,
                     const Bytes* manifest);

  // --- Flushes and compactions: store/flush.h, store/compaction.h

  bool IsFlushWorthwhile() const;
  bool IsFlushDue() const;
  bool IsFlushUrgent() const;
  bool MustStallWrites() const;
  std::size_t FlushMemory() const;
  BackgroundStep Flush();

  bool IsCompactionDue(bool is_room_short) const;
  bool IsCompactionUrgent() const;
  std::optional<BackgroundStep> Compact(PageWindow& window, bool is_room_short);

  // The step is stored.  Fails with StorageDamaged or StorageEvicted.
  Result<void> Install(const BackgroundStep& step);

 private:
  AccountState& open_state() { return assert(state_), *state_; }

  const StoreLimits& limits_;
  std::unique_ptr<AccountState> state_;  // Null while the store is closed.
  PageCache cache_;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_STORE_H_
