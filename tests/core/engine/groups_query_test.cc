// Aggregates of groups: operation.h, QueryGroups.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "support/memory_host.h"
#include "support/operations.h"
#include "support/values_reader.h"

namespace entitable {
namespace {

using Texts = std::vector<std::string>;

class GroupsQueryTest : public testing::Test {
 protected:
  GroupsQueryTest() { Open(); }

  // An engine on a storage of its own, with an empty table.
  void Open(StoreLimits limits = {}, WorkLimits work = {}) {
    host_ = std::make_unique<MemoryHost>(std::make_shared<MemoryStorage>(),
                                         Profile::kDefault, limits, work);
    Given(NewTable("Tab"));
  }

  void Given(const OwnedOperation& operation) {
    const auto answer = host_->Do(operation);
    ASSERT_TRUE(answer.has_value()) << Outcome(answer);
  }
  void Put(const std::string& partition_key, const std::string& row_key,
           const std::string& members) {
    Given(Replace("Tab", partition_key, row_key, "{" + members + "}"));
  }

  // Each group as one text: its values in their order, with blanks between.  A
  // missing value is a line.
  Texts Of(const std::string& group_by, const std::string& aggregates,
           const std::string& filter = "") {
    const auto answer = host_->Do(Groups("Tab", group_by, aggregates, filter));
    if (!answer) return {Outcome(answer)};
    Texts groups;
    for (const ValuesRow& row : ReadValues(answer->body)) {
      std::string text;
      for (const char kind : {'g', 'a'}) {
        for (int i = 0; i < 9; ++i) {
          const auto value = row.find(kind + std::to_string(i));
          if (value == row.end()) continue;
          if (!text.empty()) text += ' ';
          text += value->second.empty() ? "-" : value->second;
        }
      }
      groups.push_back(text);
    }
    return groups;
  }

  std::unique_ptr<MemoryHost> host_;
};

TEST_F(GroupsQueryTest, CalculatesForEachGroupInOrder) {
  Put("dogs", "a", R"("Kind":"x","N":3)");
  Put("dogs", "b", R"("Kind":"y","N":4)");
  Put("cats", "a", R"("Kind":"x","N":5)");
  Put("cats", "b", R"("N":"text")");

  EXPECT_EQ(Of("Kind", "count,sum N,min N,max N,count N"),
            (Texts{"- 1 - text text 1", "x 2 8 3 5 2", "y 1 4 4 4 1"}));
  EXPECT_EQ(Of("Kind desc", "count"), (Texts{"y 1", "x 2", "- 1"}));
  EXPECT_EQ(Of("PartitionKey", "count,max RowKey"),
            (Texts{"cats 2 b", "dogs 2 b"}));
  EXPECT_EQ(Of("RowKey,Kind", ""), (Texts{"a x", "b -", "b y"}));
  EXPECT_EQ(Of("Kind", "count", "N gt 3"), (Texts{"x 1", "y 1"}));
  EXPECT_EQ(Of("", "count,sum N"), Texts{"4 12"});
}

TEST_F(GroupsQueryTest, HasOneGroupOfNothingOnlyWithoutProperties) {
  EXPECT_EQ(Of("", "count,sum N,avg N,min N,count N"), Texts{"0 - - - 0"});
  EXPECT_EQ(Of("Kind", "count"), Texts());
}

TEST_F(GroupsQueryTest, NumbersOfAllTypesMakeOneGroup) {
  Put("p", "1", R"("N":5)");
  Put("p", "2", R"("N":5.0)");
  Put("p", "3", R"("N@odata.type":"Edm.Int64","N":"5")");
  EXPECT_EQ(Of("N", "count"), Texts{"5 3"});
}

TEST_F(GroupsQueryTest, ReadsPagesAndMemoryAlike) {
  Open({.flush_records = 20, .page_bytes = 1'000}, {.slice_units = 30});
  std::int64_t sum = 0;
  for (int i = 0; i < 500; ++i) {
    Put("p" + std::to_string(i % 3), std::to_string(i),
        "\"N\":" + std::to_string(i));
  }
  for (int i = 0; i < 500; i += 7) {
    Given(Delete("Tab", "p" + std::to_string(i % 3), std::to_string(i)));
  }
  int count = 0;
  for (int i = 0; i < 500; ++i) {
    if (i % 7 == 0) continue;
    ++count;
    sum += i;
  }
  EXPECT_EQ(
      Of("", "count,sum N,min N,max N"),
      Texts{std::to_string(count) + ' ' + std::to_string(sum) + " 1 499"});
  host_->Restart();
  EXPECT_EQ(Of("PartitionKey", "").size(), 3U);
}

// Rows are written between the slices of the query.
TEST_F(GroupsQueryTest, CountsEachEntityOnceWhateverIsWritten) {
  Open({.flush_records = 10, .page_bytes = 500}, {.slice_units = 5});
  for (int i = 100; i < 200; ++i) {
    Put("p", std::to_string(i), R"("N":1)");
  }
  for (int turn = 0; turn < 5; ++turn) {
    const RequestId groups = host_->Submit(Groups("Tab", "", "count,sum N"));
    for (int i = 100; i < 200; i += 3) {
      const RequestId write = host_->Submit(
          Replace("Tab", "p", std::to_string(i), R"({"N":1,"Other":2})"));
      (void)host_->Await(write);
    }
    const auto answer = host_->Await(groups);
    ASSERT_TRUE(answer.has_value());
    const auto row = ReadValues(answer->body).at(0);
    EXPECT_EQ(row.at("a0"), "100");
    EXPECT_EQ(row.at("a1"), "100");
  }
}

TEST_F(GroupsQueryTest, EndsWithAnErrorIfASumOverflows) {
  for (const char* row_key : {"1", "2"}) {
    Put("p", row_key,
        R"("N@odata.type":"Edm.Int64","N":"9223372036854775807")");
  }
  EXPECT_EQ(Of("", "sum N"), Texts{"400 SumOverflow"});
  EXPECT_EQ(Of("RowKey", "sum N").size(), 2U);
}

TEST_F(GroupsQueryTest, EndsWithAnErrorIfTheGroupsTakeTooMuchMemory) {
  Open({.cache_bytes = 0});
  for (int i = 0; i < 160; ++i) {
    Put("p", std::to_string(i),
        "\"S\":\"" + std::to_string(i) + std::string(32'000, 's') + '"');
  }
  EXPECT_EQ(Of("S", "count"), Texts{"413 TooManyGroups"});
  EXPECT_EQ(Of("RowKey", "count").size(), 160U);
}

TEST_F(GroupsQueryTest, RefusesWhatIsWrong) {
  EXPECT_EQ(Of("A up", "count"), Texts{"400 InvalidInput"});
  EXPECT_EQ(Of("A", "median A"), Texts{"400 InvalidInput"});
  EXPECT_EQ(Of("A", "count", "A eq"), Texts{"400 InvalidInput"});
  EXPECT_EQ(Outcome(host_->Do(Groups("None", "A", "count"))),
            "404 TableNotFound");
}

}  // namespace
}  // namespace entitable
