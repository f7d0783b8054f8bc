// The matches of several runs, against a map of the newest rows.

#include "store/merging_cursor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "store/sort_key.h"
#include "support/number_filter.h"
#include "support/random.h"
#include "support/sample_runs.h"

namespace entitable {
namespace {

using Step = MergingCursor::Found;

struct Match {
  std::string key;
  std::size_t run;

  bool operator==(const Match&) const = default;
};

// Runs of one leaf page each, as a scan prepares them for the cursor.
class Merge {
 public:
  Merge(SampleRuns runs, const NumberFilter& filter, SortRange range)
      : runs_(std::move(runs)), filter_(filter), range_(std::move(range)) {
    for (const Run& run : runs_.runs()) {
      matches_.emplace_back(run, range_.begin, tally_);
    }
  }

  // The interval behind the last one.
  MergingCursor& Open(const std::string& end) {
    end_ = end;
    work_.Refill(1'000'000);
    for (RunMatches& run : matches_) {
      while (!run.Resolve(window_)) runs_.Supply(window_, cache_);
      if (run.Enter({range_, end}, filter_, work_)) Load(run);
    }
    cursor_.Begin(matches_);
    return cursor_;
  }

  void Close() {
    for (RunMatches& run : matches_) run.Close(end_, window_);
    range_.begin = end_;
  }

  // What the cursor should find in the interval.
  std::vector<Match> Expected() const {
    std::map<std::string, std::size_t> newest;
    for (std::size_t i = 0; i < runs_.rows().size(); ++i) {
      for (const auto& [key, row] : runs_.rows()[i]) newest.insert({key, i});
    }
    std::vector<Match> expected;
    for (const auto& [key, run] : newest) {
      if (IsInside(key) && IsMatch(run, key)) expected.push_back({key, run});
    }
    return expected;
  }

  // The first row that another run can have behind this match; empty if none
  // can.  Runs that are older than all runs with matches do not count.
  std::string NextRowOfOthers(const Match& match) const {
    std::string next;
    for (std::size_t i = 0; i <= OldestWithMatches(); ++i) {
      const auto row = runs_.rows()[i].upper_bound(match.key);
      if (i == match.run || row == runs_.rows()[i].end()) continue;
      if (IsInside(row->first) && (next.empty() || row->first < next)) {
        next = row->first;
      }
    }
    return next;
  }

  std::size_t IndexOf(const RunMatches& run) const {
    return static_cast<std::size_t>(&run - matches_.data());
  }

 private:
  void Load(RunMatches& run) {
    const KeyInterval interval{range_, end_};
    while (run.Load(interval, 1, &filter_, window_, work_) !=
           RunMatches::Loading::kLoaded) {
      runs_.Supply(window_, cache_);
    }
  }

  bool IsInside(const std::string& key) const {
    return range_.begin <= key && key < end_;
  }
  bool IsMatch(std::size_t run, const std::string& key) const {
    const auto& number = runs_.rows()[run].at(key);
    return number && filter_.Matches(*number);
  }

  std::size_t OldestWithMatches() const {
    std::size_t oldest = 0;
    for (std::size_t i = 0; i < runs_.rows().size(); ++i) {
      for (const auto& [key, row] : runs_.rows()[i]) {
        if (IsInside(key) && IsMatch(i, key)) oldest = i;
      }
    }
    return oldest;
  }

  SampleRuns runs_;
  NumberFilter filter_;
  PageCache cache_{std::size_t{1} << 30};
  PageWindow window_{cache_};
  ScanTally tally_;
  WorkBudget work_;
  SortRange range_;  // From the interval on.
  std::string end_;  // Of the interval.
  std::vector<RunMatches> matches_;
  MergingCursor cursor_;
};

// ------------------------------------------------------------- random matches

// Goes through one interval with any of the functions, and compares each match.
class Walk {
 public:
  Walk(Merge& merge, const std::string& end, SampleSource& random)
      : merge_(merge),
        cursor_(merge.Open(end)),
        expected_(merge.Expected()),
        random_(random) {}

  // Returns how many matches there are.
  std::size_t Go() {
    const std::size_t units = random_.OneIn(2) ? 1 : 1'000'000;
    while (!testing::Test::HasFailure()) {
      WorkBudget work;
      work.Refill(units);
      const Step step = cursor_.Find(work);
      if (step == Step::kEnd) break;
      if (step == Step::kPaused) {
        ExpectPlace();
      } else {
        Visit();
      }
    }
    EXPECT_EQ(at_, expected_.size());
    return expected_.size();
  }

 private:
  void ExpectPlace() {
    const std::string place(cursor_.place());
    const bool is_end = at_ == expected_.size();
    if (place.empty()) {
      EXPECT_TRUE(is_end);
      return;
    }
    if (!is_end) {
      EXPECT_LE(place, expected_[at_].key);
    }
    if (at_ > 0) {
      EXPECT_GT(place, expected_[at_ - 1].key);
    }
  }

  void Visit() {
    ASSERT_LT(at_, expected_.size());
    const std::size_t run = merge_.IndexOf(cursor_.run());
    ASSERT_EQ((Match{cursor_.run().match_key(), run}), expected_[at_]);
    if (random_.OneIn(3)) {
      cursor_.Next();
      ++at_;
      return;
    }
    std::string end = random_.NextKey();
    const bool has_end = end > expected_[at_].key && random_.OneIn(2);
    const std::size_t most = 1 + random_.Below(random_.OneIn(2) ? 3 : 1000);
    const std::size_t count = Following(has_end ? end : "", most);
    const std::string* const limit = has_end ? &end : nullptr;
    if (random_.OneIn(2)) {
      EXPECT_EQ(cursor_.Skip(limit, most), count);
      at_ += count;
    } else {
      ExpectRows(cursor_.Take(limit, most), count);
    }
  }

  // How many matches may be taken at once.
  std::size_t Following(const std::string& end, std::size_t most) const {
    const std::string next = merge_.NextRowOfOthers(expected_[at_]);
    std::size_t count = 0;
    for (std::size_t i = at_; i < expected_.size() && count < most; ++i) {
      const std::string& key = expected_[i].key;
      if (!next.empty() && key >= next) break;
      if (!end.empty() && key >= end) break;
      ++count;
    }
    return count;
  }

  void ExpectRows(const MatchedRows& rows, std::size_t count) {
    std::vector<std::string> keys;
    std::vector<std::string> wanted;
    for (std::size_t row = rows.Next(rows.begin); row < rows.end;
         row = rows.Next(row + 1)) {
      rows.leaf->KeyOf(row, keys.emplace_back());
    }
    for (; count > 0; --count) wanted.push_back(expected_[at_++].key);
    EXPECT_EQ(keys, wanted);
  }

  Merge& merge_;
  MergingCursor& cursor_;
  std::vector<Match> expected_;
  SampleSource& random_;
  std::size_t at_ = 0;  // The next match.
};

TEST(MergingCursorTest, FindsTheNewestRowsThatMatch) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  SampleSource random(TestSeed());
  std::size_t matches = 0;
  const std::size_t samples = WantedRuns("ENTITABLE_RANDOM_MERGES", 400);
  for (std::size_t i = 0;
       TriesAgain(i, samples, matches > 500) && !HasFailure(); ++i) {
    SampleRuns runs;
    for (std::size_t left = 1 + random.Below(6); left > 0; --left) {
      runs.Add(random.NextRows(), kMaxLeafBytes);
    }
    const auto least = static_cast<std::int32_t>(random.Below(10));
    const auto most = static_cast<std::int32_t>(random.Below(10));
    std::vector<std::string> places{SampleSource::Key(0), random.NextKey(),
                                    random.NextKey(),
                                    SampleSource::Key(SampleSource::kKeys)};
    std::ranges::sort(places);
    Merge merge(std::move(runs), NumberFilter(least, least + most),
                {places.front(), places.back()});
    for (std::size_t end = 1; end < places.size(); ++end) {
      matches += Walk(merge, places[end], random).Go();
      merge.Close();
    }
  }
  EXPECT_GT(matches, 500U);
}

// ---------------------------------------------------------------- a few cases

std::string KeyOf(const char* row_key) {
  return MakeSortKey(1, {"p", row_key});
}

// The RowKeys of the matches, each with the run; only "1" matches.
std::string Merged(std::initializer_list<SampleRows> newest_first) {
  SampleRuns runs;
  for (auto rows = std::rbegin(newest_first); rows != std::rend(newest_first);
       ++rows) {
    runs.Add(*rows, kMaxLeafBytes);
  }
  Merge merge(std::move(runs), NumberFilter(1, 1), WholeTable(1));
  MergingCursor& cursor = merge.Open(WholeTable(1).end);
  WorkBudget work;
  work.Refill(1000);
  std::string found;
  for (; cursor.Find(work) == Step::kMatch; cursor.Next()) {
    if (!found.empty()) found += ' ';
    found += ParseSortKey(cursor.run().match_key())->key.row_key + "/";
    found += std::to_string(merge.IndexOf(cursor.run()));
  }
  return found;
}

TEST(MergingCursorTest, TakesEachKeyFromTheNewestRun) {
  EXPECT_EQ(Merged({{{KeyOf("b"), 1}},
                    {{KeyOf("a"), 1}, {KeyOf("b"), 1}},
                    {{KeyOf("b"), 1}, {KeyOf("c"), 1}}}),
            "a/1 b/0 c/2");
}

// Though neither is itself a match.
TEST(MergingCursorTest, HidesMatchesBehindNewerRowsAndTombstones) {
  EXPECT_EQ(Merged({{{KeyOf("a"), 2}, {KeyOf("b"), std::nullopt}},
                    {{KeyOf("a"), 1}, {KeyOf("b"), 1}, {KeyOf("c"), 1}}}),
            "c/1");
}

TEST(MergingCursorTest, FindsMatchesInFrontOfOlderRowsThatDoNotMatch) {
  EXPECT_EQ(Merged({{{KeyOf("a"), 1}},
                    {{KeyOf("a"), 2}, {KeyOf("b"), std::nullopt}}}),
            "a/0");
}

// The tombstone in the middle hides what is behind it, not what is before it.
TEST(MergingCursorTest, FindsARowThatWasDeletedAndMadeAgain) {
  EXPECT_EQ(Merged({{{KeyOf("a"), 1}},
                    {{KeyOf("a"), std::nullopt}, {KeyOf("b"), std::nullopt}},
                    {{KeyOf("a"), 1}, {KeyOf("b"), 1}}}),
            "a/0");
}

TEST(MergingCursorTest, EndsAtOnceWithoutMatches) {
  EXPECT_EQ(Merged({{{KeyOf("a"), 2}}, {{KeyOf("a"), std::nullopt}}}), "");
  EXPECT_EQ(Merged({}), "");
}

}  // namespace
}  // namespace entitable
