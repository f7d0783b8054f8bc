// Schemas of requests and of tables: docs/internals/file-format.md, "Schemas".

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "support/archive.h"
#include "support/engine_test.h"
#include "support/http_client.h"
#include "support/memory_host.h"
#include "support/operations.h"
#include "support/repair.h"
#include "support/schema_bytes.h"
#include "support/settings_lines.h"

namespace entitable {
namespace {

constexpr StoreLimits kTiny{.flush_bytes = std::size_t{1} << 20,
                            .flush_records = 3,
                            .page_bytes = 300,
                            .step_pages = 3,
                            .import_bytes = 400};

// An age from 0 to 40, and perhaps a name of at most 4.
std::string Pets() {
  return SchemaBytes(
      {Required("Age", EdmType::kInt32,
                {Minimum(Value::Int32(0)), Maximum(Value::Int32(40))}),
       Optional("Name", EdmType::kString, {MaxLength(4)})});
}

std::string Body(const std::string& row_key, const std::string& members) {
  return EntityBody("p", row_key, members);
}

OwnedOperation Importing(const std::string& input, ImportMode mode) {
  return Import("Pets", input, {.mode = mode, .begins = true, .ends = true});
}

class TableSchemaTest : public EngineTest {
 protected:
  void SetUp() override { Given(NewTable("Pets")); }

  void ExpectRefused(const OwnedOperation& operation,
                     const std::string& where = "") {
    EXPECT_EQ(Do(operation), "400 SchemaViolation" + where);
  }

  std::string SchemaOf(MemoryHost& host) {
    OwnedOperation get = FindSchema("pets");
    get.with.fresh = true;
    return Lines(host.Do(get));
  }
};

// --------------------------------------------------------- of the request

// An optional name.  The schema knows this version of rows.
std::string Knowing(char version, const std::string& property) {
  std::string schema = SchemaBytes({Optional("Name", EdmType::kString, {})});
  schema[1] = 2;
  schema.insert(
      2, std::string{version, static_cast<char>(property.size())} + property);
  return schema;
}

TEST_F(TableSchemaTest, OverwritesNoRowOfALaterVersion) {
  const std::string schema = Knowing(1, "schemaVersion");
  const auto expect = [&](const std::string& members, const std::string& update,
                          const std::string& put) {
    Given(Replace("Pets", "p", "a", "{" + members + "}"));
    const std::string row = R"({"Name":"Rex"})";
    EXPECT_EQ(Do(WithSchema(schema, Merge("Pets", "p", "a", row))), update);
    EXPECT_EQ(Do(WithSchema(schema,
                            Replace("Pets", "p", "a", row, {.if_match = "*"}))),
              update);
    EXPECT_EQ(Do(WithSchema(schema, Replace("Pets", "p", "a", row))), put);
  };
  const std::string refused = "501 SchemaVersionTooNew";
  expect(R"("schemaVersion":2)", refused, refused);
  expect(R"("schemaVersion":3.0)", refused, refused);
  expect(R"("schemaVersion":"2","schemaVersion@odata.type":"Edm.Int64")",
         refused, refused);
  EXPECT_EQ(Stored("Pets", "p", "a"),
            R"("schemaVersion@odata.type":"Edm.Int64","schemaVersion":"2")");
  for (const std::string other : {"1", "1.5", "0", "\"2\"", "true"}) {
    expect(R"("schemaVersion":)" + other, "204", "204");
  }
  expect("", "204", "204");
  EXPECT_EQ(Do(WithSchema(schema, Replace("Pets", "p", "new", "{}"))), "204");
}

TEST_F(TableSchemaTest, ComparesTheVersionThatItKnows) {
  const auto replace = [&](const std::string& members) {
    Given(Replace("Pets", "p", "a", "{" + members + "}"));
    return Do(WithSchema(Knowing(4, "v"), Replace("Pets", "p", "a", "{}")));
  };
  EXPECT_EQ(replace(R"("v":5)"), "501 SchemaVersionTooNew");
  EXPECT_EQ(replace(R"("v":4)"), "204");
  EXPECT_EQ(replace(R"("schemaVersion":5)"), "204");
}

// From pages, and from the memtable.
TEST_F(TableSchemaTest, IsKnownToImportsThatOverwrite) {
  for (const bool in_pages : {false, true}) {
    const std::string text(in_pages ? 30'000 : 1, 'x');
    Given(Importing(
        "[" + Body("b", R"("schemaVersion":2)") + "," +
            Body("c", R"("schemaVersion":1,"Text":")" + text + "\"") + "]",
        ImportMode::kReplace));
    const std::string rows =
        "[" + Body("a", "") + "," + Body("b", "") + "," + Body("c", "") + "]";
    for (const ImportMode mode : {ImportMode::kReplace, ImportMode::kMerge}) {
      const auto import =
          WithSchema(Knowing(1, "schemaVersion"), Importing(rows, mode));
      EXPECT_EQ(Outcome(host_.Do(import)), "501 SchemaVersionTooNew at 1");
      EXPECT_EQ(Stored("Pets", "p", "b"), R"("schemaVersion":2)");
    }
    Given(Importing(rows, ImportMode::kReplace));
    EXPECT_EQ(Stored("Pets", "p", "b"), "");
  }
}

TEST_F(TableSchemaTest, IsKeptByTheEntityOfAnInsertOrReplace) {
  ExpectRefused(WithSchema(Pets(), Insert("Pets", Body("a", R"("Age":41)"))));
  ExpectRefused(WithSchema(Pets(), Insert("Pets", Body("a", ""))));
  ExpectRefused(WithSchema(Pets(), Replace("Pets", "p", "a", R"({"Age":-1})")));
  EXPECT_EQ(Do(WithSchema(Pets(), Insert("Pets", Body("a", R"("Age":40)")))),
            "201");
  ExpectRefused(WithSchema(
      Pets(),
      Replace("Pets", "p", "a", R"({"Name":"Rex"})", {.if_match = "*"})));
  EXPECT_EQ(Do(WithSchema(Pets(), Replace("Pets", "p", "a", R"({"Age":0})"))),
            "204");
  EXPECT_EQ(Stored("Pets", "p", "a"), R"("Age":0)");
}

TEST_F(TableSchemaTest, IsKeptByTheResultOfAMerge) {
  const auto merge = [](const std::string& members) {
    return WithSchema(Pets(), Merge("Pets", "p", "a", "{" + members + "}"));
  };
  ExpectRefused(merge(R"("Name":"Rex")"));
  EXPECT_EQ(Do(merge(R"("Age":7)")), "204");
  EXPECT_EQ(Do(merge(R"("Name":"Rex")")), "204");
  ExpectRefused(merge(R"("Name":"Beatrice")"));
  ExpectRefused(merge(R"("Age@odata.type":"Edm.Int64","Age":"7")"));
  EXPECT_EQ(Stored("Pets", "p", "a"), R"("Age":7,"Name":"Rex")");
}

TEST_F(TableSchemaTest, ComesWithEveryViolation) {
  const auto answer = host_.Do(WithSchema(
      Pets(),
      Insert("Pets", Body("a", R"("Age":41,"Name":"Beatrice","B":1)"))));

  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().message,
            "Property \"Age\" holds 41; the maximum of the schema is 40.");
  EXPECT_EQ(answer.error().violations,
            R"([{"rule":"schema-maximum","path":"Age",)"
            R"("code":"SchemaViolation","message":)"
            R"("Property \"Age\" holds 41; the maximum of the schema is 40."},)"
            R"({"rule":"schema-max-length","path":"Name",)"
            R"("code":"SchemaViolation","message":)"
            R"("Property \"Name\" holds \"Beatrice\", which has 8 UTF-16 )"
            R"(units; )"
            R"(the maxLength of the schema is 4.",)"
            R"("limit":4,"actual":8}])");
}

TEST_F(TableSchemaTest, IsTheSameForAllPartsOfATransaction) {
  const auto transaction = [](const std::string& age) {
    return WithSchema(
        Pets(),
        Transaction({Insert("Pets", Body("a", R"("Age":1)")),
                     Delete("Pets", "p", "old"),
                     Merge("Pets", "p", "b", R"({"Age":)" + age + "}")}));
  };
  Given(Insert("Pets", Body("old", R"("Age":41)")));

  ExpectRefused(transaction("41"), " at 2");
  EXPECT_EQ(Do(transaction("40")), "202");
}

TEST_F(TableSchemaTest, IsCheckedAfterTheServicesRules) {
  Given(Insert("Pets", Body("a", R"("Age":1)")));
  const auto insert = [](const std::string& table, const std::string& body) {
    return WithSchema(Pets(), Insert(table, body));
  };

  EXPECT_EQ(Do(insert("Nope", Body("a", R"("Age":41)"))), "404 TableNotFound");
  EXPECT_EQ(Do(insert("Pets", Body("a", R"("Age":41)"))),
            "409 EntityAlreadyExists");
  EXPECT_EQ(Do(insert("Pets", Body("a/b", R"("Age":41)"))),
            "400 OutOfRangeInput");
}

TEST_F(TableSchemaTest, MustFollowItsGrammar) {
  const std::string members = R"("Age":1)";
  for (const auto& operation :
       {Insert("Pets", Body("a", members)),
        Merge("Pets", "p", "a", "{" + members + "}"),
        Transaction({Insert("Pets", Body("a", members))}),
        Importing("[]", ImportMode::kInsert)}) {
    EXPECT_EQ(Do(WithSchema("nonsense", operation)), "400 InvalidInput");
    EXPECT_EQ(Do(WithSchema("", operation)), "400 InvalidInput");
  }
  EXPECT_EQ(Do(Enforce("Pets", "nonsense")), "400 InvalidInput");
  EXPECT_EQ(Do(WithSchema(Pets(), Importing("", ImportMode::kRestore))),
            "400 InvalidInput");
}

// -------------------------------------------------------------- of an import

TEST_F(TableSchemaTest, StopsAnImportAtTheFirstEntityThatBreaksIt) {
  Given(Insert("Pets", Body("c", R"("Age":1)")));
  const std::string input = Body("a", R"("Age":1)") + Body("b", R"("Age":2)") +
                            Body("c", R"("Name":"Rex")") +
                            Body("a", R"("Age":41)") + Body("d", R"("Age":3)");

  const auto import = [&](ImportMode mode) {
    return Outcome(host_.Do(WithSchema(Pets(), Importing(input, mode))));
  };
  // The result of a merge has an age.
  EXPECT_EQ(import(ImportMode::kReplace), "400 SchemaViolation at 2");
  EXPECT_EQ(import(ImportMode::kMerge), "400 SchemaViolation at 3");
  EXPECT_EQ(Stored("Pets", "p", "a"), R"("Age":1)");
  EXPECT_EQ(Stored("Pets", "p", "c"), R"("Age":1,"Name":"Rex")");
  EXPECT_EQ(Stored("Pets", "p", "d"), "404 ResourceNotFound");
}

TEST_F(TableSchemaTest, IsKeptByEveryStepOfAnImport) {
  MemoryHost host(std::make_shared<MemoryStorage>(), Profile::kDefault, kTiny);
  ASSERT_EQ(Outcome(host.Do(NewTable("Pets"))), "201");
  std::string input;
  for (int i = 100; i < 160; ++i) {
    input += Body(std::to_string(i), i == 150 ? R"("Age":41)" : R"("Age":1)");
  }
  const auto answer =
      host.Do(WithSchema(Pets(), Importing(input, ImportMode::kInsert)));

  ASSERT_EQ(Outcome(answer), "400 SchemaViolation at 50");
  EXPECT_EQ(answer.error().entity_keys, (std::vector<std::string>{"p", "150"}));
  EXPECT_TRUE(answer.error().violations.starts_with(
      R"([{"rule":"schema-maximum","path":"Age",)"));
  EXPECT_EQ(NumbersOf("count", Body(host.Do(Count("Pets")))),
            std::vector<long long>{50});
}

// --------------------------------------------------------------- of the table

TEST_F(TableSchemaTest, IsSetReplacedAndRemoved) {
  EXPECT_EQ(SchemaOf(host_), "");
  EXPECT_EQ(Do(FindSchema("Nope")), "404 TableNotFound");
  EXPECT_EQ(Do(Enforce("Nope", Pets())), "404 TableNotFound");
  EXPECT_EQ(Do(Enforce("PETS", Pets())), "204");
  EXPECT_EQ(SchemaOf(host_), Pets());
  EXPECT_EQ(Do(Enforce("Pets", SchemaBytes({}))), "204");
  EXPECT_EQ(SchemaOf(host_), SchemaBytes({}));
  EXPECT_EQ(Do(Enforce("Pets", "")), "204");
  EXPECT_EQ(SchemaOf(host_), "");
  EXPECT_EQ(Do(Insert("Pets", Body("a", ""))), "201");
}

TEST_F(TableSchemaTest, LivesBesideThePoliciesOfTheTable) {
  Given(Enforce("Pets", Pets()));
  Given(StorePolicies("Pets", kReaders));
  EXPECT_EQ(SchemaOf(host_), Pets());
  Given(Enforce("Pets", SchemaBytes({})));
  EXPECT_EQ(Lines(host_.Do(Policies("Pets"))), kReaders);
  Given(StorePolicies("Pets", ""));
  EXPECT_EQ(SchemaOf(host_), SchemaBytes({}));
  Given(DropTable("Pets"));
  Given(NewTable("Pets"));

  EXPECT_EQ(SchemaOf(host_), "");
  EXPECT_EQ(Do(Insert("Pets", Body("a", ""))), "201");
}

TEST_F(TableSchemaTest, HoldsWritesThatShareACommitWithIt) {
  const RequestId before = host_.Submit(Insert("Pets", Body("a", "")));
  const RequestId enforce = host_.Submit(Enforce("Pets", Pets()));
  const RequestId after = host_.Submit(Insert("Pets", Body("b", "")));

  EXPECT_EQ(Outcome(host_.Await(before)), "201");
  EXPECT_EQ(Outcome(host_.Await(enforce)), "204");
  EXPECT_EQ(Outcome(host_.Await(after)), "400 SchemaViolation");
}

TEST_F(TableSchemaTest, IsShownByAPlan) {
  const auto plan = [&] { return Body(host_.Do(Count("Pets"))); };
  EXPECT_TRUE(plan().ends_with(R"(,"enforced":false})")) << plan();
  Given(Enforce("Pets", Pets()));
  EXPECT_TRUE(plan().ends_with(R"(,"enforced":true})")) << plan();
}

TEST_F(TableSchemaTest, HoldsEveryWriter) {
  Given(Insert("Pets", Body("old", R"("Name":"Beatrice")")));
  Given(Enforce("Pets", Pets()));

  ExpectRefused(Insert("Pets", Body("a", R"("Age":41)")));
  ExpectRefused(Replace("Pets", "p", "a", R"({"Age":-1})"));
  ExpectRefused(Merge("Pets", "p", "a", R"({"Name":"Rex"})"));
  ExpectRefused(Transaction({Insert("Pets", Body("a", R"("Age":1)")),
                             Insert("Pets", Body("b", ""))}),
                " at 1");
  for (const auto mode :
       {ImportMode::kInsert, ImportMode::kReplace, ImportMode::kMerge}) {
    ExpectRefused(Importing(Body("a", R"("Age":"7")"), mode), " at 0");
  }
  // Both schemas hold.
  const std::string own = SchemaBytes(
      {Optional("Age", EdmType::kInt32, {Minimum(Value::Int32(10))})});
  ExpectRefused(WithSchema(own, Insert("Pets", Body("a", R"("Age":9)"))));
  ExpectRefused(WithSchema(own, Insert("Pets", Body("a", R"("Age":41)"))));
  EXPECT_EQ(Do(WithSchema(own, Insert("Pets", Body("a", R"("Age":10)")))),
            "201");
}

// Stored entities stay as they are.  An update must mend them.
TEST_F(TableSchemaTest, LetsEntitiesThatBreakItBeMendedOrDeleted) {
  Given(Insert("Pets", Body("a", R"("Name":"Beatrice")")));
  Given(Insert("Pets", Body("b", R"("Name":"Beatrice")")));
  Given(Enforce("Pets", Pets()));

  EXPECT_EQ(Stored("Pets", "p", "a"), R"("Name":"Beatrice")");
  ExpectRefused(Merge("Pets", "p", "a", R"({"Age":7})"));
  EXPECT_EQ(Do(Merge("Pets", "p", "a", R"({"Age":7,"Name":"Bea"})")), "204");
  EXPECT_EQ(Do(Delete("Pets", "p", "b")), "204");
}

TEST_F(TableSchemaTest, IsACodeOfOursOverHttp) {
  Given(Enforce("Pets", Pets()));
  HttpClient http(host_);
  const auto response =
      http.Send({.method = "POST",
                 .target = "/Pets",
                 .headers = {{"Accept", "application/json"},
                             {"Content-Type", "application/json"}},
                 .body = Body("a", R"("Age":41)")});

  EXPECT_EQ(response.status, 400);
  EXPECT_TRUE(response.body.contains(R"("code":"SchemaViolation")"))
      << response.body;
  EXPECT_TRUE(response.body.contains("the maximum of the schema is 40"))
      << response.body;
  const auto made =
      http.Send({.method = "POST",
                 .target = "/Pets",
                 .headers = {{"Accept", "application/json"},
                             {"Content-Type", "application/json"}},
                 .body = Body("a", R"("Age":40)")});
  EXPECT_EQ(made.status, 201);
}

// A schema and the table that has it may share a commit.
TEST_F(TableSchemaTest, HoldsTheWritesBehindItInTheSameCommit) {
  const RequestId table = host_.Submit(NewTable("Other"));
  const RequestId set = host_.Submit(Enforce("Other", Pets()));
  const RequestId good = host_.Submit(Insert("Other", Body("a", R"("Age":1)")));
  const RequestId bad = host_.Submit(Insert("Other", Body("b", "")));

  EXPECT_EQ(Outcome(host_.Await(table)), "201");
  EXPECT_EQ(Outcome(host_.Await(set)), "204");
  EXPECT_EQ(Outcome(host_.Await(good)), "201");
  EXPECT_EQ(Outcome(host_.Await(bad)), "400 SchemaViolation");
}

// ---------------------------------------------------------------- as stored

class StoredSchemaTest : public TableSchemaTest {
 protected:
  void SetUp() override {
    for (const auto& operation :
         {NewTable("Pets"), Insert("Pets", Body("old", R"("Age":41)")),
          StorePolicies("Pets", kReaders), Enforce("Pets", Pets()),
          NewTable("Other")}) {
      ASSERT_LT(tiny_.Do(operation).value().status, 300);
    }
  }

  // So much that the row of the table is flushed and compacted.
  void Fill() {
    for (int i = 0; i < 40; ++i) {
      const auto answer =
          tiny_.Do(Insert("Other", Body(std::to_string(i), R"("A":1)")));
      ASSERT_TRUE(answer.has_value()) << Outcome(answer);
    }
    tiny_.Run();
  }

  void ExpectEnforced(MemoryHost& host) {
    EXPECT_EQ(Outcome(host.Do(Insert("Pets", Body("a", R"("Age":41)")))),
              "400 SchemaViolation");
    EXPECT_EQ(SchemaOf(host), Pets());
    EXPECT_EQ(Lines(host.Do(Policies("Pets"))), kReaders);
  }

  MemoryHost tiny_{std::make_shared<MemoryStorage>(), Profile::kDefault, kTiny};
};

TEST_F(StoredSchemaTest, OutlivesFlushesCompactionsAndTheProcess) {
  tiny_.Restart();
  ExpectEnforced(tiny_);
  Fill();
  ExpectEnforced(tiny_);
  tiny_.Restart();
  ExpectEnforced(tiny_);
}

TEST_F(StoredSchemaTest, HoldsWritersOfOtherTabs) {
  MemoryHost other(tiny_.shared_storage(), Profile::kDefault, kTiny);
  ExpectEnforced(other);
  ASSERT_EQ(Outcome(tiny_.Do(Enforce("Pets", ""))), "204");

  // It learns of this when it commits.
  EXPECT_EQ(Outcome(other.Do(Insert("Pets", Body("x", R"("Age":41)")))), "201");
}

// Entities that break it come back as they were.
TEST_F(StoredSchemaTest, IsInAnArchive) {
  Fill();
  const auto archive = ExportAll(tiny_);
  ASSERT_TRUE(archive.has_value());
  for (const std::size_t part_size : {std::size_t{7}, archive->size()}) {
    MemoryHost copy(std::make_shared<MemoryStorage>(), Profile::kDefault,
                    kTiny);
    const auto imported = ImportAll(copy, *archive, part_size);
    ASSERT_TRUE(imported.has_value()) << Outcome(imported);
    ExpectEnforced(copy);
    const auto again = ExportAll(copy);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(*again, *archive);
  }
}

TEST_F(StoredSchemaTest, MustBeRightInAnArchive) {
  const std::string head = "{\"entitable\":\"archive\",\"version\":1}\n";
  const std::string table = "{\"TableName\":\"Pets\"}\n";
  const std::string schema = R"({"kind":"Schema","Bytes":"AQA="})"
                             "\n";
  const std::string end = "{\"tables\":1,\"entities\":0}\n";
  const struct {
    std::string lines;
    std::string outcome;
  } kCases[] = {
      {head + table + schema + end, R"({"read":4,"stored":4})"},
      {head + table + schema + schema + end, "400 InvalidInput at 2"},
      {head + schema + table + end, "400 InvalidXmlDocument at 1"},
      {head + table + R"({"kind":"Schema","Bytes":"AwA="})" + end,
       "400 InvalidInput at 2"},
      {head + table + R"({"kind":"Schema","Bytes":"?"})" + end,
       "400 InvalidInput at 2"},
      {head + table + R"({"kind":"Schema"})" + end, "400 InvalidInput at 2"},
      {head + table + R"({"kind":"Policies"})" + end,
       "400 InvalidXmlDocument at 2"},
  };
  for (const auto& [lines, outcome] : kCases) {
    SCOPED_TRACE(lines);
    MemoryHost copy;
    const auto imported = ImportAll(copy, lines, lines.size());
    EXPECT_EQ(imported ? imported->body : Outcome(imported), outcome);
    if (outcome.starts_with("400 InvalidInput")) {
      EXPECT_EQ(imported.error().message, "The schema cannot be read.");
    }
  }
  EXPECT_EQ(Outcome(tiny_.Do(StorePolicies("Pets", schema))),
            "400 InvalidXmlDocument");
}

TEST_F(StoredSchemaTest, IsSaved) {
  Fill();
  for (const Listing listing : {Listing::kNone, Listing::kPages}) {
    const auto saved = Repair(tiny_.storage(), listing);
    MemoryHost copy(saved.storage, Profile::kDefault, kTiny);
    ExpectEnforced(copy);
  }
}

}  // namespace
}  // namespace entitable
