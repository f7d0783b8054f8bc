// Archives: engine.h, ImportMode::kRestore; docs/internals/file-format.md.

#include "support/archive.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "support/memory_host.h"
#include "support/operations.h"
#include "support/random.h"
#include "support/random_entity.h"
#include "support/stored_pages.h"

namespace entitable {
namespace {

// Small pages, small steps and constant flushes.
constexpr StoreLimits kTiny{.flush_bytes = std::size_t{1} << 20,
                            .flush_records = 6,
                            .page_bytes = 300,
                            .step_pages = 3,
                            .import_bytes = 400};

const std::string kHead = "{\"entitable\":\"archive\",\"version\":1}\n";

MemoryHost NewHost(const StoreLimits& limits = kTiny) {
  return MemoryHost(std::make_shared<MemoryStorage>(), Profile::kDefault,
                    limits);
}

void Given(MemoryHost& host, const OwnedOperation& operation) {
  const auto answer = host.Do(operation);
  ASSERT_TRUE(answer.has_value()) << Outcome(answer);
}

std::string Exported(MemoryHost& host) {
  const auto archive = ExportAll(host);
  return archive ? *archive : Refusal(archive.error());
}

// An entity as a line, with a timestamp of this many seconds.
std::string Line(const std::string& row_key, int second,
                 const std::string& members = "") {
  std::string line =
      "{\"PartitionKey\":\"p\",\"RowKey\":\"" + row_key +
      "\",\"Timestamp\":\"2020-01-01T00:00:" + std::to_string(second) + "Z\"";
  if (!members.empty()) line += "," + members;
  return line + "}\n";
}

TEST(ArchiveTest, HasTablesThenEntitiesThenHowManyThereAre) {
  MemoryHost host = NewHost();
  Given(host, NewTable("Two"));
  Given(host, NewTable("Empty"));
  host.set_clock(MemoryHost::kSomeTime + 1);
  Given(host, Insert("Two", EntityBody("p", "r",
                                       R"("Z":1.0,"A":"7","A@odata.type":)"
                                       R"("Edm.Int64")")));

  EXPECT_EQ(Exported(host), kHead +
                                "{\"TableName\":\"Empty\"}\n"
                                "{\"TableName\":\"Two\"}\n"
                                "{\"PartitionKey\":\"p\",\"RowKey\":\"r\","
                                "\"Timestamp\":\"2024-01-02T03:04:05.679Z\","
                                "\"Z@odata.type\":\"Edm.Double\",\"Z\":1.0,"
                                "\"A@odata.type\":\"Edm.Int64\",\"A\":\"7\"}\n"
                                "{\"tables\":2,\"entities\":1}\n");
}

// Every kind of value, in every place: the log, runs, several runs.
TEST(ArchiveTest, ComesBackEqualWhateverIsInIt) {
  SCOPED_TRACE("ENTITABLE_SEED=" + std::to_string(TestSeed()));
  RandomEntities random(TestSeed());
  std::mt19937_64 chance(TestSeed());
  for (std::size_t round = 0; round < WantedRuns("ENTITABLE_RANDOM_STORES", 16);
       ++round) {
    MemoryHost host = NewHost();
    const std::size_t tables = chance() % 5;
    for (std::size_t table = 0; table < tables; ++table) {
      const std::string name = "Table" + std::to_string(table);
      Given(host, NewTable(name));
      for (std::size_t n = chance() % 30; n > 0; --n) {
        // The same key now and then is refused; no matter.
        static_cast<void>(
            host.Do(Insert(name, random.SentBody(random.Next()))));
        host.set_clock(host.clock() + 1);
      }
    }
    const std::string archive = Exported(host);

    for (const std::size_t part_size : {7U, 1000U, 1'000'000U}) {
      MemoryHost other = NewHost();
      other.set_clock(0);
      const auto answer = ImportAll(other, archive, part_size);
      ASSERT_TRUE(answer.has_value()) << Outcome(answer) << archive;
      const std::string lines =
          std::to_string(std::count(archive.begin(), archive.end(), '\n'));
      EXPECT_EQ(answer->body,
                "{\"read\":" + lines + ",\"stored\":" + lines + "}");
      EXPECT_EQ(Exported(other), archive);
      EXPECT_EQ(Contents(other), Contents(host));
      EXPECT_EQ(ReadStoredPages(other.storage()).flaws,
                std::vector<std::string>());
      other.Restart();
      EXPECT_EQ(Contents(other), Contents(host));
    }
  }
}

TEST(ArchiveTest, TakesItsPlaceBesideOtherTables) {
  MemoryHost host = NewHost();
  Given(host, NewTable("Mine"));
  Given(host, Insert("Mine", EntityBody("p", "r")));
  const std::string mine = Exported(host);

  Given(host,
        OwnedOperation(Import(
            "",
            kHead + "{\"TableName\":\"Old\"}\n" + Line("a", 10) +
                "{\"tables\":1,\"entities\":1}\n",
            {.mode = ImportMode::kRestore, .begins = true, .ends = true})));

  EXPECT_EQ(RowKeysOf(host, Query("Mine")), std::vector<std::string>{"r"});
  EXPECT_EQ(RowKeysOf(host, Query("Old")), std::vector<std::string>{"a"});
}

// The condition of an update that somebody kept from before holds.
TEST(ArchiveTest, KeepsEtagsAndGivesLaterOnes) {
  MemoryHost host = NewHost();
  host.set_clock(0);  // 1970, long before what is brought along.
  ASSERT_TRUE(ImportAll(host, kHead + "{\"TableName\":\"Tab\"}\n" +
                                  Line("a", 10) + Line("b", 59) +
                                  "{\"tables\":1,\"entities\":2}\n"));
  const std::string of_a = "W/\"datetime'2020-01-01T00%3A00%3A10Z'\"";
  EXPECT_EQ(host.Do(Get("Tab", "p", "a"))->etag, of_a);

  const auto updated =
      host.Do(Replace("Tab", "p", "a", "{}", {.if_match = of_a}));

  ASSERT_TRUE(updated.has_value()) << Outcome(updated);
  EXPECT_EQ(updated->etag, "W/\"datetime'2020-01-01T00%3A00%3A59.0000001Z'\"");
}

TEST(ArchiveTest, SaysAtWhichLineItStopped) {
  const std::string kTable = "{\"TableName\":\"Tab\"}\n";
  const std::string kEnd = "{\"tables\":1,\"entities\":2}\n";
  const std::string kGood = kHead + kTable + Line("a", 10) + Line("b", 20);
  const struct {
    std::string archive;
    std::string outcome;  // `at` is how many lines are stored.
  } kCases[] = {
      {"", "400 InvalidInput at 0"},
      {"x", "400 InvalidInput at 0"},
      {kTable, "400 InvalidInput at 0"},
      {"{\"entitable\":\"archive\",\"version\":2}\n", "400 InvalidInput at 0"},
      {kHead, "400 InvalidInput at 1"},
      {kHead + kHead, "400 InvalidInput at 1"},
      {kHead + Line("a", 10), "400 InvalidInput at 1"},
      {kHead + "{\"tables\":0,\"entities\":1}\n", "400 InvalidInput at 1"},
      {kHead + "{\"TableName\":\"a\"}\n", "400 OutOfRangeInput at 1"},
      {kHead + "{\"TableName\":7}\n", "400 InvalidInput at 1"},
      {kHead + "{\"TableName\":\"Here\"}\n", "409 TableAlreadyExists at 1"},
      {kHead + "{\"TableName\":\"hERE\"}\n" + Line("a", 1) +
           "{\"tables\":1,\"entities\":1}\n",
       "409 TableAlreadyExists at 1"},
      {kGood, "400 InvalidInput at 4"},
      {kGood + "{\"tables\":1,\"entities\":3}\n", "400 InvalidInput at 4"},
      {kGood + "{\"tables\":2,\"entities\":2}\n", "400 InvalidInput at 4"},
      {kGood + "{", "400 InvalidInput at 4"},
      {kGood + kEnd + "{", "400 InvalidInput at 5"},
      {kGood + kEnd + Line("c", 30), "400 InvalidInput at 5"},
      {kGood + kTable + kEnd, "409 TableAlreadyExists at 4"},
      {kGood + Line("a", 30) + kEnd, "409 EntityAlreadyExists at 4"},
      {kGood + "{\"PartitionKey\":\"p\",\"RowKey\":\"c\"}\n",
       "400 InvalidInput at 4"},
      {kGood + "{\"PartitionKey\":\"p\",\"RowKey\":\"c\",\"Timestamp\":"
               "\"9999-12-31T00:00:00Z\"}\n",
       "400 InvalidInput at 4"},
      {kGood + "{\"PartitionKey\":\"p\",\"RowKey\":\"c\",\"Timestamp\":"
               "\"1600-12-31T00:00:00Z\"}\n",
       "400 InvalidInput at 4"},
      {kGood + "{\"PartitionKey\":\"p\",\"Timestamp\":\"2020-01-01\"}\n",
       "400 PropertiesNeedValue at 4"},
  };
  for (const auto& [archive, outcome] : kCases) {
    SCOPED_TRACE(archive);
    for (const std::size_t part_size : {5U, 1000U}) {
      MemoryHost host = NewHost();
      Given(host, NewTable("Here"));
      EXPECT_EQ(Outcome(ImportAll(host, archive, part_size)), outcome);
      // Everything above that line is stored, and nothing else.
      const bool has_all = outcome.ends_with(" 4") || outcome.ends_with(" 5");
      EXPECT_EQ(Exported(host),
                kHead + "{\"TableName\":\"Here\"}\n" +
                    (has_all ? kTable + Line("a", 10) + Line("b", 20) +
                                   "{\"tables\":2,\"entities\":2}\n"
                             : "{\"tables\":1,\"entities\":0}\n"));
    }
  }
}

// A table of an archive is many steps, and an archive many tables.
TEST(ArchiveTest, GoesOnWhenOthersAreFaster) {
  std::string archive = kHead;
  for (int table = 0; table < 5; ++table) {
    archive += "{\"TableName\":\"Tab" + std::to_string(table) + "\"}\n";
    for (int i = 10; i < 30; ++i) {
      archive += Line("row" + std::to_string(i), i, "\"N\":1");
    }
  }
  archive += "{\"tables\":5,\"entities\":100}\n";
  MemoryHost host = NewHost();
  MemoryHost rival(host.shared_storage(), Profile::kDefault, kTiny);
  Given(rival, NewTable("Rival"));
  for (int i = 0; i < 10; ++i) {
    host.faults().LoseNextRace([&rival, i] {
      Given(rival, Insert("Rival", EntityBody("p", std::to_string(i))));
    });
  }

  const auto answer = ImportAll(host, archive, 300);

  ASSERT_TRUE(answer.has_value()) << Outcome(answer);
  EXPECT_EQ(RowKeysOf(host, Query("Rival")).size(), 10U);
  Given(host, DropTable("Rival"));
  EXPECT_EQ(Exported(host), archive);
}

}  // namespace
}  // namespace entitable
