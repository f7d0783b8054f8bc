// Reads and imports that cost much take turns, slice by slice: engine.h,
// WorkLimits.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <variant>
#include <vector>

#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {
namespace {

constexpr int kRows = 2'000;

// No page has only values near each other.
int NumberOf(int row) { return row * 7'919 % kRows; }

std::string KeyOf(int row) {
  const std::string digits = std::to_string(row);
  return "r" + std::string(5 - digits.size(), '0') + digits;
}

class SlicesTest : public testing::Test {
 protected:
  explicit SlicesTest(std::uint64_t page_units = 150)
      : host_(std::make_shared<MemoryStorage>(), Profile::kDefault,
              {.page_bytes = 2'000},
              {.slice_units = 60, .page_units = page_units}) {
    EXPECT_EQ(Outcome(host_.Do(NewTable("Tab"))), "201");
    Load("");
  }

  // Each import is a run.
  void Load(const std::string& suffix) {
    EXPECT_EQ(Outcome(host_.Await(BeginLoad(suffix))), "202");
    host_.Run();
  }

  RequestId BeginLoad(const std::string& suffix) {
    std::string lines;
    for (int row = 0; row < kRows; ++row) {
      lines += R"({"PartitionKey":"p","RowKey":")" + KeyOf(row) + suffix +
               R"(","N":)" + std::to_string(NumberOf(row)) + "}\n";
    }
    const ImportPart part{.import = ++imports_, .begins = true, .ends = true};
    return host_.Submit(Import("Tab", lines, part));
  }

  // The next thing that is no answer; how many answers came until then.
  Step Turn(std::vector<RequestId>& answered) {
    while (true) {
      Step step = host_.engine().Run(host_.clock());
      const auto* answer = std::get_if<Answer>(&step);
      if (answer == nullptr) return step;
      answered.push_back(answer->request);
    }
  }

  // Until a slice is used up.
  std::vector<RequestId> TurnUntilYield() {
    std::vector<RequestId> answered;
    while (true) {
      Step step = Turn(answered);
      if (const auto* read = std::get_if<Read>(&step)) {
        host_.Fulfil(*read);
      } else {
        EXPECT_TRUE(std::holds_alternative<Yield>(step));
        return answered;
      }
    }
  }

  std::uint32_t imports_ = 0;
  MemoryHost host_;
};

TEST_F(SlicesTest, AReadOfOneEntityComesBetweenTheSlicesOfAQuery) {
  const RequestId count = host_.Submit(Count("Tab", "N ge 0 and N ne 5"));
  EXPECT_TRUE(TurnUntilYield().empty());
  EXPECT_TRUE(TurnUntilYield().empty());

  const RequestId get = host_.Submit(Get("Tab", "p", KeyOf(77)));

  EXPECT_EQ(TurnUntilYield(), std::vector<RequestId>{get});
  EXPECT_EQ(Body(host_.Await(count)).substr(0, 13), R"({"count":1999)");
}

// A page takes several slices, and its keys lie among those of another run.
TEST_F(SlicesTest, APageIsLeftBetweenTwoConditionsAndGoneOnWith) {
  Load("x");
  std::string filter = "N eq 5";
  for (int i = 1; i <= 300; ++i) {
    filter += " or N lt -" + std::to_string(i) + " or N gt 90" +
              std::to_string(1'000 + i);
  }
  const RequestId count = host_.Submit(Count("Tab", filter));

  std::vector<RequestId> answered;
  std::uint64_t most = 0;
  std::uint64_t last = host_.engine().spent_units();
  while (answered.empty()) {
    Step step = Turn(answered);
    most = std::max(most, host_.engine().spent_units() - last);
    last = host_.engine().spent_units();
    if (const auto* read = std::get_if<Read>(&step)) host_.Fulfil(*read);
  }

  EXPECT_EQ(answered, std::vector<RequestId>{count});
  EXPECT_LT(most, 60U + 1'000U);
}

TEST_F(SlicesTest, QueriesTakeTurns) {
  const RequestId first = host_.Submit(Count("Tab", "N ge 0 and N ne 5"));
  const std::uint64_t before = host_.engine().spent_units();
  ASSERT_TRUE(TurnUntilYield().empty());
  const RequestId second = host_.Submit(Count("Tab", "N ge 0 and N ne 6"));

  std::vector<RequestId> answered;
  int turns = 0;
  for (; answered.size() < 2; ++turns) {
    Step step = Turn(answered);
    if (const auto* read = std::get_if<Read>(&step)) host_.Fulfil(*read);
  }

  EXPECT_EQ(answered, (std::vector<RequestId>{first, second}));
  const std::uint64_t units = host_.engine().spent_units() - before;
  EXPECT_GT(units, std::uint64_t{kRows} / 16);
  EXPECT_GT(turns, 4);
}

TEST_F(SlicesTest, AWriteIsCommittedBetweenTheSlicesOfAQuery) {
  const RequestId count = host_.Submit(Count("Tab", "N ge 0 and N ne 5"));
  EXPECT_TRUE(TurnUntilYield().empty());

  host_.Submit(Insert("Tab", R"({"PartitionKey":"p","RowKey":"z","N":1})"));
  std::vector<RequestId> answered;
  Step step = Turn(answered);
  while (std::holds_alternative<Read>(step)) {
    host_.Fulfil(std::get<Read>(step));
    step = Turn(answered);
  }

  ASSERT_TRUE(std::holds_alternative<Commit>(step));
  EXPECT_TRUE(answered.empty());
  host_.Fulfil(std::get<Commit>(step));
  // It may see the write, or not.
  const std::string body = Body(host_.Await(count));
  EXPECT_TRUE(body.starts_with(R"({"count":2000)") ||
              body.starts_with(R"({"count":1999)"))
      << body;
}

TEST_F(SlicesTest, AReadOfOneEntityComesBetweenTheSlicesOfAnImport) {
  const RequestId load = BeginLoad("x");
  EXPECT_TRUE(TurnUntilYield().empty());
  EXPECT_TRUE(TurnUntilYield().empty());

  const RequestId get = host_.Submit(Get("Tab", "p", KeyOf(77)));

  // The import has every other slice for itself.
  auto answered = TurnUntilYield();
  if (answered.empty()) answered = TurnUntilYield();
  EXPECT_EQ(answered, std::vector<RequestId>{get});
  EXPECT_EQ(Outcome(host_.Await(load)), "202");
  EXPECT_EQ(Body(host_.Do(Count("Tab", ""))).substr(0, 13), R"({"count":4000)");
}

TEST_F(SlicesTest, NoStepOfAnImportIsLongerThanASlice) {
  const RequestId load = BeginLoad("x");

  std::vector<RequestId> answered;
  std::uint64_t most = 0;
  int turns = 0;
  for (std::uint64_t last = host_.engine().spent_units(); answered.empty();
       last = host_.engine().spent_units()) {
    Step step = Turn(answered);
    most = std::max(most, host_.engine().spent_units() - last);
    ++turns;
    if (const auto* read = std::get_if<Read>(&step)) host_.Fulfil(*read);
    if (const auto* commit = std::get_if<Commit>(&step)) host_.Fulfil(*commit);
  }

  EXPECT_EQ(answered, std::vector<RequestId>{load});
  EXPECT_LT(most, 60U + 50U);
  EXPECT_GT(turns, kRows / 60);
}

TEST_F(SlicesTest, AnImportSpendsWorkForTheBytesOfStoredEntities) {
  constexpr int kLong = 40;
  const std::string text = R"(,"Text":")" + std::string(16'000, 't') + R"("})";
  std::string entities;
  std::string flags;
  for (int row = 0; row < kLong; ++row) {
    const std::string keys =
        R"({"PartitionKey":"long","RowKey":")" + KeyOf(row) + '"';
    entities += keys + text + '\n';
    flags += keys + R"(,"Flag":1})" + '\n';
  }
  const auto part = [this](ImportMode mode) {
    return ImportPart{
        .import = ++imports_, .mode = mode, .begins = true, .ends = true};
  };
  EXPECT_EQ(
      Outcome(host_.Do(Import("Tab", entities, part(ImportMode::kInsert)))),
      "202");
  host_.Run();
  const std::uint64_t before = host_.engine().spent_units();

  EXPECT_EQ(Outcome(host_.Do(Import("Tab", flags, part(ImportMode::kMerge)))),
            "202");

  // Each entity is decoded, merged and written.
  constexpr std::uint64_t kBytes = kLong * std::uint64_t{16'000};
  EXPECT_GT(host_.engine().spent_units() - before, 3 * kBytes / 16);
}

TEST_F(SlicesTest, QueriesWithoutEndDoNotStopAnImport) {
  const RequestId load = BeginLoad("x");
  RequestId count = host_.Submit(Count("Tab", "N ge 0 and N ne 5"));

  std::vector<RequestId> answered;
  int turns = 0;
  const auto is_answered = [&](RequestId id) {
    return std::ranges::find(answered, id) != answered.end();
  };
  for (; !is_answered(load) && turns < 10 * kRows; ++turns) {
    Step step = Turn(answered);
    if (const auto* read = std::get_if<Read>(&step)) host_.Fulfil(*read);
    if (const auto* commit = std::get_if<Commit>(&step)) host_.Fulfil(*commit);
    if (is_answered(count)) {
      count = host_.Submit(Count("Tab", "N ge 0 and N ne 5"));
    }
  }

  EXPECT_TRUE(is_answered(load));
}

TEST_F(SlicesTest, AQueryThatIsWithdrawnStopsAtOnce) {
  const RequestId count = host_.Submit(Count("Tab", "N ge 0 and N ne 5"));
  EXPECT_TRUE(TurnUntilYield().empty());
  const std::uint64_t spent = host_.engine().spent_units();

  EXPECT_TRUE(host_.engine().Cancel(count));

  std::vector<RequestId> answered;
  EXPECT_TRUE(std::holds_alternative<Idle>(Turn(answered)));
  EXPECT_TRUE(answered.empty());
  EXPECT_EQ(host_.engine().spent_units(), spent);
}

TEST_F(SlicesTest, NoReadIsAnsweredAtOnceWhenItNeedsMoreThanASlice) {
  ASSERT_EQ(Outcome(host_.Do(Count("Tab", "N ge 0 and N ne 5"))), "200");
  host_.Submit(Count("Tab", "N ge 0 and N ne 5"));
  EXPECT_FALSE(host_.engine().TakeAnswer().has_value());
}

TEST_F(SlicesTest, APageThatCostsTooMuchEndsWithATokenForItsPosition) {
  OwnedOperation query = Query("Tab", {.filter = "N eq 1990 or N eq -1"});
  std::string bodies;
  int pages = 0;
  int empty = 0;
  for (bool has_more = true; has_more; ++pages) {
    ASSERT_LT(pages, kRows);
    const std::uint64_t before = host_.engine().spent_units();
    const auto page = host_.Do(query);
    ASSERT_EQ(Outcome(page), "200");
    EXPECT_LT(host_.engine().spent_units() - before, 150U + 2 * 60U);
    const std::string body = Body(page);
    if (body.find("RowKey") == std::string::npos) ++empty;
    bodies += body;
    has_more = page->next_partition_key.has_value();
    query.with.next_partition_key = page->next_partition_key;
    query.with.next_row_key = page->next_row_key;
  }
  EXPECT_GT(pages, 1);
  EXPECT_GT(empty, 0);
  int row = 0;
  while (NumberOf(row) != 1990) ++row;
  EXPECT_EQ(TextsOf("RowKey", bodies), std::vector<std::string>{KeyOf(row)});
}

TEST_F(SlicesTest, LinesOfEntitiesThatCostTooMuchEndWithATokenToo) {
  OwnedOperation query = Query("Tab", {.format = WireFormat::kLines});
  std::vector<long long> numbers;
  int pages = 0;
  for (bool has_more = true; has_more; ++pages) {
    ASSERT_LT(pages, kRows);
    const auto lines = host_.Do(query);
    ASSERT_EQ(Outcome(lines), "200");
    const std::vector<long long> in_page = NumbersOf("N", Body(lines));
    EXPECT_LT(in_page.size(), 1'000U);
    numbers.insert(numbers.end(), in_page.begin(), in_page.end());
    has_more = lines->next_partition_key.has_value();
    query.with.next_partition_key = lines->next_partition_key;
    query.with.next_row_key = lines->next_row_key;
  }
  EXPECT_GT(pages, 2);
  std::ranges::sort(numbers);
  std::vector<long long> expected(kRows);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(numbers, expected);
}

TEST_F(SlicesTest, CountsHaveNoPages) {
  EXPECT_EQ(Body(host_.Do(Count("Tab", "N ge 0 and N ne 5"))).substr(0, 13),
            R"({"count":1999)");
}

TEST_F(SlicesTest, APageOfTablesThatCostsTooMuchEndsWithATokenToo) {
  for (int i = 0; i < 60; ++i) {
    ASSERT_EQ(Outcome(host_.Do(NewTable("Tab" + std::to_string(i)))), "201");
  }
  std::string filter = "TableName eq 'Tab59'";
  for (int i = 0; i < 400; ++i) {
    filter += " or TableName lt '" + std::to_string(i) + "'";
  }
  OwnedOperation query = ListTables({.filter = filter});
  std::string bodies;
  int pages = 0;
  for (bool has_more = true; has_more; ++pages) {
    ASSERT_LT(pages, 62);
    const auto page = host_.Do(query);
    ASSERT_EQ(Outcome(page), "200");
    bodies += Body(page);
    has_more = page->next_table_name.has_value();
    query.with.next_table_name = page->next_table_name;
  }
  EXPECT_GT(pages, 1);
  EXPECT_EQ(TextsOf("TableName", bodies), std::vector<std::string>{"Tab59"});
}

// A page of a list takes many slices.
class LongPagesTest : public SlicesTest {
 protected:
  LongPagesTest() : SlicesTest(100'000) {}
};

// Each has values in the making while the others have their turns.
TEST_F(LongPagesTest, ReadsThatTakeTurnsDoNotMixTheirValues) {
  const With as_values{.format = WireFormat::kValues};
  const auto list = [](std::string filter) {
    return Query("Tab", {.format = WireFormat::kValues, .filter = filter});
  };
  const std::string low = Body(host_.Do(list("N lt 1000")));
  const std::string high = Body(host_.Do(list("N ge 1000")));
  const std::string one = Body(host_.Do(Get("Tab", "p", KeyOf(77), as_values)));
  ASSERT_NE(low, high);

  const RequestId first = host_.Submit(list("N lt 1000"));
  const RequestId second = host_.Submit(list("N ge 1000"));
  EXPECT_TRUE(TurnUntilYield().empty());
  const RequestId third = host_.Submit(Get("Tab", "p", KeyOf(77), as_values));

  EXPECT_EQ(Body(host_.Await(third)), one);
  EXPECT_EQ(Body(host_.Await(first)), low);
  EXPECT_EQ(Body(host_.Await(second)), high);
}

}  // namespace
}  // namespace entitable
