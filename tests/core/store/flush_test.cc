// Flushes, against a list of what each log record changed.

#include "store/flush.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "store/envelope.h"
#include "support/random.h"
#include "support/sample_state.h"
#include "support/stored_pages.h"

namespace entitable {
namespace {

std::vector<std::uint64_t> RecordsIn(const MemoryStorage& storage) {
  std::vector<std::uint64_t> numbers;
  for (const auto& [key, value] : storage.values()) {
    if (key.kind == ValueKey::Kind::kRecord) numbers.push_back(key.number);
  }
  return numbers;
}

// A store of two tables, and the rows of each of its log records.
class Log {
 public:
  Log() {
    const Bytes checkpoint = EncodeCheckpoint({});
    const Bytes manifest = EncodeManifest({.version = 1, .next_table = 3});
    storage_.values() = {{ValueKey::Checkpoint(), checkpoint},
                         {ValueKey::Manifest(), manifest}};
    state_ = *AccountState::Open(checkpoint, manifest);
  }

  void Write(const SampleRows& rows, Author author = {}) {
    LogRecord record = RecordOf(*state_, rows);
    record.session = author.session;
    record.commit = author.commit;
    Write(record);
    records_.push_back(rows);
  }

  void Write(const LogRecord& record) {
    const Bytes value = EncodeLogRecord(record);
    storage_.values()[ValueKey::Record(record.number)] = value;
    ASSERT_TRUE(state_->Apply(record, Share(value)));
  }

  // The number of the last record that a flush with these limits should take:
  // at least one, and as many as have this many bytes together.
  std::uint64_t LastOf(const StoreLimits& limits) const {
    const std::size_t most = (limits.step_pages + 1) * limits.page_bytes;
    std::size_t bytes = 0;
    std::uint64_t last = state_->manifest().number;
    while (last < state_->head()) {
      bytes += storage_.values().at(ValueKey::Record(last + 1)).size();
      if (bytes > most && last > state_->manifest().number) break;
      ++last;
    }
    return last;
  }

  // What the run of that flush should hold: what its records changed and no
  // later record did.  Before the first run, there is nothing to delete.
  SampleRows RunUpTo(std::uint64_t last) const {
    SampleRows run;
    for (std::uint64_t n = state_->manifest().number + 1; n <= last; ++n) {
      for (const auto& [key, number] : records_[n - 1]) run[key] = number;
    }
    for (std::uint64_t n = last + 1; n <= state_->head(); ++n) {
      for (const auto& [key, number] : records_[n - 1]) run.erase(key);
    }
    return state_->manifest().runs.empty() ? LiveRows(std::move(run)) : run;
  }

  SampleRows Rows() const {
    std::vector<SampleRows> newest_first(records_.rbegin(), records_.rend());
    return LiveRows(NewestOf(newest_first));
  }

  // Stores the step, and lets the state know.
  void Install(const BackgroundStep& step) {
    ASSERT_TRUE(storage_.Store(step.batch));
    EXPECT_FALSE(storage_.Store(step.batch)) << "it expects the old values";
    const auto progress = state_->progress();
    state_->ForgetOrphans();
    ASSERT_TRUE(state_->InstallCheckpoint(step.checkpoint, progress));
    ASSERT_TRUE(state_->InstallManifest(step.manifest, progress));
  }

  MemoryStorage& storage() { return storage_; }
  AccountState& state() { return *state_; }

 private:
  MemoryStorage storage_;
  std::unique_ptr<AccountState> state_;
  std::vector<SampleRows> records_;
};

// -------------------------------------------------------------- random records

// Flushes once, and compares all that is stored afterwards.
void FlushOnce(Log& log, const StoreLimits& limits) {
  AccountState& state = log.state();
  const std::uint64_t head = state.head();
  const std::uint64_t last = log.LastOf(limits);
  const SampleRows run = log.RunUpTo(last);
  const Manifest before = state.manifest();
  const std::uint32_t crc =
      EnvelopeCrc(log.storage().values().at(ValueKey::Record(last)));

  log.Install(Flush(state, limits));

  const Manifest& after = state.manifest();
  EXPECT_EQ(after.version, before.version + 1);
  EXPECT_EQ(after.number, last);
  EXPECT_EQ(after.crc, crc);
  EXPECT_EQ(after.needs, last < head ? head : before.needs);
  EXPECT_EQ(state.checkpoint().number, last);
  EXPECT_EQ(state.checkpoint().crc, crc);
  // The records of the flush before are gone, those of this one stay.
  std::vector<std::uint64_t> kept;
  for (std::uint64_t n = before.number + 1; n <= head; ++n) kept.push_back(n);
  EXPECT_EQ(RecordsIn(log.storage()), kept);
  EXPECT_EQ(state.checkpoint().first_record, before.number + 1);

  ASSERT_EQ(after.runs.size(), before.runs.size() + (run.empty() ? 0 : 1));
  if (!run.empty()) {
    EXPECT_EQ(RowsIn(after.runs.front(), log.storage()), run);
    EXPECT_EQ(after.runs.front().end, run.rbegin()->first);
  }
  EXPECT_EQ(ReadStoredPages(log.storage()).flaws, std::vector<std::string>());
  EXPECT_EQ(LiveRowsOf(state, log.storage()), log.Rows());
}

TEST(FlushTest, MovesTheNewestRowsOfTheOldestRecordsIntoPages) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  SampleSource random(TestSeed());
  std::size_t partial = 0;
  const std::size_t samples = WantedRuns("ENTITABLE_RANDOM_FLUSHES", 40);
  for (std::size_t i = 0; TriesAgain(i, samples, partial > 10) && !HasFailure();
       ++i) {
    Log log;
    const StoreLimits limits{.page_bytes = 256 + random.Below(2000),
                             .step_pages = 1 + random.Below(4)};
    for (int n = 0; n < 6 && !HasFailure(); ++n) {
      for (std::size_t left = 1 + random.Below(4); left > 0; --left) {
        log.Write(random.NextRows());
      }
      FlushOnce(log, limits);
      partial += log.state().unflushed().empty() ? 0 : 1;
    }
  }
  EXPECT_GT(partial, 10U);
}

// ---------------------------------------------------------------- a few cases

TEST(FlushTest, HasFourLevelsOfUrgency) {
  Log log;
  const StoreLimits limits{.flush_bytes = std::size_t{1} << 20,
                           .flush_records = 2,
                           .page_bytes = 256};
  std::string urgency;
  for (int i = 0; i < 9; ++i) {
    const AccountState& state = log.state();
    urgency += MustStallWrites(state, limits)     ? 's'
               : IsFlushUrgent(state, limits)     ? 'u'
               : IsFlushDue(state, limits)        ? 'd'
               : IsFlushWorthwhile(state, limits) ? 'w'
                                                  : '-';
    log.Write({{SampleSource::Key(0), i}});
  }
  EXPECT_EQ(urgency, "--dduuuus");

  const StoreLimits by_bytes{.flush_bytes = log.state().unflushed_bytes()};
  EXPECT_TRUE(IsFlushDue(log.state(), by_bytes));
  EXPECT_FALSE(IsFlushUrgent(log.state(), by_bytes));
  const StoreLimits more_bytes{.flush_bytes = by_bytes.flush_bytes + 1};
  EXPECT_FALSE(IsFlushDue(log.state(), more_bytes));
  EXPECT_TRUE(IsFlushWorthwhile(log.state(), limits));
}

// A flush of tombstones alone, before there are pages, adds no run.
TEST(FlushTest, WritesNoPagesForRowsThatNeverWereInPages) {
  Log log;
  log.Write({{SampleSource::Key(0), 1}});
  log.Write({{SampleSource::Key(0), std::nullopt}});
  log.Install(Flush(log.state(), {}));
  EXPECT_TRUE(log.state().manifest().runs.empty());
  EXPECT_EQ(log.state().manifest().number, 2U);
}

TEST(FlushTest, DeletesOrphans) {
  Log log;
  log.storage().values()[ValueKey::Record(100)] = "of another engine";
  log.state().NoteOrphan(100);
  log.Write({{SampleSource::Key(0), 1}});
  log.Install(Flush(log.state(), {}));
  EXPECT_EQ(RecordsIn(log.storage()), (std::vector<std::uint64_t>{1}));
}

TEST(FlushTest, RemembersWhoWroteTheRecordsThatItTakes) {
  Log log;
  const Random128 session{7};
  log.Write({{SampleSource::Key(0), 1}}, {session, 5});
  log.Write({{SampleSource::Key(1), 1}}, {session, 6});
  const StoreLimits one_record{.page_bytes = 1, .step_pages = 1};
  log.Install(Flush(log.state(), one_record));
  EXPECT_EQ(log.state().manifest().number, 1U);
  EXPECT_EQ(log.state().checkpoint().Has({session, 5}), true);
  EXPECT_EQ(log.state().checkpoint().Has({session, 6}), false);
}

// Its rows are in no page, so nothing of it has to be cleared from them; a
// table with rows in pages is kept in mind until a compaction.
TEST(FlushTest, KeepsInMindWhichTablesWereDropped) {
  Log log;
  log.Write({{SampleSource::Key(0), 1}});
  log.Install(Flush(log.state(), {}));
  log.Write({{SampleSource::Key(1), 1}});
  LogRecord drop = RecordOf(log.state(), {});
  drop.changes.push_back(TableDropped{1, "Pets"});
  log.Write(drop);
  log.Install(Flush(log.state(), {}));
  EXPECT_EQ(log.state().manifest().dropped, (std::vector<TableId>{1}));
  EXPECT_FALSE(RowsIn(log.state().manifest().runs.front(), log.storage())
                   .contains(SampleSource::Key(1)));
}

}  // namespace
}  // namespace entitable
