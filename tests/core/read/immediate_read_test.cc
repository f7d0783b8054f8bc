// Reads that are answered when they are submitted: engine.h, TakeAnswer().

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {
namespace {

GetEntity Get(std::string_view row_key) {
  return {.entity = {"Pets", "dogs", row_key}};
}

void FillStore(MemoryHost& host) {
  ASSERT_TRUE(host.Do(NewTable("Pets")).has_value());
  const std::string rex = EntityBody("dogs", "rex", R"("Age":7)");
  ASSERT_TRUE(host.Do(Insert("Pets", rex)).has_value());
}

bool IsIdle(Engine& engine) {
  return std::holds_alternative<Idle>(engine.Run(MemoryHost::kSomeTime));
}

TEST(ImmediateReadTest, IsAnsweredOnceAsItWouldHaveBeen) {
  MemoryHost host;
  FillStore(host);
  const auto expected = host.Do(Get("rex"));

  host.engine().Submit(Get("rex"));
  const auto answer = host.engine().TakeAnswer();

  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->body, expected->body);
  EXPECT_FALSE(host.engine().TakeAnswer().has_value());
  EXPECT_TRUE(IsIdle(host.engine()));
}

TEST(ImmediateReadTest, LeavesAFailureToRun) {
  MemoryHost host;
  FillStore(host);

  const RequestId id = host.Submit(Get("nobody"));

  EXPECT_FALSE(host.engine().TakeAnswer().has_value());
  const auto outcome = host.Await(id);
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, ErrorCode::kResourceNotFound);
}

TEST(ImmediateReadTest, LeavesWhatNeedsStorageToRun) {
  MemoryHost host;
  FillStore(host);
  GetEntity fresh = Get("rex");
  fresh.fresh = true;

  const RequestId id = host.Submit(fresh);
  EXPECT_FALSE(host.engine().TakeAnswer().has_value());
  EXPECT_TRUE(host.Await(id).has_value());

  host.Restart();
  const RequestId first = host.Submit(Get("rex"));
  EXPECT_FALSE(host.engine().TakeAnswer().has_value());
  EXPECT_TRUE(host.Await(first).has_value());
}

TEST(ImmediateReadTest, LeavesWritesToRun) {
  MemoryHost host;
  FillStore(host);

  const RequestId id = host.Submit(NewTable("Cats"));

  EXPECT_FALSE(host.engine().TakeAnswer().has_value());
  EXPECT_TRUE(host.Await(id).has_value());
}

// Each read holds on to pages and to what it has of its answer.
TEST(ImmediateReadTest, BeginsNoMoreReadsThatWaitForPagesThanRunDoes) {
  const auto storage = std::make_shared<MemoryStorage>();
  MemoryHost filling(storage, Profile::kDefault,
                     {.flush_records = 2, .page_bytes = 4096});
  ASSERT_TRUE(filling.Do(NewTable("Pets")).has_value());
  constexpr int kCount = 60;
  const auto name = [](int i) { return std::to_string(100 + i); };
  for (int i = 0; i < kCount; ++i) {
    const std::string text = "\"Text\":\"" + std::string(4000, 'x') + '"';
    ASSERT_TRUE(filling.Do(Insert("Pets", EntityBody("dogs", name(i), text)))
                    .has_value());
  }
  filling.Run();
  // How many pages are asked for at once, when all rows are read at once.
  const auto most_pages = [&](bool is_immediate) {
    MemoryHost host(storage, Profile::kDefault, {.cache_bytes = 1 << 14});
    EXPECT_TRUE(host.Do(Get("100")).has_value());
    std::vector<RequestId> reads;
    for (int i = 0; i < kCount; ++i) {
      const RequestId read = host.Submit(Get(name(i)));
      const bool is_answered = is_immediate && host.engine().TakeAnswer();
      if (!is_answered) reads.push_back(read);
    }
    const Step first = host.NextWish();
    host.Fulfil(std::get<Read>(first));
    for (const RequestId read : reads) {
      EXPECT_TRUE(host.Await(read).has_value());
    }
    return std::get<Read>(first).keys.size();
  };

  EXPECT_EQ(most_pages(true), most_pages(false));
}

}  // namespace
}  // namespace entitable
