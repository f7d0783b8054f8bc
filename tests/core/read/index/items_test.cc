// Indexes of the items of arrays, and of the words of long texts; filters over
// both, in memory and in pages.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/index_entry.h"
#include "model/limits.h"
#include "support/memory_host.h"
#include "support/operations.h"
#include "support/query_test.h"
#include "support/repair.h"
#include "support/values_reader.h"

namespace entitable {
namespace {

using std::string;

class ItemsTest : public QueryTest {
 protected:
  void Declare(const string& indexes) {
    while (true) {
      const auto answer = host_.Do(SetIndexes("Tab", indexes));
      ASSERT_TRUE(answer.has_value()) << Outcome(answer);
      if (answer->body.ends_with(R"("complete":true})")) return;
    }
  }

  // The members of an entity whose property has a text.
  static string Member(const string& name, const string& text) {
    string member = "\"" + name + "\":\"";
    for (const char c : text) member += c == '"' ? "\\\"" : string(1, c);
    return member + "\"";
  }
  void Put(const string& row_key, const string& json) {
    Given(Replace("Tab", "p", row_key, "{" + Member("T", json) + "}"));
  }

  // "items(T): a,b of 2": the index or the access path, the RowKeys, and how
  // many entities were read.
  string Find(const string& filter) {
    OwnedOperation count = Count("Tab", filter);
    count.with.dialect = FilterDialect::kExtended;
    const string body = Body(host_.Do(count));
    const auto names = TextsOf("index", body);
    const auto access = TextsOf("access", body);
    if (access.empty()) return body;
    string text = (names.empty() ? access : names).front() + ": ";
    With with{.filter = filter};
    with.dialect = FilterDialect::kExtended;
    bool is_first = true;
    for (const string& key : RowKeysOf(host_, Query("Tab", with))) {
      text += (is_first ? "" : ",") + key;
      is_first = false;
    }
    return text + " of " +
           std::to_string(NumbersOf("entitiesExamined", body).front());
  }

  static string Has(const string& literal) {
    return "T/any(x:x eq " + literal + ")";
  }

  void ExpectSound() {
    const Verifier verifier = VerifyAll(host_.storage());
    for (const Finding& one : verifier.findings()) {
      ADD_FAILURE() << one.message;
    }
  }
};

TEST_F(ItemsTest, HaveAnEntryForEachDistinctItem) {
  Put("a", R"(["x","y","x"])");
  Put("b", R"(["y",5,5.0,true])");
  Put("c", R"([])");
  Put("d", R"("x")");
  Put("e", R"(["x")");
  Given(Insert("Tab", EntityBody("p", "f")));
  EXPECT_EQ(Find(Has("'x'")), "table scan: a of 6");
  Declare("items(T)");

  EXPECT_EQ(Find(Has("'x'")), "items(T): a of 1");
  EXPECT_EQ(Find(Has("'y'")), "items(T): a,b of 2");
  EXPECT_EQ(Find(Has("5")), "items(T): b of 1");
  EXPECT_EQ(Find(Has("5.0")), "items(T): b of 1");
  EXPECT_EQ(Find(Has("true")), "items(T): b of 1");
  EXPECT_EQ(Find(Has("'z'")), "items(T):  of 0");
  // A row with several of them is found once.
  EXPECT_EQ(Find("T/any(x:x in ('x','y'))"), "items(T): a,b of 2");
  EXPECT_EQ(Find("T/any(x:'x' eq x or x eq 'y')"), "items(T): a,b of 2");
  EXPECT_EQ(Find("T/any(x:x ge 'x')"), "items(T): a,b of 2");
  ExpectSound();
}

// The entries of one condition are enough: another item may fit the other.
TEST_F(ItemsTest, AreUsedForOneOfSeveralConditions) {
  Declare("items(T)");
  Put("a", R"(["x","y"])");
  Put("b", R"(["x"])");
  Put("c", R"(["y"])");

  EXPECT_EQ(Find(Has("'x'") + " and " + Has("'y'")), "items(T): a of 2");
  EXPECT_EQ(Find("A eq 1 or " + Has("'x'")), "table scan: a,b of 3");
  EXPECT_EQ(Find(Has("'x'") + " or " + Has("'y'")), "items(T): a,b,c of 3");
  EXPECT_EQ(Find("not " + Has("'x'")), "table scan: c of 3");
  EXPECT_EQ(Find("T/any(x:not (x eq 'x'))"), "table scan: a,c of 3");
  EXPECT_EQ(Find("T/any(x:x eq 'x' and length(x) eq 1)"), "items(T): a,b of 2");
  EXPECT_EQ(Find("T/any(x:x eq 'x' and x eq 'y')"), "items(T):  of 0");
  // Of another property, or within one.
  EXPECT_EQ(Find("U/any(x:x eq 'x')"), "table scan:  of 3");
  EXPECT_EQ(Find("T/list/any(x:x eq 'x')"), "table scan:  of 3");
  EXPECT_EQ(Find("T eq '[\"x\"]'"), "table scan: b of 3");
}

TEST_F(ItemsTest, AreKeptByEveryKindOfWrite) {
  Declare("items(T)");
  const auto member = [](const string& json) { return Member("T", json); };
  Given(Insert("Tab", EntityBody("p", "a", member(R"(["x","y"])"))));
  Given(Merge("Tab", "p", "b", "{" + member(R"(["x"])") + "}"));
  Given(Import("Tab", "[" + EntityBody("p", "c", member(R"(["x"])")) + "," +
                          EntityBody("p", "d", member(R"(["y"])")) + "]"));
  Given(Transaction({Insert("Tab", EntityBody("p", "e", member(R"(["x"])")))}));
  EXPECT_EQ(Find(Has("'x'")), "items(T): a,b,c,e of 4");

  Given(Replace("Tab", "p", "a", "{" + member(R"(["y","z"])") + "}"));
  Given(Merge("Tab", "p", "b", "{" + member(R"([])") + "}"));
  Given(Delete("Tab", "p", "c"));
  Given(MergeMatching("Tab", "{" + member(R"(["w","y"])") + "}",
                      "RowKey eq 'd'"));
  Given(DeleteMatching("Tab", "RowKey eq 'e'"));
  EXPECT_EQ(Find(Has("'x'")), "items(T):  of 0");
  EXPECT_EQ(Find(Has("'y'")), "items(T): a,d of 2");
  EXPECT_EQ(Find(Has("'w'")), "items(T): d of 1");
  ExpectSound();
  host_.Restart();
  EXPECT_EQ(Find(Has("'z'")), "items(T): a of 1");
}

TEST_F(ItemsTest, MayBeOneTermOfSeveral) {
  Declare("items(T),A desc;L,items(T)");
  for (int i = 0; i < 9; ++i) {
    const string number = std::to_string(i);
    Given(Insert("Tab",
                 EntityBody("p", number,
                            Member("T", i % 2 == 0 ? R"(["x","y"])" : "[]") +
                                R"(,"L":"l","A":)" + number)));
  }

  EXPECT_EQ(Find(Has("'x'") + " and A gt 5"), "items(T),A desc: 6,8 of 2");
  EXPECT_EQ(Find(Has("'y'") + " and L eq 'l' and A eq 4"),
            "items(T),A desc: 4 of 1");
  EXPECT_EQ(Find("L eq 'l' and " + Has("'y'")), "L,items(T): 0,2,4,6,8 of 5");
  // Rows without items have an entry, too.
  EXPECT_EQ(Find("L eq 'l'"), "L,items(T): 0,1,2,3,4,5,6,7,8 of 9");
  // An entity has several entries, so they have no order of entities.
  const auto ordered = Ordered("Tab", "L", {.most = "9"});
  EXPECT_EQ(RowKeysOf(host_, ordered).size(), 9U);
  ExpectSound();
}

TEST_F(ItemsTest, FindLongArraysToo) {
  Declare("items(T)");
  const auto numbers = [](std::size_t count) {
    string json = "[";
    for (std::size_t i = 0; i < count; ++i) json += std::to_string(i) + ",";
    json.back() = ']';
    return json;
  };
  Put("most", numbers(kMaxItems));
  Put("more", numbers(kMaxItems + 1));
  Put("few", "[5,5]");

  EXPECT_EQ(Find(Has("5")), "items(T): few,more,most of 3");
  EXPECT_EQ(Find(Has("1000")), "items(T): more of 1");
  // Its only entry is in every plan.
  EXPECT_EQ(Find(Has("'x'")), "items(T):  of 1");
  ExpectSound();
  Put("more", "[1]");
  EXPECT_EQ(Find(Has("'x'")), "items(T):  of 0");
  EXPECT_EQ(Find(Has("1")), "items(T): more,most of 2");
}

TEST_F(ItemsTest, AreOfAllParts) {
  Declare("items(T)");
  const string first = "[\"x\"," + string(kMaxStringLength - 5, ' ');
  Given(Insert(
      "Tab", EntityBody("p", "a",
                        Member("T", first) + "," + Member("T_2", R"("y"])"))));
  // The second part is missing.
  Given(Insert("Tab", EntityBody("p", "b", Member("T", first))));

  EXPECT_EQ(Find(Has("'y'")), "items(T): a of 1");
  EXPECT_EQ(Find(Has("'x'")), "items(T): a of 1");
  Given(Merge("Tab", "p", "a", "{" + Member("T_2", R"("z"])") + "}"));
  EXPECT_EQ(Find(Has("'y'")), "items(T):  of 0");
  EXPECT_EQ(Find(Has("'z'")), "items(T): a of 1");
  ExpectSound();
}

TEST_F(ItemsTest, AreReadFromPagesAsFromMemory) {
  MemoryHost host(std::make_shared<MemoryStorage>(), Profile::kDefault,
                  {.flush_bytes = 20'000, .page_bytes = 2'000});
  ASSERT_TRUE(host.Do(NewTable("Tab")).has_value());
  const string first = "[\"x\"," + string(kMaxStringLength - 5, ' ');
  for (int i = 0; i < 300; ++i) {
    const string number = std::to_string(1000 + i);
    const string json = "[" + number + ",\"n" + std::to_string(i % 7) + "\"]";
    const string members =
        i == 150 ? Member("T", first) + "," + Member("T_2", R"("n3"])")
                 : Member("T", json) + "," +
                       Member("P", R"({"a":{"b":)" + number + "}}");
    ASSERT_TRUE(host.Do(Insert("Tab", EntityBody("p", number, members))));
  }
  const auto count = [&](const string& filter) {
    With with{.filter = filter};
    with.dialect = FilterDialect::kExtended;
    return RowKeysOf(host, Query("Tab", with)).size();
  };

  EXPECT_EQ(count(Has("'n3'")), 43U);
  EXPECT_EQ(count(Has("1200") + " or " + Has("'x'")), 2U);
  EXPECT_EQ(count("P/a/b ge 1290 and P/a/b lt 2000"), 10U);
  EXPECT_EQ(count("contains(whole(T),'n3')"), 43U);
}

TEST_F(ItemsTest, RefuseWrongTerms) {
  for (const string& index :
       {"items(T),items(U)", "items()", "items(T", "items(RowKey)",
        "items(Timestamp)", "xitems(T)", "items(T) up", "items(T),T",
        "words(items(T))", "words(whole(T),A)", "words(whole(RowKey))",
        "whole(T)"}) {
    EXPECT_EQ(Do(SetIndexes("Tab", index)), "400 InvalidInput") << index;
  }
}

class WholeWordsTest : public ItemsTest {
 protected:
  std::vector<string> Search(const string& property, const string& word) {
    const auto answer = host_.Do(entitable::Search("Tab", property, word));
    std::vector<string> keys;
    if (!answer) return {Outcome(answer)};
    for (const ValuesRow& row : ReadValues(answer->body)) {
      keys.push_back(row.at("rowKey"));
    }
    return keys;
  }
};

TEST_F(WholeWordsTest, AreFoundInAllParts) {
  using Keys = std::vector<string>;
  const string first = "begin " + string(kMaxStringLength - 8, ' ') + "mi";
  Given(Insert("Tab",
               EntityBody("p", "a",
                          Member("T", first) + "," + Member("T_2", "lk end"))));
  Given(Insert("Tab", EntityBody("p", "b", Member("T", "milk"))));
  const auto expect = [&] {
    EXPECT_EQ(Search("whole(T)", "milk"), (Keys{"b", "a"}));
    EXPECT_EQ(Search("whole(T)", "end"), Keys{"a"});
    EXPECT_EQ(Search("T", "milk"), Keys{"b"});
  };
  expect();
  Declare("words(whole(T));words(T)");
  expect();
  ExpectSound();
  Given(Merge("Tab", "p", "a", "{" + Member("T_2", "lk other") + "}"));
  EXPECT_EQ(Search("whole(T)", "end"), Keys{});
  EXPECT_EQ(Search("whole(T)", "other"), Keys{"a"});
  ExpectSound();
}

}  // namespace
}  // namespace entitable
