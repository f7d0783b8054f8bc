// Aggregates of pages, which are calculated by columns or taken from zone maps,
// are those of the same entities in memory.

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "support/memory_host.h"
#include "support/operations.h"
#include "support/random.h"
#include "support/stored_pages.h"
#include "support/values_reader.h"

namespace entitable {
namespace {

constexpr StoreLimits kInMemory{.flush_bytes = std::size_t{1} << 28,
                                .flush_records = 1'000'000};

// The same writes to two engines: one has pages and several runs, the other has
// all entities in memory.
class TwoStores {
 public:
  explicit TwoStores(std::uint64_t seed) : random_(seed) {
    Do(NewTable("Tab"));
    for (std::size_t left = 300 + Below(300); left > 0; --left) {
      const std::string row = std::to_string(1'000 + Below(200));
      if (Below(5) == 0) {
        Do(Delete("Tab", Partition(), row));
      } else {
        Do(Replace("Tab", Partition(), row, "{" + Members() + "}"));
      }
    }
  }

  void ExpectEqual(const std::string& group_by, const std::string& aggregates,
                   const std::string& filter) {
    const auto query = Groups("Tab", group_by, aggregates, filter);
    if (Below(4) == 0) paged_.Restart();
    const auto expected = ReadValues(Body(in_memory_.Do(query)));
    EXPECT_EQ(ReadValues(Body(paged_.Do(query))), expected)
        << aggregates << " by " << group_by << ", filter " << filter;
    EXPECT_FALSE(expected.empty() && group_by.empty());
  }

  std::size_t Below(std::size_t limit) { return random_() % limit; }
  std::size_t leaves() { return ReadStoredPages(paged_.storage()).leaves; }

 private:
  void Do(const OwnedOperation& operation) {
    EXPECT_EQ(Outcome(paged_.Do(operation)), Outcome(in_memory_.Do(operation)));
  }

  std::string Partition() { return "p" + std::to_string(Below(3)); }

  // Columns of one type and of several, with and without gaps, of each form.
  std::string Members() {
    std::string members = "\"N\":" + std::to_string(Below(100)) +
                          ",\"Kind\":\"" + std::string(1 + Below(4), 'k') + '"';
    const auto add = [&](const std::string& member) {
      members += "," + member;
    };
    if (Below(4) > 0) add("\"D\":" + std::to_string(Below(1'000)) + ".25");
    if (Below(9) == 0) add(R"("E@odata.type":"Edm.Double","E":"NaN")");
    if (Below(3) == 0) add("\"B\":" + std::string(Below(2) ? "true" : "false"));
    add(R"("L@odata.type":"Edm.Int64","L":")" +
        std::to_string(static_cast<std::int64_t>(random_() >> Below(60)) /
                       999) +
        '"');
    add(R"("At@odata.type":"Edm.DateTime","At":"20)" +
        std::to_string(10 + Below(80)) + R"(-01-01T00:00:00Z")");
    switch (Below(5)) {
      case 0:
        add("\"Mixed\":" + std::to_string(Below(9)));
        break;
      case 1:
        add("\"Mixed\":" + std::to_string(Below(9)) + ".5");
        break;
      case 2:
        add("\"Mixed\":\"t" + std::to_string(Below(9)) + '"');
        break;
      case 3:
        add("\"Text\":\"long text " + std::to_string(Below(99)) + '"');
        break;
      default:
        break;
    }
    return members;
  }

  std::mt19937_64 random_;
  MemoryHost paged_{std::make_shared<MemoryStorage>(),
                    Profile::kDefault,
                    {.flush_bytes = 100'000,
                     .flush_records = 20 + Below(60),
                     .page_bytes = 500 + Below(2'000)},
                    {.slice_units = 1 + Below(Below(2) == 0 ? 100 : 20'000)}};
  MemoryHost in_memory_{std::make_shared<MemoryStorage>(), Profile::kDefault,
                        kInMemory};
};

TEST(GroupsOfPagesTest, AreThoseOfTheSameEntitiesInMemory) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  const char* const kNames[] = {"N",     "Kind",      "D",     "E",
                                "B",     "L",         "At",    "Text",
                                "Mixed", "Timestamp", "RowKey"};
  const char* const kFunctions[] = {"count", "sum", "avg",
                                    "min",   "max", "distinct"};
  const char* const kGroups[] = {"",  "",      "",         "Kind",   "N",   "B",
                                 "D", "Mixed", "year(At)", "Kind,N", "Text"};
  const char* const kFilters[] = {
      "", "", "N ge 0", "N lt 50", "Kind eq 'kk'", "PartitionKey eq 'p1'"};
  std::size_t leaves = 0;
  for (std::uint64_t i = 0; i < 6; ++i) {
    SCOPED_TRACE("store " + std::to_string(i));
    TwoStores stores(TestSeed() + i);
    const auto any = [&](const auto& choices) {
      return std::string(choices[stores.Below(std::size(choices))]);
    };
    for (int k = 0; k < 60; ++k) {
      std::string aggregates = "count";
      // Zone maps alone answer only for these.
      const bool are_bounds = stores.Below(2) == 0;
      for (std::size_t left = stores.Below(5); left > 0; --left) {
        aggregates += are_bounds ? (stores.Below(2) == 0 ? ",min " : ",max ")
                                 : "," + any(kFunctions) + " ";
        aggregates += any(kNames);
      }
      stores.ExpectEqual(any(kGroups), aggregates, any(kFilters));
    }
    stores.ExpectEqual("", "quantile N 0.5,quantile D 0.9,histogram L 5", "");
    stores.ExpectEqual("Kind", "histogram D 0 100 500,quantile N 1", "");
    leaves += stores.leaves();
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(leaves, 20U);
}

// A table of one run, whose N ascends with the keys.
class UnreadPagesTest : public testing::Test {
 protected:
  UnreadPagesTest() {
    Expect("201", NewTable("Tab"));
    std::string lines;
    for (int i = 0; i < 3'000; ++i) {
      const std::string number = std::to_string(i);
      lines += EntityBody(i < 1'500 ? "p" : "q", std::to_string(10'000 + i),
                          "\"N\":" + number + ",\"Text\":\"" + number +
                              std::string(90, 'x') + '"') +
               "\n";
    }
    Expect("202", Import("Tab", lines));
    host_.Run();
  }

  void Expect(const std::string& outcome, const OwnedOperation& operation) {
    ASSERT_EQ(Outcome(host_.Do(operation)), outcome);
  }

  // The aggregates, and how many entities were examined for them.
  std::vector<std::string> Of(const std::string& aggregates,
                              const std::string& filter = "") {
    const auto before = host_.engine().examined_entities();
    const auto rows =
        ReadValues(Body(host_.Do(Groups("Tab", "", aggregates, filter))));
    examined_ = host_.engine().examined_entities() - before;
    std::vector<std::string> texts;
    for (const auto& [name, text] : rows.at(0)) {
      if (name.starts_with('a')) texts.push_back(text);
    }
    return texts;
  }

  std::uint64_t examined_ = 0;
  MemoryHost host_{std::make_shared<MemoryStorage>(),
                   Profile::kDefault,
                   {.page_bytes = 2'000}};
};

TEST_F(UnreadPagesTest, AnswerCountsAndBounds) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(Of("count,min N,max N"), (Texts{"3000", "0", "2999"}));
  EXPECT_LT(examined_, 300U);
  EXPECT_EQ(Of("count,max N", "PartitionKey eq 'p'"), (Texts{"1500", "1499"}));
  EXPECT_LT(examined_, 300U);

  EXPECT_EQ(Of("min N,count", "N ge 100"), (Texts{"100", "2900"}));
  EXPECT_GE(examined_, 2'900U);
  const std::string end(90, 'x');
  EXPECT_EQ(Of("min Text,max Text"), (Texts{"0" + end, "9" + end}));
  EXPECT_EQ(Of("sum N,max N"), (Texts{"4498500", "2999"}));
}

TEST_F(UnreadPagesTest, DoNotHideNewerStates) {
  using Texts = std::vector<std::string>;
  Expect("204", Replace("Tab", "p", "10000", R"({"N":700})"));
  Expect("204", Delete("Tab", "q", "12999"));
  Expect("204", Replace("Tab", "p", "10700", R"({"N":-5})"));
  EXPECT_EQ(Of("count,min N,max N"), (Texts{"2999", "-5", "2998"}));
  Expect("204", Replace("Tab", "p", "10700", "{}"));
  EXPECT_EQ(Of("count,min N,max N"), (Texts{"2999", "1", "2998"}));
}

}  // namespace
}  // namespace entitable
