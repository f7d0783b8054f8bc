// Background work beside reads: a step has a turn for itself, and leaves time
// to the reads in between.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "support/memory_host.h"
#include "support/operations.h"
#include "support/stored_pages.h"

namespace entitable {
namespace {

constexpr double kIdleMs = 20;
constexpr int kRuns = 8;
constexpr int kRows = 600;
constexpr StoreLimits kLimits{
    .page_bytes = 1'000, .step_pages = 2, .idle_ms = kIdleMs};

std::string KeyOf(int row, int run) {
  return "r" + std::to_string(1'000 + row) + "-" + std::to_string(run);
}

// A storage with more runs than a store keeps.  The keys of each lie between
// those of the others, so a compaction rewrites every page.
std::shared_ptr<MemoryStorage> StorageOfManyRuns(int runs, int rows) {
  MemoryHost host(std::make_shared<MemoryStorage>(), Profile::kDefault,
                  kLimits);
  host.engine().StopBackgroundWork();
  EXPECT_EQ(Outcome(host.Do(NewTable("Tab"))), "201");
  for (int run = 0; run < runs; ++run) {
    std::string lines;
    for (int row = 0; row < rows; ++row) {
      lines +=
          EntityBody("p", KeyOf(row, run), "\"N\":" + std::to_string(row)) +
          "\n";
    }
    const ImportPart part{.import = static_cast<std::uint32_t>(run + 1),
                          .begins = true,
                          .ends = true};
    EXPECT_EQ(Outcome(host.Do(Import("Tab", lines, part))), "202");
  }
  EXPECT_EQ(ReadStoredPages(host.storage()).runs, runs);
  return host.shared_storage();
}

class WorkBesideReadsTest : public testing::Test {
 protected:
  explicit WorkBesideReadsTest(int runs = kRuns, int rows = kRows)
      : storage_(StorageOfManyRuns(runs, rows)) {}

  // The opening counts as a change.
  void SetUp() override {
    SubmitGet();
    StoreStep();
    host_.set_clock(host_.clock() + kIdleMs);
  }

  RequestId SubmitGet() { return host_.Submit(Get("Tab", "p", KeyOf(9, 3))); }

  // Fulfils all reads until then.
  Step NextCommitOrIdle() {
    for (;;) {
      Step step = host_.NextWish();
      const auto* read = std::get_if<Read>(&step);
      if (read == nullptr) return step;
      host_.Fulfil(*read);
    }
  }

  void StoreStep() {
    const Step step = NextCommitOrIdle();
    ASSERT_TRUE(std::holds_alternative<Commit>(step));
    host_.Fulfil(std::get<Commit>(step));
  }

  // How long the next step waits, in milliseconds.
  double Wait() {
    const Step step = NextCommitOrIdle();
    const auto* idle = std::get_if<Idle>(&step);
    return idle == nullptr ? 0 : idle->background_work_in_ms;
  }

  std::shared_ptr<MemoryStorage> storage_;
  MemoryHost host_{storage_, Profile::kDefault, kLimits, {.slice_units = 10}};
};

TEST_F(WorkBesideReadsTest, AStepIsAllThatItsTurnDoes) {
  Engine& engine = host_.engine();
  const RequestId count = host_.Submit(Count("Tab", "N ge 0 and N ne 5"));
  int interruptions = 0;
  std::uint64_t spent_at_yield = 0;
  bool is_answered = false;
  bool is_new_turn = false;
  while (!is_answered) {
    host_.set_clock(host_.clock() + 1);
    Step step = engine.Run(host_.clock());
    if (auto* commit = std::get_if<Commit>(&step)) {
      EXPECT_TRUE(is_new_turn);
      const Commit stored = std::move(*commit);
      step = engine.Run(host_.clock());
      EXPECT_EQ(engine.spent_units(), spent_at_yield);
      if (std::holds_alternative<Yield>(step)) ++interruptions;
      host_.Fulfil(stored);
    }
    is_new_turn = std::holds_alternative<Yield>(step);
    if (is_new_turn) spent_at_yield = engine.spent_units();
    if (const auto* read = std::get_if<Read>(&step)) host_.Fulfil(*read);
    if (const auto* answer = std::get_if<Answer>(&step)) {
      EXPECT_EQ(answer->request, count);
      is_answered = true;
    }
  }
  EXPECT_GT(interruptions, 0);
}

TEST_F(WorkBesideReadsTest, AStepLeavesTimeToReadsThatCame) {
  StoreStep();

  SubmitGet();

  EXPECT_EQ(Wait(), kIdleMs);
  host_.set_clock(host_.clock() + kIdleMs - 1);
  EXPECT_EQ(Wait(), 1);
  host_.set_clock(host_.clock() + 1);
  StoreStep();
}

TEST_F(WorkBesideReadsTest, StepsFollowAtOnceWithoutReads) {
  StoreStep();

  EXPECT_EQ(Wait(), 0);
}

// A store that is written to must not grow beyond its limits.
TEST_F(WorkBesideReadsTest, StepsFollowAtOnceBetweenWrites) {
  host_.Submit(Insert("Tab", EntityBody("p", "new")));
  StoreStep();
  StoreStep();

  SubmitGet();

  EXPECT_EQ(Wait(), 0);
}

TEST_F(WorkBesideReadsTest, ACompactionEndsWhileReadsKeepComing) {
  StoreStep();
  int steps = 1;
  double ms = 0;
  for (SubmitGet(); Wait() > 0; SubmitGet()) {
    host_.set_clock(host_.clock() + 1);
    ++ms;
    const Step step = NextCommitOrIdle();
    if (const auto* commit = std::get_if<Commit>(&step)) {
      host_.Fulfil(*commit);
      ++steps;
    }
  }

  const StoredPages pages = ReadStoredPages(*storage_);
  EXPECT_LE(pages.runs, 3U);
  EXPECT_EQ(pages.rows, kRuns * kRows);
  EXPECT_GT(steps, 5);
  EXPECT_EQ(ms, (steps - 1) * kIdleMs);
}

class WorkBesideReadsOfManyRunsTest : public WorkBesideReadsTest {
 protected:
  WorkBesideReadsOfManyRunsTest() : WorkBesideReadsTest(17, 40) {}
};

// A read may need a page of each run, so it gains more from fewer runs.
TEST_F(WorkBesideReadsOfManyRunsTest, StepsFollowAtOnce) {
  StoreStep();

  SubmitGet();

  StoreStep();
}

}  // namespace
}  // namespace entitable
