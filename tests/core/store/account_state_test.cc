#include "store/account_state.h"

#include <gtest/gtest.h>

#include <utility>

#include "store/envelope.h"
#include "store/table_row.h"
#include "support/operations.h"

namespace entitable {
namespace {

// The record that continues the state.
LogRecord Next(const AccountState& state, std::vector<Change> changes) {
  return {{.previous_crc = state.head_crc(), .number = state.head() + 1},
          std::move(changes)};
}

std::vector<Change> Changes(auto... changes) {
  std::vector<Change> all;
  (all.push_back(std::move(changes)), ...);
  return all;
}

std::string Describe(const Result<void>& outcome) {
  return outcome ? "done"
                 : Refusal(outcome.error()) + ": " + outcome.error().message;
}

// "done", or why not.
std::string Apply(AccountState& state, const LogRecord& record) {
  return Describe(state.Apply(record, Share(EncodeLogRecord(record))));
}

AccountState Opened(const Checkpoint& checkpoint = {}) {
  return std::move(
      *AccountState::Open(EncodeCheckpoint(checkpoint), std::nullopt).value());
}

// As of now.
Result<void> InstallCheckpoint(AccountState state,
                               const std::optional<Bytes>& value) {
  return state.InstallCheckpoint(value, state.progress());
}
Result<void> InstallManifest(AccountState& state,
                             const std::optional<Bytes>& value) {
  return state.InstallManifest(value, state.progress());
}
Result<void> InstallManifest(AccountState&& state,
                             const std::optional<Bytes>& value) {
  return InstallManifest(state, value);
}

bool HasEntity(const AccountState& state, TableId table, const char* row_key) {
  const MemRow* row = state.memtable().Find(MakeSortKey(table, {"p", row_key}));
  return row != nullptr && row->entity;
}

// The manifest after a flush of the first records of this store.
Manifest ManifestAt(std::uint64_t number) {
  return {.version = number, .number = number, .crc = 9};
}

TEST(AccountStateTest, BeginsWhereTheCheckpointSays) {
  Checkpoint checkpoint{.last_timestamp = DateTime{7}};
  checkpoint.store_id.fill(8);

  const AccountState state = Opened(checkpoint);

  EXPECT_EQ(state.checkpoint(), checkpoint);
  EXPECT_EQ(state.head(), 0U);
  EXPECT_EQ(state.last_timestamp().ticks, 7);
  EXPECT_TRUE(state.memtable().rows().empty());
}

TEST(AccountStateTest, OpensNoManifestThatIsNotOfTheCheckpoint) {
  const Checkpoint checkpoint{.number = 5, .crc = 9};
  Manifest of_another = ManifestAt(5);
  of_another.store_id.fill(1);

  EXPECT_TRUE(AccountState::Open(EncodeCheckpoint(checkpoint),
                                 EncodeManifest(ManifestAt(5))));
  EXPECT_FALSE(AccountState::Open(EncodeCheckpoint(checkpoint),
                                  EncodeManifest(ManifestAt(4))));
  EXPECT_FALSE(AccountState::Open(EncodeCheckpoint(checkpoint), std::nullopt));
  EXPECT_FALSE(AccountState::Open(EncodeCheckpoint(checkpoint),
                                  EncodeManifest(of_another)));
}

TEST(AccountStateTest, AppliesTheChangesOfEachRecordInTheirOrder) {
  AccountState state = Opened();
  const LogRecord record =
      Next(state,
           Changes(TableCreated{1, "Pets"}, EntityPut{1, {"p", "r"}, {}},
                   EntityPut{1, {"p", "s"}, {}}, EntityDeleted{1, {"p", "r"}}));
  ASSERT_EQ(Apply(state, record), "done");

  EXPECT_EQ(state.head(), 1U);
  EXPECT_EQ(state.head_crc(), EnvelopeCrc(EncodeLogRecord(record)));
  EXPECT_EQ(state.next_table(), 2U);
  EXPECT_NE(state.memtable().Find(TableRowKey("pets")), nullptr);
  EXPECT_FALSE(HasEntity(state, 1, "r"));
  EXPECT_TRUE(HasEntity(state, 1, "s"));

  ASSERT_EQ(Apply(state, Next(state, Changes(TableDropped{1, "Pets"},
                                             TableCreated{2, "Pets"}))),
            "done");

  const MemRow* row = state.memtable().Find(TableRowKey("pets"));
  EXPECT_EQ(ReadTableRow(*row->entity)->id, 2U);
  EXPECT_FALSE(HasEntity(state, 1, "s"));
}

TEST(AccountStateTest, RefusesARecordThatIsNotTheNext) {
  for (const std::uint64_t number : {0U, 1U, 3U, 4U}) {
    AccountState state = Opened();
    ASSERT_EQ(Apply(state, Next(state, {})), "done");
    LogRecord record = Next(state, {});
    record.number = number;
    EXPECT_EQ(Apply(state, record), "500 StorageDamaged: The log has a gap.")
        << number;
  }
}

TEST(AccountStateTest, RefusesARecordThatContinuesAnotherOne) {
  AccountState state = Opened();
  ASSERT_EQ(Apply(state, Next(state, {})), "done");
  LogRecord record = Next(state, {});
  ++record.previous_crc;

  EXPECT_EQ(Apply(state, record),
            "500 StorageDamaged: A log record does not continue the record "
            "before it.");
}

TEST(AccountStateTest, RefusesARecordOfATableThatWasNeverMade) {
  const std::vector<Change> impossible =
      Changes(EntityPut{1, {"p", "r"}, {}}, EntityPut{0, {"p", "r"}, {}},
              EntityDeleted{1, {"p", "r"}}, TableDropped{1, "Pets"},
              TableCreated{2, "Pets"}, TableCreated{0, "Pets"});
  for (const Change& change : impossible) {
    AccountState state = Opened();
    EXPECT_EQ(Apply(state, Next(state, {change})),
              "500 StorageDamaged: A log record names a table that was never "
              "created.")
        << change.index();
  }
}

TEST(AccountStateTest, TakesTheLatestTimestampAndNeverGoesBack) {
  AccountState state = Opened({.last_timestamp = DateTime{100}});
  const auto apply_at = [&](std::int64_t ticks) {
    LogRecord record = Next(state, {});
    record.last_timestamp = DateTime{ticks};
    EXPECT_EQ(Apply(state, record), "done");
    return state.last_timestamp().ticks;
  };

  EXPECT_EQ(apply_at(50), 100);
  EXPECT_EQ(apply_at(200), 200);
  EXPECT_EQ(apply_at(150), 200);
}

TEST(AccountStateTest, LetsGoOfWhatAFlushMovedIntoPages) {
  AccountState state = Opened();
  ASSERT_EQ(Apply(state, Next(state, Changes(TableCreated{1, "Pets"}))),
            "done");
  for (const char* row_key : {"1", "2", "3"}) {
    ASSERT_EQ(
        Apply(state, Next(state, Changes(EntityPut{1, {"p", row_key}, {}}))),
        "done");
  }

  ASSERT_EQ(Describe(InstallManifest(state, EncodeManifest(ManifestAt(3)))),
            "done");

  EXPECT_EQ(state.head(), 4U);
  EXPECT_EQ(state.unflushed().size(), 1U);
  EXPECT_FALSE(HasEntity(state, 1, "2"));
  EXPECT_TRUE(HasEntity(state, 1, "3"));
}

TEST(AccountStateTest, MovesOnToAFlushOfRecordsThatItNeverSaw) {
  AccountState state = Opened();
  ASSERT_EQ(Apply(state, Next(state, Changes(TableCreated{1, "Pets"},
                                             EntityPut{1, {"p", "1"}, {}}))),
            "done");

  ASSERT_EQ(Describe(InstallManifest(state, EncodeManifest(ManifestAt(6)))),
            "done");

  EXPECT_EQ(state.head(), 6U);
  EXPECT_EQ(state.head_crc(), 9U);
  EXPECT_TRUE(state.memtable().rows().empty());
  EXPECT_EQ(state.unflushed_bytes(), 0U);
}

TEST(AccountStateTest, KnowsAnotherStoreAndOneThatWasSetBack) {
  const auto state = [] {
    AccountState opened = Opened();
    EXPECT_EQ(Describe(InstallManifest(opened, EncodeManifest(ManifestAt(6)))),
              "done");
    return opened;
  };
  Checkpoint other_checkpoint;
  other_checkpoint.store_id.fill(1);
  Manifest other_manifest = ManifestAt(7);
  other_manifest.store_id.fill(1);
  const std::string replaced =
      "410 StorageEvicted: The store was deleted, or replaced by another, "
      "while it was open.";

  EXPECT_EQ(
      Describe(InstallCheckpoint(state(), EncodeCheckpoint(other_checkpoint))),
      replaced);
  EXPECT_EQ(Describe(InstallCheckpoint(state(), std::nullopt)), replaced);
  EXPECT_EQ(Describe(InstallManifest(state(), EncodeManifest(other_manifest))),
            replaced);
  EXPECT_EQ(Describe(InstallManifest(state(), std::nullopt)),
            "500 StorageDamaged: pages/root: The manifest is missing.");
  EXPECT_EQ(Describe(InstallManifest(state(), EncodeManifest(ManifestAt(5)))),
            "500 StorageDamaged: The manifest fell back to an older version "
            "while the store was open.");
}

}  // namespace
}  // namespace entitable
