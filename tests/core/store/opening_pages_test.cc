// Copies of pages that opening reads: how many reads they save, and that
// nothing depends on them.  cold-reads.test.ts counts the reads of an account.

#include "store/opening_pages.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <variant>

#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {
namespace {

constexpr StoreLimits kAtOnce{.flush_records = 1};

class OpeningPagesTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(Outcome(host_.Do(NewTable("Tab"))), "201");
    for (int i = 0; i < 3000; ++i) {
      host_.Submit(Insert("Tab", EntityBody("p", std::to_string(10'000 + i),
                                            R"("A":"some text")")));
    }
    host_.Run();
    ASSERT_TRUE(values().contains(kOpeningPagesKey));
  }

  std::map<ValueKey, Bytes>& values() { return host_.storage().values(); }

  // How many reads a new engine asks for until it has an entity.
  int ReadsOfOneRow() {
    host_.Restart();
    const RequestId id = host_.Submit(Get("Tab", "p", "11000"));
    int reads = 0;
    for (Step step = host_.NextWish();
         const Read* read = std::get_if<Read>(&step); step = host_.NextWish()) {
      ++reads;
      host_.Fulfil(*read);
    }
    EXPECT_EQ(Outcome(host_.Await(id)), "200");
    return reads;
  }

  // Flushes each commit.
  MemoryHost host_{std::make_shared<MemoryStorage>(), Profile::kDefault,
                   kAtOnce};
};

TEST_F(OpeningPagesTest, LeadToARowWithoutFurtherReads) {
  EXPECT_EQ(ReadsOfOneRow(), 2);
}

TEST_F(OpeningPagesTest, MayBeMissingOrBeAnyBytes) {
  const Bytes value = values().at(kOpeningPagesKey);
  values().erase(kOpeningPagesKey);
  EXPECT_GT(ReadsOfOneRow(), 2);

  for (const Bytes& other : {Bytes(), Bytes("ETOP"), value.substr(0, 50),
                             values().at(ValueKey::Manifest())}) {
    values()[kOpeningPagesKey] = other;
    EXPECT_GT(ReadsOfOneRow(), 2);
  }
}

TEST_F(OpeningPagesTest, OfAnotherStoreAreNotUsed) {
  MemoryHost other(std::make_shared<MemoryStorage>(), Profile::kDefault,
                   kAtOnce);
  ASSERT_EQ(Outcome(other.Do(NewTable("Else"))), "201");
  for (int i = 0; i < 3000; ++i) {
    other.Submit(Insert("Else", EntityBody("p", std::to_string(i))));
  }
  other.Run();
  values()[kOpeningPagesKey] = other.storage().values().at(kOpeningPagesKey);

  EXPECT_GT(ReadsOfOneRow(), 2);
}

// Pages that a later flush has written are not among the copies.
TEST_F(OpeningPagesTest, MayBeOld) {
  const Bytes old = values().at(kOpeningPagesKey);
  for (int i = 0; i < 3000; ++i) {
    host_.Submit(Replace("Tab", "p", std::to_string(10'000 + i),
                         R"({"A":"another text"})"));
  }
  host_.Run();
  ASSERT_NE(values().at(kOpeningPagesKey), old);
  values()[kOpeningPagesKey] = old;

  host_.Restart();
  EXPECT_TRUE(Body(host_.Do(Get("Tab", "p", "11000"))).contains("another"));
}

}  // namespace
}  // namespace entitable
