#include "store/account_state.h"

#include <gtest/gtest.h>

#include <utility>

#include "support/operations.h"

namespace entitable {
namespace {

// The record that continues the state.
LogRecord Next(const AccountState& state, std::vector<Change> changes) {
  LogRecord record{.previous_crc = state.head_crc(),
                   .number = state.head() + 1};
  record.changes = std::move(changes);
  return record;
}

std::vector<Change> Changes(auto... changes) {
  std::vector<Change> all;
  (all.push_back(std::move(changes)), ...);
  return all;
}

// "applied", or why not.
std::string Apply(AccountState& state, LogRecord record,
                  std::uint32_t crc = 77) {
  const auto applied = state.Apply(std::move(record), crc);
  return applied ? "applied"
                 : Refusal(applied.error()) + ": " + applied.error().message;
}

TEST(AccountStateTest, BeginsWhereTheBaseSays) {
  LogBase base{.number = 5, .crc = 6, .last_timestamp = DateTime{7}};
  base.store_id.fill(8);

  const AccountState state(base);

  EXPECT_EQ(state.store_id(), base.store_id);
  EXPECT_EQ(state.head(), 5U);
  EXPECT_EQ(state.head_crc(), 6U);
  EXPECT_EQ(state.last_timestamp().ticks, 7);
  EXPECT_TRUE(state.catalogue().tables().empty());
}

TEST(AccountStateTest, AppliesTheChangesOfEachRecordInTheirOrder) {
  AccountState state(LogBase{});
  ASSERT_EQ(Apply(state,
                  Next(state, Changes(TableCreated{1, "Pets"},
                                      EntityPut{1, {"p", "r"}, {}},
                                      EntityPut{1, {"p", "s"}, {}},
                                      EntityDeleted{1, {"p", "r"}})),
                  42),
            "applied");

  EXPECT_EQ(state.head(), 1U);
  EXPECT_EQ(state.head_crc(), 42U);
  EXPECT_NE(state.catalogue().Find("pets"), nullptr);
  EXPECT_EQ(state.entities().Find(1, {"p", "r"}), nullptr);
  EXPECT_NE(state.entities().Find(1, {"p", "s"}), nullptr);

  ASSERT_EQ(Apply(state, Next(state, Changes(TableDropped{1},
                                             TableCreated{2, "Pets"}))),
            "applied");

  EXPECT_EQ(state.catalogue().Find("Pets")->id, 2U);
  EXPECT_EQ(state.entities().Find(1, {"p", "s"}), nullptr);
}

TEST(AccountStateTest, RefusesARecordThatIsNotTheNext) {
  for (const std::uint64_t number : {0U, 1U, 3U, 4U}) {
    AccountState state(LogBase{});
    ASSERT_EQ(Apply(state, Next(state, {})), "applied");
    LogRecord record = Next(state, {});
    record.number = number;
    EXPECT_EQ(Apply(state, std::move(record)),
              "500 StorageDamaged: The log has a gap.")
        << number;
  }
}

TEST(AccountStateTest, RefusesARecordThatContinuesAnotherOne) {
  AccountState state(LogBase{});
  ASSERT_EQ(Apply(state, Next(state, {}), 77), "applied");
  LogRecord record = Next(state, {});
  record.previous_crc = 78;

  EXPECT_EQ(Apply(state, std::move(record)),
            "500 StorageDamaged: A record of the log does not continue the one "
            "before it.");
}

TEST(AccountStateTest, RefusesChangesOfWhatIsNotThere) {
  const struct {
    const char* flaw;
    Change change;
  } kCases[] = {
      {"a table made twice", TableCreated{2, "PETS"}},
      {"an id given twice", TableCreated{1, "Shops"}},
      {"a table dropped that never was", TableDropped{9}},
      {"an entity in a table that never was", EntityPut{9, {"p", "r"}, {}}},
  };
  for (const auto& [flaw, change] : kCases) {
    AccountState state(LogBase{});
    ASSERT_EQ(Apply(state, Next(state, Changes(TableCreated{1, "Pets"}))),
              "applied");
    EXPECT_EQ(Apply(state, Next(state, Changes(change))),
              "500 StorageDamaged: A record of the log changes what is not "
              "there.")
        << flaw;
  }
}

TEST(AccountStateTest, TakesTheLatestTimestampAndNeverGoesBack) {
  AccountState state(LogBase{.last_timestamp = DateTime{100}});
  const auto apply_at = [&](std::int64_t ticks) {
    LogRecord record = Next(state, {});
    record.last_timestamp = DateTime{ticks};
    EXPECT_EQ(Apply(state, std::move(record)), "applied");
    return state.last_timestamp().ticks;
  };

  EXPECT_EQ(apply_at(50), 100);
  EXPECT_EQ(apply_at(200), 200);
  EXPECT_EQ(apply_at(150), 200);
}

}  // namespace
}  // namespace entitable
