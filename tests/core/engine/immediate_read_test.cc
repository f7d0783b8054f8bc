// Reads that are answered when they are submitted: engine.h, TakeAnswer().

#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {
namespace {

Operation Get(std::string_view row_key) {
  Operation get;
  get.kind = OperationKind::kGetEntity;
  get.table = "Pets";
  get.partition_key = "dogs";
  get.row_key = row_key;
  return get;
}

void FillStore(MemoryHost& host) {
  ASSERT_TRUE(host.Do(NewTable("Pets")).has_value());
  const std::string body = R"({"PartitionKey":"dogs","RowKey":"rex","Age":7})";
  Operation insert;
  insert.kind = OperationKind::kInsertEntity;
  insert.table = "Pets";
  insert.body = body;
  ASSERT_TRUE(host.Do(insert).has_value());
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
  Operation fresh = Get("rex");
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

}  // namespace
}  // namespace entitable
