// How long records of the log become: docs/guides/storage-adapter.md.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {
namespace {

constexpr std::size_t kMaxRecord = std::size_t{1} << 20;

class RecordLengthTest : public testing::Test {
 protected:
  RecordLengthTest() { Expect("201", {NewTable("Tab")}); }

  static std::string KeyOf(int row) { return std::to_string(1'000'000 + row); }

  // So many bytes of a record; a few more in JSON.
  static std::string Large(std::size_t bytes) {
    std::string members;
    constexpr std::size_t kMost = 30'000;
    for (int i = 0; bytes > 0; ++i) {
      const std::size_t length = std::min(bytes, kMost);
      if (!members.empty()) members += ',';
      members += "\"P" + std::to_string(i) + "\":\"" +
                 std::string(length, static_cast<char>('a' + i % 26)) + '"';
      bytes -= length;
    }
    return members;
  }

  // All of them wait together.
  void Expect(const std::string& outcome,
              const std::vector<OwnedOperation>& operations) {
    std::vector<RequestId> requests;
    for (const OwnedOperation& operation : operations) {
      requests.push_back(host_.Submit(operation));
    }
    Run();
    for (const RequestId request : requests) {
      ASSERT_EQ(Outcome(host_.Await(request)), outcome);
    }
  }

  void Run() {
    for (;;) {
      const Step wish = host_.NextWish();
      if (const auto* read = std::get_if<Read>(&wish)) {
        host_.Fulfil(*read);
      } else if (const auto* commit = std::get_if<Commit>(&wish)) {
        for (const Put& put : commit->batch.puts) {
          if (put.key.kind != ValueKey::Kind::kRecord) continue;
          ++records_;
          longest_ = std::max(longest_, put.value->size());
        }
        host_.Fulfil(*commit);
      } else {
        return;
      }
    }
  }

  // All goes into pages, of which none is in memory.
  void MakeCold() {
    host_.set_clock(host_.clock() + 1'000);
    Run();
    host_.Restart();
    records_ = longest_ = 0;
  }

  MemoryHost host_{std::make_shared<MemoryStorage>(),
                   Profile::kDefault,
                   {.flush_records = 1, .idle_ms = 0}};
  std::size_t records_ = 0;
  std::size_t longest_ = 0;
};

TEST_F(RecordLengthTest, HoldsWhenManyLongWritesWaitForPages) {
  MakeCold();
  std::vector<OwnedOperation> inserts;
  for (int row = 0; row < 40; ++row) {
    inserts.push_back(Insert("Tab", EntityBody("p", KeyOf(row), Large(450'000)),
                             {.echo = false}));
  }
  Expect("204", inserts);

  EXPECT_LE(longest_, kMaxRecord);
  EXPECT_EQ(records_, 20U);
}

TEST_F(RecordLengthTest, HoldsWhenShortWritesMakeLongEntities) {
  std::vector<OwnedOperation> merges;
  for (int row = 0; row < 50; ++row) {
    Expect("204",
           {Replace("Tab", "p", KeyOf(row), "{" + Large(400'000) + "}")});
    merges.push_back(Merge("Tab", "p", KeyOf(row), "{\"Q\":1}"));
  }
  for (const bool is_cold : {true, false}) {
    if (is_cold) MakeCold();
    records_ = longest_ = 0;
    Expect("204", merges);

    EXPECT_LE(longest_, kMaxRecord);
    EXPECT_EQ(records_, 25U);
  }
  EXPECT_EQ(NumbersOf("Q", Body(host_.Do(Get("Tab", "p", KeyOf(49))))),
            std::vector<long long>{1});
}

TEST_F(RecordLengthTest, HoldsForDeletionsOfLongKeys) {
  std::vector<OwnedOperation> replaces;
  std::vector<OwnedOperation> deletions;
  for (int row = 0; row < 3'000; ++row) {
    const std::string key = KeyOf(row) + std::string(900, 'k');
    replaces.push_back(Replace("Tab", "p", key, "{}"));
    deletions.push_back(Delete("Tab", "p", key));
  }
  Expect("204", replaces);
  MakeCold();

  Expect("204", deletions);

  EXPECT_LE(longest_, kMaxRecord);
  EXPECT_LE(records_, 6U);
}

TEST_F(RecordLengthTest, EndsBeforeATransactionThatIsLongerByItself) {
  std::vector<OwnedOperation> parts;
  for (int row = 0; row < 30; ++row) {
    Expect("204",
           {Replace("Tab", "p", KeyOf(row), "{" + Large(100'000) + "}")});
    parts.push_back(Merge("Tab", "p", KeyOf(row), "{\"Q\":1}"));
  }
  MakeCold();
  const std::vector<OwnedOperation> waiting = {
      Insert("Tab", EntityBody("p", "a")), Transaction(parts),
      Insert("Tab", EntityBody("p", "b"))};
  std::vector<RequestId> requests;
  for (const auto& operation : waiting) {
    requests.push_back(host_.Submit(operation));
  }
  Run();

  EXPECT_EQ(Outcome(host_.Await(requests[0])), "201");
  EXPECT_EQ(Outcome(host_.Await(requests[1])), "202");
  EXPECT_EQ(Outcome(host_.Await(requests[2])), "201");
  EXPECT_EQ(records_, 3U);
  // 30 entities of 100,000 bytes, with keys and names.
  EXPECT_GT(longest_, 3'000'000U);
  EXPECT_LT(longest_, 3'020'000U);
}

TEST_F(RecordLengthTest, IsSharedByAsManyWritesAsFit) {
  MakeCold();
  std::vector<OwnedOperation> inserts;
  for (int row = 0; row < 2'000; ++row) {
    inserts.push_back(Insert("Tab", EntityBody("p", KeyOf(row), Large(300)),
                             {.echo = false}));
  }
  Expect("204", inserts);

  EXPECT_EQ(records_, 1U);
}

// The evaluation of a group takes no slices.  Source:
// docs/internals/store-protocol.md, "Commit".
TEST_F(RecordLengthTest, EndsAfterThreeThousandChanges) {
  std::vector<OwnedOperation> transactions;
  for (int i = 0; i < 40; ++i) {
    std::vector<OwnedOperation> inserts;
    for (int row = 0; row < 100; ++row) {
      inserts.push_back(Insert(
          "Tab", EntityBody("p" + std::to_string(i), KeyOf(row), "\"N\":1"),
          {.echo = false}));
    }
    transactions.push_back(Transaction(inserts));
  }
  MakeCold();
  Expect("202", transactions);

  EXPECT_EQ(records_, 2U);
}

TEST_F(RecordLengthTest, LeavesTheOrderOfWritesAsItWas) {
  Expect("204", {Replace("Tab", "p", "k", "{" + Large(400'000) + "}")});
  MakeCold();
  std::vector<RequestId> merges;
  for (int i = 0; i < 7; ++i) {
    merges.push_back(host_.Submit(
        Merge("Tab", "p", "k", "{\"N\":" + std::to_string(i) + "}")));
  }
  const RequestId gone = host_.Submit(Delete("Tab", "p", "k"));
  const RequestId late =
      host_.Submit(Merge("Tab", "p", "k", "{}", {.if_match = "*"}));
  Run();

  for (const RequestId merge : merges) {
    EXPECT_EQ(Outcome(host_.Await(merge)), "204");
  }
  EXPECT_EQ(Outcome(host_.Await(gone)), "204");
  EXPECT_EQ(Outcome(host_.Await(late)), "404 ResourceNotFound");
  EXPECT_LE(longest_, kMaxRecord);
}

// Refused merges take no room in a record, but need the stored rows.  A group
// looks up 4 MiB of them.
TEST_F(RecordLengthTest, HoldsNoWriteWhoseRowWasNotLookedUp) {
  std::vector<OwnedOperation> merges;
  const std::string more = R"({"Q":")" + std::string(30'000, 'q') +
                           R"(","R":")" + std::string(30'000, 'r') + "\"}";
  for (int row = 0; row < 12; ++row) {
    Expect("204",
           {Replace("Tab", "p", KeyOf(row), "{" + Large(480'000) + "}")});
    merges.push_back(Merge("Tab", "p", KeyOf(row), more));
  }
  MakeCold();

  Expect("400 EntityTooLarge", merges);

  EXPECT_EQ(records_, 0U);
}

// The log hides what is in pages, so a record puts those rows again.
class ImportRecordLengthTest : public RecordLengthTest {
 protected:
  ImportRecordLengthTest() {
    for (int row = 0; row < kRows; ++row) {
      Expect("204",
             {Replace("Tab", "p", KeyOf(row), "{" + Large(50'000) + "}")});
    }
    host_.engine().StopBackgroundWork();
    for (int row = 0; row < kRows; ++row) {
      Expect("204", {Merge("Tab", "p", KeyOf(row), "{\"M\":1}")});
    }
    records_ = longest_ = 0;
  }

  std::string Lines(const std::string& members) const {
    std::string lines;
    for (int row = 0; row < kRows; ++row) {
      lines += EntityBody("p", KeyOf(row), members) + "\n";
    }
    return lines;
  }

  // How many entities have this number.
  std::size_t CountOf(const std::string& name) {
    const auto answer = host_.Do(Count("Tab", name + " eq 1"));
    return static_cast<std::size_t>(NumbersOf("count", Body(answer)).at(0));
  }

  static constexpr int kRows = 60;
};

TEST_F(ImportRecordLengthTest, HoldsForEachStep) {
  for (const ImportMode mode : {ImportMode::kMerge, ImportMode::kReplace}) {
    const std::string name = mode == ImportMode::kMerge ? "\"Q\"" : "\"R\"";
    const OwnedOperation import =
        Import("Tab", Lines(name + ":1," + Large(50'000)),
               {.mode = mode, .begins = true, .ends = true});
    Expect("202", {import});
  }

  EXPECT_LE(longest_, kMaxRecord);
  EXPECT_LE(records_, 10U);
  EXPECT_EQ(CountOf("R"), static_cast<std::size_t>(kRows));
  EXPECT_EQ(CountOf("Q"), 0U);
}

TEST_F(ImportRecordLengthTest, ReportsWhatIsStoredWhenALaterPartFails) {
  std::string lines = Lines("\"Q\":1," + Large(50'000));
  // By now it is longer than an entity may be.
  lines += EntityBody("p", KeyOf(7), Large(30'000)) + "\n";
  std::string long_members;
  for (int i = 0; i < 252; ++i) {
    if (i > 0) long_members += ',';
    long_members += "\"Z" + std::to_string(i) + "\":1";
  }
  lines += EntityBody("p", KeyOf(8), long_members) + "\n";

  const ImportPart part{
      .mode = ImportMode::kMerge, .begins = true, .ends = true};
  const RequestId request = host_.Submit(Import("Tab", lines, part));
  Run();

  EXPECT_EQ(Outcome(host_.Await(request)),
            "400 TooManyProperties at " + std::to_string(kRows + 1));
  EXPECT_LE(longest_, kMaxRecord);
  EXPECT_EQ(CountOf("Q"), static_cast<std::size_t>(kRows));
}

}  // namespace
}  // namespace entitable
