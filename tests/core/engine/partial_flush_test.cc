// A flush of a part of the log, as seen by another tab.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "support/engine_test.h"

namespace entitable {
namespace {

// Flushes after every second record.  One record fills a flush.
constexpr StoreLimits kFlushesSoon{
    .flush_records = 2, .page_bytes = 1000, .step_pages = 1};

// Never flushes, and keeps no page for the next read.
constexpr StoreLimits kForgetful{.cache_bytes = 0};

std::string LongBody(const std::string& row_key) {
  return EntityBody("p", row_key, "\"Text\":\"" + std::string(1500, 'x') + '"');
}

// The flush leaves out a row that a later record changed again.  An engine that
// does not know that record must not take the row for missing.
TEST(PartialFlushTest, HidesNoRowFromAnEngineThatDoesNotKnowTheRest) {
  const auto storage = std::make_shared<MemoryStorage>();
  MemoryHost flushing(storage, Profile::kDefault, kFlushesSoon);
  ASSERT_EQ(Outcome(flushing.Do(NewTable("Tab"))), "201");
  ASSERT_EQ(Outcome(flushing.Do(Insert("Tab", LongBody("first")))), "201");
  MemoryHost reading(storage, Profile::kDefault, kForgetful);
  ASSERT_EQ(Outcome(reading.Do(Insert("Tab", LongBody("row")))), "201");

  ASSERT_EQ(
      Outcome(flushing.Do(Merge(
          "Tab", "p", "row", "{\"Text\":\"" + std::string(1500, 'y') + "\"}"))),
      "204");

  // This page must be fetched, and the manifest comes with it.
  EXPECT_EQ(Outcome(reading.Do(Get("Tab", "p", "first"))), "200");
  EXPECT_EQ(Outcome(reading.Do(Get("Tab", "p", "row"))), "200");
}

}  // namespace
}  // namespace entitable
