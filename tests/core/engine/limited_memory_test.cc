// An engine whose host has little memory: EngineOptions::FitIntoMemory(),
// has_room.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "support/limited_host.h"
#include "support/make_engine.h"
#include "support/memory_storage.h"
#include "support/operations.h"
#include "support/random.h"
#include "support/stored_pages.h"

namespace entitable {
namespace {

// How many rows or batches: still of more bytes than the host has.
int Usual(int usual, int whole) { return IsWholeMatrix() ? whole : usual; }

class LimitedMemoryTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(host_.Do(NewTable("Tab")), "201"); }

  void TearDown() override { EXPECT_LE(host_.most(), LimitedHost::kLimit); }

  std::string Members(std::size_t bytes) {
    std::string members;
    for (int i = 0; bytes > 0; ++i) {
      const std::string text =
          RandomLetters(random_, std::min<std::size_t>(bytes, 30'000));
      bytes -= text.size();
      members +=
          (i > 0 ? ",\"T" : "\"T") + std::to_string(i) + "\":\"" + text + '"';
    }
    return members;
  }

  OwnedOperation InsertOf(std::size_t bytes) {
    return Insert("Tab",
                  EntityBody("p", std::to_string(rows_++), Members(bytes)));
  }

  // Of 3.9 MB.
  OwnedOperation Batch(std::size_t entities) {
    std::vector<OwnedOperation> parts;
    for (std::size_t i = 0; i < entities; ++i) {
      parts.push_back(InsertOf(3'900'000 / entities));
    }
    return Transaction(std::move(parts));
  }

  // A short batch that changes the first rows.
  static OwnedOperation MergeOf(int rows) {
    std::vector<OwnedOperation> parts;
    for (int i = 0; i < rows; ++i) {
      parts.push_back(Merge("Tab", "p", std::to_string(i), "{\"A\":1}"));
    }
    return Transaction(std::move(parts));
  }

  // How many entities there are, for an engine that has just opened the store.
  std::string Stored() {
    host_.Restart();
    EXPECT_EQ(host_.Do(Count("Tab")), "200");
    const std::string& body = host_.last().body;
    return body.substr(0, body.find(','));
  }

  static std::string CountOf(auto entities) {
    return "{\"count\":" + std::to_string(entities);
  }

  std::mt19937_64 random_{TestSeed()};
  std::shared_ptr<MemoryStorage> storage_ = std::make_shared<MemoryStorage>();
  LimitedHost host_{storage_};
  int rows_ = 0;
};

TEST_F(LimitedMemoryTest, TakesLargeBatchesOneAfterAnother) {
  const int batches = Usual(8, 15);
  for (const std::size_t entities : {100U, 8U}) {
    for (int i = 0; i < batches; ++i) {
      ASSERT_EQ(host_.Do(Batch(entities)), "202") << entities << ' ' << i;
    }
  }
  EXPECT_EQ(Stored(), CountOf(108 * batches));
}

TEST_F(LimitedMemoryTest, RefusesOfLargeBatchesAtOnceThoseThatDoNotFit) {
  std::size_t stored = 0;
  for (int round = 0; round < 3; ++round) {
    std::vector<OwnedOperation> batches;
    std::vector<RequestId> requests;
    for (int i = 0; i < 6; ++i) batches.push_back(Batch(20));
    for (const auto& batch : batches) requests.push_back(host_.Submit(batch));
    host_.Run();
    for (const RequestId request : requests) {
      if (request == 0) continue;
      const std::string outcome = host_.OutcomeOf(request);
      if (outcome == "202") stored += 20;
      ASSERT_TRUE(outcome == "202" || outcome == "503 ServerBusy") << outcome;
    }
    host_.Rest();
    ASSERT_EQ(host_.Do(Batch(20)), "202");
    stored += 20;
  }
  EXPECT_EQ(Stored(), CountOf(stored));
}

TEST_F(LimitedMemoryTest, TakesManyShortEntitiesAtOnce) {
  std::vector<RequestId> requests;
  for (int i = 0; i < 30'000; ++i) {
    requests.push_back(host_.Submit(InsertOf(0)));
  }
  host_.Run();
  std::size_t stored = 0;
  for (const RequestId request : requests) {
    if (request == 0) continue;
    const std::string outcome = host_.OutcomeOf(request);
    if (outcome == "201") ++stored;
    ASSERT_TRUE(outcome == "201" || outcome == "503 ServerBusy") << outcome;
  }
  EXPECT_GT(stored, 5'000U);
  EXPECT_EQ(Stored(), CountOf(stored));
}

// The texts are short, but not what they become.
TEST_F(LimitedMemoryTest, RefusesABatchThatChangesTooMuch) {
  const int rows = Usual(60, 100);
  constexpr int kPossible = 12;
  for (int i = 0; i < rows; ++i) {
    ASSERT_EQ(host_.Do(InsertOf(480'000)), "201");
  }
  for (const int count : {kPossible, 16, 20, 50, rows, kPossible}) {
    EXPECT_EQ(host_.Do(MergeOf(count)),
              count == kPossible ? "202" : "413 RequestBodyTooLarge")
        << count;
    host_.Rest();
  }
  EXPECT_EQ(Stored(), CountOf(rows));
}

TEST_F(LimitedMemoryTest, MakesRoomForTheRepetitionOfAWrite) {
  constexpr int kRows = 12;
  for (int i = 0; i < kRows; ++i) {
    ASSERT_EQ(host_.Do(InsertOf(480'000)), "201");
  }
  host_.Rest();
  ASSERT_EQ(host_.Do(Batch(20)), "202");

  if (host_.Do(MergeOf(kRows)) != "202") {
    EXPECT_EQ(host_.Do(MergeOf(kRows)), "202");
  }

  EXPECT_EQ(Stored(), CountOf(kRows + 20));
}

// Only the rows' timestamps are needed.
TEST_F(LimitedMemoryTest, DeletesManyLongEntitiesAtOnce) {
  constexpr int kRows = 100;
  std::vector<OwnedOperation> deletes;
  for (int i = 0; i < kRows; ++i) {
    ASSERT_EQ(host_.Do(InsertOf(480'000)), "201");
    deletes.push_back(Delete("Tab", "p", std::to_string(i)));
  }

  EXPECT_EQ(host_.Do(Transaction(std::move(deletes))), "202");

  EXPECT_EQ(Stored(), CountOf(0));
}

// What is stored is far longer than what is imported.
TEST_F(LimitedMemoryTest, ImportsIntoLongEntities) {
  const int rows = Usual(110, 150);
  std::string lines;
  for (int i = 0; i < rows; ++i) {
    ASSERT_EQ(host_.Do(InsertOf(480'000)), "201");
    lines += EntityBody("p", std::to_string(i), R"("Flag":1)") + "\n";
  }
  host_.Rest();
  const ImportPart part{
      .mode = ImportMode::kMerge, .begins = true, .ends = true};

  EXPECT_EQ(host_.Do(Import("Tab", lines, part)), "202");

  EXPECT_EQ(host_.Do(Count("Tab", "Flag eq 1 and T0 ge 'a'")), "200");
  EXPECT_TRUE(host_.last().body.starts_with(CountOf(rows) + ','))
      << host_.last().body;
}

// An import that goes on makes a run with each step.
TEST_F(LimitedMemoryTest, ListsLongEntitiesOfManyRuns) {
  const int rows = Usual(110, 180);
  const std::string members = Members(500'000);
  for (int i = 0; i < rows; ++i) {
    const std::string row = std::to_string(i * 37 % rows);
    const std::string line = EntityBody("p", row, members) + "\n";
    ASSERT_EQ(host_.Do(Import("Tab", line, {.begins = i == 0})), "202");
  }

  std::size_t count = 0;
  OwnedOperation list = Query("Tab");
  for (bool is_end = false; !is_end;) {
    ASSERT_EQ(host_.Do(list), "200") << count << ' ' << host_.held();
    const Response& page = host_.last();
    count += TextsOf("RowKey", page.body).size();
    is_end = !page.next_partition_key;
    list.with.next_partition_key = page.next_partition_key;
    list.with.next_row_key = page.next_row_key;
  }
  // The last step waits for more.
  EXPECT_GE(count + 4, static_cast<std::size_t>(rows));
}

// Equal texts are stored once in a page.
TEST_F(LimitedMemoryTest, RefusesABatchWhoseRowsAreMuchLongerThanTheirPages) {
  constexpr int kRows = 100;
  const std::string members = Members(480'000);
  for (int i = 0; i < kRows; ++i) {
    const std::string body = EntityBody("p", std::to_string(i), members);
    ASSERT_EQ(host_.Do(Insert("Tab", body)), "201");
  }
  host_.Rest();

  EXPECT_EQ(host_.Do(MergeOf(kRows)), "413 RequestBodyTooLarge");
  EXPECT_EQ(host_.Do(MergeOf(3)), "202");
  EXPECT_EQ(Stored(), CountOf(kRows));
}

TEST_F(LimitedMemoryTest, RefusesABodyWithTooManyMembers) {
  std::string members = "\"\":0";
  while (members.size() < 4'000'000) members += ",\"\":0";

  EXPECT_EQ(host_.Do(Insert("Tab", EntityBody("p", "r", members))),
            "503 ServerBusy");
}

TEST_F(LimitedMemoryTest, OpensALogThatWasWrittenWithMoreMemory) {
  std::size_t stored = 0;
  {
    EngineOptions options{.session = {99}, .new_store_id = {1}};
    Engine engine = MakeEngine(options);
    for (const std::size_t entities : {100U, 100U, 8U}) {
      const OwnedOperation batch = Batch(entities);
      SubmitTo(engine, batch);
      stored += entities;
      for (bool is_answered = false; !is_answered;) {
        Step step = engine.Run(0);
        is_answered = std::holds_alternative<Answer>(step);
        if (const auto* read = std::get_if<Read>(&step)) {
          engine.Supply(read->id, storage_->Load(*read));
        } else if (const auto* commit = std::get_if<Commit>(&step)) {
          ASSERT_TRUE(storage_->Store(commit->batch));
          engine.Complete(commit->id, CommitOutcome::kOk);
        }
      }
    }
  }

  EXPECT_EQ(Stored(), CountOf(stored));
  EXPECT_EQ(host_.Do(Batch(100)), "202");
}

TEST_F(LimitedMemoryTest, FlushesFirstIfAWriteHasTooLittleMemory) {
  constexpr std::size_t kBytes = 200'000;
  ASSERT_EQ(host_.Do(InsertOf(kBytes)), "201");
  const OwnedOperation insert = InsertOf(kBytes);
  const RequestId write = host_.Submit(insert);
  // The write would need a little more.
  host_.set_limit(host_.held() + kStepBytes + 4 * kBytes);

  host_.Run();

  EXPECT_EQ(host_.OutcomeOf(write), "201");
  EXPECT_GT(ReadStoredPages(*storage_).leaves, 0U);
}

// Without another commit.
TEST_F(LimitedMemoryTest, FlushesWhenThereIsMemoryAgain) {
  ASSERT_EQ(host_.Do(InsertOf(200'000)), "201");
  host_.set_limit(0);
  for (int i = 0; i < 5; ++i) host_.Wait();
  EXPECT_EQ(ReadStoredPages(*storage_).leaves, 0U);

  host_.set_limit(LimitedHost::kLimit);
  host_.Rest();

  EXPECT_GT(ReadStoredPages(*storage_).leaves, 0U);
}

TEST_F(LimitedMemoryTest, GoesOnWhenThereIsMemoryAgain) {
  ASSERT_EQ(host_.Do(InsertOf(200'000)), "201");
  // The write waits for a flush, for which there is no memory, either.
  for (const std::size_t most : {std::size_t{0}, kStepBytes}) {
    const OwnedOperation insert = InsertOf(0);
    const RequestId write = host_.Submit(insert);
    const RequestId read = host_.Submit(Get("Tab", "p", "0"));
    host_.set_limit(most);
    host_.Run();
    EXPECT_EQ(host_.OutcomeOf(write), "503 ServerBusy");
    EXPECT_EQ(host_.OutcomeOf(read), "503 ServerBusy");
    if (most == 0) {
      EXPECT_EQ(ReadStoredPages(*storage_).leaves, 0U);
    }
    host_.set_limit(LimitedHost::kLimit);
  }

  EXPECT_EQ(host_.Do(InsertOf(0)), "201");
  EXPECT_EQ(host_.Do(Get("Tab", "p", "0")), "200");
}

}  // namespace
}  // namespace entitable
