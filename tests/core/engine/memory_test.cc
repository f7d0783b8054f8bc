// How much memory pages take through every kind of work: Engine::page_bytes().

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "support/memory_host.h"
#include "support/operations.h"
#include "support/random.h"
#include "support/stored_pages.h"

namespace entitable {
namespace {

constexpr std::size_t kCacheBytes = 200'000;

// What one read, one commit and one compaction step use, with pages of 4,000
// bytes and directory pages of 24 KiB.
constexpr std::size_t kInUse = 1'000'000;

constexpr std::size_t kBound = kCacheBytes + kInUse;

// What reads use that wait or are paused.
constexpr std::size_t kHeldByReads = std::size_t{4} << 20;

constexpr int kRows = 20'000;

constexpr StoreLimits kLimits = {.cache_bytes = kCacheBytes,
                                 .flush_bytes = 60'000,
                                 .flush_records = 100,
                                 .page_bytes = 4'000,
                                 .import_bytes = 200'000};
constexpr WorkLimits kWork = {.slice_units = 400};

std::mt19937_64& Random() {
  static std::mt19937_64 random(TestSeed());
  return random;
}

int AnyRow() { return static_cast<int>(Random()() % kRows); }

std::string KeyOf(int row) {
  const std::string digits = std::to_string(row);
  return "r" + std::string(5 - digits.size(), '0') + digits;
}

std::string LineOf(int row) {
  return EntityBody("p", KeyOf(row),
                    "\"Text\":\"" + RandomLetters(Random(), 300) +
                        "\",\"N\":" + std::to_string(AnyRow())) +
         "\n";
}

// A store with all rows, which takes longer to fill than most tests take.
const MemoryStorage& FilledStorage() {
  static const MemoryStorage storage = [] {
    MemoryHost host(std::make_shared<MemoryStorage>(), Profile::kDefault,
                    kLimits, kWork);
    EXPECT_EQ(Outcome(host.Do(NewTable("Tab"))), "201");
    std::string lines;
    for (int row = 0; row < kRows; ++row) lines += LineOf(row);
    EXPECT_EQ(Outcome(host.Do(Import("Tab", lines))), "202");
    // Else there is nothing to be held.
    EXPECT_GT(ReadStoredPages(host.storage()).bytes, 4 * kBound);
    return host.storage();
  }();
  return storage;
}

class MemoryTest : public testing::Test {
 protected:
  // All of them wait together.  Returns the outcomes, without repetitions.  The
  // memory is checked after each step.
  std::string Work(const std::vector<OwnedOperation>& operations) {
    std::vector<RequestId> requests;
    for (const OwnedOperation& operation : operations) {
      requests.push_back(host_.Submit(operation));
    }
    Run();
    std::string outcomes;
    std::string last;
    for (const RequestId request : requests) {
      const std::string outcome = Outcome(host_.Await(request));
      if (outcome == last) continue;
      outcomes += outcomes.empty() ? outcome : " " + outcome;
      last = outcome;
    }
    return outcomes;
  }

  void Run() {
    for (;;) {
      const Step wish = host_.NextWish();
      most_ = std::max(most_, host_.engine().page_bytes());
      if (const auto* read = std::get_if<Read>(&wish)) {
        host_.Fulfil(*read);
      } else if (const auto* commit = std::get_if<Commit>(&wish)) {
        host_.Fulfil(*commit);
      } else {
        return;
      }
    }
  }

  OwnedOperation AMerge() { return Merge("Tab", "p", KeyOf(AnyRow()), "{}"); }

  MemoryHost host_{std::make_shared<MemoryStorage>(FilledStorage()),
                   Profile::kDefault, kLimits, kWork};
  std::size_t most_ = 0;
};

TEST_F(MemoryTest, WritesOneByOneLeaveNoPagesBehind) {
  for (int i = 0; i < 3'000; ++i) {
    const std::string key = KeyOf(AnyRow());
    ASSERT_EQ(Work({Get("Tab", "p", key)}), "200");
    ASSERT_EQ(Work({Merge("Tab", "p", key, "{}")}), "204");
  }
  EXPECT_LE(most_, kBound);
}

TEST_F(MemoryTest, WritesThatWaitTogetherHoldFewPages) {
  std::vector<OwnedOperation> merges;
  for (int i = 0; i < 2'000; ++i) merges.push_back(AMerge());
  EXPECT_EQ(Work(merges), "204");

  std::vector<OwnedOperation> deletions;
  for (int row = 0; row < kRows; row += 7) {
    deletions.push_back(Delete("Tab", "p", KeyOf(row)));
  }
  EXPECT_EQ(Work(deletions), "204");
  EXPECT_LE(most_, kBound + (std::size_t{2} << 20));
}

TEST_F(MemoryTest, ImportsHoldFewPages) {
  for (const ImportMode mode : {ImportMode::kMerge, ImportMode::kReplace}) {
    std::string lines;
    for (int row = 0; row < kRows; row += 5) {
      lines += LineOf(row);
    }
    const ImportPart part{.mode = mode, .begins = true, .ends = true};
    EXPECT_EQ(Work({Import("Tab", lines, part)}), "202");
  }
  EXPECT_LE(most_, kBound + (std::size_t{2} << 20));
}

TEST_F(MemoryTest, ReadsLeaveNoPagesBehind) {
  for (int i = 0; i < 20; ++i) {
    const std::string filter = "N eq " + std::to_string(AnyRow());
    EXPECT_EQ(Work({Query("Tab", {.filter = filter})}), "200");
    EXPECT_EQ(Work({Count("Tab", filter)}), "200");
  }
  EXPECT_LE(most_, kBound);
}

TEST_F(MemoryTest, ReadsThatTakeTurnsHoldFewPages) {
  std::vector<OwnedOperation> reads;
  const int count = IsWholeMatrix() ? 200 : 60;
  for (int i = 0; i < count; ++i) {
    // A twentieth of the rows, which takes several slices.
    reads.push_back(
        Count("Tab", "RowKey ge '" + KeyOf(i * 80) + "' and RowKey lt '" +
                         KeyOf(i * 80 + kRows / 20) + "' and N ge 0"));
  }
  EXPECT_EQ(Work(reads), "200");
  EXPECT_LE(most_, kBound + kHeldByReads);
}

TEST_F(MemoryTest, ReadsThatAreToBeAnsweredAtOnceHoldFewPages) {
  std::vector<RequestId> reads;
  for (int i = 0; i < 300; ++i) {
    const std::string first = KeyOf(i * 60);
    reads.push_back(host_.Submit(
        Query("Tab", {.filter = "RowKey ge '" + first + "'", .top = "50"})));
    host_.engine().TakeAnswer();
  }
  Run();
  for (const RequestId read : reads) {
    EXPECT_EQ(Outcome(host_.Await(read)), "200");
  }
  EXPECT_LE(most_, kBound + kHeldByReads);
}

// A page of one entity may be many times as long as others, and leaves nothing
// to write if the entity was deleted.
TEST(CompactionMemoryTest, OfDeletedLongEntitiesHoldsFewPages) {
  constexpr std::size_t kEntities = 100;
  const auto storage = std::make_shared<MemoryStorage>();
  {
    MemoryHost host(storage);
    ASSERT_EQ(Outcome(host.Do(NewTable("Tab"))), "201");
    for (std::size_t i = 0; i < kEntities; ++i) {
      std::string members;
      for (int j = 0; j < 16; ++j) {
        members += (j > 0 ? ",\"T" : "\"T") + std::to_string(j) + "\":\"" +
                   std::string(30'000, static_cast<char>('a' + j)) + '"';
      }
      ASSERT_EQ(Outcome(host.Do(Insert(
                    "Tab", EntityBody("p", std::to_string(i), members)))),
                "201");
    }
  }
  MemoryHost host(storage, Profile::kDefault,
                  {.cache_bytes = 0, .flush_records = 1, .long_idle_ms = 0});
  std::vector<RequestId> deletions;
  for (std::size_t i = 0; i < kEntities; ++i) {
    deletions.push_back(host.Submit(Delete("Tab", "p", std::to_string(i))));
  }

  std::size_t most = 0;
  for (Step wish = host.NextWish(); !std::holds_alternative<Idle>(wish);
       wish = host.NextWish()) {
    if (const auto* read = std::get_if<Read>(&wish)) host.Fulfil(*read);
    if (const auto* commit = std::get_if<Commit>(&wish)) host.Fulfil(*commit);
    most = std::max(most, host.engine().page_bytes());
  }

  for (const RequestId deletion : deletions) {
    ASSERT_EQ(Outcome(host.Await(deletion)), "204");
  }
  // The compaction has removed the pages, but perhaps for the last entities.
  EXPECT_LE(ReadStoredPages(host.storage()).rows, kEntities / 10);
  EXPECT_LE(most, std::size_t{8} << 20);
}

}  // namespace
}  // namespace entitable
