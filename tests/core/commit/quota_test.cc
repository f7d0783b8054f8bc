// No room: storage.h, Batch::frees; docs/internals/store-protocol.md.

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "support/engine_test.h"

namespace entitable {
namespace {

using Outcomes = std::vector<std::string>;

constexpr const char* kNoRoom = "507 StorageQuotaExceeded";

// The storage takes what frees room, and nothing else.
class QuotaTest : public EngineTest {
 protected:
  void SetUp() override {
    Given(NewTable("Tab"));
    Given(NewTable("Old"));
    for (const char* row : {"1", "2", "3"}) {
      Given(Insert("Tab", EntityBody("p", row)));
    }
    host_.faults().FillUp();
  }

  static OwnedOperation InsertRow(const std::string& row) {
    return Insert("Tab", EntityBody("p", row));
  }

  // What is refused changes nothing that anybody could see; what is stored may
  // be moved.
  std::string Try(const OwnedOperation& operation) {
    const std::string contents = Contents(host_);
    const auto answer = host_.Do(operation);
    if (!answer) {
      EXPECT_EQ(Contents(host_), contents);
    }
    return Outcome(answer);
  }

  // Their outcomes, when they wait together.
  Outcomes DoTogether(const std::vector<OwnedOperation>& operations) {
    std::vector<RequestId> requests;
    for (const OwnedOperation& operation : operations) {
      requests.push_back(host_.Submit(operation));
    }
    Outcomes outcomes;
    for (const RequestId request : requests) {
      outcomes.push_back(Outcome(host_.Await(request)));
    }
    return outcomes;
  }

  Outcomes Rows() { return RowKeysOf(host_, Query("Tab")); }
};

TEST_F(QuotaTest, RefusesWhatTakesRoom) {
  EXPECT_EQ(Try(InsertRow("4")), kNoRoom);
  EXPECT_EQ(Try(Replace("Tab", "p", "1", "{}")), kNoRoom);
  EXPECT_EQ(Try(Merge("Tab", "p", "1", "{}", {.if_match = "*"})), kNoRoom);
  EXPECT_EQ(Try(NewTable("New")), kNoRoom);
  EXPECT_EQ(Try(Transaction({Delete("Tab", "p", "1"), InsertRow("4")})),
            kNoRoom);
  EXPECT_EQ(Try(Import("Tab", EntityBody("p", "4"))),
            "507 StorageQuotaExceeded at 0");
  EXPECT_EQ(Rows(), Outcomes({"1", "2", "3"}));
}

TEST_F(QuotaTest, ReadsAndDeletes) {
  EXPECT_EQ(Outcome(host_.Do(Get("Tab", "p", "1"))), "200");
  EXPECT_EQ(Outcome(host_.Do(Delete("Tab", "p", "1"))), "204");
  EXPECT_EQ(Outcome(host_.Do(Transaction(
                {Delete("Tab", "p", "2"), Delete("Tab", "p", "3")}))),
            "202");
  EXPECT_EQ(Outcome(host_.Do(DropTable("Old"))), "204");

  host_.Restart();
  EXPECT_EQ(Rows(), Outcomes());
  EXPECT_EQ(Outcome(host_.Do(FindTable("Old"))), "404 ResourceNotFound");
}

TEST_F(QuotaTest, DeletesWhatWaitsWithOthersThatAreRefused) {
  EXPECT_EQ(DoTogether({InsertRow("4"), Delete("Tab", "p", "1"),
                        Merge("Tab", "p", "2", "{}"), DropTable("Old")}),
            Outcomes({kNoRoom, "204", kNoRoom, "204"}));

  host_.Restart();
  EXPECT_EQ(Rows(), Outcomes({"2", "3"}));
}

// What the others would have brought about is not so.
TEST_F(QuotaTest, JudgesDeletionsWithoutTheWritesThatAreRefused) {
  EXPECT_EQ(DoTogether({InsertRow("4"), Delete("Tab", "p", "4"),
                        Delete("Tab", "p", "1"), InsertRow("1"),
                        Delete("Tab", "p", "1")}),
            Outcomes({kNoRoom, "404 ResourceNotFound", "204", kNoRoom,
                      "404 ResourceNotFound"}));
  EXPECT_EQ(Rows(), Outcomes({"2", "3"}));

  // The second is refused because of the first, and then for want of room.
  EXPECT_EQ(DoTogether({InsertRow("5"), InsertRow("5")}),
            Outcomes({kNoRoom, kNoRoom}));
}

TEST_F(QuotaTest, RefusesDeletionsWhenThereIsNoReserveEither) {
  for (const OwnedOperation& deletion :
       {Delete("Tab", "p", "1"), DropTable("Old"),
        Transaction({Delete("Tab", "p", "1"), Delete("Tab", "p", "2")})}) {
    host_.faults().RefuseNextCommit(CommitOutcome::kQuota);
    EXPECT_EQ(Try(deletion), kNoRoom);
  }

  EXPECT_EQ(Outcome(host_.Do(Delete("Tab", "p", "1"))), "204");
}

TEST_F(QuotaTest, WritesAgainWhenThereIsRoom) {
  EXPECT_EQ(Try(InsertRow("4")), kNoRoom);

  host_.faults().Repair();

  EXPECT_EQ(Outcome(host_.Do(InsertRow("4"))), "201");
}

std::size_t StoredBytes(MemoryHost& host) {
  std::size_t bytes = 0;
  for (const auto& [key, value] : host.storage().values()) {
    bytes += value.size();
  }
  return bytes;
}

// Without waiting until there is as much to clear away as is usual.
TEST(QuotaBackgroundWorkTest, ClearsAwayAtOnceWhatWasDeleted) {
  MemoryHost host;
  const std::string text(30'000, 'x');  // No two of them are the same.
  for (const char* table : {"Tab", "Old"}) {
    ASSERT_EQ(Outcome(host.Do(NewTable(table))), "201");
    for (int i = 0; i < 100; ++i) {
      ASSERT_EQ(Outcome(host.Do(Insert(
                    table,
                    EntityBody("p", std::to_string(i),
                               "\"T\":\"" + std::to_string(i) + text + "\"")))),
                "201");
    }
  }
  const std::size_t all = StoredBytes(host);
  ASSERT_GT(all, 200 * text.size());
  host.faults().FillUp();
  ASSERT_EQ(Outcome(host.Do(NewTable("New"))), kNoRoom);

  for (int i = 0; i < 90; ++i) {
    ASSERT_EQ(Outcome(host.Do(Delete("Tab", "p", std::to_string(i)))), "204");
  }
  EXPECT_LT(StoredBytes(host), 115 * text.size());
  ASSERT_EQ(Outcome(host.Do(DropTable("Old"))), "204");
  EXPECT_LT(StoredBytes(host), 15 * text.size());

  // With enough room, background work is as rare as before.
  host.faults().Repair();
  ASSERT_EQ(Outcome(host.Do(NewTable("New"))), "201");
  const Bytes manifest = host.storage().values().at(ValueKey::Manifest());
  ASSERT_EQ(Outcome(host.Do(DropTable("New"))), "204");
  EXPECT_EQ(host.storage().values().at(ValueKey::Manifest()), manifest);
}

TEST(QuotaBackgroundWorkTest, IsTriedAgainWithEachWriteThatFindsNoRoom) {
  MemoryHost host;
  ASSERT_EQ(Outcome(host.Do(NewTable("Tab"))), "201");
  host.faults().RefuseNextCommit(CommitOutcome::kQuota);
  host.faults().RefuseNextCommit(CommitOutcome::kQuota);  // The flush.
  ASSERT_EQ(Outcome(host.Do(NewTable("New"))), kNoRoom);
  ASSERT_FALSE(host.storage().values().contains(ValueKey::Manifest()));

  host.faults().FillUp();
  ASSERT_EQ(Outcome(host.Do(NewTable("New"))), kNoRoom);

  EXPECT_TRUE(host.storage().values().contains(ValueKey::Manifest()));
}

TEST(QuotaBackgroundWorkTest, GoesOnWithoutRoom) {
  MemoryHost host(std::make_shared<MemoryStorage>(), Profile::kDefault,
                  {.flush_records = 10});
  ASSERT_EQ(Outcome(host.Do(NewTable("Tab"))), "201");
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(
        Outcome(host.Do(Insert("Tab", EntityBody("p", std::to_string(i))))),
        "201");
  }
  host.faults().FillUp();
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(Outcome(host.Do(Delete("Tab", "p", std::to_string(i)))), "204");
  }

  std::size_t records = 0;
  for (const auto& [key, value] : host.storage().values()) {
    records += key.kind == ValueKey::Kind::kRecord ? 1 : 0;
  }
  EXPECT_LE(records, 20U);
}

}  // namespace
}  // namespace entitable
