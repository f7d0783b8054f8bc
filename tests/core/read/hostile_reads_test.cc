// Valid requests that are made to cost as much as possible: their work in units
// (base/work_budget.h) and in entities examined, never in time.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {
namespace {

// As many as have room in 32 KiB.
constexpr int kManyKeys = 1'606;
constexpr int kManyConditions = 3'266;

constexpr std::string_view kLetters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

std::string Digits(int number) {
  const std::string digits = std::to_string(number);
  return std::string(4 - digits.size(), '0') + digits;
}

// "<before>0000' or <before>0005' or ...", or with another operator between.
std::string Chain(int count, const std::string& before,
                  const std::string& between = " or ") {
  std::string text;
  for (int i = 0; i < count; ++i) {
    if (i > 0) text += between;
    text += before + Digits(5 * i) + "'";
  }
  return text;
}

// All false of properties that are 5, so that each has to be asked.
std::string Conditions(int count) {
  constexpr const char* kTests[] = {" lt 1", " gt 9", " le 1", " ge 9"};
  std::string text;
  for (int i = 0; i < count; ++i) {
    if (i > 0) text += " or ";
    text += kLetters[static_cast<std::size_t>(i) % kLetters.size()];
    text += kTests[i % 4];
  }
  return text;
}

// 250 properties, of which those with one letter come last.
std::string WideMembers() {
  std::string members;
  for (int i = 0; i < 250 - static_cast<int>(kLetters.size()); ++i) {
    members += ",\"p" + Digits(i) + "\":5";
  }
  for (const char letter : kLetters) {
    members += std::string(",\"") + letter + "\":5";
  }
  return members;
}

class HostileReadsTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(Outcome(host_.Do(NewTable("Tab"))), "201");
  }

  // In pages: partitions of rows 0000, 0001 and so on.
  void Load(int partitions, int rows, const std::string& members) {
    std::string lines;
    for (int partition = 0; partition < partitions; ++partition) {
      for (int row = 0; row < rows; ++row) {
        lines += R"({"PartitionKey":"p)" + Digits(partition) +
                 R"(","RowKey":")" + Digits(row) + "\",\"Text\":\"s" +
                 Digits(row) + "\"" + members + "}\n";
      }
    }
    OwnedOperation load = Import("Tab", lines);
    load.import_part->import = 1;
    ASSERT_EQ(Outcome(host_.Do(load)), "202");
    host_.Run();
  }

  struct Cost {
    std::uint64_t units;
    std::uint64_t most_in_a_slice;
    std::string answer;
  };

  // What it spends until it is answered, however many slices that takes.
  Cost CostOf(const Result<Operation>& operation) {
    const std::uint64_t before = host_.engine().spent_units();
    std::uint64_t last = before;
    std::uint64_t most = 0;
    const RequestId request = host_.Submit(operation);
    while (true) {
      Step step = host_.engine().Run(host_.clock());
      const std::uint64_t now = host_.engine().spent_units();
      most = std::max(most, now - last);
      last = now;
      if (const auto* read = std::get_if<Read>(&step)) host_.Fulfil(*read);
      const auto* answer = std::get_if<Answer>(&step);
      if (answer == nullptr || answer->request != request) continue;
      return {now - before, most, Body(answer->outcome)};
    }
  }

  // The number that the answer of a count has.
  static std::string CountIn(const Cost& cost) {
    const std::size_t begin = cost.answer.find(':') + 1;
    return cost.answer.substr(begin, cost.answer.find(',') - begin);
  }

  static constexpr std::uint64_t kSliceUnits = 20'000;

  MemoryHost host_{std::make_shared<MemoryStorage>(),
                   Profile::kDefault,
                   {},
                   {.slice_units = kSliceUnits, .page_units = 100'000'000}};
};

// One search in a set for each row, or less.
TEST_F(HostileReadsTest, ManyRowKeysOfManyPartitionsAreOneSet) {
  Load(400, 100, "");

  const Cost cost = CostOf(Count("Tab", Chain(kManyKeys, "RowKey eq '")));

  EXPECT_EQ(CountIn(cost), "8000");
  EXPECT_LT(cost.units, 4U * 40'000U);
  // What begins within a slice is a search in the set for each row of a page,
  // of which there are some 6,000.
  EXPECT_LT(cost.most_in_a_slice, kSliceUnits + 4U * 6'000U);
}

// If the rows of a page are of one partition, only keys between the first and
// the last are searched for.
TEST_F(HostileReadsTest, ManyRowKeysOfLargePartitionsAreOneSet) {
  Load(5, 8'000, "");

  const Cost cost = CostOf(Count("Tab", Chain(kManyKeys, "RowKey eq '")));

  EXPECT_EQ(CountIn(cost), "8000");
  EXPECT_LT(cost.units, 4U * 40'000U);
}

TEST_F(HostileReadsTest, ManyRowKeysOfOnePartitionArePoints) {
  Load(5, 8'000, "");
  const std::uint64_t examined = host_.engine().examined_entities();

  const Cost cost =
      CostOf(Count("Tab", "PartitionKey eq 'p0003' and (" +
                              Chain(kManyKeys - 10, "RowKey eq '") + ")"));

  EXPECT_EQ(CountIn(cost), "1596");
  EXPECT_EQ(host_.engine().examined_entities() - examined, 1'596U);
  EXPECT_LT(cost.units, 100U * 1'600U);
}

TEST_F(HostileReadsTest, ManyPartitionKeysArePartitions) {
  Load(40, 500, "");

  const Cost cost = CostOf(Count("Tab", Chain(1'200, "PartitionKey eq 'p")));

  EXPECT_EQ(CountIn(cost), "4000");
  EXPECT_LT(cost.units, 100U * 1'200U);
}

TEST_F(HostileReadsTest, ManyValuesOfAPropertyAreOneSet) {
  Load(5, 8'000, "");

  const Cost any = CostOf(Count("Tab", Chain(kManyKeys - 250, "Text eq 's")));
  const Cost none = CostOf(Count("Tab", Chain(1'250, "Text ne 's", " and ")));

  EXPECT_EQ(CountIn(any), "6780");
  EXPECT_EQ(CountIn(none), "33750");
  EXPECT_LT(any.units, 4U * 40'000U);
  EXPECT_LT(none.units, 4U * 40'000U);
}

// Keys are read once for all conditions, not once for each.
TEST_F(HostileReadsTest, ManyComparisonsOfRowKeysReadEachKeyOnce) {
  Load(400, 50, "");
  std::string filter = "RowKey gt '9'";
  for (int i = 0; i < 1'000; ++i)
    filter += " or RowKey gt '9" + Digits(i) + "'";

  const Cost cost = CostOf(Count("Tab", filter));

  EXPECT_EQ(CountIn(cost), "0");
  // For each an eighth of a unit a row, and in each slice the keys of a page.
  EXPECT_LT(cost.units, 1'000U / 8 * 20'000U * 5 / 2);
  EXPECT_LT(cost.most_in_a_slice, kSliceUnits + 2'000U);
}

// Each property is looked up once per page, and a read can pause between two
// conditions.
TEST_F(HostileReadsTest, ManyConditionsOnManyPropertiesStopWithinAPage) {
  Load(1, 300, WideMembers());

  const Cost cost = CostOf(Count("Tab", Conditions(kManyConditions)));

  EXPECT_EQ(CountIn(cost), "0");
  EXPECT_LT(cost.units, 300U * 900U);
  EXPECT_LT(cost.most_in_a_slice, kSliceUnits + 500U);
}

// Each row is gone through once, not once for each condition.
TEST_F(HostileReadsTest, ManyConditionsOnARowInMemoryGoThroughItOnce) {
  for (int row = 0; row < 40; ++row) {
    const std::string body =
        EntityBody("p", Digits(row), WideMembers().substr(1));
    ASSERT_EQ(Outcome(host_.Do(Insert("Tab", body))), "201");
  }

  const Cost cost = CostOf(Count("Tab", Conditions(kManyConditions)));

  EXPECT_EQ(CountIn(cost), "0");
  EXPECT_LT(cost.units, 40U * (3'266U + 250U) / 8 * 11 / 10);
  EXPECT_LT(cost.most_in_a_slice, kSliceUnits + 500U);
}

// What is not there costs what the answer says of it.
TEST_F(HostileReadsTest, NamesThatNoEntityHasCostWhatIsWrittenOfThem) {
  Load(1, 300, WideMembers());
  std::string select = "x0";
  for (int i = 1; i < 254; ++i) select += ",x" + std::to_string(i);

  const Cost cost = CostOf(Query("Tab", {.select = select}));
  const Cost all = CostOf(Query("Tab"));

  EXPECT_NE(cost.answer.find("\"x253\":null"), std::string::npos);
  EXPECT_LT(cost.units, 2 * all.units);
}

TEST_F(HostileReadsTest, BodiesWithFarTooManyPropertiesAreRefusedByTheirCount) {
  std::string many;
  for (int i = 0; i < 300'000; ++i) many += ",\"a-\":1";
  std::string name_of_three_bytes_each;
  for (int i = 0; i < 251; ++i) name_of_three_bytes_each += "\u4e00";
  std::string long_names;
  for (int i = 0; i < 5'400; ++i) {
    long_names += ",\"" + name_of_three_bytes_each + Digits(i) + "\":1";
  }

  for (const std::string& members : {many, long_names}) {
    const std::string body = EntityBody("p", "r", members.substr(1));
    EXPECT_EQ(Outcome(host_.Do(Insert("Tab", body))), "400 TooManyProperties");
  }
}

}  // namespace
}  // namespace entitable
