// Schedules in which stores lose data when a rule of the protocol is left out:
// each in all the ways in which its commits may end.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/model_check/limits.h"
#include "support/model_check/simulator.h"

namespace entitable::model_check {
namespace {

// Writes a schedule down.
class Script {
 public:
  Script() { schedule_.options = LowestLimits(); }

  void Open(std::size_t tab) { Add({.kind = Choice::Kind::kOpen, .tab = tab}); }

  void CreateTable(std::size_t tab) {
    Submit(tab, {.kind = OperationKind::kCreateTable, .table = "TabA"});
  }

  void Upsert(std::size_t tab, const std::string& row_key) {
    SubmitWrite(tab, {.kind = OperationKind::kReplaceEntity,
                      .key = {"p", row_key},
                      .values = {{"W", std::to_string(++writes_)}}});
  }

  void Insert(std::size_t tab, const std::string& row_key) {
    SubmitWrite(tab, {.kind = OperationKind::kInsertEntity,
                      .key = {"p", row_key},
                      .values = {{"W", std::to_string(++writes_)}}});
  }

  void MergeIfRight(std::size_t tab, const std::string& row_key) {
    SubmitWrite(tab, {.kind = OperationKind::kMergeEntity,
                      .key = {"p", row_key},
                      .values = {{"W", std::to_string(++writes_)}},
                      .condition = Condition::kRight});
  }

  void Query(std::size_t tab) {
    Submit(tab, {.kind = OperationKind::kQueryEntities, .table = "TabA"});
  }

  void SetClock(std::size_t tab, int minutes) {
    Add({.kind = Choice::Kind::kSetClock,
         .tab = tab,
         .clock_minutes = minutes});
  }

  void Work(std::size_t tab) { Add({.kind = Choice::Kind::kWork, .tab = tab}); }
  void Perform(std::size_t tab, Fault fault = Fault::kNone) {
    Add({.kind = Choice::Kind::kPerform, .tab = tab, .fault = fault});
  }
  void Deliver(std::size_t tab) {
    Add({.kind = Choice::Kind::kDeliver, .tab = tab});
  }
  void Arrive() { Add({.kind = Choice::Kind::kArrive}); }

  // The tab comes to rest.
  void RunUntilIdle(std::size_t tab) {
    for (int i = 0; i < 20; ++i) {
      Work(tab);
      Perform(tab);
      Deliver(tab);
    }
    Work(tab);
  }

  // One tab writes so much that the log is flushed and trimmed several times.
  void WriteMuch(std::size_t tab) {
    for (int i = 0; i < 30; ++i) {
      Upsert(tab, "much" + std::to_string(i % 7));
      RunUntilIdle(tab);
    }
  }

  // A table with the rows 1 and 2, which tabs 0 and 1 have seen.
  void Begin() {
    for (const std::size_t tab : {0U, 1U}) Open(tab);
    CreateTable(0);
    Upsert(0, "1");
    Upsert(0, "2");
    RunUntilIdle(0);
    Query(1);
    RunUntilIdle(1);
  }

  // What happens, and what is wrong with it; nothing, if all is well.
  std::string Problem() {
    std::string text;
    const Report report = Simulate(schedule_, [&text](std::string_view line) {
      text.append(line).append("\n");
    });
    has_trimmed_ = report.has_trimmed;
    if (!report.violation) return "";
    return text + report.violation->rule + "\n" + report.violation->what;
  }

  bool has_trimmed() const { return has_trimmed_; }

 private:
  void Add(Choice choice) {
    choice.time = schedule_.choices.size();
    schedule_.choices.push_back(std::move(choice));
  }

  void Submit(std::size_t tab, Request request) {
    request.number = ++requests_;
    Add({.kind = Choice::Kind::kSubmit,
         .tab = tab,
         .request = std::move(request)});
  }

  void SubmitWrite(std::size_t tab, const Write& write) {
    Submit(tab, {.kind = write.kind, .table = "TabA", .writes = {write}});
  }

  Schedule schedule_;
  std::uint64_t requests_ = 0;
  std::uint64_t writes_ = 0;
  bool has_trimmed_ = false;
};

// Every way in which a commit may end.
constexpr Fault kFaults[] = {Fault::kNone,   Fault::kQuota, Fault::kRefused,
                             Fault::kStored, Fault::kLost,  Fault::kLate};

class ModelCheckSchedulesTest : public testing::Test {
 protected:
  void ExpectWell(Script& script) {
    EXPECT_EQ(script.Problem(), "");
    has_trimmed_ |= script.has_trimmed();
  }

  bool has_trimmed_ = false;
};

// For schedules that say nothing unless records are trimmed.
class TrimmedLogTest : public ModelCheckSchedulesTest {
 protected:
  void TearDown() override {
    if (!has_trimmed_) GTEST_SKIP() << "The engine has not trimmed the log.";
  }
};

// ------------------------------------------------------------------ openers

TEST_F(ModelCheckSchedulesTest, TwoOpenANewStoreWithClocksAnHourApart) {
  for (const Fault first : kFaults) {
    for (const Fault second : kFaults) {
      SCOPED_TRACE(testing::Message() << static_cast<int>(first) << " "
                                      << static_cast<int>(second));
      Script script;
      for (const std::size_t tab : {0U, 1U}) {
        script.Open(tab);
        script.CreateTable(tab);
        script.Upsert(tab, "1");
        script.Work(tab);
        script.Perform(tab);
      }
      script.SetClock(1, -60);
      // Both have found nothing there.
      for (const std::size_t tab : {0U, 1U}) script.Deliver(tab);
      for (const std::size_t tab : {0U, 1U}) script.Work(tab);
      script.Perform(1, first);
      script.Perform(0, second);
      for (const std::size_t tab : {0U, 1U}) script.Deliver(tab);
      for (int i = 0; i < 3; ++i) {
        for (const std::size_t tab : {1U, 0U}) {
          script.MergeIfRight(tab, "1");
          script.RunUntilIdle(tab);
        }
      }

      ExpectWell(script);
    }
  }
}

// However often nothing was heard of it, what counts is that it is there.
TEST_F(ModelCheckSchedulesTest, ANewStoreIsMadeAfterOutcomesWereLost) {
  for (const Fault last : {Fault::kNone, Fault::kStored, Fault::kLate}) {
    SCOPED_TRACE(static_cast<int>(last));
    Script script;
    script.Open(0);
    script.CreateTable(0);
    for (const Fault fault : {Fault::kLost, Fault::kLost, Fault::kLate, last}) {
      script.Work(0);
      script.Perform(0);  // Reads, and finds nothing.
      script.Deliver(0);
      script.Work(0);
      script.Perform(0, fault);
      script.Deliver(0);
    }
    script.Arrive();

    ExpectWell(script);
  }
}

TEST_F(ModelCheckSchedulesTest, OfTwoUpdatesWithOneEtagOneWins) {
  for (const Fault fault : kFaults) {
    SCOPED_TRACE(static_cast<int>(fault));
    Script script;
    script.Begin();
    for (const std::size_t tab : {0U, 1U}) script.MergeIfRight(tab, "1");
    for (const std::size_t tab : {0U, 1U}) script.Work(tab);
    script.Perform(1, fault);
    script.Perform(0);
    for (const std::size_t tab : {0U, 1U}) script.Deliver(tab);

    ExpectWell(script);
  }
}

// ----------------------------------------------------------------- sleepers

TEST_F(TrimmedLogTest, ASleeperWritesAfterTheLogWasTrimmed) {
  Script script;
  script.Begin();
  script.WriteMuch(0);
  script.Insert(1, "1");
  script.Insert(1, "3");
  script.RunUntilIdle(1);
  script.Query(1);
  script.RunUntilIdle(1);

  ExpectWell(script);
}

TEST_F(TrimmedLogTest, ACommitIsStoredAfterTheLogWasTrimmed) {
  for (const Fault fault : kFaults) {
    SCOPED_TRACE(static_cast<int>(fault));
    Script script;
    script.Begin();
    script.Insert(1, "3");
    script.Work(1);
    script.WriteMuch(0);
    script.Perform(1, fault);
    script.Deliver(1);
    script.RunUntilIdle(1);

    ExpectWell(script);
  }
}

// Records that are stored below the checkpoint would be orphans: a reader must
// not take them for the log, nor wait for the missing ones.
TEST_F(TrimmedLogTest, AReaderFindsWhatWasStoredAfterTheLogWasTrimmed) {
  for (const Fault fault : {Fault::kNone, Fault::kLate}) {
    SCOPED_TRACE(static_cast<int>(fault));
    Script script;
    script.Begin();
    script.Insert(1, "3");
    script.Work(1);
    // Its outcome must be looked up: the engine is catching up.
    script.Insert(0, "1");
    script.Work(0);
    script.Perform(0);
    script.Open(2);
    script.Query(2);
    script.RunUntilIdle(2);
    script.WriteMuch(2);
    script.Perform(1, fault);
    script.Arrive();
    script.Deliver(0);
    script.RunUntilIdle(0);
    for (const std::size_t tab : {0U, 2U}) {
      script.Insert(tab, "3");
      script.RunUntilIdle(tab);
    }
    script.Open(3);
    script.Query(3);
    script.RunUntilIdle(3);

    ExpectWell(script);
  }
}

// ---------------------------------------------------------- unknown outcomes

TEST_F(TrimmedLogTest, AnOutcomeIsLookedUpAfterTheLogWasTrimmed) {
  for (const Fault fault : {Fault::kStored, Fault::kLost, Fault::kLate}) {
    for (const bool arrives_first : {false, true}) {
      SCOPED_TRACE(testing::Message()
                   << static_cast<int>(fault) << " " << arrives_first);
      Script script;
      script.Begin();
      script.Insert(1, "3");
      script.MergeIfRight(1, "1");
      script.Work(1);
      script.Perform(1, fault);
      if (arrives_first) script.Arrive();
      script.WriteMuch(0);
      if (!arrives_first) script.Arrive();
      script.Deliver(1);
      script.RunUntilIdle(1);

      ExpectWell(script);
    }
  }
}

TEST_F(TrimmedLogTest, AnOutcomeIsLookedUpWhileTheLogIsTrimmed) {
  for (const Fault fault : {Fault::kStored, Fault::kLost, Fault::kLate}) {
    SCOPED_TRACE(static_cast<int>(fault));
    Script script;
    script.Begin();
    script.Insert(1, "3");
    script.Work(1);
    script.Perform(1, fault);
    script.Deliver(1);
    script.Work(1);
    script.Perform(1);  // Reads what is new, and is not told yet.
    script.WriteMuch(0);
    script.Deliver(1);
    script.Work(1);
    script.WriteMuch(0);
    script.RunUntilIdle(1);

    ExpectWell(script);
  }
}

}  // namespace
}  // namespace entitable::model_check
