// Engines that share a store, against the rows after each of its log records.

#include "store/catch_up.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/flush.h"
#include "support/random.h"
#include "support/sample_state.h"

namespace entitable {
namespace {

// A store of two tables, and what is true of it.
struct SharedStore {
  SharedStore() {
    const Manifest manifest{.version = 1, .next_table = 3};
    storage.values() = {{ValueKey::Checkpoint(), EncodeCheckpoint({})},
                        {ValueKey::Manifest(), EncodeManifest(manifest)}};
  }

  Snapshot Load(std::uint64_t records_after = 0) const {
    return storage.Load({.id = {},
                         .keys = CheckpointAndManifestKeys(),
                         .records_after = records_after});
  }

  std::unique_ptr<AccountState> Open() const {
    auto state = OpenStore(Load());
    EXPECT_TRUE(state.has_value()) << state.error().message;
    return *std::move(state);
  }

  void ExpectRowsOf(const AccountState& state) const {
    ASSERT_LT(state.head(), rows.size());
    EXPECT_EQ(LiveRowsOf(state, storage), rows[state.head()]);
  }

  MemoryStorage storage;
  std::vector<SampleRows> rows{{}};  // After each record, from number 0 on.
};

// One of several engines, as far as they know of each other only by the store.
class Engine {
 public:
  Engine(SharedStore& store, std::uint8_t session)
      : store_(store), session_{session}, state_(store.Open()) {}

  // Does nothing if another engine was faster.
  void Commit(const SampleRows& rows) {
    LogRecord record = RecordOf(*state_, rows);
    record.session = session_;
    record.commit = commits_ + 1;
    const SharedBytes value = Share(EncodeLogRecord(record));
    const ValueKey key = ValueKey::Record(record.number);
    Batch batch;
    batch.expect = {{ValueKey::Checkpoint(), state_->checkpoint_value()},
                    {key, nullptr}};
    batch.puts = {{key, value}};
    if (!store_.storage.Store(batch)) return;
    ++commits_;
    store_.rows.push_back(
        LiveRows(NewestOf(std::vector{rows, store_.rows.back()})));
    ASSERT_TRUE(state_->Apply(record, value));
  }

  void Flush(const StoreLimits& limits) {
    if (state_->unflushed().empty()) return;
    const BackgroundStep step = entitable::Flush(*state_, limits);
    if (!store_.storage.Store(step.batch)) return;
    const auto progress = state_->progress();
    state_->ForgetOrphans();
    ASSERT_TRUE(state_->InstallCheckpoint(step.checkpoint, progress));
    ASSERT_TRUE(state_->InstallManifest(step.manifest, progress));
  }

  // Reads the log; the answer comes later, or never.
  void Ask() { asked_ = {store_.Load(state_->head()), state_->progress()}; }

  void Answer() {
    if (!asked_) return;
    const auto caught_up = CatchUp(asked_->snapshot, asked_->at, *state_);
    ASSERT_TRUE(caught_up.has_value()) << caught_up.error().message;
    const auto& records = asked_->snapshot.records;
    if (!records.empty()) {
      EXPECT_GE(state_->head(), records.back().number);
    }
    asked_.reset();
    store_.ExpectRowsOf(*state_);
  }

  // Every commit of its own, and none that it did not make.
  void ExpectCommits() const {
    for (std::uint64_t n = 1; n <= commits_ + 1; ++n) {
      EXPECT_EQ(HasCommit(*state_, {session_, n}), n <= commits_) << n;
    }
  }

 private:
  struct Asked {
    Snapshot snapshot;
    AccountState::Progress at;
  };

  SharedStore& store_;
  Random128 session_;
  std::unique_ptr<AccountState> state_;
  std::uint64_t commits_ = 0;
  std::optional<Asked> asked_;
};

SampleRows NextFew(SampleSource& random) {
  SampleRows rows;
  for (std::size_t left = 1 + random.Below(4); left > 0; --left) {
    std::optional<std::int32_t>& number =
        rows[SampleSource::Key(10 * random.Below(30))];
    number.reset();
    if (!random.OneIn(4)) number = static_cast<std::int32_t>(random.Below(10));
  }
  return rows;
}

void DoSomething(Engine& engine, SampleSource& random) {
  switch (random.Below(8)) {
    case 0:
    case 1:
      return engine.Ask();
    case 2:
    case 3:
      return engine.Answer();
    case 4:
      return engine.Flush(
          {.page_bytes = 1 + random.Below(400), .step_pages = 1});
    default:
      return engine.Commit(NextFew(random));
  }
}

TEST(CatchUpTest, BringsEveryEngineToARecordThatWasTheLast) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  SampleSource random(TestSeed());
  const std::size_t samples = WantedRuns("ENTITABLE_RANDOM_CATCH_UPS", 60);
  std::size_t records = 0;
  for (std::size_t i = 0;
       TriesAgain(i, samples, records > 100) && !HasFailure(); ++i) {
    SharedStore store;
    Engine engines[] = {{store, 1}, {store, 2}, {store, 3}};
    for (int n = 0; n < 80 && !HasFailure(); ++n) {
      DoSomething(engines[random.Below(3)], random);
      if (n % 10 == 0) store.ExpectRowsOf(*store.Open());
    }
    for (Engine& engine : engines) {
      engine.Ask();
      engine.Answer();
      engine.ExpectCommits();
    }
    EXPECT_EQ(store.Open()->head(), store.rows.size() - 1);
    records += store.rows.size() - 1;
  }
  EXPECT_GT(records, 100U);
}

// ---------------------------------------------------------------- a few cases

// A store with as many records, the first of which are flushed.
SharedStore StoreWith(int records, int flushed = 0) {
  SharedStore store;
  Engine engine(store, 1);
  for (int n = 1; n <= records; ++n) {
    engine.Commit({{SampleSource::Key(0), n}});
    if (n == flushed) engine.Flush({});
  }
  return store;
}

// Where there is no store.
const Snapshot kNothing{{std::nullopt, std::nullopt}, {}};

std::string Opened(const Snapshot& snapshot) {
  const auto state = OpenStore(snapshot);
  if (!state) return state.error().message;
  return *state == nullptr ? "none" : std::to_string((*state)->head());
}

TEST(CatchUpTest, OpensWhatIsThere) {
  EXPECT_EQ(Opened(kNothing), "none");
  EXPECT_EQ(Opened(StoreWith(0).Load()), "0");
  EXPECT_EQ(Opened(StoreWith(3).Load()), "3");
  EXPECT_EQ(Opened(StoreWith(3, 2).Load()), "3");
  EXPECT_EQ(Opened(StoreWith(3, 3).Load()), "3");
}

TEST(CatchUpTest, NamesTheValueThatIsDamaged) {
  Snapshot snapshot = StoreWith(3).Load();
  snapshot.values[0].reset();
  EXPECT_EQ(Opened(snapshot),
            "log/base: The store has log records or pages, but no checkpoint.");

  snapshot = StoreWith(3).Load();
  snapshot.records.erase(snapshot.records.begin() + 1);
  EXPECT_EQ(Opened(snapshot), "log/3: The log has a gap.");

  snapshot = StoreWith(3).Load();
  std::swap(snapshot.records[1].value, snapshot.records[2].value);
  EXPECT_EQ(Opened(snapshot),
            "log/2: The log record has another number than its key.");
}

// The flush left out what a later record had changed.
TEST(CatchUpTest, MissesARecordThatThePagesNeed) {
  SharedStore store;
  Engine engine(store, 1);
  for (int n = 1; n <= 3; ++n) engine.Commit({{SampleSource::Key(0), n}});
  engine.Flush({.page_bytes = 1, .step_pages = 1});
  EXPECT_EQ(Opened(store.Load()), "3");
  store.storage.values().erase(ValueKey::Record(3));
  EXPECT_EQ(Opened(store.Load()),
            "log/3: The log record is missing, but pages of it exist.");
}

TEST(CatchUpTest, NotesRecordsThatNoEngineReads) {
  SharedStore store = StoreWith(3, 2);
  {
    Engine engine(store, 2);
    engine.Flush({});  // Deletes the first two records.
  }
  store.storage.values()[ValueKey::Record(1)] = "left over";
  const auto state = store.Open();
  EXPECT_EQ(state->head(), 3U);
  EXPECT_EQ(state->orphans(), (std::vector<std::uint64_t>{1}));
}

TEST(CatchUpTest, KnowsThatTheStoreIsGone) {
  const auto state = StoreWith(3).Open();
  const auto caught_up = CatchUp(kNothing, state->progress(), *state);
  ASSERT_FALSE(caught_up.has_value());
  EXPECT_EQ(caught_up.error().code, ErrorCode::kStorageEvicted);
}

TEST(CatchUpTest, FindsTheRecordsThatTheStorageHasLost) {
  constexpr std::size_t kUnflushed = 4;
  for (std::size_t kept = 0; kept <= kUnflushed; ++kept) {
    SharedStore store = StoreWith(6, 2);
    const auto state = store.Open();
    Snapshot snapshot = store.Load(2);
    ASSERT_EQ(snapshot.records.size(), kUnflushed);
    snapshot.records.resize(kept);
    const auto lost = LostRecords(snapshot, *state);
    ASSERT_TRUE(lost.has_value());
    ASSERT_EQ(lost->size(), kUnflushed - kept);
    for (std::size_t i = 0; i < lost->size(); ++i) {
      const ValueKey key = ValueKey::Record(3 + kept + i);
      EXPECT_EQ((*lost)[i].key, key);
      EXPECT_EQ(*(*lost)[i].value, store.storage.values().at(key));
    }
  }
}

TEST(CatchUpTest, StoresNoLostRecordInThePlaceOfAnother) {
  const SharedStore store = StoreWith(3);
  const auto state = store.Open();
  Snapshot replaced = store.Load();
  replaced.records[2].value.back() ^= 1;
  EXPECT_FALSE(LostRecords(replaced, *state).has_value());
  Snapshot gap = store.Load();
  gap.records.erase(gap.records.begin() + 1);
  EXPECT_FALSE(LostRecords(gap, *state).has_value());
}

}  // namespace
}  // namespace entitable
