// Pages that the engine has written stay in its cache.

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>

#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {
namespace {

class WrittenPagesTest : public testing::Test {
 protected:
  // An engine that has written its rows into pages, and perhaps rewritten them,
  // over a storage that has lost these pages.
  void WriteAndLosePages(StoreLimits limits) {
    limits.flush_records = 10;
    limits.page_bytes = 1000;
    host_ = std::make_unique<MemoryHost>(std::make_shared<MemoryStorage>(),
                                         Profile::kDefault, limits);
    ASSERT_EQ(Outcome(host_->Do(NewTable("Tab"))), "201");
    for (int i = 0; i < kRows; ++i) {
      const auto put = Replace("Tab", "p", std::to_string(i), R"({"N":1})");
      ASSERT_EQ(Outcome(host_->Do(put)), "204");
    }
    host_->Run();
    const std::size_t lost =
        std::erase_if(host_->storage().values(), [](const auto& value) {
          return value.first.kind == ValueKey::Kind::kPage;
        });
    ASSERT_GT(lost, 2U);
  }

  int ReadableRows() {
    int count = 0;
    for (int i = 0; i < kRows; ++i) {
      const auto read = host_->Do(Get("Tab", "p", std::to_string(i)));
      count += Outcome(read) == "200" ? 1 : 0;
    }
    return count;
  }

  static constexpr int kRows = 100;

  std::unique_ptr<MemoryHost> host_;
};

TEST_F(WrittenPagesTest, ReadsGoOnFromMemory) {
  WriteAndLosePages({});
  EXPECT_EQ(ReadableRows(), kRows);
}

TEST_F(WrittenPagesTest, TheCacheKeepsItsLimit) {
  WriteAndLosePages({.cache_bytes = 0});
  EXPECT_LT(ReadableRows(), kRows);
}

TEST_F(WrittenPagesTest, RowsOfAnImportAreInMemory) {
  host_ = std::make_unique<MemoryHost>();
  ASSERT_EQ(Outcome(host_->Do(NewTable("Tab"))), "201");
  std::string rows;
  for (int i = 0; i < kRows; ++i) {
    rows += EntityBody("p", std::to_string(i),
                       "\"S\":\"" + std::string(1000, 's') + '"');
  }
  ASSERT_EQ(Outcome(host_->Do(Import("Tab", rows))), "202");
  const std::size_t lost =
      std::erase_if(host_->storage().values(), [](const auto& value) {
        return value.first.kind == ValueKey::Kind::kPage;
      });
  ASSERT_GT(lost, 0U);
  EXPECT_EQ(ReadableRows(), kRows);
}

}  // namespace
}  // namespace entitable
