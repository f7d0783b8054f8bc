// Timestamps and the etags made of them: data model of the spec, 1.6.

#include <gtest/gtest.h>

#include <string>

#include "base/date_time.h"
#include "store/log_record.h"
#include "support/engine_test.h"

namespace entitable {
namespace {

// All tests are about the entity p/r of the table Tab, which was created at the
// present time of the clock.
class TimestampTest : public EngineTest {
 protected:
  void SetUp() override { Given(NewTable("Tab")); }

  std::string Put() { return Do(Replace("Tab", "p", "r", "{}")); }

  std::string Timestamp() {
    const auto texts =
        TextsOf("Timestamp", Body(host_.Do(Get("Tab", "p", "r"))));
    return texts.empty() ? "none" : texts.front();
  }
};

// Case 233.
TEST_F(TimestampTest, IsWhatTheEtagIsMadeOf) {
  host_.set_clock(MemoryHost::kSomeTime + 1'000);
  const auto answer = host_.Do(Insert("Tab", EntityBody("p", "r")));

  ASSERT_EQ(Outcome(answer), "201");
  EXPECT_EQ(Timestamp(), "2024-01-02T03:04:06.678Z");
  EXPECT_EQ(answer->etag, "W/\"datetime'2024-01-02T03%3A04%3A06.678Z'\"");
  EXPECT_NE(
      answer->body.find(
          R"("odata.etag":"W/\"datetime'2024-01-02T03%3A04%3A06.678Z'\"")"),
      std::string::npos);
}

// Case 138.
TEST_F(TimestampTest, IsTheTimeOfTheHostAndNotOfTheBody) {
  host_.set_clock(MemoryHost::kSomeTime + 1'000);
  Given(Insert("Tab",
               EntityBody("p", "r", R"("Timestamp":"2001-01-01T00:00:00Z")")));

  EXPECT_EQ(Timestamp(), "2024-01-02T03:04:06.678Z");
}

// Cases 232, 265, 273 and 546: the latest one and a tick, if that is later.
TEST_F(TimestampTest, RisesWhateverTheClockDoes) {
  ASSERT_EQ(Put(), "204");
  EXPECT_EQ(Timestamp(), "2024-01-02T03:04:05.6780001Z");
  ASSERT_EQ(Put(), "204");
  EXPECT_EQ(Timestamp(), "2024-01-02T03:04:05.6780002Z");

  constexpr double kHour = 3'600'000;
  for (const double clock : {MemoryHost::kSomeTime - kHour, 0.0, -1e300}) {
    host_.set_clock(clock);
    const auto before = DateTime::Parse(Timestamp());
    ASSERT_EQ(Put(), "204");
    const auto after = DateTime::Parse(Timestamp());
    EXPECT_EQ(after->ticks, before->ticks + 1) << clock;
  }

  host_.set_clock(MemoryHost::kSomeTime + kHour);
  ASSERT_EQ(Put(), "204");
  EXPECT_EQ(Timestamp(), "2024-01-02T04:04:05.678Z");
}

TEST_F(TimestampTest, RisesAlsoInAnotherEngineWithASlowerClock) {
  ASSERT_EQ(Put(), "204");

  MemoryHost other(host_.shared_storage());
  other.set_clock(0);
  ASSERT_EQ(Outcome(other.Do(Replace("Tab", "p", "r", "{}"))), "204");
  host_.Restart();

  EXPECT_EQ(Timestamp(), "2024-01-02T03:04:05.6780002Z");
}

// Or an entity made anew could have the etag of the one before.
TEST_F(TimestampTest, RisesWithADeletionToo) {
  ASSERT_EQ(Put(), "204");
  ASSERT_EQ(Do(Delete("Tab", "p", "r")), "204");
  ASSERT_EQ(Put(), "204");

  EXPECT_EQ(Timestamp(), "2024-01-02T03:04:05.6780003Z");
}

TEST_F(TimestampTest, IsEachWritesOwnAlsoInASharedCommit) {
  const RequestId first = host_.Submit(Replace("Tab", "p", "1", "{}"));
  const RequestId second = host_.Submit(Replace("Tab", "p", "2", "{}"));

  EXPECT_EQ(host_.Await(first)->etag,
            "W/\"datetime'2024-01-02T03%3A04%3A05.6780001Z'\"");
  EXPECT_EQ(host_.Await(second)->etag,
            "W/\"datetime'2024-01-02T03%3A04%3A05.6780002Z'\"");
}

TEST_F(TimestampTest, IsThatOfTheLastEvaluationAfterALostRace) {
  host_.faults().LoseNextRace([this] {
    MemoryHost rival(host_.shared_storage());
    EXPECT_EQ(Outcome(rival.Do(Replace("Tab", "p", "x", "{}"))), "204");
  });
  ASSERT_EQ(Outcome(host_.Do(Replace("Tab", "p", "r", "{}"))), "204");

  EXPECT_EQ(Timestamp(), "2024-01-02T03:04:05.6780002Z");
}

// A clock gone mad must not make timestamps that cannot be read back.
TEST_F(TimestampTest, StaysReadableWithAClockAtTheEndOfTime) {
  host_.set_clock(1e300);
  for (int i = 0; i < 5; ++i) ASSERT_EQ(Put(), "204");
  const std::string timestamp = Timestamp();

  host_.Restart();

  EXPECT_EQ(Timestamp(), timestamp);
  EXPECT_EQ(Put(), "204");
  EXPECT_GT(Timestamp(), timestamp);
}

// No clock brings a store there; a write that went on would store what cannot
// be read back.
TEST_F(TimestampTest, RefusesWritesWhenThereIsNoneLeft) {
  ASSERT_EQ(Put(), "204");
  Bytes& value = host_.storage().values().at(ValueKey::Record(2));
  LogRecord record = *DecodeLogRecord(value);
  record.last_timestamp = {kMaxDateTime.ticks - 1};
  value = EncodeLogRecord(record);
  host_.Restart();

  EXPECT_EQ(Put(), "204");
  EXPECT_EQ(Timestamp(), "9999-12-31T23:59:59.9999999Z");
  EXPECT_EQ(Put(), "500 StorageDamaged");
  EXPECT_EQ(Do(NewTable("Other")), "500 StorageDamaged");
  EXPECT_EQ(Do(DropTable("Tab")), "500 StorageDamaged");
  EXPECT_EQ(Do(Import("Tab", EntityBody("p", "i"))), "500 StorageDamaged at 0");
  host_.Restart();
  EXPECT_EQ(Timestamp(), "9999-12-31T23:59:59.9999999Z");
}

}  // namespace
}  // namespace entitable
