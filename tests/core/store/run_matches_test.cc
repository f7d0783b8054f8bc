// The rows and matches of one run by key intervals, against a map of its rows.

#include "store/run_matches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "store/sort_key.h"
#include "support/number_filter.h"
#include "support/random.h"
#include "support/sample_runs.h"

namespace entitable {
namespace {

using Loading = RunMatches::Loading;
using Keys = std::vector<std::string>;

// One run, read from `begin` by intervals.
class Reader {
 public:
  Reader(SampleRuns runs, const NumberFilter& filter, SortRange range)
      : runs_(std::move(runs)), filter_(filter), range_(std::move(range)) {}

  // The page in which the next interval begins.
  void Resolve() {
    while (!run_.Resolve(window_)) runs_.Supply(window_, cache_);
  }

  // Loads the interval up to `end`, a unit of work at a time.  Returns false if
  // the run has no page for it.
  bool Open(const std::string& end) {
    end_ = end;
    WorkBudget work;
    if (!run_.Enter(interval(), filter_, work)) return false;
    while (true) {
      work.Refill(1);
      const Loading loading =
          run_.Load(interval(), 1 + ahead_++ % 4, &filter_, window_, work);
      if (loading == Loading::kLoaded) return true;
      if (loading == Loading::kPageMissing) runs_.Supply(window_, cache_);
    }
  }

  void Close() {
    run_.Close(end_, window_);
    range_.begin = end_;
  }

  // The same for an interval that is not loaded.
  void Skip(const std::string& end) {
    end_ = end;
    Close();
  }

  // The rows of the interval, or those of them that match.
  Keys Rows(bool are_matches = false) const {
    Keys keys;
    for (const auto& [key, number] : runs_.rows().front()) {
      if (key < range_.begin || key >= end_) continue;
      const bool is_match = number && filter_.Matches(*number);
      if (is_match || !are_matches) keys.push_back(key);
    }
    return keys;
  }
  Keys Matches() const { return Rows(true); }

  RunMatches& run() { return run_; }
  KeyInterval interval() const { return {range_, end_}; }
  const SortRange& range() const { return range_; }
  const ScanTally& tally() const { return tally_; }

 private:
  SampleRuns runs_;
  NumberFilter filter_;
  SortRange range_;
  std::string end_;
  PageCache cache_{0};
  PageWindow window_{cache_};
  ScanTally tally_;
  RunMatches run_{runs_.runs().front(), range_.begin, tally_};
  std::size_t ahead_ = 0;
};

// Where the next interval ends at the latest.
std::string LatestEnd(Reader& reader) {
  const std::string page_end(reader.run().page_end());
  const std::string& end = reader.range().end;
  return page_end.empty() ? end : std::min(page_end, end);
}

// ---------------------------------------------------------- random intervals

// The rows behind the current one, and the match among them.
void ExpectRows(Reader& reader) {
  RunMatches& run = reader.run();
  Keys rows;
  for (; !run.at_end(); run.NextRow()) rows.push_back(run.key());
  EXPECT_EQ(rows, reader.Rows());
}

void ExpectMatches(Reader& reader) {
  RunMatches& run = reader.run();
  Keys matches;
  for (run.FindMatch(); run.has_match(); run.NextMatch()) {
    matches.push_back(run.match_key());
  }
  EXPECT_EQ(matches, reader.Matches());
}

// Moves on to any keys, with or without a match there.
void ExpectSeeks(Reader& reader, SampleSource& random) {
  RunMatches& run = reader.run();
  const Keys rows = reader.Rows();
  const Keys matches = reader.Matches();
  std::string key = random.NextKey();
  while (!run.at_end() && !testing::Test::HasFailure()) {
    run.FindMatch();
    if (run.has_match() && random.OneIn(2)) key = run.match_key();
    const std::string from = std::max(key, run.key());
    run.Seek(key);
    const auto row = std::ranges::lower_bound(rows, from);
    ASSERT_EQ(run.at_end(), row == rows.end());
    if (run.at_end()) return;
    EXPECT_EQ(run.key(), *row);
    run.FindMatch();
    const auto match = std::ranges::lower_bound(matches, *row);
    EXPECT_EQ(run.has_matches(), match != matches.end());
    EXPECT_EQ(run.is_at_match(), match != matches.end() && *match == *row);
    run.NextRow();
    key = random.NextKey();
  }
}

// Skips matches, at most so many and before any key.
void ExpectSkips(Reader& reader, SampleSource& random) {
  RunMatches& run = reader.run();
  const Keys matches = reader.Matches();
  run.FindMatch();
  for (std::size_t at = 0; run.has_match() && !testing::Test::HasFailure();) {
    ASSERT_LT(at, matches.size());
    EXPECT_EQ(run.match_key(), matches[at]);
    const std::string end = std::max(random.NextKey(), matches[at] + '\0');
    const std::size_t most = random.OneIn(2)
                                 ? random.Below(4)
                                 : std::numeric_limits<std::size_t>::max();
    const auto before = static_cast<std::size_t>(
        std::ranges::lower_bound(matches, end) - matches.begin());
    const std::size_t count = std::min(most, before - at);
    EXPECT_EQ(run.SkipMatches(run.RowsUpTo(end), most), count);
    at += count;
    EXPECT_EQ(run.has_match(), at < matches.size());
  }
}

void Visit(Reader& reader, SampleSource& random) {
  RunMatches& run = reader.run();
  EXPECT_EQ(run.has_matches(), !reader.Matches().empty());
  EXPECT_TRUE(run.may_match() || reader.Matches().empty());
  switch (random.Below(4)) {
    case 0:
      return ExpectRows(reader);
    case 1:
      return ExpectMatches(reader);
    case 2:
      return ExpectSeeks(reader, random);
    default:
      return ExpectSkips(reader, random);
  }
}

// Any range of both tables' keys, or of one row.
SortRange NextRange(SampleSource& random) {
  std::string a = random.NextKey();
  std::string b = random.OneIn(8) ? a + '\0' : random.NextKey();
  return {std::min(a, b), std::max(a, b)};
}

// Goes through the range.  Returns the number of rows.
std::size_t GoThrough(Reader& reader, SampleSource& random) {
  std::size_t rows = 0;
  while (reader.range().begin < reader.range().end &&
         !testing::Test::HasFailure()) {
    reader.Resolve();
    const std::string latest = LatestEnd(reader);
    const std::string middle = random.NextKey();
    const bool is_inside = reader.range().begin < middle && middle < latest;
    if (reader.Open(is_inside ? middle : latest)) {
      Visit(reader, random);
    } else {
      EXPECT_EQ(reader.Rows(), Keys());
    }
    rows += reader.Rows().size();
    reader.Close();
  }
  return rows;
}

TEST(RunMatchesTest, HasTheRowsAndMatchesOfEachInterval) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  SampleSource random(TestSeed());
  std::size_t rows = 0;
  const std::size_t samples = WantedRuns("ENTITABLE_RANDOM_INTERVALS", 800);
  for (std::size_t i = 0; TriesAgain(i, samples, rows > 2'000) && !HasFailure();
       ++i) {
    SampleRuns runs;
    runs.Add(random.NextRows(), 256 + random.Below(1500),
             random.OneIn(4) ? random.NextKey() : "");
    const auto least = static_cast<std::int32_t>(random.Below(10));
    Reader reader(
        std::move(runs),
        NumberFilter(least, least + static_cast<std::int32_t>(random.Below(9))),
        NextRange(random));
    rows += GoThrough(reader, random);
    EXPECT_LE(reader.tally().entities_examined, SampleSource::kKeys);
  }
  EXPECT_GT(rows, 2'000U);
}

// ---------------------------------------------------------------- a few cases

// A run of rows with these numbers, in several pages.
SampleRuns RunOf(std::int32_t (*number_of)(std::size_t)) {
  SampleRows rows;
  for (std::size_t i = 0; i < SampleSource::kKeys; ++i) {
    rows[SampleSource::Key(i)] = number_of(i);
  }
  SampleRuns runs;
  runs.Add(std::move(rows), 400);
  return runs;
}

const SortRange kAll{SampleSource::Key(0),
                     SampleSource::Key(SampleSource::kKeys)};

TEST(RunMatchesTest, SkipsPagesThatTheirZoneMapRulesOut) {
  // Only the first rows have the number 1.
  Reader reader(RunOf([](std::size_t i) { return i < 3 ? 1 : 5; }),
                NumberFilter(1, 1), kAll);
  NumberFilter filter(1, 1);
  WorkBudget work;
  std::size_t pages = 0;
  for (reader.Resolve(); !reader.run().at_end_of_run(); reader.Resolve()) {
    const std::string end = LatestEnd(reader);
    ASSERT_TRUE(reader.run().Enter({kAll, end}, filter, work));
    EXPECT_EQ(reader.run().may_match(), pages == 0);
    reader.Skip(end);
    if (++pages; end == kAll.end) break;
  }
  EXPECT_GT(pages, 3U);
  EXPECT_EQ(reader.tally().pages_skipped, pages);
  EXPECT_EQ(reader.tally().pages_read, 0U);
}

// The directory page counts what need not be read.
TEST(RunMatchesTest, KnowsPagesThatMatchAsAWhole) {
  Reader reader(RunOf([](std::size_t) { return 1; }), NumberFilter(1, 1), kAll);
  NumberFilter filter(1, 1);
  WorkBudget work;
  reader.Resolve();
  const std::string end(reader.run().page_end());
  ASSERT_TRUE(reader.run().Enter({kAll, end}, filter, work));

  const PageEntry* const page = reader.run().WholePage({kAll, end});
  ASSERT_NE(page, nullptr);
  EXPECT_EQ(page->first_key, kAll.begin);
  // Not if the interval ends before it, or begins behind its first row.
  const std::string inside = SampleSource::Key(1);
  EXPECT_EQ(reader.run().WholePage({kAll, inside}), nullptr);
  const SortRange from_inside{inside, kAll.end};
  EXPECT_EQ(reader.run().WholePage({from_inside, end}), nullptr);
}

}  // namespace
}  // namespace entitable
