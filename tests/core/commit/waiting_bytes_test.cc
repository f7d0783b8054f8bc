// How many requests may wait: EngineOptions::max_waiting_bytes.

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "support/make_engine.h"
#include "support/memory_storage.h"
#include "support/operations.h"

namespace entitable {
namespace {

constexpr std::size_t kLimit = 20'000;

class WaitingBytesTest : public testing::Test {
 protected:
  WaitingBytesTest() { EXPECT_EQ(Do({NewTable("Tab")}), "201"); }

  // The outcomes of requests that wait together.
  std::string Do(const std::vector<OwnedOperation>& operations) {
    std::vector<RequestId> requests;
    for (const auto& operation : operations) {
      requests.push_back(SubmitTo(engine_, operation));
      EXPECT_LE(engine_.waiting_bytes(), kLimit);
    }
    std::map<RequestId, std::string> answers;
    for (bool is_idle = false; !is_idle;) {
      const Step step = engine_.Run(1'704'164'645'678);
      if (const auto* answer = std::get_if<Answer>(&step)) {
        answers[answer->request] = Outcome(answer->outcome);
      } else if (const auto* read = std::get_if<Read>(&step)) {
        engine_.Supply(read->id, storage_.Load(*read));
      } else if (const auto* commit = std::get_if<Commit>(&step)) {
        const bool is_stored = storage_.Store(commit->batch);
        engine_.Complete(
            commit->id, is_stored ? CommitOutcome::kOk : CommitOutcome::kMoved);
      } else {
        is_idle = true;
      }
    }
    std::string outcomes;
    for (const RequestId request : requests) {
      if (!outcomes.empty()) outcomes += ", ";
      outcomes += answers.contains(request) ? answers[request] : "waits";
    }
    return outcomes;
  }

  static OwnedOperation InsertOf(const std::string& key, std::size_t bytes) {
    const std::string text = "\"Text\":\"" + std::string(bytes, 'x') + '"';
    return Insert("Tab", EntityBody("p", key, text), {.echo = false});
  }

  MemoryStorage storage_;
  Engine engine_ = MakeEngine(
      {.session = {1}, .new_store_id = {2}, .max_waiting_bytes = kLimit});
};

TEST_F(WaitingBytesTest, BeyondTheLimitAWriteIsRefusedAndNotStored) {
  EXPECT_EQ(Do({InsertOf("a", 8'000), InsertOf("b", 8'000),
                InsertOf("c", 8'000), InsertOf("d", 10)}),
            "204, 204, 503 ServerBusy, 204");

  EXPECT_EQ(Do({Get("Tab", "p", "b"), Get("Tab", "p", "c")}),
            "200, 404 ResourceNotFound");
}

TEST_F(WaitingBytesTest, TheRoomIsFreeOnceTheyAreAnswered) {
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(Do({InsertOf(std::to_string(i), 12'000)}), "204");
    EXPECT_EQ(engine_.waiting_bytes(), 0U);
  }
  EXPECT_EQ(Do({InsertOf("1", 12'000)}), "409 EntityAlreadyExists");
  EXPECT_EQ(engine_.waiting_bytes(), 0U);
}

TEST_F(WaitingBytesTest, TheRoomIsFreeOnceTheyAreWithdrawn) {
  const RequestId request = SubmitTo(engine_, InsertOf("a", 12'000));
  EXPECT_GT(engine_.waiting_bytes(), 12'000U);
  EXPECT_TRUE(engine_.Cancel(request));
  EXPECT_EQ(engine_.waiting_bytes(), 0U);
}

TEST_F(WaitingBytesTest, ManySmallRequestsTakeRoomToo) {
  std::vector<OwnedOperation> requests;
  for (int i = 0; i < 100; ++i) {
    requests.push_back(Delete("Tab", "p", std::to_string(i)));
  }
  const std::string outcomes = Do(requests);
  EXPECT_NE(outcomes.find("503 ServerBusy"), std::string::npos);
  EXPECT_EQ(engine_.waiting_bytes(), 0U);
}

TEST_F(WaitingBytesTest, NoImportBeginsBeyondTheLimit) {
  std::string lines;
  while (lines.size() < 30'000) {
    lines += EntityBody("p", std::to_string(lines.size())) + "\n";
  }
  EXPECT_EQ(Do({Import("Tab", lines)}), "503 ServerBusy");
  EXPECT_EQ(Do({Import("Tab", lines.substr(0, lines.find('\n') + 1))}), "202");
  EXPECT_EQ(engine_.waiting_bytes(), 0U);
}

}  // namespace
}  // namespace entitable
