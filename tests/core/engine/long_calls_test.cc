// No call of Run() does more than two slices of work, whatever is read:
// engine.h, WorkLimits.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "support/await_in_steps.h"
#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {
namespace {

constexpr std::uint64_t kSlice = 2'000;
constexpr int kRows = 400;
constexpr int kLetters = 100;

// A letter in the two cases that it has, which may be the same.
struct Script {
  const char* name;
  std::string small;
  std::string large;
};

std::vector<Script> Scripts() {
  return {{"Latin", "e", "E"},
          {"Cyrillic", "\u0436", "\u0416"},
          {"Chinese", "\u6f22", "\u6f22"}};
}

std::string Repeated(const std::string& letter, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += letter;
  return text;
}

std::string RowKeyOf(int row) { return std::to_string(10'000 + row); }

class LongCallsTest : public testing::TestWithParam<Script> {
 protected:
  // The texts of the odd rows end with "x", and the even rows were deleted:
  // they lie in pages, and their deletions in the log.
  void SetUp() override {
    Given(NewTable("Tab"));
    std::string lines;
    for (int row = 0; row < 2 * kRows; ++row) {
      lines += R"({"PartitionKey":"p","RowKey":")" + RowKeyOf(row) +
               R"(","N":)" + std::to_string(row * 7 % kRows) +
               R"(,"Words":"some )" + GetParam().small + " w" +
               std::to_string(row % 9) + R"(","Text":")" +
               Repeated(GetParam().small, kLetters) + std::to_string(row % 50) +
               "x\"}\n";
    }
    Given(Import("Tab", lines, {.import = 1, .begins = true, .ends = true}));
    host_->Run();
  }

  void Declare() {
    for (;;) {
      const auto answer = host_->Do(SetIndexes("Tab", "N;words(Words)"));
      ASSERT_TRUE(answer.has_value()) << Outcome(answer);
      if (answer->body.ends_with(R"("complete":true})")) break;
    }
    host_->Run();
  }

  void DeleteEvenRows() {
    for (int row = 0; row < 2 * kRows; row += 2) {
      Given(Delete("Tab", "p", RowKeyOf(row)));
    }
  }

  void Given(const OwnedOperation& operation) {
    const auto answer = host_->Do(operation);
    ASSERT_TRUE(answer.has_value()) << Outcome(answer);
  }

  struct Cost {
    std::uint64_t longest_call = 0;
    std::uint64_t all = 0;
    std::string body;
  };

  Cost CostOf(const OwnedOperation& operation) {
    Cost cost;
    const std::uint64_t before = host_->engine().spent_units();
    const RequestId id = host_->Submit(operation);
    // The first call may already have worked.
    std::uint64_t last = before;
    const auto answer = AwaitInSteps(*host_, id, [&](const Step& /*step*/) {
      const std::uint64_t now = host_->engine().spent_units();
      cost.longest_call = std::max(cost.longest_call, now - last);
      last = now;
    });
    EXPECT_TRUE(answer.has_value()) << Outcome(answer);
    if (answer) cost.body = answer->body;
    cost.all = last - before;
    return cost;
  }

  // A small cache: the pages of a read do not fit into it.
  std::unique_ptr<MemoryHost> host_ = std::make_unique<MemoryHost>(
      std::make_shared<MemoryStorage>(), Profile::kDefault,
      StoreLimits{.cache_bytes = 20'000, .page_bytes = 8'000},
      WorkLimits{.slice_units = kSlice, .page_units = 1'000'000});
};

// What is done with each text of a table.
std::vector<std::string> FiltersOf(const Script& script) {
  const std::string large = Repeated(script.large, 3);
  const std::string small = Repeated(script.small, 3);
  return {"contains(Text,'" + small + "49x')",
          "startswith(Text,'" + small + "y')",
          "endswith(Text,'49x')",
          "contains(toupper(Text),'" + large + "49X')",
          "contains(tolower(Text),'" + small + "49x')",
          "length(Text) eq 103 and endswith(Text,'49x')",
          "Text ge '" + Repeated(script.small, kLetters) + "49x'",
          "Text ne PartitionKey and endswith(Text,'49x')"};
}

TEST_P(LongCallsTest, NoReadDoesMoreThanTwoSlicesInACall) {
  for (const bool has_indexes : {false, true}) {
    if (has_indexes) {
      Declare();
      DeleteEvenRows();
    }
    for (const std::string& filter : FiltersOf(GetParam())) {
      const With with{.filter = filter, .dialect = FilterDialect::kExtended};
      OwnedOperation count = Count("Tab");
      count.with = with;
      OwnedOperation groups = Groups("Tab", "N", "count,distinct Text");
      groups.with.filter = filter;
      groups.with.dialect = FilterDialect::kExtended;
      OwnedOperation texts = Groups("Tab", "Text", "count");
      texts.with.dialect = FilterDialect::kExtended;
      With lookup = with;
      lookup.filter = "N ge 0 and " + filter;
      const std::vector<std::pair<std::string, OwnedOperation>> reads = {
          {"list", Query("Tab", with)},
          {"count", count},
          {"by index", Query("Tab", lookup)},
          {"ordered", Ordered("Tab", "N", with)},
          {"groups", groups},
          {"groups of texts", texts},
          {"search", Search("Tab", "Words", "w1", with)},
      };
      for (const auto& [name, read] : reads) {
        const Cost cost = CostOf(read);
        EXPECT_LE(cost.longest_call, 2 * kSlice)
            << name << (has_indexes ? " with indexes: " : ": ") << filter;
      }
    }
  }
}

// The bytes of the texts count: a read of longer letters has more units.
TEST_P(LongCallsTest, WorkIsCountedInBytesOfTexts) {
  const auto texts_bytes = 2ULL * kRows * kLetters * GetParam().small.size();
  const auto filters = FiltersOf(GetParam());
  OwnedOperation count = Count("Tab");
  count.with.dialect = FilterDialect::kExtended;
  count.with.filter = filters[0];
  EXPECT_GE(CostOf(count).all, texts_bytes / 64);
  count.with.filter = filters[3];
  EXPECT_GE(CostOf(count).all, texts_bytes / 16);
}

// A letter beyond ASCII is looked up alone, which takes much longer.
TEST_P(LongCallsTest, LettersBeyondAsciiCountMore) {
  if (GetParam().small.size() == 1) GTEST_SKIP() << "ASCII";
  const auto letter_bytes = 2ULL * kRows * kLetters * GetParam().small.size();
  OwnedOperation count = Count("Tab");
  count.with.dialect = FilterDialect::kExtended;
  count.with.filter = FiltersOf(GetParam())[3];
  EXPECT_GE(CostOf(count).all, letter_bytes / 4);
  EXPECT_GE(CostOf(Search("Tab", "Text", "none", {})).all, letter_bytes / 2);
}

// The keys of a page are not decoded again by each slice of a read of it.
TEST(KeysOfPagesTest, AreDecodedOnceHoweverManySlicesAReadHas) {
  const auto units_with = [](std::uint64_t slice) {
    MemoryHost host(
        std::make_shared<MemoryStorage>(), Profile::kDefault, {},
        {.slice_units = slice, .page_units = std::uint64_t{1'000'000}});
    EXPECT_EQ(Outcome(host.Do(NewTable("Tab"))), "201");
    std::string lines;
    for (int row = 0; row < 1'000; ++row) {
      lines += EntityBody("p", RowKeyOf(row)) + "\n";
    }
    const ImportPart whole{.import = 1, .begins = true, .ends = true};
    EXPECT_EQ(Outcome(host.Do(Import("Tab", lines, whole))), "202");
    host.Run();
    OwnedOperation count = Count("Tab");
    count.with.filter = "endswith(RowKey,'9') and endswith(PartitionKey,'p')";
    count.with.dialect = FilterDialect::kExtended;
    const std::uint64_t before = host.engine().spent_units();
    EXPECT_TRUE(host.Do(count)->body.starts_with(R"({"count":100,)"));
    return host.engine().spent_units() - before;
  };
  EXPECT_LT(units_with(300) * 10, units_with(100'000) * 12);
}

// A row of many words: a step takes as many rows as have some thousand entries.
TEST(IndexOfWordsTest, AStepHasABoundedNumberOfEntries) {
  MemoryHost host;
  ASSERT_EQ(Outcome(host.Do(NewTable("Tab"))), "201");
  constexpr int kWords = 1'000;
  std::string text;
  for (int word = 0; word < kWords; ++word) text += std::to_string(word) + " ";
  std::string lines;
  for (int row = 0; row < 20; ++row) {
    lines += EntityBody("p", RowKeyOf(row), "\"Text\":\"" + text + "\"") + "\n";
  }
  const ImportPart whole{.import = 1, .begins = true, .ends = true};
  ASSERT_EQ(Outcome(host.Do(Import("Tab", lines, whole))), "202");
  for (int left = 20; left > 0;) {
    const auto answer = host.Do(SetIndexes("Tab", "words(Text)"));
    ASSERT_TRUE(answer.has_value()) << Outcome(answer);
    constexpr std::string_view kHead = R"({"entities":)";
    const int rows = std::stoi(answer->body.substr(kHead.size()));
    EXPECT_GT(rows, 0);
    EXPECT_LE(rows * kWords, 5'000);
    left -= rows;
  }
}

// The build of an index reads each page about once, however long the rows are
// and however small the cache is.
TEST(IndexOfLongRowsTest, ReadsEachPageAboutOnce) {
  for (const std::size_t cache_bytes : {std::size_t{0}, std::size_t{1} << 20}) {
    MemoryHost host(std::make_shared<MemoryStorage>(), Profile::kDefault,
                    {.cache_bytes = cache_bytes});
    ASSERT_EQ(Outcome(host.Do(NewTable("Tab"))), "201");
    std::string text = R"(,"A":")" + std::string(30'000, 'a') + R"(","B":")" +
                       std::string(30'000, 'b') + R"(","C":")" +
                       std::string(30'000, 'c') + "\"}\n";
    std::string lines;
    constexpr int kLongRows = 100;
    for (int row = 0; row < kLongRows; ++row) {
      lines += R"({"PartitionKey":"p","RowKey":")" + RowKeyOf(row) +
               R"(","N":)" + std::to_string(row) + text;
    }
    const ImportPart whole{.import = 1, .begins = true, .ends = true};
    ASSERT_EQ(Outcome(host.Do(Import("Tab", lines, whole))), "202");
    host.Run();

    std::size_t values_read = 0;
    bool is_complete = false;
    for (int steps = 0; !is_complete; ++steps) {
      ASSERT_LT(steps, kLongRows);
      const RequestId id = host.Submit(SetIndexes("Tab", "N"));
      for (bool is_answered = false; !is_answered;) {
        const Step step = host.engine().Run(host.clock());
        if (const auto* read = std::get_if<Read>(&step)) {
          values_read += read->keys.size();
          host.Fulfil(*read);
        } else if (const auto* commit = std::get_if<Commit>(&step)) {
          host.Fulfil(*commit);
        } else if (const auto* answer = std::get_if<Answer>(&step)) {
          is_answered = answer->request == id;
          ASSERT_TRUE(answer->outcome.has_value()) << Outcome(answer->outcome);
          is_complete = answer->outcome->body.ends_with(R"("complete":true})");
        }
      }
    }

    // Each row has a page of its own, or two; some are read again, by the next
    // step or after a wait.
    EXPECT_LT(values_read, 4U * kLongRows) << cache_bytes;
    EXPECT_EQ(Body(host.Do(Count("Tab", "N eq 7"))).substr(0, 11),
              R"({"count":1,)");
  }
}

INSTANTIATE_TEST_SUITE_P(, LongCallsTest, testing::ValuesIn(Scripts()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace entitable
