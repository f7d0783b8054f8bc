// Counting, and what the answer says of how it was done.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "support/engine_test.h"
#include "support/stored_pages.h"

namespace entitable {
namespace {

// A table of 3,000 rows, 300 in each of ten partitions, whose N ascends with
// their keys, in pages of some 30 rows.
class CountTest : public testing::Test {
 protected:
  void SetUp() override {
    Expect("201", NewTable("Tab"));
    for (int partition = 0; partition < 10; ++partition) {
      for (int start = 0; start < 300; start += 100) {
        std::vector<OwnedOperation> parts;
        for (int row = start; row < start + 100; ++row) {
          parts.push_back(
              Insert("Tab", EntityBody(PartitionOf(partition), RowOf(row),
                                       MembersOf(300 * partition + row))));
        }
        Expect("202", Transaction(std::move(parts)));
      }
    }
    // What is left of the log goes into pages, and these into one run.
    for (int i = 0; i < 50; ++i) Expect("204", Merge("Tab", "z", "z", "{}"));
    Expect("204", Delete("Tab", "z", "z"));
    for (int i = 0; i < 50; ++i) Expect("204", Merge("Tab", "z", "z", "{}"));
    Expect("204", Delete("Tab", "z", "z"));
  }

  static std::string PartitionOf(int number) {
    return "p" + std::to_string(number);
  }
  static std::string RowOf(int number) {
    return "r" + std::to_string(1000 + number);
  }
  static std::string MembersOf(int number) {
    return "\"N\":" + std::to_string(number) + ",\"Text\":\"" +
           std::string(100, static_cast<char>('a' + number % 26)) + '"';
  }

  void Expect(const std::string& outcome, const OwnedOperation& operation) {
    ASSERT_EQ(Outcome(host_.Do(operation)), outcome);
  }

  std::string Explained(const std::string& filter) {
    return Body(host_.Do(Count("Tab", filter)));
  }
  long long Counted(const std::string& filter) {
    return NumberIn("count", Explained(filter));
  }
  static long long NumberIn(std::string_view name, const std::string& plan) {
    const auto numbers = NumbersOf(name, plan);
    return numbers.size() == 1 ? numbers.front() : -1;
  }

  // How many pages are fetched before the answer is there.
  std::size_t FetchedFor(const OwnedOperation& operation) {
    host_.Restart();
    host_.Submit(operation);
    std::size_t fetched = 0;
    while (true) {
      const Step step = host_.NextWish();
      const auto* read = std::get_if<Read>(&step);
      if (read == nullptr) return fetched;
      for (const ValueKey& key : read->keys) {
        fetched += key.kind == ValueKey::Kind::kPage;
      }
      host_.Fulfil(*read);
    }
  }

  MemoryHost host_{
      std::make_shared<MemoryStorage>(),
      Profile::kDefault,
      {.flush_bytes = 100'000, .flush_records = 25, .page_bytes = 2'000}};
};

TEST_F(CountTest, CountsBeyondWhatAPageOfResultsHolds) {
  EXPECT_EQ(Counted(""), 3'000);
  EXPECT_EQ(Counted("N ge 0"), 3'000);
  EXPECT_EQ(Counted("N lt 1000"), 1'000);
  EXPECT_EQ(Counted("N lt 1000 or PartitionKey eq 'p9'"), 1'300);
  EXPECT_EQ(Counted("N lt 0"), 0);
  EXPECT_EQ(Counted("false"), 0);
}

TEST_F(CountTest, NamesItsAccessToTheTable) {
  const struct {
    const char* filter;
    const char* access;
    int ranges;
  } kCases[] = {
      {"", "table scan", 1},
      {"N eq 1", "table scan", 1},
      {"PartitionKey eq 'p1' and RowKey eq 'r1000'", "point", 1},
      {"PartitionKey eq 'p1' and RowKey ge 'r1200'", "row range", 1},
      {"PartitionKey eq 'p1'", "partition scan", 1},
      {"PartitionKey ge 'p1' and PartitionKey lt 'p3'", "partition range", 1},
      {"PartitionKey eq 'p1' or PartitionKey eq 'p3'", "partition scan", 2},
      {"PartitionKey eq 'a' and PartitionKey eq 'b'", "nothing", 0},
  };
  for (const auto& [filter, access, ranges] : kCases) {
    const std::string plan = Explained(filter);

    EXPECT_EQ(TextsOf("access", plan), std::vector<std::string>{access})
        << plan;
    EXPECT_EQ(NumberIn("ranges", plan), ranges) << plan;
  }
}

TEST_F(CountTest, ReadsNoPageThatTheDirectoryCounts) {
  const auto leaves =
      static_cast<long long>(ReadStoredPages(host_.storage()).leaves);
  ASSERT_GT(leaves, 50);

  const std::string all = Explained("");
  const std::string few = Explained("N ge 1500 and N lt 1510");
  const std::string none = Explained("N gt 3000 or Text lt 'a'");
  const std::string unknown = Explained("Text eq 'x' or Other eq 5");

  // Pages of several runs that share a key interval must be read.
  EXPECT_LE(5 * NumberIn("pagesRead", all), NumberIn("pagesSkipped", all));
  // One is of the catalogue alone.
  EXPECT_EQ(NumberIn("pagesRead", all) + NumberIn("pagesSkipped", all),
            leaves - 1);
  EXPECT_LE(5 * NumberIn("entitiesExamined", all), 3'000) << all;
  EXPECT_EQ(NumberIn("count", few), 10);
  EXPECT_LE(NumberIn("pagesRead", few), 4) << few;
  EXPECT_LE(NumberIn("entitiesExamined", few), 150) << few;
  EXPECT_LE(NumberIn("pagesRead", none), 2) << none;
  EXPECT_EQ(NumberIn("count", none), 0);
  EXPECT_LE(NumberIn("pagesSkipped", unknown), 2) << unknown;
  EXPECT_GE(NumberIn("entitiesExamined", unknown), 3'000);
}

TEST_F(CountTest, LooksOnlyAtPagesOfTheRanges) {
  const std::string point =
      Explained("PartitionKey eq 'p5' and RowKey eq 'r1150'");
  const std::string range = Explained(
      "PartitionKey eq 'p5' and RowKey ge 'r1150' and RowKey lt 'r1160'");

  EXPECT_EQ(NumberIn("count", point), 1);
  EXPECT_EQ(NumberIn("entitiesExamined", point), 1);
  EXPECT_EQ(NumberIn("pagesRead", point), 1) << point;
  EXPECT_EQ(NumberIn("count", range), 10);
  EXPECT_EQ(NumberIn("entitiesExamined", range), 10);
  EXPECT_LE(NumberIn("pagesRead", range), 2) << range;
}

TEST_F(CountTest, FetchesNoPageThatItNeedNotLookAt) {
  const std::size_t few = FetchedFor(Count("Tab", "N ge 1500 and N lt 1510"));
  const std::size_t few_queried =
      FetchedFor(Query("Tab", {.filter = "N ge 1500 and N lt 1510"}));
  const std::size_t all = FetchedFor(Count("Tab", "Text eq 'x'"));

  EXPECT_GT(all, 50U);
  EXPECT_LT(5 * few, all);
  EXPECT_LT(5 * few_queried, all);
}

TEST_F(CountTest, CountsEachEntityInItsNewestState) {
  Expect("204", Merge("Tab", "p0", RowOf(7), "{\"N\":5000}"));
  EXPECT_EQ(Counted("N ge 5000"), 1);
  EXPECT_EQ(Counted("N eq 7"), 0);
  EXPECT_EQ(Counted(""), 3'000);

  Expect("204", Delete("Tab", "p0", RowOf(8)));
  EXPECT_EQ(Counted("N eq 8"), 0);
  EXPECT_EQ(Counted(""), 2'999);

  // The same out of a newer run.
  for (int i = 0; i < 30; ++i)
    Expect("204", Merge("Tab", "p0", RowOf(7), "{}"));
  host_.Restart();
  EXPECT_EQ(Counted("N ge 5000"), 1);
  EXPECT_EQ(Counted("N eq 7 or N eq 8"), 0);
  EXPECT_EQ(Counted(""), 2'999);
}

TEST_F(CountTest, RefusesWhatAQueryRefuses) {
  EXPECT_EQ(Outcome(host_.Do(Count("None"))), "404 TableNotFound");
  EXPECT_EQ(Outcome(host_.Do(Count("Tab", "N eq"))), "400 InvalidInput");
  EXPECT_EQ(Outcome(host_.Do(Count("Tab", "length(Text) eq 3"))),
            "501 NotImplemented");
}

TEST_F(CountTest, IsNoPartOfATransaction) {
  EXPECT_EQ(Outcome(host_.Do(Transaction({Count("Tab")}))),
            "400 InvalidInput at 0");
}

}  // namespace
}  // namespace entitable
