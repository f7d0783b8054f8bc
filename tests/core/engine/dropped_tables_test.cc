// What is left of tables that were dropped.

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>

#include "store/manifest.h"
#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {
namespace {

// A table is created, filled and dropped before the log is flushed, so no row
// of it is ever in a page.
TEST(DroppedTablesTest, LeaveNothingInTheManifestWhileThereAreNoPages) {
  MemoryHost host(std::make_shared<MemoryStorage>(), Profile::kDefault,
                  {.flush_records = 3});
  const auto size_after = [&](int tables) {
    for (int i = 0; i < tables; ++i) {
      EXPECT_TRUE(host.Do(NewTable("Tab")));
      EXPECT_TRUE(host.Do(Insert("Tab", EntityBody("p", "r"))));
      EXPECT_TRUE(host.Do(DropTable("Tab")));
      host.Run();
    }
    return host.storage().values().at(ValueKey::Manifest()).size();
  };
  const std::size_t few = size_after(10);

  // The number of the next table may need another byte.
  EXPECT_LE(size_after(300), few + 1);
}

}  // namespace
}  // namespace entitable
