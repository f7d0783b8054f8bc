// What followers are told of the last records, beside a list of all changes.

#include "store/recent_changes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/random.h"
#include "support/sample_runs.h"

namespace entitable {
namespace {

struct Noted {
  std::uint64_t number;
  Origin origin;
  std::string key;

  bool operator==(const Noted&) const = default;
};

TableId TableOf(const std::string& key) { return ParseSortKey(key)->table; }

// All that was noted, whether it is still known or not.
class Notes {
 public:
  void NoteRecord(std::size_t rows, SampleSource& random) {
    ++head_;
    for (; rows > 0; --rows) {
      const Origin origin = random.OneIn(2) ? Origin::kLocal : Origin::kRemote;
      all_.push_back({head_, origin, random.NextKey()});
      recent_.Note(head_, origin, TableOf(all_.back().key), all_.back().key);
    }
    recent_.Trim();
  }

  void ForgetUpTo(std::uint64_t number) { recent_.ForgetUpTo(number); }

  // It may say yes without knowing, never no.
  void ExpectChanged(const SortRange& range, std::uint64_t number) const {
    const bool has_changed = std::ranges::any_of(all_, [&](const Noted& one) {
      return one.number > number && range.begin <= one.key &&
             one.key < range.end;
    });
    const bool is_known = recent_.IsKnownSince(number);
    EXPECT_EQ(recent_.HaveChanged(range, number), has_changed || !is_known);
  }

  // What is known is the end of the list, by whole records.
  void ExpectEnd() const {
    std::vector<Noted> known;
    for (std::string_view rest = recent_.ChangesBefore(recent_.end());
         !rest.empty();) {
      const auto [number, origin, key] = RecentChanges::TakeLast(rest);
      known.push_back({number, origin, std::string(key)});
    }
    std::ranges::reverse(known);
    ASSERT_LE(known.size(), all_.size());
    const auto begin = all_.end() - static_cast<std::ptrdiff_t>(known.size());
    EXPECT_EQ(std::vector<Noted>(begin, all_.end()), known);
    const std::uint64_t forgotten =
        begin == all_.begin() ? 0 : begin[-1].number;
    EXPECT_TRUE(recent_.IsKnownSince(head_));
    EXPECT_EQ(recent_.IsKnownSince(forgotten), forgotten >= Forgotten());
    if (!known.empty()) {
      EXPECT_LT(forgotten, known.front().number);
    }
  }

  std::uint64_t head() const { return head_; }
  RecentChanges& recent() { return recent_; }

 private:
  std::uint64_t Forgotten() const {
    std::uint64_t number = 0;
    while (!recent_.IsKnownSince(number)) ++number;
    return number;
  }

  RecentChanges recent_;
  std::vector<Noted> all_;
  std::uint64_t head_ = 0;
};

TEST(RecentChangesTest, KnowsTheLastRecordsAndThatItForgotOthers) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  SampleSource random(TestSeed());
  Notes notes;
  const std::size_t records = WantedRuns("ENTITABLE_RANDOM_CHANGES", 400);
  for (std::size_t i = 0; i < records && !HasFailure(); ++i) {
    // Longer ones make room by forgetting others.
    notes.NoteRecord(random.Below(random.OneIn(20) ? 2'000 : 10), random);
    if (random.OneIn(50)) {
      notes.ForgetUpTo(notes.head() - random.Below(notes.head() + 1) / 4);
    }
    for (int n = 0; n < 4; ++n) {
      std::string a = random.NextKey();
      std::string b = random.NextKey();
      if (b < a) a.swap(b);
      const std::uint64_t back = random.Below(8);
      notes.ExpectChanged({a, b}, notes.head() - std::min(notes.head(), back));
    }
    if (i % 16 == 0) notes.ExpectEnd();
  }
  notes.ForgetUpTo(1);
  EXPECT_FALSE(notes.recent().IsKnownSince(0));
}

TEST(RecentChangesTest, TellsOnceWhichTablesChanged) {
  RecentChanges recent;
  recent.Note(1, Origin::kLocal, 1, SampleSource::Key(0));
  recent.Note(1, Origin::kLocal, 1, SampleSource::Key(1));
  recent.Note(2, Origin::kRemote, 2, SampleSource::Key(200));

  const RecentChanges::Touched& first = recent.TakeTouched(2);
  EXPECT_EQ(first.tables, (std::vector<TableId>{1, 2}));
  EXPECT_FALSE(first.are_all);
  EXPECT_EQ(first.after, 0U);

  const RecentChanges::Touched& second = recent.TakeTouched(2);
  EXPECT_TRUE(second.tables.empty());
  EXPECT_EQ(second.after, 2U);

  recent.ForgetUpTo(5);
  EXPECT_TRUE(recent.TakeTouched(5).are_all);
  EXPECT_FALSE(recent.TakeTouched(5).are_all);
}

TEST(RecentChangesTest, KnowsWhatHasChangedOfRanges) {
  RecentChanges recent;
  const auto key = [](TableId table, const char* row_key) {
    return MakeSortKey(table, {"p", row_key});
  };
  recent.Note(1, Origin::kLocal, 1, key(1, "a"));
  recent.Note(2, Origin::kRemote, 1, key(1, "b"));
  recent.Note(3, Origin::kLocal, 2, WholeTable(2).begin);
  const auto have_changed = [&](TableId table, const char* row_key,
                                std::uint64_t number) {
    std::string bytes;
    AppendRange(OneRow(table, {"p", row_key}), bytes);
    return recent.HaveChanged(RangeSet(bytes), number);
  };

  EXPECT_TRUE(have_changed(1, "a", 0));
  EXPECT_FALSE(have_changed(1, "a", 1));
  EXPECT_TRUE(have_changed(1, "b", 1));
  EXPECT_FALSE(have_changed(1, "b", 2));
  EXPECT_TRUE(have_changed(2, "a", 2));
  EXPECT_FALSE(have_changed(2, "a", 3));
  EXPECT_FALSE(have_changed(3, "a", 0));
  recent.ForgetUpTo(2);
  EXPECT_TRUE(have_changed(3, "a", 1));
  EXPECT_FALSE(have_changed(3, "a", 2));
}

// A reader goes back from a place that it kept, as long as that is known.
TEST(RecentChangesTest, ContinuesFromAPlace) {
  RecentChanges recent;
  recent.Note(1, Origin::kLocal, 1, "a");
  const std::uint64_t place = recent.end();
  recent.Note(2, Origin::kLocal, 1, "b");
  std::string_view before = recent.ChangesBefore(place);
  EXPECT_EQ(RecentChanges::TakeLast(before).sort_key, "a");
  EXPECT_TRUE(before.empty());
  recent.ForgetUpTo(1);
  EXPECT_TRUE(recent.ChangesBefore(place).empty());
  EXPECT_FALSE(recent.ChangesBefore(recent.end()).empty());
}

}  // namespace
}  // namespace entitable
