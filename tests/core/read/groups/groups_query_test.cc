// Aggregates of groups: operation.h, QueryGroups.

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/coding.h"
#include "support/memory_host.h"
#include "support/operations.h"
#include "support/values_reader.h"

namespace entitable {
namespace {

using Texts = std::vector<std::string>;

// Their bytes, as a Double and a histogram have them.
std::string Doubles(const std::vector<double>& numbers) {
  std::string bytes;
  for (const double number : numbers) {
    AppendU64(std::bit_cast<std::uint64_t>(number), bytes);
  }
  return bytes;
}

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

TEST_F(GroupsQueryTest, NamesThePropertyOfASumThatOverflows) {
  const std::string type = R"("Views@odata.type":"Edm.Int64","Views":)";
  Put("p", "1", type + "\"9223372036854775807\"");
  Put("p", "2", R"("Views":1)");
  const auto answer = host_->Do(Groups("Tab", "", "count,sum Views"));
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code, ErrorCode::kSumOverflow);
  EXPECT_NE(answer.error().message.find("Views"), std::string::npos);
}

TEST_F(GroupsQueryTest, NumbersOfAllTypesMakeOneGroup) {
  Put("p", "1", R"("N":5)");
  Put("p", "2", R"("N":5.0)");
  Put("p", "3", R"("N@odata.type":"Edm.Int64","N":"5")");
  EXPECT_EQ(Of("N", "count"), Texts{"5 3"});
}

TEST_F(GroupsQueryTest, MakesGroupsOfPartsOfDates) {
  for (const bool is_flushed : {false, true}) {
    SCOPED_TRACE(is_flushed);
    Open({.flush_records = is_flushed ? 1U : 1'000U});
    const std::string type = R"("D@odata.type":"Edm.DateTime","D":)";
    Put("p", "1", type + R"("2023-12-31T23:59:59.9Z")");
    Put("p", "2", type + R"("2024-01-01T00:00:00Z")");
    Put("p", "3", type + R"("2024-07-01T00:00:01Z")");
    Put("p", "4", R"("D":"2024-01-01T00:00:00Z")");
    Put("p", "5", R"("D":2024)");
    Put("p", "6", "");

    EXPECT_EQ(Of("year(D)", "count,min RowKey"),
              (Texts{"- 3 4", "2023 1 1", "2024 2 2"}));
    EXPECT_EQ(Of("month(D) desc,day(D)", "count"),
              (Texts{"12 31 1", "7 1 1", "1 1 1", "- - 3"}));
    EXPECT_EQ(Of("hour(D),minute(D),second(D)", "count"),
              (Texts{"- - - 3", "0 0 0 1", "0 0 1 1", "23 59 59 1"}));
    EXPECT_EQ(Of("year(RowKey)", "count"), (Texts{"- 6"}));
    // The year of the test, whatever that is, and one group.
    EXPECT_EQ(Of("year(Timestamp)", "").size(), 1U);
    EXPECT_NE(Of("year(Timestamp)", ""), Texts{"-"});
  }
}

TEST_F(GroupsQueryTest, CountsDistinctValuesOfEachGroup) {
  for (const bool is_flushed : {false, true}) {
    SCOPED_TRACE(is_flushed);
    Open({.flush_records = is_flushed ? 1U : 1'000U});
    Put("p", "1", R"("K":1,"A":5)");
    Put("p", "2", R"("K":1,"A":5.0)");
    Put("p", "3", R"("K":1,"A":"5")");
    Put("p", "4", R"("K":1)");
    Put("p", "5", R"("K":2,"A":5)");
    Put("p", "6", R"("K":3)");
    EXPECT_EQ(Of("K", "distinct A,count A,distinct PartitionKey"),
              (Texts{"1 2 3 1", "2 1 1 1", "3 0 0 1"}));
    EXPECT_EQ(Of("", "distinct A,distinct RowKey,distinct B"), Texts{"2 6 0"});
  }
}

// The work is done in many slices.
TEST_F(GroupsQueryTest, SortsNumbersForQuantilesAndHistograms) {
  Open({.flush_records = 40, .page_bytes = 1'000}, {.slice_units = 30});
  for (int i = 0; i <= 200; ++i) {
    const int number = i * 77 % 201;  // 0 to 200, each once.
    Put("p" + std::to_string(number % 2), std::to_string(i),
        "\"N\":" + std::to_string(number));
  }
  Put("p2", "", R"("N":"text")");

  const std::string terms =
      "quantile N 0.5,quantile N 0.25,histogram N 2,histogram N 0 10 11";
  EXPECT_EQ(Of("PartitionKey", terms),
            (Texts{"p0 " + Doubles({100}) + ' ' + Doubles({50}) + ' ' +
                       Doubles({0, 0, 0, 50, 100, 51, 200}) + ' ' +
                       Doubles({0, 95, 0, 5, 10, 1, 11}),
                   "p1 " + Doubles({100}) + ' ' + Doubles({50.5}) + ' ' +
                       Doubles({0, 0, 0, 50, 100, 50, 200}) + ' ' +
                       Doubles({0, 94, 0, 5, 10, 1, 11}),
                   "p2 - - " + Doubles({0, 0, 0, 0, 100, 0, 200}) + ' ' +
                       Doubles({0, 0, 0, 0, 10, 0, 11})}));
  EXPECT_EQ(Of("", "histogram N 5", "RowKey eq ''"), Texts{Doubles({0, 0})});
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
  EXPECT_EQ(Of("S", "count"), Texts{"413 AggregateTooLarge"});
  EXPECT_EQ(Of("RowKey", "count").size(), 160U);
  EXPECT_EQ(Of("", "distinct S"), Texts{"413 AggregateTooLarge"});
  EXPECT_EQ(Of("", "distinct RowKey"), Texts{"160"});
  // 160 results of 16 KB fit, and twice as many do not.
  EXPECT_EQ(Of("RowKey", "histogram N 1000").size(), 160U);
  EXPECT_EQ(Of("RowKey", "histogram N 1000,histogram M 1000"),
            Texts{"413 AggregateTooLarge"});
}

TEST_F(GroupsQueryTest, RefusesWhatIsWrong) {
  EXPECT_EQ(Of("A up", "count"), Texts{"400 InvalidInput"});
  EXPECT_EQ(Of("A", "median A"), Texts{"400 InvalidInput"});
  EXPECT_EQ(Of("week(A)", "count"), Texts{"400 InvalidInput"});
  EXPECT_EQ(Of("A", "count", "A eq"), Texts{"400 InvalidInput"});
  EXPECT_EQ(Outcome(host_->Do(Groups("None", "A", "count"))),
            "404 TableNotFound");
}

}  // namespace
}  // namespace entitable
