// Compactions step by step, beside the rows that must stay the same.

#include "store/compaction.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "store/sort_key.h"
#include "support/random.h"
#include "support/sample_state.h"
#include "support/stored_pages.h"

namespace entitable {
namespace {

class CompactedStore {
 public:
  explicit CompactedStore(const StoreLimits& limits) : limits_(limits) {
    const Bytes checkpoint = EncodeCheckpoint({});
    const Bytes manifest = EncodeManifest({.version = 1, .next_table = 3});
    storage_.values() = {{ValueKey::Checkpoint(), checkpoint},
                         {ValueKey::Manifest(), manifest}};
    state_ = *AccountState::Open(checkpoint, manifest);
  }

  // As a run of its own.
  void Write(const SampleRows& rows) {
    const LogRecord record = RecordOf(*state_, rows);
    const Bytes value = EncodeLogRecord(record);
    ASSERT_TRUE(state_->Apply(record, Share(value)));
    Install(Flush(*state_, limits_));
    rows_ = LiveRows(NewestOf(std::vector{rows, rows_}));
  }

  bool IsDue() const { return IsCompactionDue(*state_, false); }

  // One step.  It asks for pages as often as it misses some, and keeps none of
  // an earlier step.
  void Compact() {
    PageCache cache(0);
    PageWindow window(cache, PageWindow::Hold::kForever);
    std::optional<BackgroundStep> step;
    for (int tries = 0; !step; ++tries) {
      ASSERT_LT(tries, 1'000) << "no progress";
      step = entitable::Compact(*state_, limits_, window, false);
      if (step) break;
      ASSERT_TRUE(window.is_waiting());
      for (const PageId id : window.TakeMissing()) {
        cache.Insert(id, *DecodePage(storage_.values().at(ValueKey::Page(id))));
      }
    }
    Install(*step);
  }

  void ExpectRows() const {
    EXPECT_EQ(LiveRowsOf(*state_, storage_), rows_);
    EXPECT_EQ(ReadStoredPages(storage_).flaws, std::vector<std::string>());
  }

  const Manifest& manifest() const { return state_->manifest(); }
  const MemoryStorage& storage() const { return storage_; }

 private:
  void Install(const BackgroundStep& step) {
    ASSERT_TRUE(storage_.Store(step.batch));
    const auto progress = state_->progress();
    if (step.checkpoint) {
      ASSERT_TRUE(state_->InstallCheckpoint(step.checkpoint, progress));
    }
    ASSERT_TRUE(state_->InstallManifest(step.manifest, progress));
  }

  StoreLimits limits_;
  MemoryStorage storage_;
  std::unique_ptr<AccountState> state_;
  SampleRows rows_;
};

TEST(CompactionTest, ChangesNoRowInAnyStep) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  SampleSource random(TestSeed());
  std::size_t steps = 0;
  const std::size_t samples = WantedRuns("ENTITABLE_RANDOM_COMPACTIONS", 30);
  for (std::size_t i = 0; TriesAgain(i, samples, steps > 50) && !HasFailure();
       ++i) {
    CompactedStore store({.page_bytes = 256 + random.Below(600),
                          .step_pages = 1 + random.Below(3)});
    for (int n = 0; n < 6 && !HasFailure(); ++n) {
      store.Write(random.NextRows());
      // Sometimes a run is added to a compaction in progress.
      for (std::size_t left = random.OneIn(2) ? random.Below(3) : 1'000;
           left > 0 && store.IsDue() && !HasFailure(); --left) {
        store.Compact();
        store.ExpectRows();
        ++steps;
      }
    }
    while (store.IsDue() && !HasFailure()) store.Compact();
    store.ExpectRows();
    EXPECT_LE(store.manifest().runs.size(), kMaxRuns);
  }
  EXPECT_GT(steps, 50U);
}

// Nothing is left that a tombstone could hide.
TEST(CompactionTest, LeavesNothingOfRowsThatWereDeleted) {
  CompactedStore store({.page_bytes = 256});
  SampleRows rows;
  for (std::size_t i = 0; i < 100; ++i) rows[SampleSource::Key(i)] = 1;
  store.Write(rows);
  for (auto& [key, number] : rows) number.reset();
  store.Write(rows);
  while (store.IsDue()) store.Compact();
  EXPECT_TRUE(store.manifest().runs.empty());
  EXPECT_EQ(ReadStoredPages(store.storage()).leaves, 0U);
}

// However few bytes the rows have, and although nothing is written: a step is
// one task of the host.
TEST(CompactionTest, TakesABoundedNumberOfRowsInAStep) {
  constexpr std::size_t kRows = 30'000;
  CompactedStore store({});
  SampleRows rows;
  for (std::size_t i = 0; i < kRows; ++i) {
    const std::string row_key = std::to_string(i);
    rows[MakeSortKey(TableId{1}, {"p", row_key})] = 1;
  }
  store.Write(rows);
  for (auto& [key, number] : rows) number.reset();
  store.Write(rows);
  std::size_t steps = 0;
  for (; store.IsDue() && !HasFailure(); ++steps) store.Compact();
  // Each row has an entity and a tombstone.
  EXPECT_GE(steps, 2 * kRows / 20'000);
  EXPECT_TRUE(store.manifest().runs.empty());
}

}  // namespace
}  // namespace entitable
