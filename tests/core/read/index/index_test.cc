// Declared indexes: how they are built and kept, and what queries make of them.
// RandomQueriesTest compares queries that use them with a naive evaluator.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/memory_host.h"
#include "support/operations.h"
#include "support/query_test.h"

namespace entitable {
namespace {

using std::string;

class IndexTest : public QueryTest {
 protected:
  // Steps until the indexes are complete; how many there were.
  int Declare(MemoryHost& host, const string& indexes) {
    for (int steps = 1;; ++steps) {
      const auto answer = host.Do(SetIndexes("Tab", indexes));
      if (!answer) {
        ADD_FAILURE() << Outcome(answer);
        return 0;
      }
      if (answer->body.ends_with(R"("complete":true})")) return steps;
    }
  }
  int Declare(const string& indexes) { return Declare(host_, indexes); }

  static void Given(MemoryHost& host, const OwnedOperation& operation) {
    const auto answer = host.Do(operation);
    ASSERT_TRUE(answer.has_value()) << Outcome(answer);
  }
  using QueryTest::Given;

  // "A: 1 of 1": the index that finds the matches, how many there are, and how
  // many entities were read.  Without an index: the access path.
  static string Plan(MemoryHost& host, const string& filter) {
    const string body = Body(host.Do(Count("Tab", filter)));
    const auto names = TextsOf("index", body);
    const auto access = TextsOf("access", body);
    if (access.empty()) return body;
    string text = names.empty() ? access.front() : names.front();
    return text + ": " + std::to_string(NumbersOf("count", body).front()) +
           " of " + std::to_string(NumbersOf("entitiesExamined", body).front());
  }
  string Plan(const string& filter) { return Plan(host_, filter); }

  // "3,2: 4": the RowKeys of an ordered query, and how many entities were read.
  string Order(const string& order_by, With with) {
    const std::uint64_t before = host_.engine().examined_entities();
    string text;
    for (const string& key :
         RowKeysOf(host_, Ordered("Tab", order_by, std::move(with)))) {
      if (!text.empty()) text += ',';
      text += key;
    }
    const std::uint64_t examined = host_.engine().examined_entities() - before;
    return text + ": " + std::to_string(examined);
  }

  string Keys(With with) {
    string text;
    for (const string& key : RowKeysOf(host_, Query("Tab", std::move(with)))) {
      if (!text.empty()) text += ',';
      text += key;
    }
    return text;
  }
};

TEST_F(IndexTest, FindsTheEntitiesWithAValueWithoutReadingOthers) {
  GivenRows(50);

  EXPECT_EQ(Plan("A eq 7"), "table scan: 1 of 50");
  Declare("A");
  EXPECT_EQ(Plan("A eq 7"), "A: 1 of 1");
  EXPECT_EQ(Keys({.filter = "A eq 7"}), "7");
  EXPECT_EQ(Plan("A eq 99"), "A: 0 of 0");
}

TEST_F(IndexTest, IsKeptByEveryKindOfWrite) {
  Declare("A");
  Given(Insert("Tab", EntityBody("p", "a", R"("A":1)")));
  Given(Replace("Tab", "p", "b", R"({"A":1})"));
  Given(Merge("Tab", "p", "c", R"({"A":1})"));
  Given(Transaction({Insert("Tab", EntityBody("p", "d", R"("A":1)")),
                     Insert("Tab", EntityBody("p", "e", R"("A":1)"))}));
  Given(Import("Tab", "[" + EntityBody("p", "f", R"("A":1)") + "," +
                          EntityBody("p", "g", R"("A":2)") + "]"));
  EXPECT_EQ(Keys({.filter = "A eq 1"}), "a,b,c,d,e,f");

  Given(Replace("Tab", "p", "a", R"({"A":2})"));
  Given(Merge("Tab", "p", "b", R"({"A":2})"));
  Given(Merge("Tab", "p", "c", R"({"B":2})"));
  Given(Replace("Tab", "p", "d", R"({"B":2})"));
  Given(Delete("Tab", "p", "e"));
  Given(Import("Tab", EntityBody("p", "f", R"("A":2)"),
               {.mode = ImportMode::kReplace, .begins = true, .ends = true}));
  EXPECT_EQ(Plan("A eq 1"), "A: 1 of 1");
  EXPECT_EQ(Keys({.filter = "A eq 1"}), "c");
  EXPECT_EQ(Plan("A eq 2"), "A: 4 of 4");
  EXPECT_EQ(Keys({.filter = "A eq 2"}), "a,b,f,g");
}

TEST_F(IndexTest, DoesNotHaveWhatARefusedWriteWouldHaveChanged) {
  Declare("A");
  GivenRows(3);

  EXPECT_EQ(Do(Insert("Tab", EntityBody("p", "1", R"("A":9)"))),
            "409 EntityAlreadyExists");
  EXPECT_EQ(Do(Transaction({Merge("Tab", "p", "2", R"({"A":9})"),
                            Insert("Tab", EntityBody("p", "3", R"("A":9)"))})),
            "409 EntityAlreadyExists at 1");

  EXPECT_EQ(Plan("A eq 9"), "A: 0 of 0");
  EXPECT_EQ(Plan("A eq 2"), "A: 1 of 1");
}

TEST_F(IndexTest, IsBuiltInSteps) {
  GivenPartition("p", 1200);

  EXPECT_EQ(Body(host_.Do(SetIndexes("Tab", "A"))),
            R"({"entities":500,"complete":false})");
  // Not before it is complete.
  EXPECT_EQ(Plan("A eq 1"), "table scan: 1 of 1200");
  EXPECT_EQ(Body(host_.Do(SetIndexes("Tab", "A"))),
            R"({"entities":500,"complete":false})");
  EXPECT_EQ(Body(host_.Do(SetIndexes("Tab", "A"))),
            R"({"entities":200,"complete":true})");
  EXPECT_EQ(Plan("A eq 1199"), "A: 1 of 1");
  // There is no more to do.
  EXPECT_EQ(Body(host_.Do(SetIndexes("Tab", "A"))),
            R"({"entities":0,"complete":true})");
}

TEST_F(IndexTest, IsBuiltBesideWritersAndAfterARestart) {
  GivenPartition("p", 1200);
  Given(SetIndexes("Tab", "A"));

  // Before and behind the place of the build.
  Given(Merge("Tab", "p", "10000", R"({"A":-1})"));
  Given(Merge("Tab", "p", "11000", R"({"A":-1})"));
  Given(Delete("Tab", "p", "10001"));
  Given(Delete("Tab", "p", "11001"));
  Given(Insert("Tab", EntityBody("p", "10000a", R"("A":-1)")));
  Given(Insert("Tab", EntityBody("p", "11000a", R"("A":-1)")));
  host_.Restart();
  Given(Merge("Tab", "p", "11000", R"({"A":-2})"));

  EXPECT_EQ(Declare("A"), 2);
  EXPECT_EQ(Keys({.filter = "A eq -1"}), "10000,10000a,11000a");
  EXPECT_EQ(Plan("A eq -1"), "A: 3 of 3");
  EXPECT_EQ(Plan("A eq -2"), "A: 1 of 1");
  EXPECT_EQ(Plan("A eq 1"), "A: 0 of 0");
  EXPECT_EQ(Plan("A eq 1001"), "A: 0 of 0");
  EXPECT_EQ(Plan("A ge 1190"), "A: 10 of 10");
}

TEST_F(IndexTest, IsKeptByATabThatOpenedBeforeItWasDeclared) {
  GivenRows(3);
  MemoryHost other(host_.shared_storage());
  ASSERT_EQ(Outcome(other.Do(Get("Tab", "p", "1"))), "200");

  Declare("A");
  ASSERT_EQ(Outcome(other.Do(Insert("Tab", EntityBody("p", "4", R"("A":1)")))),
            "201");
  ASSERT_EQ(Outcome(other.Do(Replace("Tab", "p", "2", R"({"A":1})"))), "204");
  ASSERT_EQ(Outcome(other.Do(Delete("Tab", "p", "3"))), "204");

  Given(FindTable("Tab", {.fresh = true}));
  EXPECT_EQ(Plan("A eq 1"), "A: 3 of 3");
  EXPECT_EQ(Plan("A eq 2"), "A: 0 of 0");
  EXPECT_EQ(Plan("A eq 3"), "A: 0 of 0");
  EXPECT_EQ(Plan(other, "A eq 1"), "A: 3 of 3");
}

TEST_F(IndexTest, GoesWhenItIsNotDeclaredAnyMore) {
  GivenRows(3);
  Declare("A;A desc");

  Declare("A desc");
  EXPECT_EQ(Plan("A eq 2"), "A desc: 1 of 1");
  Declare("");
  EXPECT_EQ(Plan("A eq 2"), "table scan: 1 of 3");
  // It is built again.
  Given(Merge("Tab", "p", "2", R"({"A":5})"));
  Declare("A");
  EXPECT_EQ(Plan("A eq 5"), "A: 1 of 1");
}

TEST_F(IndexTest, GoesOnOnlyIfItIsStillDeclared) {
  GivenPartition("p", 600);
  Given(SetIndexes("Tab", "A"));
  Given(SetIndexes("Tab", "B"));

  EXPECT_EQ(Do(SetIndexes("Tab", "A", {.if_match = "*"})),
            "412 UpdateConditionNotSatisfied");
  EXPECT_EQ(Body(host_.Do(SetIndexes("Tab", "B", {.if_match = "*"}))),
            R"({"entities":100,"complete":true})");
}

TEST_F(IndexTest, GoesWithItsTable) {
  GivenRows(3);
  Declare("A");

  Given(DropTable("Tab"));
  Given(NewTable("Tab"));
  EXPECT_EQ(Plan("A eq 2"), "table scan: 0 of 0");
  GivenRows(2);
  Declare("A");
  EXPECT_EQ(Plan("A eq 2"), "A: 1 of 1");
  EXPECT_EQ(Plan("A eq 3"), "A: 0 of 0");
}

TEST_F(IndexTest, IsNoTableOfTheUser) {
  Declare("A");

  EXPECT_EQ(TextsOf("TableName", Body(host_.Do(ListTables()))),
            std::vector<string>{"Tab"});
  EXPECT_EQ(Outcome(host_.Do(Query("$Tab$2"))), "404 TableNotFound");
}

TEST_F(IndexTest, KeepsTheOrderOfKeysAndTheContinuation) {
  Declare("A");
  for (int i = 0; i < 9; ++i) {
    Given(
        Insert("Tab", EntityBody("p" + std::to_string(i % 3), std::to_string(i),
                                 "\"A\":" + std::to_string(i % 2))));
  }

  EXPECT_EQ(Keys({.filter = "A eq 0"}), "0,6,4,2,8");
  const Response page = Page({.filter = "A eq 0", .top = "2"});
  EXPECT_EQ(Summary(page), "0,6 more");
  // What is written in between does not matter.
  Given(Insert("Tab", EntityBody("p0", "5a", R"("A":0)")));
  Given(Insert("Tab", EntityBody("p1", "5a", R"("A":0)")));
  EXPECT_EQ(Summary(PageAfter(page, {.filter = "A eq 0"})), "4,5a,2,8");
}

TEST_F(IndexTest, IsChosenByHowManyTermsTheFilterFixes) {
  Declare("A;A,B;B,C desc");
  Given(Insert("Tab", EntityBody("p", "r", R"("A":1,"B":2,"C":3)")));

  EXPECT_EQ(Plan("A eq 1"), "A: 1 of 1");
  EXPECT_EQ(Plan("A eq 1 and B eq 2"), "A,B: 1 of 1");
  EXPECT_EQ(Plan("A eq 1 and B gt 1"), "A,B: 1 of 1");
  EXPECT_EQ(Plan("B eq 2 and C lt 4"), "B,C desc: 1 of 1");
  EXPECT_EQ(Plan("A eq 1 or A eq 5"), "A: 1 of 1");
  EXPECT_EQ(Plan("A eq 1 or B eq 2"), "table scan: 1 of 1");
  EXPECT_EQ(Plan("not (A eq 1)"), "table scan: 0 of 1");
  EXPECT_EQ(Plan("C eq 3"), "table scan: 1 of 1");
  EXPECT_EQ(Plan("A ne 2"), "A: 1 of 1");
  // Keys that lead to one entity, or to a part of a partition, are enough.
  EXPECT_EQ(Plan("PartitionKey eq 'p' and RowKey eq 'r' and A eq 1"),
            "point: 1 of 1");
  EXPECT_EQ(Plan("PartitionKey eq 'p' and RowKey ge 'r' and A eq 1"),
            "row range: 1 of 1");
  EXPECT_EQ(Plan("PartitionKey eq 'p' and A eq 1"), "A: 1 of 1");
  EXPECT_EQ(Plan("PartitionKey eq 'q' and A eq 1"), "A: 0 of 0");
}

// A scan of a small table is faster than a lookup of each entity.
TEST_F(IndexTest, IsNotUsedForManyEntities) {
  GivenPartition("p", 500);
  Declare("A");
  EXPECT_EQ(Plan("A ge 484"), "A: 16 of 16");
  EXPECT_EQ(Plan("A ge 100"), "table scan: 400 of 500");
}

TEST_F(IndexTest, IsUsedForMoreEntitiesOfALargeTable) {
  MemoryHost host(std::make_shared<MemoryStorage>(), Profile::kDefault,
                  {.flush_bytes = 50'000, .page_bytes = 500});
  Given(host, NewTable("Tab"));
  for (int i = 0; i < 20'000; ++i) {
    Given(host, Insert("Tab", EntityBody("p", std::to_string(10'000 + i),
                                         "\"A\":" + std::to_string(i))));
  }
  Declare(host, "A");

  EXPECT_TRUE(Plan(host, "A lt 20").starts_with("A: 20 of"));
  EXPECT_TRUE(Plan(host, "A lt 500").starts_with("table scan: 500 of"));
}

TEST_F(IndexTest, GivesTheFirstOfAnOrderWithoutReadingOthers) {
  GivenPartition("p", 1500);
  EXPECT_EQ(Order("A desc", {.most = "2"}), "11499,11498: 1500");

  Declare("A desc");
  EXPECT_EQ(Order("A desc", {.most = "2"}), "11499,11498: 3");
  EXPECT_EQ(Order("A desc", {.skip = "3", .most = "1"}), "11496: 5");
  EXPECT_EQ(Order("A desc", {.filter = "A lt 700", .most = "1"}), "10699: 3");
  // Not in another order, and not for too many entities or too rare ones.
  EXPECT_EQ(Order("A", {.most = "2"}), "10000,10001: 1500");
  EXPECT_EQ(Order("A desc", {.skip = "1000", .most = "1"}), "10499: 1500");
  EXPECT_EQ(Order("A desc", {.filter = "RowKey eq '10001'", .most = "1"}),
            "10001: 2500");
}

TEST_F(IndexTest, GivesTheOrderBehindTermsThatTheFilterFixes) {
  for (int i = 0; i < 40; ++i) {
    Given(Insert("Tab", EntityBody("p", std::to_string(100 + i),
                                   "\"A\":" + std::to_string(i % 4) +
                                       ",\"B\":" + std::to_string(i % 5))));
  }
  Declare("A,B desc");

  EXPECT_EQ(Order("B desc", {.filter = "A eq 1", .most = "1"}), "109: 3");
  EXPECT_EQ(Order("A,B desc", {.filter = "A eq 1", .most = "1"}), "109: 3");
  // Two values do not have the order of B.
  EXPECT_EQ(Order("B desc", {.filter = "A eq 1 or A eq 2", .most = "1"}),
            "109: 40");
}

// The index has them by their first bytes.
TEST_F(IndexTest, OrdersLongTextsByAllTheirCharacters) {
  Declare("A");
  const string text(300, 'x');
  for (int i = 9; i > 0; --i) {
    Given(Insert("Tab",
                 EntityBody("p", std::to_string(10 - i),
                            "\"A\":\"" + text + std::to_string(i) + "\"")));
  }
  Given(Insert("Tab", EntityBody("p", "0", R"("A":"a")")));

  EXPECT_EQ(Order("A", {.most = "3"}), "0,9,8: 10");
}

TEST_F(IndexTest, HasKeysAndEntitiesWithoutTheProperty) {
  Declare("RowKey;B,A");
  GivenRows(9);
  Given(Insert("Tab", EntityBody("q", "5")));

  EXPECT_EQ(Plan("RowKey eq '5'"), "RowKey: 2 of 2");
  EXPECT_EQ(Plan("B eq 5"), "B,A: 0 of 0");
}

TEST_F(IndexTest, FindsLongTextsByTheirBeginning) {
  Declare("A");
  const string text(1000, 'x');
  Given(Insert("Tab", EntityBody("p", "1", "\"A\":\"" + text + "1\"")));
  Given(Insert("Tab", EntityBody("p", "2", "\"A\":\"" + text + "2\"")));
  Given(Insert("Tab", EntityBody("p", "3", R"("A":"xx")")));

  EXPECT_EQ(Plan("A eq '" + text + "2'"), "A: 1 of 2");
  EXPECT_EQ(Plan("A gt '" + text + "1'"), "A: 1 of 2");
  EXPECT_EQ(Plan("A lt 'xxx'"), "A: 1 of 1");
}

TEST_F(IndexTest, IsRefusedIfItCannotBe) {
  EXPECT_EQ(Do(SetIndexes("None", "A")), "404 TableNotFound");
  EXPECT_EQ(Do(SetIndexes("$Tab", "A")), "404 TableNotFound");
  for (const string indexes :
       {"A;", ";", "A;A", "Timestamp", "A up", "A,A", "1A", "A,B,C,D,E,F,G,H,I",
        "words()", "words(A", "words(A,B)", "words(A desc)", "words(A),B",
        "words(RowKey)", "words(A);words(A)"}) {
    EXPECT_EQ(Do(SetIndexes("Tab", indexes)), "400 InvalidInput") << indexes;
  }
  EXPECT_EQ(Do(SetIndexes("Tab", "A;words(A)")), "202");
  string many = "A";
  for (int i = 1; i < 16; ++i) many += ";A" + std::to_string(i);
  EXPECT_EQ(Do(SetIndexes("Tab", many)), "202");
  EXPECT_EQ(Do(SetIndexes("Tab", many + ";B")), "400 InvalidInput");
}

}  // namespace
}  // namespace entitable
