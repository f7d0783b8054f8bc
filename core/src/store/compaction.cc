#include "store/compaction.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/compaction_plan.h"
#include "store/run_writer.h"
#include "store/sort_key.h"

namespace entitable {
namespace {

// A step ends when it has written enough pages, has reused or deleted this many
// unread, or has read as many bytes as this many full pages.  It holds the read
// pages until then.  It also ends after this many rows of all inputs: about 10
// ms.  Deleted entries of indexes are so short that a few pages have more.
constexpr std::size_t kMaxStepUnread = 256;
constexpr std::size_t kMaxStepReads = 64;
constexpr std::size_t kMaxStepRows = 15'000;

// How many full pages to ask for at once, over all runs.
constexpr std::size_t kAhead = 24;

// One step of a compaction, made on a copy of the manifest.
//
// The inputs are merged in key order, like the runs of LevelDB's compactions.
// The loop looks at the least key of all inputs.  If a whole input page lies
// before the keys of the other inputs, the step reuses it unread, as an entry
// of the output's directory.  Otherwise the step copies the rows before the
// keys of the other inputs.  Of rows with the same key, it copies the newest
// one and skips the older ones.
class CompactionStep {
 public:
  CompactionStep(const AccountState& state, const StoreLimits& limits,
                 PageWindow& window, bool is_room_short);

  // Nothing if pages are missing.
  std::optional<BackgroundStep> Make();

 private:
  bool Begin();
  bool ContinueOutput();
  bool AreInputsBehind(std::string_view written_key);
  bool MoveOn();
  bool DeletePage(RunCursor& least);
  bool ReusePage(RunCursor& least, const std::string* others);
  bool CopyNewest(RunCursor& least);
  bool CopyRows(RunCursor& least, const std::string* others);
  void Copy(const RunCursor& least);
  void Leave(RunCursor& cursor);
  bool ResolveAll();

  struct Least {
    RunCursor* input = nullptr;           // Null if all inputs are at the end.
    const std::string* others = nullptr;  // The least key of the other inputs.
  };
  Least FindLeast();
  bool IsDropped(std::string_view sort_key) const;
  bool MayHoldDropped(std::string_view first_key, std::string_view end) const;
  bool IsPastStep() const;

  // A page with fewer bytes is rewritten instead of reused.  Otherwise pages
  // would get ever smaller.
  std::size_t min_kept_page() const { return limits_.page_bytes / 2; }

  void Finish();

  const AccountState& state_;
  const StoreLimits& limits_;
  PageWindow& window_;
  Manifest manifest_;
  CompactionRuns runs_;
  BackgroundStep step_;
  RunWriter writer_;
  bool is_oldest_;  // No run is behind the output.
  bool is_at_end_ = false;
  std::size_t unread_ = 0;      // Pages that were reused or deleted unread.
  std::size_t read_bytes_ = 0;  // Of whole pages.
  std::size_t read_rows_ = 0;
  std::vector<SortRange> dropped_;
  std::vector<RunCursor> cursors_;  // One for each input.
};

CompactionStep::CompactionStep(const AccountState& state,
                               const StoreLimits& limits, PageWindow& window,
                               bool is_room_short)
    : state_(state),
      limits_(limits),
      window_(window),
      manifest_(state.manifest()),
      runs_(FindOrBeginCompaction(manifest_, is_room_short)),
      writer_(limits, manifest_.next_page, step_.batch),
      is_oldest_(runs_.output + 1 == manifest_.runs.size()) {}

// Opens the inputs.  Returns false if a page is missing.
bool CompactionStep::Begin() {
  for (std::size_t i = 0; i < manifest_.pending_drops; ++i) {
    dropped_.push_back(WholeTable(manifest_.dropped[i]));
  }
  if (!ContinueOutput()) return false;
  const std::vector<Run>& read = state_.manifest().runs;
  for (std::size_t i = runs_.first; i < runs_.output; ++i) {
    cursors_.emplace_back(read[i]);
  }
  return true;
}

// The output continues its last directory page.
bool CompactionStep::ContinueOutput() {
  std::vector<PageEntry>& written = runs_.OutputIn(manifest_).directories;
  if (written.empty()) return true;
  const PageId page = written.back().page;
  const DirectoryPage* last = window_.Directory(written.back());
  if (last == nullptr) return false;
  if (!AreInputsBehind(last->leaves.back().first_key)) {
    window_.NoteDisorder(page);
    return false;
  }
  writer_.Continue(last->leaves);
  step_.batch.deletes.push_back(ValueKey::Page(page));
  written.pop_back();
  return true;
}

// Whether everything in the output precedes what is left of the inputs.
bool CompactionStep::AreInputsBehind(std::string_view written_key) {
  return std::ranges::all_of(runs_.InputsIn(manifest_), [&](const Run& input) {
    return input.directories.empty() || written_key < input.begin;
  });
}

std::optional<BackgroundStep> CompactionStep::Make() {
  if (!Begin()) return std::nullopt;
  while (!is_at_end_ && !IsPastStep()) {
    if (!MoveOn()) return std::nullopt;
  }
  // The inputs' next keys tell where the next step begins.
  if (!ResolveAll()) return std::nullopt;
  is_at_end_ = FindLeast().input == nullptr;
  Finish();
  ++manifest_.version;
  step_.manifest = EncodeManifest(manifest_);
  step_.manifest_version = manifest_.version;
  step_.batch.expect = {{ValueKey::Manifest(), state_.manifest_value()}};
  step_.batch.puts.push_back({ValueKey::Manifest(), Share(step_.manifest)});
  return std::move(step_);
}

bool CompactionStep::IsPastStep() const {
  return writer_.written_pages() >= limits_.step_pages ||
         writer_.written_bytes() + writer_.open_bytes() >=
             limits_.step_pages * limits_.page_bytes ||
         unread_ >= kMaxStepUnread || read_rows_ >= kMaxStepRows ||
         read_bytes_ >= kMaxStepReads * limits_.page_bytes;
}

// Moves on by rows or one page.  Returns false if pages are missing.
bool CompactionStep::MoveOn() {
  if (!ResolveAll()) return false;
  const auto [least, others] = FindLeast();
  if (least == nullptr) {
    is_at_end_ = true;
    return true;
  }
  if (DeletePage(*least) || ReusePage(*least, others)) return true;
  const bool has_others = others != nullptr && *others == least->key();
  return has_others ? CopyNewest(*least) : CopyRows(*least, others);
}

bool CompactionStep::ResolveAll() {
  bool is_resolved = true;
  for (RunCursor& cursor : cursors_) is_resolved &= cursor.Resolve(window_);
  return is_resolved;
}

// Of the inputs with the least key, the newest one.
CompactionStep::Least CompactionStep::FindLeast() {
  Least least;
  for (RunCursor& cursor : cursors_) {
    if (cursor.at_end()) continue;
    if (least.input == nullptr) {
      least.input = &cursor;
    } else if (cursor.key() < least.input->key()) {
      least.others = &least.input->key();
      least.input = &cursor;
    } else if (least.others == nullptr || cursor.key() < *least.others) {
      least.others = &cursor.key();
    }
  }
  return least;
}

// Deletes a page unread if its table was dropped.
bool CompactionStep::DeletePage(RunCursor& least) {
  const PageEntry* entry = least.entry_at_start();
  const std::string_view end = least.page_end();
  if (entry == nullptr || end.empty()) return false;
  const bool is_dropped = std::ranges::any_of(dropped_, [&](const auto& table) {
    return table.begin <= entry->first_key && end <= table.end;
  });
  if (!is_dropped) return false;
  step_.batch.deletes.push_back(ValueKey::Page(entry->page));
  least.SkipPage(window_);
  ++unread_;
  return true;
}

// Reuses a page unread if no other input has keys within it.
bool CompactionStep::ReusePage(RunCursor& least, const std::string* others) {
  const PageEntry* entry = least.entry_at_start();
  const std::string_view end = least.page_end();
  if (entry == nullptr || end.empty()) return false;
  const bool is_alone = others == nullptr || *others >= end;
  const bool has_garbage = (is_oldest_ && entry->totals.deleted > 0) ||
                           MayHoldDropped(entry->first_key, end);
  const bool is_short =
      entry->totals.bytes < min_kept_page() ||
      (writer_.open_bytes() > 0 && writer_.open_bytes() < min_kept_page());
  if (!is_alone || has_garbage || is_short) return false;
  writer_.AddPage(*entry);
  least.SkipPage(window_);
  ++unread_;
  return true;
}

// Copies the newest state of a row that several inputs have, and skips the
// older ones.
bool CompactionStep::CopyNewest(RunCursor& least) {
  // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): it moves on.
  const std::string key(least.key());
  bool is_loaded = true;
  for (RunCursor& cursor : cursors_) {
    if (cursor.at_end() || cursor.key() != key) continue;
    is_loaded &=
        cursor.Load(window_, kAhead * limits_.page_bytes / cursors_.size());
  }
  if (!is_loaded) return false;
  Copy(least);
  for (RunCursor& cursor : cursors_) {
    if (!cursor.at_end() && cursor.key() == key) Leave(cursor);
  }
  return true;
}

// Copies rows of one page, up to the keys of the other inputs.
bool CompactionStep::CopyRows(RunCursor& least, const std::string* others) {
  if (!least.Load(window_, kAhead * limits_.page_bytes / cursors_.size())) {
    return false;
  }
  bool is_in_page = true;
  while (is_in_page && (others == nullptr || least.key() < *others) &&
         !IsPastStep()) {
    Copy(least);
    is_in_page = least.row() + 1 < least.leaf().row_count();
    Leave(least);
    // A key in the same page is never missing.
    if (is_in_page)
      is_in_page = least.Resolve(window_) && least.Load(window_, 0);
  }
  return true;
}

void CompactionStep::Copy(const RunCursor& least) {
  const std::string& key = least.key();
  if (IsDropped(key)) return;
  const LeafPage& leaf = least.leaf();
  if (!leaf.is_tombstone(least.row())) {
    writer_.Add(key, leaf.RowAt(least.row()));
  } else if (!is_oldest_) {
    writer_.AddTombstone(key);
  }
}

// Moves a cursor behind its row.
void CompactionStep::Leave(RunCursor& cursor) {
  ++read_rows_;
  if (cursor.row() + 1 == cursor.leaf().row_count()) {
    step_.batch.deletes.push_back(ValueKey::Page(cursor.page()));
    read_bytes_ += cursor.page_bytes();
  }
  cursor.Next(window_);
}

bool CompactionStep::IsDropped(std::string_view sort_key) const {
  return std::any_of(dropped_.begin(), dropped_.end(), [&](const auto& table) {
    return table.begin <= sort_key && sort_key < table.end;
  });
}

bool CompactionStep::MayHoldDropped(std::string_view first_key,
                                    std::string_view end) const {
  return std::any_of(dropped_.begin(), dropped_.end(), [&](const auto& table) {
    return table.begin < end && first_key < table.end;
  });
}

// -------------------------------------------------------------- end of a step

void CompactionStep::Finish() {
  Batch& batch = step_.batch;
  std::vector<PageEntry>& written = runs_.OutputIn(manifest_).directories;
  for (PageEntry& entry : writer_.Finish()) {
    written.push_back(std::move(entry));
  }
  if (is_at_end_) return EndCompaction(runs_, manifest_, batch);
  const std::span<Run> inputs = runs_.InputsIn(manifest_);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const RunCursor& cursor = cursors_[i];
    ConsumeInput(inputs[i], cursor.at_end() ? nullptr : &cursor.key(), batch);
  }
}

}  // namespace

bool IsCompactionDue(const AccountState& state, bool is_room_short) {
  const std::vector<Run>& runs = state.manifest().runs;
  return RunsToCompact(state.manifest(), is_room_short) > 0 ||
         std::any_of(runs.begin(), runs.end(), [](const Run& run) {
           return run.role == CompactionRole::kInput;
         });
}

std::optional<BackgroundStep> Compact(const AccountState& state,
                                      const StoreLimits& limits,
                                      PageWindow& window, bool is_room_short) {
  return CompactionStep(state, limits, window, is_room_short).Make();
}

}  // namespace entitable
