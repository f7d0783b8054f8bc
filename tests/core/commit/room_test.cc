// An engine that is told that memory is short: engine.h,
// EngineOptions::has_room.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "store/compaction.h"
#include "support/make_engine.h"
#include "support/memory_host.h"
#include "support/operations.h"
#include "support/stored_pages.h"

namespace entitable {
namespace {

constexpr int kPlenty = 1'000'000;

// So many questions are answered with yes, then so many with no.
int yes = 0;
int no = 0;

void Answer(int first_yes, int then_no) {
  yes = first_yes;
  no = then_no;
}

bool HasRoom(std::size_t /*bytes*/) { return yes-- > 0 || no-- <= 0; }

class RoomTest : public testing::Test {
 protected:
  void SetUp() override {
    Answer(kPlenty, 0);
    Open(0);
    for (const auto& operation :
         {NewTable("Tab"), Insert("Tab", EntityBody("p", "1")),
          Insert("Tab", EntityBody("p", "2"))}) {
      ASSERT_EQ(Outcome(host_.Do(operation)), "201");
    }
    host_.Run();
  }

  void Open(std::size_t cache_bytes, bool (*has_room)(std::size_t) = HasRoom,
            double idle_ms = 0) {
    EngineOptions options;
    options.session = {1};
    options.new_store_id = {2};
    options.store.cache_bytes = cache_bytes;
    options.store.flush_records = 2;
    options.store.page_bytes = 4096;
    options.store.idle_ms = idle_ms;
    options.has_room = has_room;
    host_.engine() = MakeEngine(std::move(options));
  }

  // After the two that are there; each takes most of a page.
  void InsertLongUpTo(int end) {
    for (int i = 3; i < end; ++i) {
      const OwnedOperation insert = Insert(
          "Tab", EntityBody("p", std::to_string(i),
                            "\"Text\":\"" + std::string(4000, 'x') + "\""));
      ASSERT_EQ(Outcome(host_.Do(insert)), "201");
    }
    host_.Run();
  }

  MemoryHost host_;
};

// Also where it has begun, and waits for pages.
TEST_F(RoomTest, AnswersAReadThatItHasNoMemoryForWithServerBusy) {
  int steps = 0;
  for (std::string outcome; outcome != "200"; ++steps) {
    Answer(steps, kPlenty);
    outcome = Outcome(host_.Do(Get("Tab", "p", "1")));
    Answer(kPlenty, 0);
    ASSERT_TRUE(outcome == "200" || outcome == "503 ServerBusy") << outcome;
    ASSERT_LT(steps, 10);
    EXPECT_EQ(Outcome(host_.Do(Get("Tab", "p", "1"))), "200");
  }
  EXPECT_GT(steps, 2);
}

// As a host does that has no memory for what it has read.
TEST_F(RoomTest, ReadsFewerPagesAtATimeWhereThereIsNoMemoryForMany) {
  InsertLongUpTo(60);
  std::vector<RequestId> reads;
  for (int i = 1; i < 60; ++i) {
    reads.push_back(host_.Submit(Get("Tab", "p", std::to_string(i))));
  }

  std::size_t most = 0;
  for (Step wish = host_.NextWish(); std::holds_alternative<Read>(wish);
       wish = host_.NextWish()) {
    const Read& read = std::get<Read>(wish);
    most = std::max(most, read.keys.size());
    if (read.keys.size() > 3) {
      host_.engine().ReadFailed(read.id, Error(ErrorCode::kServerBusy));
    } else {
      host_.Fulfil(read);
    }
  }

  EXPECT_GT(most, 3U);
  for (const RequestId read : reads) {
    EXPECT_EQ(Outcome(host_.Await(read)), "200");
  }
}

// Only a list can end with what it has.
TEST_F(RoomTest, ReportsNoTypesOfAPartOfATable) {
  InsertLongUpTo(20);
  int reads = 0;
  for (bool is_whole = false; !is_whole; ++reads) {
    const RequestId types = host_.Submit(
        OwnedOperation{.kind = OperationKind::kQueryTypes, .table = "Tab"});
    int left = reads;
    for (Step wish = host_.NextWish(); std::holds_alternative<Read>(wish);
         wish = host_.NextWish()) {
      const Read& read = std::get<Read>(wish);
      if (left-- > 0) {
        host_.Fulfil(read);
      } else {
        host_.engine().ReadFailed(read.id, Error(ErrorCode::kServerBusy));
      }
    }
    const auto answer = host_.Await(types);
    is_whole = answer.has_value();
    EXPECT_EQ(is_whole ? Body(answer).substr(0, 11) : Outcome(answer),
              is_whole ? R"({"count":19)" : "503 ServerBusy");
    ASSERT_LT(reads, 40);
  }
  EXPECT_GT(reads, 3);
}

TEST_F(RoomTest, StoresNothingOfAWriteThatItHasNoMemoryFor) {
  Answer(0, kPlenty);
  EXPECT_EQ(Outcome(host_.Do(Insert("Tab", EntityBody("p", "3")))),
            "503 ServerBusy");
  EXPECT_EQ(Outcome(host_.Do(Delete("Tab", "p", "1"))), "503 ServerBusy");

  Answer(kPlenty, 0);
  EXPECT_EQ(Outcome(host_.Do(Get("Tab", "p", "3"))), "404 ResourceNotFound");
  EXPECT_EQ(Outcome(host_.Do(Get("Tab", "p", "1"))), "200");
  EXPECT_EQ(Outcome(host_.Do(Insert("Tab", EntityBody("p", "3")))), "201");
}

// The pages of a compaction may take the memory that the compaction needs.  If
// they were dropped, it would only fetch them again.
TEST_F(RoomTest, LeavesACompactionWithoutMemoryUntilTheNextCommit) {
  constexpr double kIdleMs = 20;
  static const Engine* engine = nullptr;
  static std::size_t most_pages = 0;
  static bool is_writing = false;
  engine = &host_.engine();
  Open(
      0,
      [](std::size_t /*bytes*/) {
        return is_writing || engine->page_bytes() <= most_pages;
      },
      kIdleMs);
  const auto run = [this] {
    constexpr int kMaxSteps = 100;
    for (int i = 0; i < kMaxSteps; ++i) {
      const Step wish = host_.NextWish();
      if (std::holds_alternative<Idle>(wish)) return;
      if (const auto* read = std::get_if<Read>(&wish)) host_.Fulfil(*read);
      const auto* const commit = std::get_if<Commit>(&wish);
      if (commit != nullptr) host_.Fulfil(*commit);
    }
    ADD_FAILURE() << "The engine does not stop.";
  };
  auto insert = [&, row = 3]() mutable {
    const std::string body = EntityBody("p", std::to_string(row++));
    is_writing = true;
    ASSERT_EQ(Outcome(host_.Do(Insert("Tab", body))), "201");
    is_writing = false;
    host_.set_clock(host_.clock() + kIdleMs);
    run();
  };

  most_pages = SIZE_MAX;
  for (int i = 0; i < 200; ++i) insert();
  most_pages = 0;
  for (int i = 0; i < 6; ++i) insert();
  EXPECT_GT(ReadStoredPages(host_.storage()).runs, kMaxRuns);

  most_pages = SIZE_MAX;
  insert();
  EXPECT_LE(ReadStoredPages(host_.storage()).runs, kMaxRuns);
}

TEST_F(RoomTest, MakesRoomOfThePagesThatItKeeps) {
  Open(StoreLimits().cache_bytes);
  ASSERT_EQ(Outcome(host_.Do(Get("Tab", "p", "1"))), "200");
  const RequestId warm = host_.Submit(Get("Tab", "p", "1"));
  EXPECT_TRUE(std::holds_alternative<Idle>(host_.NextWish()));
  ASSERT_EQ(Outcome(host_.Await(warm)), "200");

  Answer(0, 1);
  EXPECT_TRUE(host_.engine().MakeRoom(1));

  const RequestId cold = host_.Submit(Get("Tab", "p", "1"));
  const Step wish = host_.NextWish();
  ASSERT_TRUE(std::holds_alternative<Read>(wish));
  host_.Fulfil(std::get<Read>(wish));
  EXPECT_EQ(Outcome(host_.Await(cold)), "200");
}

}  // namespace
}  // namespace entitable
