// Background work that waits until the store is idle: engine.h, StoreLimits.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <variant>

#include "store/manifest.h"
#include "support/engine_test.h"
#include "support/stored_pages.h"

namespace entitable {
namespace {

class BackgroundWorkTest : public testing::Test {
 protected:
  explicit BackgroundWorkTest(StoreLimits limits = {.flush_records = 10,
                                                    .idle_ms = 20})
      : host_(storage_, Profile::kDefault, limits) {}

  void Write(int count) {
    for (int i = 0; i < count; ++i) {
      const std::string row = std::to_string(rows_++);
      ASSERT_EQ(Outcome(host_.Do(Insert("Tab", EntityBody("p", row)))), "201");
    }
  }

  bool HasFlushed() const {
    return storage_->values().contains(ValueKey::Manifest());
  }

  // Whether the engine waits for an idle time.
  bool HasBackgroundWork() {
    const Step step = host_.NextWish();
    const auto* idle = std::get_if<Idle>(&step);
    return idle != nullptr && idle->background_work_in_ms > 0;
  }

  // It waits so long, and not a millisecond less.
  void ExpectFlushAfter(double ms) {
    EXPECT_TRUE(HasBackgroundWork());
    EXPECT_FALSE(HasFlushed());
    host_.set_clock(host_.clock() + ms - 1);
    EXPECT_TRUE(HasBackgroundWork());
    EXPECT_FALSE(HasFlushed());
    host_.set_clock(host_.clock() + 1);
    host_.Run();
    EXPECT_TRUE(HasFlushed());
    EXPECT_FALSE(HasBackgroundWork());
  }

  std::shared_ptr<MemoryStorage> storage_ = std::make_shared<MemoryStorage>();
  MemoryHost host_;
  int rows_ = 0;
};

class WriteBufferTest : public BackgroundWorkTest {
 protected:
  static constexpr std::size_t kWriteBuffer = 64'000;
  WriteBufferTest()
      : BackgroundWorkTest(
            {.write_buffer_bytes = kWriteBuffer, .idle_ms = 20}) {}
};

// Short rows take more memory than bytes of the log.
TEST_F(WriteBufferTest, IsFlushedBeforeItIsLongerThanItsLimit) {
  ASSERT_EQ(Outcome(host_.Do(NewTable("Tab"))), "201");
  const std::size_t shortest_row = 100;
  Write(static_cast<int>(kWriteBuffer / shortest_row));
  EXPECT_TRUE(HasFlushed());
}

TEST_F(BackgroundWorkTest, ComesWhenNoWriteHasComeForAWhile) {
  ASSERT_EQ(Outcome(host_.Do(NewTable("Tab"))), "201");
  Write(8);
  EXPECT_FALSE(HasBackgroundWork());

  Write(1);

  ExpectFlushAfter(20);
}

TEST_F(BackgroundWorkTest, ComesBetweenWritesWhenItCanWaitNoLonger) {
  ASSERT_EQ(Outcome(host_.Do(NewTable("Tab"))), "201");
  Write(18);
  EXPECT_FALSE(HasFlushed());

  Write(2);

  EXPECT_TRUE(HasFlushed());
}

// Neither the number of runs nor the room they take grows without end.
TEST_F(BackgroundWorkTest, CompactsBetweenWritesWhenThereIsMuchToCompact) {
  ASSERT_EQ(Outcome(host_.Do(NewTable("Tab"))), "201");
  for (int i = 0; i < 100; ++i) {
    Write(10);
    const auto manifest = storage_->values().find(ValueKey::Manifest());
    if (manifest == storage_->values().end()) continue;
    ASSERT_LE(DecodeManifest(manifest->second)->runs.size(), 8U);
  }
}

class SteadyWritesTest : public BackgroundWorkTest {
 protected:
  SteadyWritesTest()
      : BackgroundWorkTest({.flush_bytes = 12'000,
                            .page_bytes = 1'000,
                            .step_pages = 2,
                            .idle_ms = 20}) {}
};

// A flush is due all the time, and is not urgent yet.
TEST_F(SteadyWritesTest, DoNotLetTheStoreGrow) {
  constexpr int kRows = 400;
  constexpr int kWrites = 6'000;
  const std::string text(100, 'x');
  ASSERT_EQ(Outcome(host_.Do(NewTable("Tab"))), "201");
  for (int i = 0; i < kWrites; ++i) {
    const std::string row = std::to_string(i % kRows);
    const std::string body =
        "{\"N\":" + std::to_string(i) + ",\"T\":\"" + text + "\"}";
    ASSERT_EQ(Outcome(host_.Do(Replace("Tab", "p", row, body))), "204");
  }

  EXPECT_LT(ReadStoredPages(*storage_).rows, 2 * kRows);
}

TEST_F(BackgroundWorkTest, DoesNotWaitForAClockThatWasSetBack) {
  ASSERT_EQ(Outcome(host_.Do(NewTable("Tab"))), "201");
  Write(9);
  host_.set_clock(host_.clock() - 3'600'000);

  host_.Run();

  EXPECT_TRUE(HasFlushed());
}

class IdleFlushTest : public BackgroundWorkTest {
 protected:
  IdleFlushTest()
      : BackgroundWorkTest(
            {.page_bytes = 1'500, .idle_ms = 20, .long_idle_ms = 200}) {}
};

TEST_F(IdleFlushTest, FlushesWhatIsWorthAPageWhenNoWriteHasComeForLonger) {
  ASSERT_EQ(Outcome(host_.Do(NewTable("Tab"))), "201");
  Write(2);
  EXPECT_FALSE(HasBackgroundWork());

  Write(30);

  ExpectFlushAfter(200);
}

// What is read first need not wait for it.
TEST_F(IdleFlushTest, LeavesAnAccountThatWasJustOpenedIdle) {
  ASSERT_EQ(Outcome(host_.Do(NewTable("Tab"))), "201");
  Write(30);
  host_.set_clock(host_.clock() + 3'600'000);
  host_.Restart();

  EXPECT_EQ(Outcome(host_.Do(Get("Tab", "p", "1"))), "200");

  EXPECT_TRUE(HasBackgroundWork());
  EXPECT_FALSE(HasFlushed());
}

}  // namespace
}  // namespace entitable
