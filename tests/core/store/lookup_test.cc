// The look-up of single rows, beside a map of the newest ones.

#include "store/lookup.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "support/random.h"
#include "support/sample_account.h"

namespace entitable {
namespace {

SampleAccount NextAccount(SampleSource& random) {
  SampleRuns runs;
  for (std::size_t left = random.Below(5); left > 0; --left) {
    runs.Add(random.NextRows(), 256 + random.Below(1500),
             random.OneIn(6) ? random.NextKey() : "");
  }
  SampleAccount account(std::move(runs));
  if (random.OneIn(2)) account.Write(random.NextRows());
  return account;
}

// Pages come in any order, and leave the cache at once.
Presence Find(const SampleAccount& account, const std::string& key,
              PageWindow& window, PageCache& cache, EntityPlace& place,
              SampleSource& random) {
  while (true) {
    const Presence found = FindRow(account.state(), key, window, place);
    cache.Trim();
    if (found != Presence::kUnknown || testing::Test::HasFailure()) {
      return found;
    }
    account.runs().SupplySome(window, cache, random);
  }
}

TEST(LookupTest, FindsTheNewestStateOfEachRow) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  SampleSource random(TestSeed());
  std::size_t found = 0;
  const std::size_t samples = WantedRuns("ENTITABLE_RANDOM_LOOKUPS", 100);
  for (std::size_t i = 0; TriesAgain(i, samples, found > 100) && !HasFailure();
       ++i) {
    const SampleAccount account = NextAccount(random);
    const SampleRows rows = LiveRows(account.Rows());
    PageCache cache(0);
    for (int n = 0; n < 20 && !HasFailure(); ++n) {
      const std::string key = random.NextKey() + (random.OneIn(8) ? "x" : "");
      PageWindow window(cache);
      EntityPlace place;
      const Presence presence =
          Find(account, key, window, cache, place, random);
      ASSERT_EQ(presence == Presence::kThere, rows.contains(key));
      if (presence != Presence::kThere) continue;
      ++found;
      const Entity expected = NumberedEntity(*rows.at(key));
      EXPECT_EQ(place.Decode().properties, expected.properties);
      EXPECT_EQ(place.timestamp(), expected.timestamp);
    }
  }
  EXPECT_GT(found, 100U);
}

// One round of reads for each level, however many runs there are.
TEST(LookupTest, AsksForThePagesOfAllRunsTogether) {
  SampleRuns runs;
  for (int n = 0; n < 3; ++n) {
    runs.Add({{SampleSource::Key(0), n}, {SampleSource::Key(2), n}}, 256);
  }
  const SampleAccount account(std::move(runs));
  PageCache cache(0);
  PageWindow window(cache);
  EntityPlace place;
  const std::string key = SampleSource::Key(1);
  for (int round = 0; round < 2; ++round) {
    ASSERT_EQ(FindRow(account.state(), key, window, place), Presence::kUnknown);
    account.runs().Supply(window, cache);
  }
  EXPECT_EQ(FindRow(account.state(), key, window, place), Presence::kNotThere);
}

TEST(LookupTest, ReadsNoPageForARowInMemory) {
  SampleRuns runs;
  runs.Add({{SampleSource::Key(0), 1}, {SampleSource::Key(1), 1}}, 256);
  SampleAccount account(std::move(runs));
  account.Write({{SampleSource::Key(0), 2}, {SampleSource::Key(1), {}}});
  PageCache cache(0);
  PageWindow window(cache);
  EntityPlace place;
  EXPECT_EQ(FindRow(account.state(), SampleSource::Key(0), window, place),
            Presence::kThere);
  EXPECT_NE(place.in_memory, nullptr);
  EXPECT_EQ(FindRow(account.state(), SampleSource::Key(1), window, place),
            Presence::kNotThere);
}

}  // namespace
}  // namespace entitable
