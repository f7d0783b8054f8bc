#include "protocol/batch_answer.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "support/memory_host.h"

namespace entitable {
namespace {

const DateTime kNow = DateTime::FromUnixMilliseconds(MemoryHost::kSomeTime);

HttpResponse AnswerOf(ErrorCode code) {
  RequestContext context{.request_id = "id",
                         .batch = BatchKind::kChangeSet,
                         .parts = std::make_unique<RequestContext[]>(1),
                         .part_count = 1};
  return MakeBatchAnswer(context, Error(code), kNow);
}

TEST(BatchAnswerTest, ReportsEachErrorInAPartOrAsAWhole) {
  const auto check = [](ErrorCode code) {
    SCOPED_TRACE(ErrorName(code));
    const int status = HttpStatus(code);
    const HttpResponse answer = AnswerOf(code);
    if (answer.status == status) return;
    EXPECT_EQ(answer.status, 202);
    EXPECT_TRUE(
        answer.body.contains("HTTP/1.1 " + std::to_string(status) + ' '))
        << answer.body;
  };
#define ENTITABLE_X(name, status, text) check(ErrorCode::k##name);
  ENTITABLE_ERROR_CODES(ENTITABLE_X)
#undef ENTITABLE_X
}

// Clients do not repeat a batch whose part has failed.
TEST(BatchAnswerTest, ReportsServerBusyAsAWhole) {
  EXPECT_EQ(AnswerOf(ErrorCode::kServerBusy).status, 503);
}

// One operation caused it, so the answer names that operation.
TEST(BatchAnswerTest, ReportsASchemaViolationInItsPart) {
  EXPECT_EQ(AnswerOf(ErrorCode::kSchemaViolation).status, 202);
}

}  // namespace
}  // namespace entitable
