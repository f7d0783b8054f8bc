// The states of background work: each row of the table, with a store that is
// opened as the engine opens it.  docs/internals/store-protocol.md, "The states
// of background work".

#include "engine/background_state.h"

#include <gtest/gtest.h>

#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "engine/background_work.h"
#include "support/memory_host.h"
#include "support/operations.h"
#include "support/printed_transitions.h"

namespace entitable {
namespace {

using enum BackgroundState;

constexpr const char* kStates[] = {
    "idle",       "wants turn",  "has turn",         "awaits pages", "flushing",
    "compacting", "flush moved", "compaction moved", "installed"};
constexpr const char* kEvents[] = {
    "due",        "turn begins",     "turn ends", "pages missing", "pages end",
    "flush sent", "compaction sent", "moved",     "refreshed",     "stored",
    "time told",  "failure",         "closing"};
static_assert(std::size(kStates) == std::to_underlying(kInstalled) + 1);
static_assert(std::size(kEvents) ==
              std::to_underlying(BackgroundEvent::kClosing) + 1);

TEST(BackgroundTableTest, IsDocumented) {
  EXPECT_EQ(DocumentedTransitions("### The states of background work"),
            Print(kBackgroundTable, kStates, kEvents, kStates));
}

constexpr Activity kNothingElse{.is_log_free = true};

class BackgroundStateTest : public testing::Test {
 protected:
  // A store with this many runs, and a log of two records that is not flushed.
  void Open(int runs, std::size_t flush_records) {
    limits_ = {.flush_records = flush_records, .idle_ms = 0};
    MemoryHost writer(storage_, Profile::kDefault, {.flush_records = 1'000});
    writer.engine().StopBackgroundWork();
    ASSERT_EQ(Outcome(writer.Do(NewTable("Tab"))), "201");
    for (int run = 0; run < runs; ++run) {
      const ImportPart part{.import = static_cast<std::uint32_t>(run + 1),
                            .begins = true,
                            .ends = true};
      std::string lines;
      for (int row = 0; row < 500; ++row) {
        lines += EntityBody("p", std::to_string(1'000 + row) + "-" +
                                     std::to_string(run)) +
                 "\n";
      }
      ASSERT_EQ(Outcome(writer.Do(Import("Tab", lines, part))), "202");
    }
    const auto opened = store_.Open(
        storage_->Load({.id = 1, .keys = Store::Keys(), .records_after = 0}));
    ASSERT_TRUE(opened.has_value() && *opened);
    host_.set_now({1'000'000'000});
  }
  void OpenForFlush() { Open(0, 1); }
  void OpenForCompaction() { Open(8, 1'000); }

  void Start(BackgroundState then, const Activity& activity = kNothingElse) {
    work_.Start(activity);
    ASSERT_EQ(work_.state(), then);
  }

  void FetchPages() {
    const auto keys = pages_.Begin(store_);
    ASSERT_GT(keys.size(), 1U);
    ASSERT_TRUE(
        pages_.Finish(storage_->Load(Read{1, keys, std::nullopt}), store_));
    work_.HoldPages();
  }
  void StoreStep() {
    const auto step = host_.TakeStep();
    ASSERT_TRUE(storage_->Store(std::get<Commit>(*step).batch));
    ASSERT_TRUE(work_.Install());
  }

  void GivenFlush() {
    OpenForFlush();
    Start(kWantsTurn);
    Start(kFlushing);
  }
  void GivenCompaction() {
    OpenForCompaction();
    for (int turn = 0; work_.state() != kCompacting; ++turn) {
      ASSERT_LT(turn, 100);
      work_.Start(kNothingElse);
      if (work_.state() == kAwaitsPages) FetchPages();
    }
  }
  void GivenAwaitedPages() {
    OpenForCompaction();
    Start(kWantsTurn);
    Start(kAwaitsPages);
  }
  void BeginLogRead() { host_.ReadLog(Store::Keys(), 0, false); }

  std::shared_ptr<MemoryStorage> storage_ = std::make_shared<MemoryStorage>();
  StoreLimits limits_;
  EngineOptions options_;
  Store store_{limits_};
  HostMemory memory_{options_, store_};
  HostLink host_;
  PageReader pages_;
  BackgroundWork work_{limits_, memory_, store_, pages_, host_};
};

TEST_F(BackgroundStateTest, AStepThatIsDueBeginsTheNextTurn) {
  OpenForFlush();
  Start(kWantsTurn);
  Start(kFlushing);
}

TEST_F(BackgroundStateTest, ATurnEndsWhereNoStepIsDueAnyMore) {
  OpenForFlush();
  Start(kWantsTurn);
  Start(kIdle, {.is_log_free = false});
}

TEST_F(BackgroundStateTest, ACompactionAwaitsItsPages) {
  GivenAwaitedPages();
  FetchPages();
  ASSERT_EQ(work_.state(), kIdle);
  Start(kWantsTurn);
}

TEST_F(BackgroundStateTest, PagesWithoutMemoryAreAwaitedNoLonger) {
  GivenAwaitedPages();
  work_.PagesFailed(Error(ErrorCode::kServerBusy));
  ASSERT_EQ(work_.state(), kIdle);
  EXPECT_GT(work_.wait_ms(), 0);
}

TEST_F(BackgroundStateTest, ACompactionWithItsPagesIsStored) {
  GivenCompaction();
  StoreStep();
  EXPECT_EQ(work_.state(), kInstalled);
}

TEST_F(BackgroundStateTest, AStoredStepIsOverWhenTheTimeIsKnown) {
  GivenFlush();
  StoreStep();
  ASSERT_EQ(work_.state(), kInstalled);
  work_.BeginTurn();
  EXPECT_EQ(work_.state(), kIdle);
}

TEST_F(BackgroundStateTest, AMovedStepWaitsForAReadThatBeginsLater) {
  GivenFlush();
  work_.NoteMoved();
  ASSERT_EQ(work_.state(), kFlushMoved);
  EXPECT_EQ(work_.EndRefresh({}, false), std::nullopt);
  ASSERT_EQ(work_.state(), kFlushMoved);
  BeginLogRead();
  MemoryHost rival(storage_);
  ASSERT_EQ(Outcome(rival.Do(NewTable("Rival"))), "201");
  ASSERT_TRUE(store_.CatchUp(
      storage_->Load({.id = 1, .keys = Store::Keys(), .records_after = 1}),
      store_.progress()));
  EXPECT_EQ(work_.EndRefresh({}, false), std::nullopt);
  EXPECT_EQ(work_.state(), kIdle);
  Start(kWantsTurn);
}

TEST_F(BackgroundStateTest, ACompactionThatNothingHasMovedHasFailed) {
  GivenCompaction();
  work_.NoteMoved();
  ASSERT_EQ(work_.state(), kCompactionMoved);
  BeginLogRead();
  EXPECT_EQ(work_.EndRefresh({}, false), std::nullopt);
  ASSERT_EQ(work_.state(), kIdle);
  Start(kIdle);
}

TEST_F(BackgroundStateTest, AfterAFailureNoStepBegins) {
  GivenFlush();
  EXPECT_EQ(work_.Fail(Error(ErrorCode::kStorageUnavailable), false),
            std::nullopt);
  ASSERT_EQ(work_.state(), kIdle);
  Start(kIdle);
  work_.Resume();
  Start(kWantsTurn);
}

TEST_F(BackgroundStateTest, ClosingForgetsTheStep) {
  GivenFlush();
  work_.Reset();
  ASSERT_EQ(work_.state(), kIdle);
  Start(kWantsTurn);
}

}  // namespace
}  // namespace entitable
