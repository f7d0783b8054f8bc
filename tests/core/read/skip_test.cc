// Entities to skip in the order of keys: operation.h, QueryOrdered.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "support/memory_host.h"
#include "support/operations.h"
#include "support/random.h"
#include "support/stored_pages.h"

namespace entitable {
namespace {

using Keys = std::vector<std::string>;

std::string RowKeyOf(std::size_t number) {
  return std::to_string(10'000 + number);
}

// A partition of rows among others, in small pages of several runs that
// overlap, with tombstones and unflushed records; and what is in it.
class RandomPartition {
 public:
  explicit RandomPartition(std::uint64_t seed) : random_(seed) {
    Expect("201", NewTable("Tab"));
    Expect("201", NewTable("Other"));
    ImportSome();
    for (std::size_t left = 200 + Below(200); left > 0; --left) Change();
  }

  // The row at the place, if there is one, and the next two: for all rows, for
  // the partition, and for a part of it.
  void ExpectRowsAt(std::size_t place) {
    const std::string first = RowKeyOf(Below(kRows));
    Keys rows(rows_.begin(), rows_.end());
    ExpectRows("PartitionKey eq 'p'", place, rows);
    ExpectRows("PartitionKey eq 'p' and N ge 0", place, rows);
    rows.insert(rows.begin(), others_[0].begin(), others_[0].end());
    rows.insert(rows.end(), others_[1].begin(), others_[1].end());
    ExpectRows("", place, rows);
    rows.assign(rows_.lower_bound(first), rows_.end());
    ExpectRows("PartitionKey eq 'p' and RowKey ge '" + first + "'", place,
               rows);
  }

  std::size_t Below(std::size_t limit) { return random_() % limit; }
  std::size_t size() const { return rows_.size(); }
  std::size_t runs() { return ReadStoredPages(host_.storage()).runs; }

 private:
  static constexpr std::size_t kRows = 400;

  void Expect(const std::string& outcome, const OwnedOperation& operation) {
    ASSERT_EQ(Outcome(host_.Do(operation)), outcome);
  }

  void ImportSome() {
    std::string lines;
    for (const char* partition : {"a", "p", "z"}) {
      for (std::size_t i = 0; i < kRows; i += 1 + Below(2)) {
        lines += EntityBody(partition, RowKeyOf(i), "\"N\":1") + "\n";
        if (*partition == 'p') rows_.insert(RowKeyOf(i));
        if (*partition == 'a') others_[0].push_back(RowKeyOf(i));
        if (*partition == 'z') others_[1].push_back(RowKeyOf(i));
      }
    }
    Expect("202", Import("Tab", lines));
  }

  void Change() {
    const std::string row = RowKeyOf(Below(kRows));
    if (Below(3) > 0) {
      Expect("204", Replace("Tab", "p", row, "{\"N\":2}"));
      rows_.insert(row);
    } else if (rows_.erase(row) > 0) {
      Expect("204", Delete("Tab", "p", row));
    }
  }

  void ExpectRows(const std::string& filter, std::size_t place,
                  const Keys& rows) {
    if (Below(8) == 0) host_.Restart();
    const RequestId query = host_.Submit(Ordered(
        "Tab", "",
        {.filter = filter, .skip = std::to_string(place), .most = "3"}));
    WriteBetweenSlices();
    const auto answer = host_.Await(query);
    ASSERT_TRUE(answer.has_value()) << Outcome(answer);
    const auto from = rows.begin() +
                      static_cast<std::ptrdiff_t>(std::min(place, rows.size()));
    const auto size = static_cast<std::size_t>(rows.end() - from);
    const Keys expected(from, from + static_cast<std::ptrdiff_t>(
                                         std::min<std::size_t>(size, 3)));
    EXPECT_EQ(TextsOf("RowKey", answer->body), expected)
        << filter << ", skip " << place;
  }

  // To another table.  The query continues in a new state.
  void WriteBetweenSlices() {
    if (Below(4) > 0) return;
    for (int i = 0; i < 3; ++i) {
      Expect("204", Replace("Other", "p", "r", "{}"));
    }
  }

  std::mt19937_64 random_;
  MemoryHost host_{std::make_shared<MemoryStorage>(),
                   Profile::kDefault,
                   {.flush_bytes = 100'000,
                    .flush_records = 20 + Below(60),
                    .page_bytes = 300 + Below(1'000),
                    .step_pages = 1 + Below(3)},
                   {.slice_units = 1 + Below(Below(2) == 0 ? 20 : 2'000)}};
  std::set<std::string> rows_;
  Keys others_[2];  // Of the partitions before and behind.
};

TEST(SkipTest, FindsTheSameRowsAsAWalkThroughAllOfThem) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  std::size_t runs = 0;
  for (std::uint64_t i = 0; i < 10; ++i) {
    SCOPED_TRACE("store " + std::to_string(i));
    RandomPartition partition(TestSeed() + i);
    runs += partition.runs();
    for (const std::size_t place :
         {std::size_t{0}, std::size_t{1}, partition.size() - 1,
          partition.size(), partition.size() + 1}) {
      partition.ExpectRowsAt(place);
    }
    for (int k = 0; k < 30; ++k) {
      partition.ExpectRowsAt(partition.Below(partition.size() * 2));
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(runs, 12U);
}

class SkippedPagesTest : public testing::Test {
 protected:
  static constexpr std::size_t kRows = 5'000;

  SkippedPagesTest() {
    Expect("201", NewTable("Tab"));
    std::string lines;
    for (std::size_t i = 0; i < kRows; ++i) {
      lines += EntityBody(i < kRows / 2 ? "p" : "q", RowKeyOf(i),
                          "\"N\":" + std::to_string(i) + ",\"Text\":\"" +
                              std::to_string(i) + std::string(90, 'x') + '"') +
               "\n";
    }
    Expect("202", Import("Tab", lines));
    host_.Run();
  }

  void Expect(const std::string& outcome, const OwnedOperation& operation) {
    ASSERT_EQ(Outcome(host_.Do(operation)), outcome);
  }

  // How many pages are fetched, by an engine that has none.
  std::size_t FetchedFor(const OwnedOperation& operation) {
    host_.Restart();
    const RequestId request = host_.Submit(operation);
    std::size_t fetched = 0;
    while (true) {
      const Step step = host_.NextWish();
      const auto* read = std::get_if<Read>(&step);
      if (read == nullptr) break;
      for (const ValueKey& key : read->keys) {
        fetched += key.kind == ValueKey::Kind::kPage;
      }
      host_.Fulfil(*read);
    }
    EXPECT_TRUE(host_.Await(request).has_value());
    return fetched;
  }

  MemoryHost host_{std::make_shared<MemoryStorage>(),
                   Profile::kDefault,
                   {.page_bytes = 2'000}};
};

TEST_F(SkippedPagesTest, ReadsOnlyThePageOfTheRow) {
  const With last{.skip = std::to_string(kRows - 500), .most = "1"};
  EXPECT_EQ(RowKeysOf(host_, Ordered("Tab", "", last)),
            Keys{RowKeyOf(kRows - 500)});

  const std::size_t far = FetchedFor(Ordered("Tab", "", last));
  const std::size_t all =
      FetchedFor(Ordered("Tab", "", {.filter = "N ge 0", .skip = last.skip}));
  EXPECT_LT(5 * far, all);
}

TEST_F(SkippedPagesTest, ReadsNoPageOfAWholePartition) {
  const With far{.filter = "PartitionKey eq 'q' and RowKey ge '0'",
                 .skip = std::to_string(kRows / 2 - 10),
                 .most = "1"};
  EXPECT_EQ(RowKeysOf(host_, Ordered("Tab", "", far)),
            Keys{RowKeyOf(kRows - 10)});
  const std::size_t fetched = FetchedFor(Ordered("Tab", "", far));
  const std::size_t all = FetchedFor(Ordered("Tab", "N", far));
  EXPECT_LT(3 * fetched, all);
}

TEST_F(SkippedPagesTest, CountsTheWholePagesOfAPartition) {
  const auto examined = [&] { return host_.engine().examined_entities(); };
  const auto before = examined();
  const std::string plan = Body(host_.Do(Count("Tab", "PartitionKey eq 'p'")));
  EXPECT_EQ(NumbersOf("count", plan),
            std::vector<long long>{static_cast<long long>(kRows / 2)});
  EXPECT_LT(examined(), before + 200);
}

TEST_F(SkippedPagesTest, SkipsNothingAgainForTheNextPage) {
  OwnedOperation query = Ordered("Tab", "", {.top = "2", .skip = "3000"});
  const auto first = host_.Do(query);
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(TextsOf("RowKey", first->body),
            (Keys{RowKeyOf(3'000), RowKeyOf(3'001)}));

  const auto before = host_.engine().examined_entities();
  query.with.next_partition_key = first->next_partition_key;
  EXPECT_EQ(TextsOf("RowKey", Body(host_.Do(query))),
            (Keys{RowKeyOf(3'002), RowKeyOf(3'003)}));
  EXPECT_LT(host_.engine().examined_entities(), before + 200);
}

}  // namespace
}  // namespace entitable
