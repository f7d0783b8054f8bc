// four_records_test.h - tests of a store that was used before.

#ifndef ENTITABLE_TESTS_SUPPORT_FOUR_RECORDS_TEST_H_
#define ENTITABLE_TESTS_SUPPORT_FOUR_RECORDS_TEST_H_

#include <string>

#include "support/engine_test.h"

namespace entitable {

inline OwnedOperation InsertRow(const std::string& row_key) {
  return Insert("Tab", EntityBody("p", row_key));
}

// A store with a checkpoint and four records: the table Tab, then the rows 1,
// 2, 3.
class FourRecordsTest : public EngineTest {
 protected:
  void SetUp() override {
    Given(NewTable("Tab"));
    for (const char* row_key : {"1", "2", "3"}) Given(InsertRow(row_key));
    ASSERT_EQ(values().size(), 5U);
  }

  MemoryStorage::Values& values() { return host_.storage().values(); }
};

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_FOUR_RECORDS_TEST_H_
