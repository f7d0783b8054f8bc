// engine_test.h - the fixture of the tests that talk to a whole engine.

#ifndef ENTITABLE_TESTS_SUPPORT_ENGINE_TEST_H_
#define ENTITABLE_TESTS_SUPPORT_ENGINE_TEST_H_

#include <gtest/gtest.h>

#include <string>

#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {

class EngineTest : public testing::Test {
 protected:
  // What must succeed before the test begins.
  void Given(const OwnedOperation& operation) {
    const auto answer = host_.Do(operation);
    ASSERT_TRUE(answer.has_value()) << Outcome(answer);
  }

  // The outcome; where that is a refusal, also expects that it changed nothing,
  // neither for readers nor in the storage.
  std::string Do(const OwnedOperation& operation) {
    const std::string contents = Contents(host_);
    const MemoryStorage::Values values = host_.storage().values();
    const auto answer = host_.Do(operation);
    if (!answer) {
      EXPECT_EQ(Contents(host_), contents) << Outcome(answer);
      EXPECT_EQ(host_.storage().values(), values) << Outcome(answer);
    }
    return Outcome(answer);
  }

  // The message of a refusal.
  std::string MessageOf(const OwnedOperation& operation) {
    const auto answer = host_.Do(operation);
    return answer ? Outcome(answer) : answer.error().message;
  }

  // The etag of an answer; without one, the outcome.
  std::string EtagOf(const OwnedOperation& operation) {
    const auto answer = host_.Do(operation);
    return answer && !answer->etag.empty() ? answer->etag : Outcome(answer);
  }

  // The custom members of the stored entity, as "A":1,"B":2.
  std::string Stored(const std::string& table, const std::string& partition_key,
                     const std::string& row_key) {
    const std::string body = Body(host_.Do(Get(table, partition_key, row_key)));
    const std::size_t timestamp = body.find("\"Timestamp\":");
    if (timestamp == std::string::npos) return body;
    const std::size_t end = body.find('"', timestamp + 13) + 1;
    return body[end] == ',' ? body.substr(end + 1, body.size() - end - 2) : "";
  }

  MemoryHost host_;
};

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_ENGINE_TEST_H_
