// Random schedules of up to four tabs on one storage, each judged by what
// engine.h promises; support/model_check/judge.h says how.
//
// ENTITABLE_SCHEDULES: how many; 2,000 in `npm run test:all`.  To see a failure
// again:
//   ENTITABLE_SEED=<seed> ENTITABLE_SCHEDULES=1 entitable_tests
//   --gtest_filter='ModelCheck*'

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "support/model_check/apart.h"
#include "support/model_check/check.h"
#include "support/model_check/shrink.h"
#include "support/random.h"

namespace entitable::model_check {
namespace {

std::size_t WantedSchedules() {
  return WantedRuns("ENTITABLE_SCHEDULES", 2'000);
}

TEST(ModelCheckTest, RandomSchedulesBreakNoRule) {
  const Findings findings = Check(TestSeed(), WantedSchedules());

  EXPECT_FALSE(findings.failed_seed)
      << "ENTITABLE_SEED=" << *findings.failed_seed
      << " ENTITABLE_SCHEDULES=1\n"
      << ShortestWay(RandomSchedule(*findings.failed_seed));
  if (WantedSchedules() >= 2'000) {
    EXPECT_GT(findings.counts.orphans, 0U) << "no record came late for a flush";
    EXPECT_GT(findings.counts.falls, 0U) << "no record was forgotten";
    EXPECT_GT(findings.counts.transactions, findings.counts.conflicts / 10)
        << "most transactions see conflicts";
    EXPECT_GT(findings.counts.conflicts, 0U) << "no transaction saw a conflict";
  }
  RecordProperty("orphans", std::to_string(findings.counts.orphans));
  RecordProperty("falls", std::to_string(findings.counts.falls));
  RecordProperty("choices", std::to_string(findings.counts.choices));
  RecordProperty("batches", std::to_string(findings.counts.batches));
  RecordProperty("moves", std::to_string(findings.counts.moves));
  RecordProperty("requests", std::to_string(findings.counts.requests));
  RecordProperty("transactions", std::to_string(findings.counts.transactions));
  RecordProperty("conflicts", std::to_string(findings.counts.conflicts));
}

// ----------------------------------------------------------------- machinery

std::string TraceOf(const Schedule& schedule) {
  return RunApart([&schedule](const Say& say) { Simulate(schedule, say); })
      .said;
}

TEST(ModelCheckTest, ASeedAlwaysGivesTheSameSchedule) {
  for (std::uint64_t seed = TestSeed(); seed < TestSeed() + 5; ++seed) {
    EXPECT_EQ(TraceOf(RandomSchedule(seed)), TraceOf(RandomSchedule(seed)));
  }
}

TEST(ModelCheckTest, LeavesOutWhatAFailureDoesNotNeed) {
  const auto submissions = [](const Schedule& schedule) {
    return std::ranges::count(schedule.choices, Choice::Kind::kSubmit,
                              &Choice::kind);
  };
  Schedule schedule = RandomSchedule(TestSeed());
  while (submissions(schedule) < 3) schedule = RandomSchedule(++schedule.seed);

  const Schedule shrunk = Shrink(schedule, [&](const Schedule& candidate) {
    return submissions(candidate) >= 3;
  });

  EXPECT_EQ(shrunk.choices.size(), 3U);
  EXPECT_EQ(submissions(shrunk), 3);
}

TEST(ModelCheckTest, OutlivesAnEngineThatStopsTheProgram) {
  const Apart apart = RunApart([](const Say& say) {
    say("so far");
    ::_exit(1);
  });

  EXPECT_FALSE(apart.has_ended);
  EXPECT_EQ(apart.said, "so far");
  EXPECT_TRUE(RunApart([](const Say&) {}).has_ended);
}

}  // namespace
}  // namespace entitable::model_check
