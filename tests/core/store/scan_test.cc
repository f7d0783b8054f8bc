// Scans, against a map of the newest rows.

#include "store/scan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/number_filter.h"
#include "support/random.h"
#include "support/sample_account.h"

namespace entitable {
namespace {

using Step = Scan::Step;
using Keys = std::vector<std::string>;

Keys MatchesOf(const SampleAccount& account,
               const std::vector<SortRange>& ranges,
               const NumberFilter& filter) {
  Keys keys;
  for (const auto& [key, number] : account.Rows()) {
    const bool is_inside =
        std::ranges::any_of(ranges, [&key](const SortRange& range) {
          return range.begin <= key && key < range.end;
        });
    if (is_inside && number && filter.Matches(*number)) keys.push_back(key);
  }
  return keys;
}

// ---------------------------------------------------------------- random scans

std::vector<SortRange> NextRanges(SampleSource& random) {
  std::vector<SortRange> ranges;
  constexpr std::size_t kHalf = SampleSource::kKeys / 2;
  for (const TableId table : {1U, 2U}) {
    std::vector<std::string> places;
    for (std::size_t left = 2 * random.Below(3); left > 0; --left) {
      places.push_back(
          SampleSource::Key((table - 1) * kHalf + random.Below(kHalf)));
    }
    std::ranges::sort(places);
    for (std::size_t i = 0; i + 1 < places.size(); i += 2) {
      ranges.push_back({places[i], places[i + 1]});
    }
    if (places.empty() && random.OneIn(2)) ranges.push_back(WholeTable(table));
  }
  return ranges;
}

// Rows as an index names them.
std::vector<SortRange> NextSingleRows(SampleSource& random) {
  std::vector<SortRange> ranges;
  const std::size_t share = 1 + random.Below(20);
  for (std::size_t i = 0; i < SampleSource::kKeys; ++i) {
    const std::string key = SampleSource::Key(i);
    if (random.OneIn(share)) ranges.push_back({key, key + '\0'});
  }
  return ranges;
}

SampleAccount NextAccount(SampleSource& random) {
  SampleRuns runs;
  for (std::size_t left = random.Below(5); left > 0; --left) {
    runs.Add(random.NextRows(), 256 + random.Below(1500),
             random.OneIn(6) ? random.NextKey() : "");
  }
  SampleAccount account(std::move(runs));
  for (std::size_t left = random.Below(3); left > 0; --left) {
    account.Write(random.NextRows());
  }
  return account;
}

NumberFilter NextFilter(SampleSource& random) {
  const auto least = static_cast<std::int32_t>(random.Below(10));
  return {least, least + static_cast<std::int32_t>(random.Below(10))};
}

// A reader of one scan, which compares each match.  Its pages come in any
// order, and leave the cache at once.
class Reader : private PageTaker {
 public:
  Reader(SampleAccount& account, SampleSource& random)
      : account_(account),
        random_(random),
        are_single_(random.OneIn(3)),
        ranges_(are_single_ ? NextSingleRows(random) : NextRanges(random)),
        filter_(NextFilter(random)),
        left_(MatchesOf(account, ranges_, filter_)),
        scan_(ranges_, filter_, tally_),
        units_(random.OneIn(2) ? 1 : 1 + random.Below(300)) {
    if (are_single_) scan_.FetchTogether(1 + random.Below(100));
  }

  // Returns how many matches were found.
  std::size_t ReadAll(bool changes) {
    while (CanGoOn()) {
      if (changes && random_.OneIn(8)) Change();
      const Step step = random_.OneIn(2) ? Next() : NextRows();
      if (step == Step::kEnd) break;
    }
    EXPECT_EQ(left_, Keys());
    return found_;
  }

  // Goes to a match by its number and then on.
  std::size_t CountAndReadAll() {
    const Keys all = left_;
    const std::size_t number = 1 + random_.Below(all.size() + 2);
    const auto go_to = [&] {
      WorkBudget work = NextBudget();
      return scan_.GoTo(number, account_.state(), window_, work);
    };
    Step step = Provide(go_to(), false);
    while (CanGoOn() && (step == Step::kWaiting || step == Step::kPaused)) {
      step = Provide(go_to(), false);
    }
    EXPECT_EQ(step == Step::kRow, number <= all.size());
    EXPECT_EQ(scan_.count(), std::min(number, all.size()));
    left_.erase(left_.begin(),
                left_.begin() + static_cast<std::ptrdiff_t>(
                                    std::min(number - 1, all.size())));
    if (step == Step::kRow) Found(std::string(scan_.key()));
    return ReadAll(false);
  }

 private:
  bool CanGoOn() {
    EXPECT_LT(calls_, 20'000U) << "no progress";
    return ++calls_ < 20'001 && !testing::Test::HasFailure();
  }

  WorkBudget NextBudget() const {
    WorkBudget work;
    work.Refill(units_);
    return work;
  }

  // A scan that counts has no place.
  Step Provide(Step step, bool has_place = true) {
    if (step == Step::kWaiting) {
      // Otherwise nothing would wake it.
      EXPECT_TRUE(window_.is_waiting());
      account_.runs().SupplySome(window_, cache_, random_);
    } else {
      cache_.Trim();
    }
    if (step == Step::kPaused && has_place) ExpectPlace();
    return step;
  }

  // A scan that begins there finds all other matches.
  void ExpectPlace() {
    const std::string place = scan_.Position();
    if (place.empty() || left_.empty()) return;
    EXPECT_LE(place, left_.front());
    EXPECT_GT(place, last_);
  }

  Step Next() {
    WorkBudget work = NextBudget();
    const Step step = scan_.Next(account_.state(), window_, work);
    if (step == Step::kRow) {
      const EntityPlace& place = scan_.place();
      EXPECT_EQ(place.Decode().properties,
                NumberedEntity(*account_.Rows().at(std::string(scan_.key())))
                    .properties);
      Found(std::string(scan_.key()));
    }
    return Provide(step);
  }

  Step NextRows() {
    WorkBudget work = NextBudget();
    const std::size_t most = 1 + random_.Below(40);
    const Step step = scan_.NextRows(
        account_.state(), window_, work, most,
        random_.OneIn(2) ? static_cast<PageTaker*>(this) : nullptr);
    if (step == Step::kRow && scan_.place().in_memory != nullptr) {
      Found(std::string(scan_.key()));
    } else if (step == Step::kRow) {
      const MatchedRows& rows = scan_.rows();
      std::size_t count = 0;
      for (std::size_t row = rows.Next(rows.begin); row < rows.end;
           row = rows.Next(row + 1)) {
        Found(scan_.KeyOf(row));
        ++count;
      }
      EXPECT_GE(count, 1U);
      EXPECT_LE(count, most);
    }
    return Provide(step);
  }

  // All entities of the page match, and no other run has rows beside them.
  bool Accept(const PageEntry& page) override {
    if (random_.OneIn(2)) return false;
    const std::size_t count = page.totals.rows - page.totals.deleted;
    if (count > 0 && !left_.empty()) {
      EXPECT_GE(left_.front(), page.first_key);
    }
    for (std::size_t i = 0; i < count && !left_.empty(); ++i) {
      Found(Keys(left_).front());
    }
    return true;
  }

  void Found(const std::string& key) {
    ASSERT_FALSE(left_.empty());
    EXPECT_EQ(key, left_.front());
    EXPECT_TRUE(scan_.Covers(key));
    last_ = left_.front();
    left_.erase(left_.begin());
    ++found_;
  }

  // What the reader should find from its place on may be new then.
  void Change() {
    const std::string place = scan_.Position();
    switch (random_.Below(3)) {
      case 0:
        account_.Write(random_.NextRows());
        break;
      case 1:
        account_.Flush(256 + random_.Below(1500));
        break;
      default:
        window_.ReleaseAll();
        scan_.Interrupt();
    }
    left_ = place.empty() ? Keys() : MatchesOf(account_, ranges_, filter_);
    left_.erase(left_.begin(), std::ranges::lower_bound(left_, place));
  }

  SampleAccount& account_;
  SampleSource& random_;
  bool are_single_;
  std::vector<SortRange> ranges_;
  NumberFilter filter_;
  Keys left_;  // The matches that are not found yet.
  std::string last_;
  PageCache cache_{0};
  PageWindow window_{cache_};
  ScanTally tally_;
  Scan scan_;
  std::uint64_t units_;
  std::size_t found_ = 0;
  std::size_t calls_ = 0;
};

// Repeats it with other accounts, until it has found enough.
template <typename ReadAll>
void Repeat(std::size_t wanted, ReadAll read_all) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  SampleSource random(TestSeed());
  std::size_t found = 0;
  const std::size_t samples = WantedRuns("ENTITABLE_RANDOM_SCANS", wanted);
  for (std::size_t i = 0;
       TriesAgain(i, samples, found > 500) && !testing::Test::HasFailure();
       ++i) {
    SampleAccount account = NextAccount(random);
    found += read_all(Reader(account, random));
  }
  EXPECT_GT(found, 500U);
}

TEST(ScanTest, FindsTheNewestRowsThatMatch) {
  Repeat(300, [](Reader reader) { return reader.ReadAll(false); });
}

TEST(ScanTest, GoesOnFromItsPlaceAfterWritesAndFlushes) {
  Repeat(300, [](Reader reader) { return reader.ReadAll(true); });
}

TEST(ScanTest, CountsUpToAMatch) {
  Repeat(300, [](Reader reader) { return reader.CountAndReadAll(); });
}

// ---------------------------------------------------------------- a few cases

// All keys of the pool in pages.  One of `share` rows has the number, the
// others are tombstones.
SampleAccount AccountOf(std::int32_t number, std::size_t share = 1) {
  SampleRows rows;
  for (std::size_t i = 0; i < SampleSource::kKeys; ++i) {
    std::optional<std::int32_t>& row = rows[SampleSource::Key(i)];
    if (i % share == 0) row = number;
  }
  SampleRuns runs;
  runs.Add(std::move(rows), 400);
  return SampleAccount(std::move(runs));
}

// A scan of table 1 for the number 1.
struct Ones {
  NumberFilter filter{1, 1};
  PageCache cache{0};
  PageWindow window{cache};
  ScanTally tally;
  Scan scan{{WholeTable(1)}, filter, tally};

  // To the match with this number.
  Step GoTo(std::uint64_t number, const SampleAccount& account) {
    WorkBudget work;
    work.Refill(1'000'000);
    while (true) {
      const Step step = scan.GoTo(number, account.state(), window, work);
      if (step != Step::kWaiting) return step;
      account.runs().Supply(window, cache);
    }
  }
};

TEST(ScanTest, ReadsNoPageThatItsZoneMapRulesOut) {
  const SampleAccount account = AccountOf(2);
  Ones ones;
  EXPECT_EQ(ones.GoTo(1, account), Step::kEnd);
  EXPECT_EQ(ones.tally.pages_read, 0U);
  EXPECT_GT(ones.tally.pages_skipped, 1U);
}

TEST(ScanTest, CountsPagesThatMatchAsAWholeWithoutReadingThem) {
  const SampleAccount account = AccountOf(1);
  Ones ones;
  EXPECT_EQ(ones.GoTo(100, account), Step::kRow);
  EXPECT_EQ(ones.scan.key(), SampleSource::Key(99));
  EXPECT_EQ(ones.tally.pages_read, 1U);
}

// Neither those in pages that match as a whole, nor what hides rows of them.
TEST(ScanTest, CountsNoTombstones) {
  SampleAccount account = AccountOf(1, 2);
  account.Write({{SampleSource::Key(0), {}}});
  Ones ones;
  EXPECT_EQ(ones.GoTo(50, account), Step::kRow);
  EXPECT_EQ(ones.scan.key(), SampleSource::Key(100));
}

// The newer pages have no match themselves.
TEST(ScanTest, ReadsPagesThatHideRowsOfOlderOnes) {
  SampleAccount account = AccountOf(1);
  account.Write({{SampleSource::Key(0), 2}, {SampleSource::Key(1), {}}});
  account.Flush(400);
  Ones ones;
  EXPECT_EQ(ones.GoTo(1, account), Step::kRow);
  EXPECT_EQ(ones.scan.key(), SampleSource::Key(2));
}

}  // namespace
}  // namespace entitable
