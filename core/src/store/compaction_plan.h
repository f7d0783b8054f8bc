// compaction_plan.h - which runs a compaction merges, and how it reads them.

#ifndef ENTITABLE_STORE_COMPACTION_PLAN_H_
#define ENTITABLE_STORE_COMPACTION_PLAN_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "entitable/storage.h"
#include "store/leaf_page.h"
#include "store/leaf_rows.h"
#include "store/manifest.h"
#include "store/page_cache.h"

namespace entitable {

// How many of the newest runs to compact into one; 0 if there is nothing to do.
// The first rule that applies decides:
//
// - Compact all runs if the newer runs together have at least a sixth of the
//   size of the oldest run, if dropped tables have a sixth of the size of all
//   runs, or if there are many dropped tables.  Only this removes tombstones.
// - If there are more than kMaxRuns runs: compact the two newest, and then each
//   next run that is at most six times as large as the runs before it.
//
// With `is_room_short`, compact all runs whenever that may free space.
std::size_t RunsToCompact(const Manifest& manifest, bool is_room_short);

// Whether a due compaction must not wait for the store to be idle.  This is so
// when the newer runs have a fifth of the size of the oldest, or dropped tables
// have a fifth of the whole: the stored data is then (1 + 1/5) / (1 - 1/5) =
// 1.5 times the live data.  It is also so when there are more than twice
// kMaxRuns runs.  Each compaction step makes the newer runs smaller, so under a
// constant load of writes the engine takes only as many steps as necessary.
bool IsCompactionUrgent(const Manifest& manifest);

// ------------------------------------------------------------- compaction runs

// The inputs and the output of a compaction, in a manifest.

// Where they are among the runs: the inputs, then the output.
struct CompactionRuns {
  std::size_t first;   // The first input.
  std::size_t output;  // The output, directly behind the inputs.

  std::span<Run> InputsIn(Manifest& manifest) const;
  Run& OutputIn(Manifest& manifest) const { return manifest.runs[output]; }
};

// The compaction in progress.  If there is none, gives runs their roles for
// one, with an empty output; call it only if one is due.
CompactionRuns FindOrBeginCompaction(Manifest& manifest, bool is_room_short);

// Rows of the input before its next key (null: all rows) are in the output, so
// the batch deletes their directory pages.  No engine may read the input there
// any more.
void ConsumeInput(Run& input, const std::string* next_key, Batch& batch);

// Removes the inputs, and what is known of tables that were dropped before the
// compaction began.
void EndCompaction(CompactionRuns runs, Manifest& manifest, Batch& batch);

// ------------------------------------------------------------------ run cursor

// Visits the rows of a sorted run in key order.

// The cursor loads as little as it can.  At the start of a page the directory
// page tells the first key, so a whole page can be skipped without reading it.
class RunCursor {
 public:
  // Starts at the first row.  The run must outlive the cursor and must not
  // change.
  explicit RunCursor(const Run& run) : pages_(run, {}) {}

  // Finds the key of the current row.  Returns false if a page is missing; the
  // window then knows which.
  bool Resolve(PageWindow& window);

  // The functions below need Resolve() to have succeeded.

  bool at_end() const { return pages_.at_end(); }
  const std::string& key() const {
    return leaf_ == nullptr ? pages_.entry().first_key
                            : key_.Read(*leaf_, row_);
  }

  // The page, if the current row is its first row; otherwise null.
  const PageEntry* entry_at_start() const {
    return row_ == 0 ? &pages_.entry() : nullptr;
  }

  // The end of the page; see LeafCursor.
  std::string_view page_end() const { return pages_.page_end(); }

  // Loads the current row.  Returns false if its page is missing; then asks for
  // it, and for as many of the next pages as have `ahead_bytes` together.
  bool Load(PageWindow& window, std::size_t ahead_bytes);

  // The functions below need Load() to have succeeded.

  const LeafPage& leaf() const { return *leaf_; }
  std::size_t row() const { return row_; }
  PageId page() const { return pages_.entry().page; }
  std::size_t page_bytes() const {
    return static_cast<std::size_t>(pages_.entry().totals.bytes);
  }

  // Move to the next row, or to the next page.  Call Resolve() next.
  void Next(PageWindow& window);
  void SkipPage(PageWindow& window);

 private:
  LeafCursor pages_;
  const LeafPage* leaf_ = nullptr;  // Null until loaded.
  std::size_t row_ = 0;
  mutable PageKey key_;  // Decoded when it is asked for.
  bool is_resolved_ = false;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_COMPACTION_PLAN_H_
