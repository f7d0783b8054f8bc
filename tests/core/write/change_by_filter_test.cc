// Changes of all entities that match a filter: ChangeEntities of operation.h.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "support/engine_test.h"
#include "support/memory_host.h"
#include "support/operations.h"
#include "support/schema_bytes.h"

namespace entitable {
namespace {

using Counts = std::vector<std::string>;

class ChangeByFilterTest : public EngineTest {
 protected:
  void SetUp() override { Given(NewTable("Tab")); }

  // Rows from 0 on, in two partitions; N is the number of the row.
  static OwnedOperation Rows(int count, const std::string& members = "") {
    std::string lines;
    for (int row = 0; row < count; ++row) {
      lines += EntityBody(row % 2 == 0 ? "even" : "odd", RowKeyOf(row),
                          "\"N\":" + std::to_string(row) + members);
      lines += '\n';
    }
    return Import("Tab", lines, {.import = 1, .begins = true, .ends = true});
  }

  static std::string RowKeyOf(int row) { return std::to_string(10'000 + row); }

  static OwnedOperation DeleteAll(const std::string& filter) {
    return DeleteMatching("Tab", filter);
  }
  static OwnedOperation SetAll(const std::string& body,
                               const std::string& filter) {
    return MergeMatching("Tab", body, filter);
  }

  // How many entities each step has changed, and the error at the end.
  static Counts Steps(MemoryHost& host, OwnedOperation change) {
    Counts counts;
    for (;;) {
      const auto step = host.Do(change);
      counts.push_back(step ? step->body : Outcome(step));
      if (!step || !step->next_partition_key) return counts;
      change.with.next_partition_key = step->next_partition_key;
      change.with.next_row_key = step->next_row_key;
    }
  }
  Counts Steps(const OwnedOperation& change) { return Steps(host_, change); }

  long long CountOf(const std::string& filter) {
    return NumbersOf("count", Body(host_.Do(Count("Tab", filter)))).front();
  }
};

TEST_F(ChangeByFilterTest, DeletesWhatMatchesInStepsOfAThousand) {
  Given(Rows(2'500));

  EXPECT_EQ(Steps(DeleteAll("N ge 100")), (Counts{"1000", "1000", "400"}));

  EXPECT_EQ(CountOf(""), 100);
  EXPECT_EQ(CountOf("N lt 100"), 100);
  EXPECT_EQ(Steps(DeleteAll("N ge 100")), Counts{"0"});
}

TEST_F(ChangeByFilterTest, MergesPropertiesAndKeepsTheOthers) {
  Given(Rows(6, R"(,"D":1.5)"));
  OwnedOperation set = SetAll(R"({"D":2,"T":"x"})", "N ge 4");
  set.keeps_doubles = true;

  EXPECT_EQ(Steps(set), Counts{"2"});

  EXPECT_EQ(Stored("Tab", "even", RowKeyOf(4)), R"("D":2.0,"N":4,"T":"x")");
  EXPECT_EQ(Stored("Tab", "even", RowKeyOf(2)), R"("N":2,"D":1.5)");
}

// One commit has one timestamp.
TEST_F(ChangeByFilterTest, AStepIsOneCommit) {
  Given(Rows(300));
  const RequestId request = host_.Submit(SetAll(R"({"T":1})", "true"));
  int commits = 0;
  for (Step wish = host_.NextWish(); !std::holds_alternative<Idle>(wish);
       wish = host_.NextWish()) {
    if (const auto* commit = std::get_if<Commit>(&wish)) {
      ++commits;
      EXPECT_FALSE(commit->batch.frees);
      host_.Fulfil(*commit);
    } else {
      host_.Fulfil(std::get<Read>(wish));
    }
  }

  EXPECT_EQ(Outcome(host_.Await(request)), "202");
  EXPECT_EQ(commits, 1);
  EXPECT_EQ(CountOf("T eq 1"), 300);
}

TEST_F(ChangeByFilterTest, DeletesInAStorageThatIsFull) {
  Given(Rows(10));
  host_.faults().FillUp();

  EXPECT_EQ(Steps(SetAll(R"({"T":1})", "true")),
            Counts{"507 StorageQuotaExceeded"});
  EXPECT_EQ(Steps(DeleteAll("N ge 5")), Counts{"5"});
}

TEST_F(ChangeByFilterTest, EndsInFrontOfAnEntityThatASchemaRefuses) {
  Given(Rows(5));
  Given(Enforce("Tab", SchemaBytes({Optional("N", EdmType::kInt32,
                                             {Maximum(Value::Int32(2))})})));

  EXPECT_EQ(Steps(SetAll(R"({"T":1})", "PartitionKey eq 'even'")),
            (Counts{"2", "400 SchemaViolation"}));

  EXPECT_EQ(CountOf("T eq 1"), 2);
  // A deletion breaks no rule.
  EXPECT_EQ(Steps(DeleteAll("N eq 4")), Counts{"1"});
}

TEST_F(ChangeByFilterTest, StepsOfLongEntitiesAreShorter) {
  Given(Rows(100));
  const std::string text(30'000, 'x');

  const Counts counts = Steps(SetAll(R"({"T":")" + text + "\"}", "true"));

  EXPECT_GE(counts.size(), 3U);
  for (const std::string& count : counts) EXPECT_LE(std::stoi(count), 35);
  EXPECT_EQ(CountOf("T gt 'x'"), 100);
  // Their deletions are short.
  EXPECT_EQ(Steps(DeleteAll("true")), Counts{"100"});
}

TEST_F(ChangeByFilterTest, KeepsTheIndexes) {
  Given(Rows(1'200));
  for (std::string body; !body.ends_with(R"("complete":true})");) {
    body = Body(host_.Do(SetIndexes("Tab", "N;T")));
  }

  const Counts counts = Steps(SetAll(R"({"T":7})", "N ge 300"));
  for (const std::string& count : counts) EXPECT_LE(std::stoi(count), 400);
  Steps(DeleteAll("N lt 100"));

  const auto by_index = [&](const std::string& filter) {
    const std::string plan = Body(host_.Do(Count("Tab", filter)));
    EXPECT_NE(plan.find(R"("access":"index")"), std::string::npos) << plan;
    return NumbersOf("count", plan).front();
  };
  EXPECT_EQ(by_index("T eq 7 and N eq 350"), 1);
  EXPECT_EQ(by_index("N eq 50"), 0);
  EXPECT_EQ(CountOf("T eq 7"), 900);
}

// The rival's writes come between the read of the step and its commit.
TEST_F(ChangeByFilterTest, LeavesAloneWhatNoLongerMatches) {
  Given(Rows(6));
  host_.faults().LoseNextRace([&] {
    MemoryHost rival(host_.shared_storage());
    const auto merge = [&](int row, const std::string& body) {
      EXPECT_EQ(Outcome(rival.Do(Merge("Tab", "even", RowKeyOf(row), body))),
                "204");
    };
    merge(2, R"({"N":100})");
    merge(4, R"({"A":1})");
    EXPECT_EQ(Outcome(rival.Do(Delete("Tab", "odd", RowKeyOf(1)))), "204");
  });

  EXPECT_EQ(Steps(SetAll(R"({"T":1})", "N lt 10")), (Counts{"1", "3"}));

  EXPECT_EQ(Stored("Tab", "even", RowKeyOf(2)), R"("N":100)");
  EXPECT_EQ(Stored("Tab", "even", RowKeyOf(4)), R"("A":1,"N":4,"T":1)");
  EXPECT_EQ(CountOf(""), 5);
}

TEST_F(ChangeByFilterTest, FailsIfItsFirstEntityHasChanged) {
  Given(Rows(2));
  host_.faults().LoseNextRace([&] {
    MemoryHost rival(host_.shared_storage());
    EXPECT_EQ(
        Outcome(rival.Do(Merge("Tab", "even", RowKeyOf(0), R"({"A":1})"))),
        "204");
  });

  EXPECT_EQ(Steps(DeleteAll("true")),
            Counts{"412 UpdateConditionNotSatisfied"});
  EXPECT_EQ(Steps(DeleteAll("true")), Counts{"2"});
}

TEST_F(ChangeByFilterTest, SeesTheWritesOfOthersIfItIsFresh) {
  Given(Rows(1));
  MemoryHost other(host_.shared_storage());
  ASSERT_EQ(Outcome(other.Do(Insert("Tab", EntityBody("z", "z")))), "201");
  OwnedOperation fresh = DeleteAll("true");
  fresh.with.fresh = true;

  EXPECT_EQ(Steps(fresh), Counts{"2"});
}

TEST_F(ChangeByFilterTest, FailsAsAWholeAndChangesNothing) {
  Given(Rows(3));

  EXPECT_EQ(Do(DeleteMatching("None", "true")), "404 TableNotFound");
  EXPECT_EQ(Do(DeleteAll("N ge")), "400 InvalidInput");
  EXPECT_EQ(Do(SetAll(R"({"T":")" + std::string(40'000, 'x') + "\"}", "true")),
            "400 PropertyValueTooLarge");
  host_.faults().RefuseNextCommit(CommitOutcome::kRefused);
  EXPECT_EQ(Do(DeleteAll("true")), "503 StorageUnavailable");
  host_.faults().LoseNextOutcome(Fate::kStored);
  EXPECT_EQ(Steps(DeleteAll("N eq 1")), Counts{"1"});
  EXPECT_EQ(CountOf(""), 2);
}

// Other writes do not wait for a change of a whole table.
TEST_F(ChangeByFilterTest, OtherWritesComeBetweenItsSteps) {
  Given(Rows(1'500));
  const RequestId change = host_.Submit(DeleteAll("true"));
  const RequestId insert = host_.Submit(Insert("Tab", EntityBody("a", "a")));

  EXPECT_EQ(Outcome(host_.Await(insert)), "201");
  EXPECT_EQ(Outcome(host_.Await(change)), "202");
  EXPECT_EQ(CountOf("PartitionKey eq 'a'"), 1);
}

TEST_F(ChangeByFilterTest, CanBeWithdrawnWhileItWaits) {
  Given(Rows(3));
  const RequestId change = host_.Submit(DeleteAll("true"));

  EXPECT_TRUE(host_.engine().Cancel(change));
  host_.Run();

  EXPECT_EQ(CountOf(""), 3);
}

// However small the slices and the pages are.
TEST_F(ChangeByFilterTest, DoesTheSameInManySlices) {
  MemoryHost host(std::make_shared<MemoryStorage>(), Profile::kDefault,
                  {.cache_bytes = 0, .page_bytes = 256},
                  {.slice_units = 1, .page_units = 5'000});
  ASSERT_EQ(Outcome(host.Do(NewTable("Tab"))), "201");
  ASSERT_EQ(Outcome(host.Do(Rows(200))), "202");
  host.Run();

  const Counts counts =
      Steps(host, SetAll(R"({"T":1})", "N ge 50 and N lt 150"));

  int changed = 0;
  for (const std::string& count : counts) changed += std::stoi(count);
  EXPECT_EQ(changed, 100);
  EXPECT_EQ(NumbersOf("count", Body(host.Do(Count("Tab", "T eq 1")))).front(),
            100);
}

}  // namespace
}  // namespace entitable
