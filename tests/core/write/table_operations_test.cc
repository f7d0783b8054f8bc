// Table names and table operations: cases 1 to 43 of the spec.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/engine_test.h"

namespace entitable {
namespace {

class TableOperationsTest : public EngineTest {
 protected:
  // The names on one page of the list.
  std::vector<std::string> List(With with = {}) {
    return TextsOf("TableName", Body(host_.Do(ListTables(std::move(with)))));
  }
};

using Names = std::vector<std::string>;

// Cases 1, 5, 7 and 17.
TEST_F(TableOperationsTest, CreatesATableUnderTheNameAsWritten) {
  for (const std::string& name :
       {std::string("abc"), std::string(63, 'a'), std::string("A1b2C3"),
        std::string("Table")}) {
    const auto answer = host_.Do(NewTable(name));
    ASSERT_EQ(Outcome(answer), "201") << name;
    EXPECT_EQ(answer->body,
              R"({"odata.metadata":"https://acct.table.core.windows.net/)"
              R"($metadata#Tables/@Element","TableName":")" +
                  name + "\"}");
    EXPECT_EQ(answer->etag, "");
    EXPECT_EQ(Body(host_.Do(FindTable(name))), answer->body);
  }
}

// Cases 2 to 16.
TEST_F(TableOperationsTest, RefusesNamesThatBreakARule) {
  const struct {
    std::string name;
    const char* outcome;
  } kCases[] = {
      {"ab", "400 OutOfRangeInput"},
      {"a", "400 OutOfRangeInput"},
      {"", "400 OutOfRangeInput"},
      {std::string(64, 'a'), "400 OutOfRangeInput"},
      {"1abc", "400 InvalidResourceName"},
      {"a-b-c", "400 InvalidResourceName"},
      {"a_bc", "400 InvalidResourceName"},
      {"a bc", "400 InvalidResourceName"},
      {R"(abc\u00e9)", "400 InvalidResourceName"},
      {R"(abc\uff11)", "400 InvalidResourceName"},
      {"$abc", "400 InvalidResourceName"},
      {"tables", "400 InvalidInput"},
      {"TABLES", "400 InvalidInput"},
  };
  for (const auto& [name, outcome] : kCases) {
    EXPECT_EQ(Do(NewTable(name)), outcome) << name;
  }
  EXPECT_EQ(MessageOf(NewTable("ab")),
            "The specified resource name length is not within the permissible "
            "limits.");
  EXPECT_EQ(MessageOf(NewTable("1abc")),
            "The specifed resource name contains invalid characters.");
  EXPECT_EQ(MessageOf(NewTable("tables")),
            "One of the request inputs is not valid.");
}

// Cases 18 and 19.
TEST_F(TableOperationsTest, RefusesANameThatExistsInAnyCase) {
  Given(NewTable("abc"));

  EXPECT_EQ(Do(NewTable("abc")), "409 TableAlreadyExists");
  EXPECT_EQ(Do(NewTable("ABC")), "409 TableAlreadyExists");
  EXPECT_EQ(MessageOf(NewTable("abc")), "The table specified already exists.");
}

// Cases 20 to 22.
TEST_F(TableOperationsTest, FindsATableInAnyCase) {
  Given(NewTable("Abc"));

  EXPECT_EQ(Body(host_.Do(FindTable("aBC", {.level = MetadataLevel::kNone}))),
            R"({"TableName":"Abc"})");
  EXPECT_EQ(Body(host_.Do(Query("ABC", {.level = MetadataLevel::kNone}))),
            R"({"value":[]})");

  Given(Insert("abc", EntityBody("p", "r")));
  EXPECT_EQ(RowKeysOf(host_, Query("ABC")), Names{"r"});
}

// Case 23.
TEST_F(TableOperationsTest, DoesNotFindATableThatIsNotThere) {
  for (const char* name : {"nope", "a-b", "ab", "tables", ""}) {
    EXPECT_EQ(Do(FindTable(name)), "404 ResourceNotFound") << name;
  }
  EXPECT_EQ(MessageOf(FindTable("nope")),
            "The specified resource does not exist.");
}

// Cases 24 to 27.
TEST_F(TableOperationsTest, DeletesATableThatExists) {
  Given(NewTable("abc"));

  const auto answer = host_.Do(DropTable("ABC"));

  ASSERT_EQ(Outcome(answer), "204");
  EXPECT_EQ(answer->body, "");
  EXPECT_EQ(answer->etag, "");
  EXPECT_EQ(Do(FindTable("abc")), "404 ResourceNotFound");
  EXPECT_EQ(Do(DropTable("abc")), "404 ResourceNotFound");
  for (const std::string& name :
       {std::string("nope"), std::string("a-b"), std::string("tables"),
        std::string(64, 'a'), std::string()}) {
    EXPECT_EQ(Do(DropTable(name)), "404 ResourceNotFound") << name;
  }
}

// Case 28.
TEST_F(TableOperationsTest, DeletesNoTableWhoseNameMerelyBeginsAlike) {
  for (const char* name : {"abc", "abcd"}) {
    Given(NewTable(name));
    Given(Insert(name, EntityBody("p", name)));
  }

  EXPECT_EQ(Do(DropTable("abc")), "204");

  EXPECT_EQ(RowKeysOf(host_, Query("abcd")), Names{"abcd"});
  EXPECT_EQ(Do(Query("abc")), "404 TableNotFound");
}

// Case 29; also after the store was opened again.
TEST_F(TableOperationsTest, CreatesATableAgainWithoutItsOldEntities) {
  Given(NewTable("abc"));
  Given(Insert("abc", EntityBody("p", "r")));
  Given(DropTable("abc"));

  EXPECT_EQ(Do(NewTable("abc")), "201");
  EXPECT_EQ(RowKeysOf(host_, Query("abc")), Names{});
  EXPECT_EQ(Do(Insert("abc", EntityBody("p", "r"))), "201");

  host_.Restart();
  EXPECT_EQ(RowKeysOf(host_, Query("abc")), Names{"r"});
}

// Cases 30 to 32, as far as they are not about headers.
TEST_F(TableOperationsTest, AnswersWithoutTheTableOnRequest) {
  const auto answer = host_.Do(NewTable("abc", {.echo = false}));

  ASSERT_EQ(Outcome(answer), "204");
  EXPECT_EQ(answer->body, "");
  EXPECT_EQ(List(), Names{"abc"});
}

// Cases 33 to 35.
TEST_F(TableOperationsTest, RefusesBodiesWithoutAName) {
  EXPECT_EQ(Do(NewTableOf("{}")), "400 PropertiesNeedValue");
  EXPECT_EQ(Do(NewTableOf(R"({"TableName":5})")), "400 InvalidInput");
  EXPECT_EQ(Do(NewTableOf(R"({"TableName":)")), "400 InvalidInput");
}

// Cases 36 and 37.
TEST_F(TableOperationsTest, ListsTablesByTheirFoldedNames) {
  EXPECT_EQ(Body(host_.Do(ListTables({.level = MetadataLevel::kNone}))),
            R"({"value":[]})");
  for (const char* name : {"bbb", "aaa", "Ccc"}) Given(NewTable(name));

  EXPECT_EQ(List(), (Names{"aaa", "bbb", "Ccc"}));
}

// Cases 38 to 40; operations of the spec, 2.6.
TEST_F(TableOperationsTest, ListsTheTablesThatAFilterLets) {
  for (const char* name : {"tab1", "tab2", "xyz"}) Given(NewTable(name));

  EXPECT_EQ(List({.filter = "TableName ge 'tab' and TableName lt 'tac'"}),
            (Names{"tab1", "tab2"}));
  EXPECT_EQ(List({.filter = "TableName eq 'tab2'"}), Names{"tab2"});
  EXPECT_EQ(List({.filter = "TableName eq 'TAB2'"}), Names{});
  EXPECT_EQ(List({.filter = "false"}), Names{});
  EXPECT_EQ(List({.filter = ""}).size(), 3U);
  EXPECT_EQ(List({.filter = "Other ne 'x'"}), Names{});
  EXPECT_EQ(Do(ListTables({.filter = "startswith(TableName,'tab')"})),
            "501 NotImplemented");
  EXPECT_EQ(Do(ListTables({.filter = "TableName eq"})), "400 InvalidInput");
}

// Case 41.
TEST_F(TableOperationsTest, ContinuesAListAtItsToken) {
  for (const char* name : {"Tab1", "tab2", "TAB3"}) Given(NewTable(name));

  const auto first = host_.Do(ListTables({.top = "2"}));
  ASSERT_EQ(Outcome(first), "200");
  EXPECT_EQ(TextsOf("TableName", first->body), (Names{"Tab1", "tab2"}));
  ASSERT_TRUE(first->next_table_name.has_value());

  const auto second = host_.Do(
      ListTables({.top = "2", .next_table_name = first->next_table_name}));
  EXPECT_EQ(TextsOf("TableName", Body(second)), Names{"TAB3"});
  EXPECT_FALSE(second->next_table_name.has_value());
}

TEST_F(TableOperationsTest, RefusesAPageThatCannotBe) {
  for (const char* top : {"1001", "-1", "x", ""}) {
    EXPECT_EQ(Do(ListTables({.top = top})), "400 InvalidInput") << top;
  }
  for (const char* token : {"", "garbage", "1!4!YQ-"}) {
    EXPECT_EQ(Do(ListTables({.next_table_name = token})), "400 InvalidInput")
        << token;
  }
  Given(NewTable("abc"));
  const auto none = host_.Do(ListTables({.top = "0"}));
  EXPECT_EQ(Outcome(none), "200");
  EXPECT_EQ(TextsOf("TableName", none->body), Names{});
  EXPECT_FALSE(none->next_table_name.has_value());
}

// Case 42.
TEST_F(TableOperationsTest, ListsAThousandTablesAtOnce) {
  for (int i = 0; i < 1'001; ++i) {
    host_.Submit(NewTable("t" + std::to_string(10'000 + i)));
  }
  host_.Run();

  const auto first = host_.Do(ListTables());
  ASSERT_EQ(Outcome(first), "200");
  EXPECT_EQ(TextsOf("TableName", first->body).size(), 1'000U);
  ASSERT_TRUE(first->next_table_name.has_value());
  EXPECT_EQ(List({.next_table_name = first->next_table_name}), Names{"t11000"});
}

// Text that is no UTF-8 can come from a host that does not check it.
TEST_F(TableOperationsTest, RefusesTextThatIsNoUtf8) {
  EXPECT_EQ(Do(FindTable("\xFF")), "400 InvalidInput");
  EXPECT_EQ(Do(DropTable("\xC3")), "400 InvalidInput");
  EXPECT_EQ(Do(NewTable("ab\xC0\x80")), "400 InvalidInput");
  EXPECT_EQ(Do(ListTables({.filter = "TableName eq '\xFF'"})),
            "400 InvalidInput");
}

}  // namespace
}  // namespace entitable
