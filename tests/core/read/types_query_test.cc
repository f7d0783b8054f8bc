// What a table stores, and what that means for the comparisons of a filter.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/engine_test.h"

namespace entitable {
namespace {

OwnedOperation Types(std::string filter, std::string table = "Tab") {
  return {.kind = OperationKind::kQueryTypes,
          .table = std::move(table),
          .with = {.filter = std::move(filter)}};
}

class TypesQueryTest : public testing::Test {
 protected:
  void SetUp() override { Given(NewTable("Tab")); }

  void Given(const OwnedOperation& operation) {
    const auto answer = host_.Do(operation);
    ASSERT_TRUE(answer.has_value()) << Outcome(answer);
  }

  void GivenRows(int from, int to, const std::string& members) {
    for (int row = from; row < to; ++row) {
      Given(Insert("Tab",
                   EntityBody("p", "r" + std::to_string(1000 + row), members)));
    }
  }

  // The properties in an answer, without those of keys and timestamps.
  std::string Properties(const std::string& filter) {
    std::string json = Answer(filter);
    const std::size_t begin = json.find(R"("properties":)");
    if (begin != std::string::npos) json.erase(0, begin + 13);
    if (json.ends_with('}')) json.pop_back();
    for (const char* name : {"PartitionKey", "RowKey", "Timestamp"}) {
      const bool is_time = name == std::string("Timestamp");
      const std::string all =
          R"({"name":")" + std::string(name) + R"(","types":["Edm.)" +
          (is_time ? "DateTime" : "String") + R"("],"comparisons":[]})";
      for (const std::string& part : {"," + all, all + ",", all}) {
        const std::size_t at = json.find(part);
        if (at == std::string::npos) continue;
        json.erase(at, part.size());
        break;
      }
    }
    return json;
  }
  std::string Answer(const std::string& filter) {
    return Body(host_.Do(Types(filter)));
  }

  static long long EntitiesIn(const std::string& answer) {
    const auto numbers = NumbersOf("count", answer);
    return numbers.size() == 1 ? numbers.front() : -1;
  }

  // A page has some 30 rows, and most rows are in pages.
  MemoryHost host_{
      std::make_shared<MemoryStorage>(),
      Profile::kDefault,
      {.flush_bytes = 100'000, .flush_records = 25, .page_bytes = 2'000}};
};

TEST_F(TypesQueryTest, ReportsWhatATableStores) {
  GivenRows(0, 60, R"("N":5,"Text":"a")");
  GivenRows(60, 120, R"("N":5.5,"Other":true)");

  EXPECT_EQ(EntitiesIn(Answer("")), 120);
  EXPECT_EQ(
      Properties(""),
      R"([)"
      R"({"name":"N","types":["Edm.Int32","Edm.Double"],"comparisons":[]},)"
      R"({"name":"Text","types":["Edm.String"],"comparisons":[]},)"
      R"({"name":"Other","types":["Edm.Boolean"],"comparisons":[]}])");
}

TEST_F(TypesQueryTest, CountsNoTypeThatWasOverwrittenOrDeleted) {
  GivenRows(0, 60, R"("N":5,"Old":1)");
  for (int row = 0; row < 60; ++row) {
    const std::string key = "r" + std::to_string(1000 + row);
    Given(row % 2 == 0 ? Replace("Tab", "p", key, R"({"N":5.5})")
                       : Delete("Tab", "p", key));
  }

  EXPECT_EQ(EntitiesIn(Answer("")), 30);
  EXPECT_EQ(Properties(""),
            R"([)"
            R"({"name":"N","types":["Edm.Double"],"comparisons":[]}])");
}

TEST_F(TypesQueryTest, StopsAtTheFirstEntityThatDecides) {
  GivenRows(0, 100, R"("N":5)");
  GivenRows(100, 200, R"("N":5.5)");

  EXPECT_EQ(EntitiesIn(Answer("N eq 5")), 1);
  // Only a Double compares with a Double.
  EXPECT_EQ(EntitiesIn(Answer("N eq 5.5")), 101);
  EXPECT_EQ(EntitiesIn(Answer("PartitionKey eq 'p'")), 0);
  EXPECT_EQ(EntitiesIn(Answer("N eq '5'")), 200);
  EXPECT_EQ(EntitiesIn(Answer("n eq 5")), 200);
}

TEST_F(TypesQueryTest, ReportsWhatTheComparisonsOfAFilterComeTo) {
  GivenRows(0, 100, R"("N":5)");

  const std::string filter = "PartitionKey eq 'x' and (N gt 5.5 or N lt 5.5)";

  EXPECT_EQ(EntitiesIn(Answer(filter)), 100);
  EXPECT_EQ(TextsOf("access", Answer(filter)),
            std::vector<std::string>{"partition scan"});
  EXPECT_EQ(Properties(filter),
            R"([)"
            R"({"name":"PartitionKey","types":["Edm.String"],"comparisons":[)"
            R"({"operator":"eq","type":"Edm.String","holds":"sometimes"}]},)"
            R"({"name":"N","types":["Edm.Int32"],"comparisons":[)"
            R"({"operator":"gt","type":"Edm.Double","holds":"never"},)"
            R"({"operator":"lt","type":"Edm.Double","holds":"always"}]}])");
}

TEST_F(TypesQueryTest, IsOfATableAndAFilterThatAreSound) {
  EXPECT_EQ(Outcome(host_.Do(Types("", "Other"))), "404 TableNotFound");
  EXPECT_EQ(Outcome(host_.Do(Types("N eq"))), "400 InvalidInput");
  EXPECT_EQ(EntitiesIn(Answer("N eq 5")), 0);
}

TEST(SlicedTypesQueryTest, FailsIfTheTableIsReplacedMeanwhile) {
  MemoryHost host{std::make_shared<MemoryStorage>(),
                  Profile::kDefault,
                  {.page_bytes = 2'000},
                  {.slice_units = 60, .page_units = 150}};
  std::string rows;
  for (int row = 0; row < 2'000; ++row) {
    rows += EntityBody("p", std::to_string(10'000 + row), R"("Old":1)");
  }
  ASSERT_EQ(Outcome(host.Do(NewTable("Tab"))), "201");
  ASSERT_EQ(Outcome(host.Do(Import("Tab", rows))), "202");

  const RequestId request = host.Submit(Types(""));
  Step step = host.engine().Run(host.clock());
  while (!std::holds_alternative<Yield>(step)) {
    ASSERT_TRUE(std::holds_alternative<Read>(step));
    host.Fulfil(std::get<Read>(step));
    step = host.engine().Run(host.clock());
  }
  ASSERT_EQ(Outcome(host.Do(DropTable("Tab"))), "204");
  ASSERT_EQ(Outcome(host.Do(NewTable("Tab"))), "201");
  ASSERT_EQ(Outcome(host.Do(Insert("Tab", EntityBody("p", "r", R"("New":1)")))),
            "201");

  EXPECT_EQ(Outcome(host.Await(request)), "404 TableNotFound");
}

}  // namespace
}  // namespace entitable
