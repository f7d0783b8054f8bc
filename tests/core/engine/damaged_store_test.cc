// What the engine does when the storage holds something else than what was
// stored: it says StorageDamaged, and neither loses nor overwrites anything.

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "store/checkpoint.h"
#include "store/log_record.h"
#include "support/four_records_test.h"

namespace entitable {
namespace {

using Keys = std::vector<std::string>;

// With one bit more the version is a greater one, and a reader cannot tell that
// it was never written.
std::string OutcomeOfFlip(std::size_t byte) {
  constexpr std::size_t kVersion = 4;
  return byte == kVersion ? "501 StorageVersionNewer" : "500 StorageDamaged";
}

class DamagedStoreTest : public FourRecordsTest {
 protected:
  Bytes& checkpoint() { return values().at(ValueKey::Checkpoint()); }
  Bytes& record(std::uint64_t number) {
    return values().at(ValueKey::Record(number));
  }

  // Expects that a new engine neither reads nor writes this storage, and leaves
  // it as it is.
  void ExpectDamaged() {
    const MemoryStorage::Values before = values();
    host_.Restart();
    EXPECT_EQ(Outcome(host_.Do(Query("Tab"))), "500 StorageDamaged");
    EXPECT_EQ(Outcome(host_.Do(InsertRow("9"))), "500 StorageDamaged");
    EXPECT_EQ(Outcome(host_.Do(ListTables())), "500 StorageDamaged");
    EXPECT_EQ(values(), before);
  }

  // Expects that the engine, which knows rows 1 to 3, answers a write with this
  // after another engine added rows 4 and 5 and the storage was then spoiled.
  void ExpectDamagedAtCatchUp(
      const std::string& outcome = "500 StorageDamaged") {
    const MemoryStorage::Values before = values();
    EXPECT_EQ(Outcome(host_.Do(InsertRow("6"))), outcome);
    EXPECT_EQ(values(), before);
    host_.faults().Repair();
  }
  // Expects that the engine, which knows rows 1 to 3, sees that the store is
  // not there any more: it shows what it knows, and never what is there
  // instead.
  void ExpectEvicted() {
    const MemoryStorage::Values before = values();
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(Outcome(host_.Do(InsertRow("6"))), "410 StorageEvicted");
      EXPECT_EQ(Outcome(host_.Do(Query("Tab", {.fresh = true}))),
                "410 StorageEvicted");
      EXPECT_EQ(Rows(), (Keys{"1", "2", "3"}));
    }
    EXPECT_EQ(values(), before);
  }

  void GivenRowsOfAnother() {
    MemoryHost other(host_.shared_storage());
    for (const char* row_key : {"4", "5"}) {
      ASSERT_EQ(Outcome(other.Do(InsertRow(row_key))), "201");
    }
  }

  Keys Rows() { return RowKeysOf(host_, Query("Tab")); }
};

// ----------------------------------------------------- damage while opening

TEST_F(DamagedStoreTest, RefusesAStoreWithAnyByteOfItDamaged) {
  const MemoryStorage::Values sound = values();
  for (const auto& [key, value] : sound) {
    for (std::size_t byte = 0; byte < value.size(); ++byte) {
      host_.faults().Damage(key, byte);
      host_.Restart();
      ASSERT_EQ(Outcome(host_.Do(InsertRow("9"))), OutcomeOfFlip(byte))
          << "byte " << byte << " of value " << key.number;
      host_.faults().Repair();
    }
  }

  EXPECT_EQ(values(), sound);
  EXPECT_EQ(Rows(), (Keys{"1", "2", "3"}));
  EXPECT_EQ(Outcome(host_.Do(InsertRow("9"))), "201");
}

TEST_F(DamagedStoreTest, RefusesAStoreWithAnyValueCutShort) {
  const MemoryStorage::Values sound = values();
  for (const auto& [key, value] : sound) {
    for (std::size_t size = 0; size < value.size(); ++size) {
      values()[key] = value.substr(0, size);
      host_.Restart();
      ASSERT_EQ(Outcome(host_.Do(Query("Tab"))), "500 StorageDamaged")
          << size << " bytes of value " << key.number;
    }
    values()[key] = value;
  }
  EXPECT_EQ(Rows(), (Keys{"1", "2", "3"}));
}

TEST_F(DamagedStoreTest, RefusesALogWithAGapOrWithoutItsCheckpoint) {
  for (const ValueKey key : {ValueKey::Checkpoint(), ValueKey::Record(1),
                             ValueKey::Record(2), ValueKey::Record(3)}) {
    SCOPED_TRACE(key.number);
    host_.faults().Withhold(key);
    ExpectDamaged();
    host_.faults().Repair();
    EXPECT_EQ(Rows(), (Keys{"1", "2", "3"}));
  }
}

// Such a log looks like one that was never longer.  But the engine must not
// overwrite the record.
TEST_F(DamagedStoreTest, NeverOverwritesALastRecordThatItDoesNotSee) {
  const MemoryStorage::Values sound = values();
  host_.faults().Withhold(ValueKey::Record(4));
  host_.Restart();
  EXPECT_EQ(Rows(), (Keys{"1", "2"}));

  EXPECT_EQ(Outcome(host_.Do(InsertRow("9"))), "503 StorageUnavailable");

  EXPECT_EQ(values(), sound);
  host_.faults().Repair();
  EXPECT_EQ(Outcome(host_.Do(InsertRow("9"))), "201");
  EXPECT_EQ(Rows(), (Keys{"1", "2", "3", "9"}));
}

TEST_F(DamagedStoreTest, RefusesRecordsInEachOthersPlace) {
  std::swap(record(2), record(3));
  ExpectDamaged();
  std::swap(record(2), record(3));

  // The right number, sealed well, but after another record.
  auto forged = DecodeLogRecord(record(3));
  ASSERT_TRUE(forged.has_value());
  forged->previous_crc ^= 1;
  record(3) = EncodeLogRecord(*forged);
  ExpectDamaged();
}

TEST_F(DamagedStoreTest, RefusesALogThatContinuesAnotherStore) {
  MemoryHost other;
  ASSERT_EQ(Outcome(other.Do(NewTable("Tab"))), "201");
  ASSERT_EQ(Outcome(other.Do(InsertRow("other"))), "201");

  record(2) = other.storage().values().at(ValueKey::Record(2));

  ExpectDamaged();
}

TEST_F(DamagedStoreTest, SaysSoWhenANewerVersionWroteTheStore) {
  const auto message_after = [this](Bytes& value, const char* part) {
    const Bytes sound = value;
    value[4] = 3;
    host_.Restart();
    const auto answer = host_.Do(Query("Tab"));
    value = sound;
    ASSERT_FALSE(answer.has_value());
    EXPECT_EQ(answer.error().code, ErrorCode::kStorageVersionNewer);
    EXPECT_EQ(
        answer.error().message,
        std::string(part) + ": The store was written by a newer version.");
  };

  message_after(checkpoint(), "log/base");
  message_after(record(3), "log/3");
}

// Without this check, such a store would look empty.
TEST_F(DamagedStoreTest,
       RefusesAStoreWithoutTheManifestThatItsCheckpointNames) {
  auto flushed = DecodeCheckpoint(checkpoint());
  ASSERT_TRUE(flushed.has_value());
  flushed->number = 4;
  values() = {{ValueKey::Checkpoint(), EncodeCheckpoint(*flushed)}};

  ExpectDamaged();
}

// ----------------------------------------------------- damage while catching
// up

TEST_F(DamagedStoreTest, RefusesNewRecordsWithAnyByteDamaged) {
  GivenRowsOfAnother();
  for (const std::uint64_t number : {5U, 6U}) {
    for (std::size_t byte = 0; byte < record(number).size(); ++byte) {
      SCOPED_TRACE(testing::Message() << "byte " << byte << " of " << number);
      host_.faults().Damage(ValueKey::Record(number), byte);
      ExpectDamagedAtCatchUp(OutcomeOfFlip(byte));
      EXPECT_EQ(Rows(), (Keys{"1", "2", "3", "4", "5"}));  // Repaired.

      // Back to an engine that knows only the first rows.
      values().erase(ValueKey::Record(5));
      values().erase(ValueKey::Record(6));
      host_.Restart();
      ASSERT_EQ(Rows(), (Keys{"1", "2", "3"}));
      GivenRowsOfAnother();
    }
  }
}

TEST_F(DamagedStoreTest, RefusesAGapBeforeNewRecords) {
  GivenRowsOfAnother();
  host_.faults().Withhold(ValueKey::Record(5));
  ExpectDamagedAtCatchUp();

  EXPECT_EQ(Outcome(host_.Do(InsertRow("6"))), "201");
  EXPECT_EQ(Rows(), (Keys{"1", "2", "3", "4", "5", "6"}));
}

TEST_F(DamagedStoreTest, RefusesACheckpointThatIsMissingOrDamaged) {
  GivenRowsOfAnother();
  host_.faults().Withhold(ValueKey::Checkpoint());
  ExpectDamagedAtCatchUp();
  EXPECT_EQ(Outcome(host_.Do(InsertRow("6"))), "201");

  MemoryHost other(host_.shared_storage());
  ASSERT_EQ(Outcome(other.Do(InsertRow("7"))), "201");
  host_.faults().Damage(ValueKey::Checkpoint(), 12);
  EXPECT_EQ(Outcome(host_.Do(InsertRow("8"))), "500 StorageDamaged");
  host_.faults().Repair();
  EXPECT_EQ(Outcome(host_.Do(InsertRow("8"))), "201");
}

TEST_F(DamagedStoreTest, RefusesAStoreThatReplacedTheOneItOpened) {
  MemoryHost other;
  ASSERT_EQ(Outcome(other.Do(NewTable("Tab"))), "201");
  for (const char* row_key : {"a", "b", "c", "d"}) {
    ASSERT_EQ(Outcome(other.Do(InsertRow(row_key))), "201");
  }
  values() = other.storage().values();

  ExpectEvicted();

  host_.Restart();
  EXPECT_EQ(Rows(), (Keys{"a", "b", "c", "d"}));
}

TEST_F(DamagedStoreTest, KnowsAnotherStoreByItsIdentityAlone) {
  auto other = DecodeCheckpoint(checkpoint());
  ASSERT_TRUE(other.has_value());
  other->store_id[0] ^= 1;
  checkpoint() = EncodeCheckpoint(*other);

  ExpectEvicted();
}

TEST_F(DamagedStoreTest, PutsNothingWhereItsStoreWasDeleted) {
  values().clear();

  ExpectEvicted();

  host_.Restart();
  EXPECT_EQ(Outcome(host_.Do(InsertRow("4"))), "404 TableNotFound");
}

TEST_F(DamagedStoreTest, PutsNothingIntoAStoreThatTookThePlaceOfItsOwn) {
  MemoryHost other;
  ASSERT_EQ(Outcome(other.Do(NewTable("Tab"))), "201");
  for (const char* row_key : {"a", "b", "c"}) {
    ASSERT_EQ(Outcome(other.Do(InsertRow(row_key))), "201");
  }
  values() = other.storage().values();

  ExpectEvicted();
}

// ------------------------------------------------------------------------ lies

// Nothing can be done about a storage that says it stored what it did not; but
// the loss shows, and what came after it is not taken for all there is.
TEST_F(DamagedStoreTest, ACommitThatWasNotStoredThoughTheStorageSaidSoShows) {
  host_.faults().RefuseNextCommit(CommitOutcome::kOk);
  ASSERT_EQ(Outcome(host_.Do(InsertRow("4"))), "201");
  ASSERT_EQ(Outcome(host_.Do(InsertRow("5"))), "201");

  ExpectDamaged();
}

TEST_F(DamagedStoreTest, ASnapshotThatAnswersSomethingElseIsNotBelieved) {
  host_.Restart();
  const RequestId request = host_.Submit(Query("Tab"));
  const Step wish = host_.NextWish();

  host_.engine().Supply(std::get<Read>(wish).id, Snapshot{});

  EXPECT_EQ(Outcome(host_.Await(request)), "500 StorageDamaged");
  EXPECT_EQ(Rows(), (Keys{"1", "2", "3"}));
}

// Nothing of it is in memory, and each request asks for the store again.
TEST_F(DamagedStoreTest, ThatIsGoneBeforeItWasReadAnswersEachRequest) {
  host_.Restart();
  for (int i = 0; i < 3; ++i) {
    const RequestId request = host_.Submit(InsertRow("6"));
    const Step read = host_.NextWish();
    ASSERT_TRUE(std::holds_alternative<Read>(read)) << i;
    host_.engine().ReadFailed(std::get<Read>(read).id,
                              Error(ErrorCode::kStorageEvicted));
    EXPECT_EQ(Outcome(host_.Await(request)), "410 StorageEvicted");
  }
}

}  // namespace
}  // namespace entitable
