// A background step that was moved or has an unknown outcome: the engine reads
// the state in storage.  If the read fails or finds nothing new, the engine
// pauses.  Otherwise it would repeat the step without end.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <variant>

#include "support/engine_test.h"

namespace entitable {
namespace {

constexpr StoreLimits kLimits{.flush_records = 10};
constexpr StoreLimits kNoBackgroundWork{.flush_records = 1'000'000};
constexpr std::size_t kWriteStallRecords = 4 * kLimits.flush_records;

// More than any of these tests needs.
constexpr int kManySteps = 50;

bool IsBackgroundStep(const Commit& commit) {
  return std::ranges::any_of(commit.batch.puts, [](const Put& put) {
    return put.key == ValueKey::Manifest();
  });
}

struct Asked {
  int reads = 0;  // Of the log.
  int steps = 0;  // Background steps.

  bool operator==(const Asked&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Asked& asked) {
    return out << asked.reads << " reads, " << asked.steps << " steps";
  }
};

class MovedBackgroundWorkTest : public testing::Test {
 protected:
  void SetUp() override {
    MemoryHost other(storage_, Profile::kDefault, kNoBackgroundWork);
    ASSERT_EQ(Outcome(other.Do(NewTable("Tab"))), "201");
  }

  // Records of another engine.
  void GivenRecords(std::size_t count) {
    MemoryHost other(storage_, Profile::kDefault, kNoBackgroundWork);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(Outcome(other.Do(NextInsert())), "201");
    }
  }

  // Another engine flushes the log and does not compact.
  void GivenFlush() {
    MemoryHost other(storage_, Profile::kDefault, kLimits);
    Open(other);
    Step wish = other.NextWish();
    for (; std::holds_alternative<Read>(wish); wish = other.NextWish()) {
      other.Fulfil(std::get<Read>(wish));
    }
    ASSERT_TRUE(std::holds_alternative<Commit>(wish));
    other.Fulfil(std::get<Commit>(wish));
  }

  OwnedOperation NextInsert() {
    return Insert("Tab", EntityBody("p", std::to_string(rows_++)));
  }

  // Opens the account and stops before the first background step.
  static void Open(MemoryHost& host) {
    host.Submit(ListTables());
    const Step opening = host.NextWish();
    ASSERT_TRUE(std::holds_alternative<Read>(opening));
    host.Fulfil(std::get<Read>(opening));
  }

  // Does what the engine asks for until it is idle.  Background steps end with
  // this outcome; reads of the log fail if requested.
  Asked RunWith(CommitOutcome outcome, bool do_reads_fail) {
    Asked asked;
    while (asked.reads + asked.steps < kManySteps) {
      const Step wish = host_.NextWish();
      if (const auto* read = std::get_if<Read>(&wish)) {
        const bool is_of_log = read->records_after.has_value();
        if (is_of_log) ++asked.reads;
        if (is_of_log && do_reads_fail) host_.faults().FailNextRead();
        host_.Fulfil(*read);
      } else if (const auto* commit = std::get_if<Commit>(&wish)) {
        if (IsBackgroundStep(*commit)) {
          ++asked.steps;
          host_.faults().RefuseNextCommit(outcome);
        }
        host_.Fulfil(*commit);
      } else {
        break;
      }
    }
    return asked;
  }

  bool HasFlushed() const {
    return storage_->values().contains(ValueKey::Manifest());
  }

  std::shared_ptr<MemoryStorage> storage_ = std::make_shared<MemoryStorage>();
  MemoryHost host_{storage_, Profile::kDefault, kLimits};
  int rows_ = 0;
};

TEST_F(MovedBackgroundWorkTest, PausesWhereTheReadAfterItFails) {
  for (const auto outcome : {CommitOutcome::kMoved, CommitOutcome::kUnknown}) {
    SCOPED_TRACE(static_cast<int>(outcome));
    host_.Restart();
    GivenRecords(kLimits.flush_records);
    Open(host_);

    EXPECT_EQ(RunWith(outcome, /*do_reads_fail=*/true), (Asked{1, 1}));

    EXPECT_FALSE(HasFlushed());
  }
}

TEST_F(MovedBackgroundWorkTest, PausesWhereNothingHasMovedIt) {
  GivenRecords(kLimits.flush_records);
  Open(host_);

  EXPECT_EQ(RunWith(CommitOutcome::kMoved, /*do_reads_fail=*/false),
            (Asked{1, 1}));

  EXPECT_EQ(Outcome(host_.Do(NextInsert())), "201");
  EXPECT_FALSE(HasFlushed());
}

TEST_F(MovedBackgroundWorkTest, PausesACompactionToo) {
  for (int i = 0; i < 2; ++i) {
    GivenRecords(kLimits.flush_records);
    GivenFlush();
  }
  Open(host_);

  EXPECT_EQ(RunWith(CommitOutcome::kMoved, /*do_reads_fail=*/true),
            (Asked{1, 1}));
}

TEST_F(MovedBackgroundWorkTest, FailsWritesThatCannotBeStoredBeforeIt) {
  GivenRecords(kWriteStallRecords);
  Open(host_);
  const RequestId write = host_.Submit(NextInsert());

  EXPECT_EQ(RunWith(CommitOutcome::kMoved, /*do_reads_fail=*/true),
            (Asked{1, 1}));

  EXPECT_EQ(Outcome(host_.Await(write)), "503 StorageUnavailable");
  EXPECT_EQ(Outcome(host_.Do(NextInsert())), "201");
  EXPECT_TRUE(HasFlushed());
}

TEST_F(MovedBackgroundWorkTest, GoesOnAtOnceWhereAnotherHasMovedIt) {
  GivenRecords(kLimits.flush_records);
  Open(host_);
  const Step flush = host_.NextWish();
  ASSERT_TRUE(std::holds_alternative<Commit>(flush));
  GivenFlush();
  GivenRecords(kLimits.flush_records);
  const Bytes manifest = storage_->values().at(ValueKey::Manifest());

  host_.Fulfil(std::get<Commit>(flush));
  host_.Run();

  EXPECT_NE(storage_->values().at(ValueKey::Manifest()), manifest);
}

}  // namespace
}  // namespace entitable
