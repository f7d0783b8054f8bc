// A fold of a part of the log, in the eyes of another tab.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "support/engine_test.h"

namespace entitable {
namespace {

// Folds at every second record, one of which is as much as a fold takes.
constexpr StoreLimits kFlushesSoon{
    .flush_records = 2, .page_bytes = 1000, .step_pages = 1};

// Never folds, and keeps no page for the next read.
constexpr StoreLimits kForgetful{.cache_bytes = 0};

std::string LongBody(const std::string& row_key) {
  return EntityBody("p", row_key, "\"Text\":\"" + std::string(1500, 'x') + '"');
}

// The fold leaves a row to the log that a record behind it made what it is.
// Who does not know that record may not take the row for gone.
TEST(PartialFlushTest, HidesNoRowFromWhoDoesNotKnowTheRest) {
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

  // This one has to be fetched, and brings the root along.
  EXPECT_EQ(Outcome(reading.Do(Get("Tab", "p", "first"))), "200");
  EXPECT_EQ(Outcome(reading.Do(Get("Tab", "p", "row"))), "200");
}

}  // namespace
}  // namespace entitable
