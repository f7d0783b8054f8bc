// Settings in flushes, compactions, archives and recovered stores.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "store/envelope.h"
#include "support/archive.h"
#include "support/memory_host.h"
#include "support/operations.h"
#include "support/repair.h"
#include "support/settings_lines.h"

namespace entitable {
namespace {

constexpr StoreLimits kTiny{.flush_bytes = std::size_t{1} << 20,
                            .flush_records = 3,
                            .page_bytes = 300,
                            .step_pages = 3,
                            .import_bytes = 400};

class StoredSettingsTest : public testing::Test {
 protected:
  void Given(const OwnedOperation& operation) {
    const auto answer = host_.Do(operation);
    ASSERT_TRUE(answer.has_value()) << Outcome(answer);
  }

  // Settings, followed by enough writes that they are flushed and compacted.
  void Fill() {
    Given(NewTable("Pets"));
    Given(NewTable("Other"));
    Given(StorePolicies("Pets", Policy("old")));
    Given(SetProperties(rules_));
    for (int i = 0; i < 40; ++i) {
      if (i == 20) Given(StorePolicies("Pets", kReaders));
      Given(Insert("Other", EntityBody("p", std::to_string(i), R"("A":1)")));
    }
    host_.Run();
  }

  void ExpectSettings(MemoryHost& host) {
    EXPECT_EQ(Lines(host.Do(Policies("pets"))), kReaders);
    EXPECT_EQ(Lines(host.Do(Policies("Other"))), "");
    EXPECT_TRUE(Lines(host.Do(GetProperties())).ends_with(rules_));
    EXPECT_EQ(TextsOf("TableName", Body(host.Do(ListTables()))),
              (std::vector<std::string>{"Other", "Pets"}));
  }

  std::string rules_ = kNoRules + Rule("https://a.example");
  MemoryHost host_{std::make_shared<MemoryStorage>(), Profile::kDefault, kTiny};
};

TEST_F(StoredSettingsTest, OutlivesFlushesCompactionsAndTheProcess) {
  Fill();

  ExpectSettings(host_);
  host_.Restart();
  ExpectSettings(host_);
}

TEST_F(StoredSettingsTest, AreSeenByOthersWithTheStoreOpen) {
  MemoryHost other(host_.shared_storage(), Profile::kDefault, kTiny);
  Given(NewTable("Pets"));
  Given(NewTable("Other"));
  EXPECT_EQ(Lines(other.Do(Policies("Pets"))), "");
  Given(StorePolicies("Pets", kReaders));
  Given(SetProperties(rules_));

  OwnedOperation fresh = Policies("Pets");
  fresh.with.fresh = true;
  EXPECT_EQ(Lines(other.Do(fresh)), kReaders);
  ExpectSettings(other);
}

TEST_F(StoredSettingsTest, AreInAnArchive) {
  Fill();
  const auto archive = ExportAll(host_);
  ASSERT_TRUE(archive.has_value());
  for (const std::size_t part_size : {std::size_t{7}, archive->size()}) {
    MemoryHost copy(std::make_shared<MemoryStorage>(), Profile::kDefault,
                    kTiny);
    const auto imported = ImportAll(copy, *archive, part_size);
    ASSERT_TRUE(imported.has_value()) << Outcome(imported);

    ExpectSettings(copy);
    const auto again = ExportAll(copy);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(*again, *archive);
  }
}

TEST_F(StoredSettingsTest, AreInAnArchiveWithoutTables) {
  Given(SetProperties(rules_));
  const auto archive = ExportAll(host_);
  ASSERT_TRUE(archive.has_value());
  MemoryHost copy;
  const auto imported = ImportAll(copy, *archive, 10);

  ASSERT_TRUE(imported.has_value()) << Outcome(imported);
  EXPECT_EQ(imported->body, R"({"read":4,"stored":4})");
  EXPECT_TRUE(Lines(copy.Do(GetProperties())).ends_with(rules_));
}

TEST_F(StoredSettingsTest, CountAsLinesOfAnArchive) {
  const std::string head = "{\"entitable\":\"archive\",\"version\":1}\n";
  const std::string table = "{\"TableName\":\"Pets\"}\n";
  const std::string end = "{\"tables\":1,\"entities\":0}\n";
  const struct {
    std::string archive;
    std::string outcome;
  } kCases[] = {
      {head + rules_ + table + kReaders + end, R"({"read":6,"stored":6})"},
      {head + table + Policy("a") + Policy("a") + end,
       "400 InvalidXmlDocument at 2"},
      {head + Policy("a") + table + end, "400 InvalidXmlDocument at 1"},
      {head + table + rules_ + end, "400 InvalidXmlDocument at 2"},
  };
  for (const auto& [archive, outcome] : kCases) {
    SCOPED_TRACE(archive);
    MemoryHost copy;
    const auto imported = ImportAll(copy, archive, archive.size());
    if (imported) {
      EXPECT_EQ(imported->body, outcome);
    } else {
      EXPECT_EQ(Outcome(imported), outcome);
    }
  }
}

TEST_F(StoredSettingsTest, AreSaved) {
  Fill();
  for (const Listing listing : {Listing::kNone, Listing::kPages}) {
    const auto saved = Repair(host_.storage(), listing);
    MemoryHost copy(saved.storage, Profile::kDefault, kTiny);
    ExpectSettings(copy);
  }
}

// Of the log, too, and where the rows of the tables are read one by one.
TEST_F(StoredSettingsTest, AreRecoveredWithoutAManifest) {
  Fill();
  host_.storage().values().erase(ValueKey::Manifest());
  const auto saved = Repair(host_.storage());
  MemoryHost copy(saved.storage, Profile::kDefault, kTiny);

  ExpectSettings(copy);
}

}  // namespace
}  // namespace entitable
