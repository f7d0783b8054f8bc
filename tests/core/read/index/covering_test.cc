// Covering indexes: their answers are those of the entities, and need no page
// of them.

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/index_entry.h"
#include "support/memory_host.h"
#include "support/operations.h"
#include "support/query_test.h"

namespace entitable {
namespace {

using std::string;

class CoveringTest : public QueryTest {
 protected:
  void Declare(const string& indexes) {
    for (;;) {
      const auto answer = host_.Do(SetIndexes("Tab", indexes));
      ASSERT_TRUE(answer.has_value()) << Outcome(answer);
      if (answer->body.ends_with(R"("complete":true})")) return;
    }
  }

  // The properties that a list by the filter can have of the index alone; empty
  // if it reads the entities.
  string Included(const string& filter) {
    const auto names =
        TextsOf("included", Body(host_.Do(Count("Tab", filter))));
    return names.empty() ? "" : names.front();
  }

  // What the queries answer with the index and without any, with all metadata.
  void ExpectAnswersOfTheEntities(const string& index) {
    std::vector<string> answers;
    for (const string& indexes : {index, string()}) {
      Declare(indexes);
      string all;
      for (const auto& select : kSelections) {
        all += Body(host_.Do(Query("Tab", {.level = MetadataLevel::kFull,
                                           .filter = "A eq 1",
                                           .select = select})));
        all += Body(host_.Do(Ordered("Tab", "A,B desc",
                                     {.level = MetadataLevel::kFull,
                                      .filter = "A ge 1",
                                      .select = select,
                                      .most = "3"})));
      }
      all += TextOfCount();
      answers.push_back(std::move(all));
    }
    EXPECT_EQ(answers[0], answers[1]);
    Declare(index);
  }

  const std::vector<std::optional<string>> kSelections = {
      std::nullopt, "B", "C,RowKey", "Timestamp,A", "D,B"};

 private:
  string TextOfCount() {
    const auto count =
        NumbersOf("count", Body(host_.Do(Count("Tab", "A eq 1"))));
    return std::to_string(count.at(0));
  }
};

TEST_F(CoveringTest, AnswersAreThoseOfTheEntitiesAfterEveryKindOfWrite) {
  for (const string index : {"A,B desc|C", "A,B desc|*", "A|B,C,D", "A|*"}) {
    SCOPED_TRACE(index);
    Declare(index);
    Given(Replace("Tab", "p", "a", R"({"A":1,"B":1,"C":"x","D":true})"));
    Given(Merge("Tab", "p", "b", R"({"A":1,"C":"y"})"));
    Given(Transaction({Replace("Tab", "q", "c", R"({"C":"z","B":3,"A":1})"),
                       Replace("Tab", "q", "d", R"({"A":2,"B":4})")}));
    Given(Import("Tab", "[" + EntityBody("r", "e", R"("A":1,"D":5)") + "]",
                 {.mode = ImportMode::kReplace, .begins = true, .ends = true}));
    ExpectAnswersOfTheEntities(index);

    // An included property, another one, the indexed one, and a deletion.
    Given(Merge("Tab", "p", "a", R"({"C":"new"})"));
    Given(Merge("Tab", "p", "b", R"({"E":1})"));
    Given(Merge("Tab", "q", "d", R"({"A":1})"));
    Given(Delete("Tab", "q", "c"));
    ExpectAnswersOfTheEntities(index);

    host_.Restart();
    ExpectAnswersOfTheEntities(index);
  }
}

TEST_F(CoveringTest, TellsWhatAListCanHaveOfTheIndexAlone) {
  Given(Replace("Tab", "p", "a", R"({"A":1,"B":1,"C":"x"})"));

  Declare("A");
  EXPECT_EQ(Included("A eq 1"), "");
  Declare("A|C");
  EXPECT_EQ(Included("A eq 1"), "A,C");
  EXPECT_EQ(Included("A eq 1 and C eq 'x' and RowKey ge 'a'"), "A,C");
  EXPECT_EQ(Included("A eq 1 and B eq 1"), "");
  Declare("A;A,B|*");
  EXPECT_EQ(Included("A eq 1 and B eq 1"), "*");
  // Of two that are worth the same, the covering one.
  EXPECT_EQ(Included("A eq 1"), "*");
}

// A read never has the state of an entity before it was written.
TEST_F(CoveringTest, HasTheEtagOfTheLastWrite) {
  Declare("A|C");
  Given(Replace("Tab", "p", "a", R"({"A":1,"C":"x","E":1})"));
  Given(Merge("Tab", "p", "a", R"({"E":2})"));

  const auto written =
      TextsOf("Timestamp", Body(host_.Do(Get("Tab", "p", "a"))));
  const auto listed = TextsOf(
      "Timestamp", Body(host_.Do(Query(
                       "Tab", {.filter = "A eq 1", .select = "C,Timestamp"}))));
  EXPECT_EQ(listed, written);
}

TEST_F(CoveringTest, ReadsEntitiesThatAreTooLongForTheIndex) {
  const string text(kMaxCopiedBytes, 'x');
  Given(Replace("Tab", "p", "a", R"({"A":1,"C":")" + text + "\"}"));
  Given(Replace("Tab", "p", "b", R"({"A":1,"C":"short"})"));
  Declare("A|*");
  // Also in a record that is read again.
  host_.Restart();

  const auto texts =
      TextsOf("C", Body(host_.Do(Query("Tab", {.filter = "A eq 1"}))));
  EXPECT_EQ(texts, (std::vector<string>{text, "short"}));
  ExpectAnswersOfTheEntities("A|*");
}

TEST_F(CoveringTest, IsAnotherIndexIfItIncludesOtherProperties) {
  Given(Replace("Tab", "p", "a", R"({"A":1,"B":1,"C":"x"})"));
  Declare("A|B");

  EXPECT_EQ(Body(host_.Do(SetIndexes("Tab", "A|C"))),
            R"({"entities":1,"complete":true})");
  EXPECT_EQ(Included("A eq 1"), "A,C");
  EXPECT_EQ(Body(host_.Do(SetIndexes("Tab", "A|C"))),
            R"({"entities":0,"complete":true})");
}

TEST_F(CoveringTest, RefusesWhatNoIndexCanInclude) {
  for (const string index :
       {"A|", "A|B,", "A|2B", "words(A)|B", "items(A)|B", "A|B;A|C", "A;A|B"}) {
    EXPECT_EQ(Do(SetIndexes("Tab", index)), "400 InvalidInput") << index;
  }
}

}  // namespace
}  // namespace entitable
