// The runs of bulk loads, against the rows that were loaded.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "store/flush.h"
#include "support/random.h"
#include "support/sample_state.h"
#include "support/stored_pages.h"

namespace entitable {
namespace {

// A store into which everything comes by bulk loads.
class Loads {
 public:
  Loads() {
    const Bytes checkpoint = EncodeCheckpoint({});
    const Bytes manifest = EncodeManifest({.version = 1, .next_table = 3});
    storage_.values() = {{ValueKey::Checkpoint(), checkpoint},
                         {ValueKey::Manifest(), manifest}};
    state_ = *AccountState::Open(checkpoint, manifest);
  }

  BulkLoad::Output Load(const SampleRows& rows, const StoreLimits& limits,
                        DateTime timestamp) {
    BulkLoad load(*state_, limits);
    for (const auto& [key, number] : rows) {
      load.Add(key, NumberedEntity(*number));
    }
    return load.Finish(timestamp);
  }

  // Stores the pages and the manifest with the next record.
  void Install(const BulkLoad::Output& output) {
    const LogRecord record = RecordOf(*state_, {});
    for (const Put& page : output.pages) {
      ASSERT_TRUE(storage_.values().emplace(page.key, *page.value).second)
          << "it takes the number of another page";
    }
    storage_.values()[ValueKey::Manifest()] = output.manifest;
    ASSERT_TRUE(
        state_->InstallManifestAlone(output.manifest, state_->progress()));
    ASSERT_TRUE(state_->is_behind()) << "its pages come with their record";
    ASSERT_TRUE(state_->Apply(record, Share(EncodeLogRecord(record))));
    ASSERT_TRUE(state_->InstallManifest(output.manifest, state_->progress()));
  }

  MemoryStorage& storage() { return storage_; }
  const AccountState& state() const { return *state_; }

 private:
  MemoryStorage storage_;
  std::unique_ptr<AccountState> state_;
};

TEST(BulkLoadTest, MakesOneRunOfItsRowsInFrontOfAllOthers) {
  SampleSource random(TestSeed());
  for (int store = 0; store < 20; ++store) {
    Loads loads;
    std::vector<SampleRows> newest_first;
    for (int load = 0; load < 4; ++load) {
      SampleRows rows = LiveRows(random.NextRows());
      if (rows.empty()) continue;
      const StoreLimits limits{.page_bytes = 200 + random.Below(2'000)};
      const Manifest before = loads.state().manifest();
      const DateTime timestamp{1'000 + load};

      const auto output = loads.Load(rows, limits, timestamp);
      loads.Install(output);

      const Manifest& after = loads.state().manifest();
      EXPECT_EQ(after.version, before.version + 1);
      EXPECT_EQ(after.needs, loads.state().head());
      EXPECT_EQ(after.last_timestamp, timestamp);
      ASSERT_EQ(after.runs.size(), before.runs.size() + 1);
      EXPECT_TRUE(std::equal(before.runs.begin(), before.runs.end(),
                             after.runs.begin() + 1));
      const auto& run = after.runs.front();
      EXPECT_EQ(RowsIn(run, loads.storage()), rows);
      EXPECT_EQ(run.end, rows.rbegin()->first);
      EXPECT_EQ(output.last_key, run.end);
      EXPECT_EQ(output.first_directory, run.directories.front().page);
      newest_first.insert(newest_first.begin(), std::move(rows));
    }
    EXPECT_EQ(ReadStoredPages(loads.storage()).flaws,
              std::vector<std::string>());
    EXPECT_EQ(LiveRowsOf(loads.state(), loads.storage()),
              LiveRows(NewestOf(newest_first)));
  }
}

}  // namespace
}  // namespace entitable
