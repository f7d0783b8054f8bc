// What followers are told of the last records, beside a list of all changes.

#include "store/recent_changes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "store/range_set.h"
#include "store/sort_key.h"
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

// No change is noted of this table.
constexpr TableId kNever = 999;

TableId TableOf(const std::string& key) { return ParseSortKey(key)->table; }

// All that was noted, whether it is still known or not.
class Notes {
 public:
  void NoteRecord(std::size_t rows, SampleSource& random) {
    ++head_;
    for (; rows > 0; --rows) {
      const Origin origin = random.OneIn(2) ? Origin::kLocal : Origin::kRemote;
      all_.push_back({head_, origin, random.NextKey()});
      const TableId table = TableOf(all_.back().key);
      tables_.insert(table);
      recent_.Note(head_, origin, table, all_.back().key);
    }
    recent_.Trim();
  }

  void ForgetUpTo(std::uint64_t number) {
    forgotten_ = std::max(forgotten_, number);
    recent_.ForgetUpTo(number);
  }

  // It may say yes without knowing, never no.
  void ExpectChanged(const SortRange& range, std::uint64_t number) const {
    std::string bytes;
    AppendRange(range, bytes);
    const RangeSet rows(bytes);
    bool may_have_changed = false;
    for (const TableId table : tables_) {
      may_have_changed |= rows.Has(WholeTable(table).begin) &&
                          !recent_.IsKnownSince(table, number);
    }
    const bool has_changed = std::ranges::any_of(all_, [&](const Noted& one) {
      return one.number > number && range.begin <= one.key &&
             one.key < range.end;
    });
    if (has_changed) EXPECT_TRUE(recent_.HaveChanged(rows, number));
    EXPECT_EQ(recent_.HaveChanged(rows, number),
              has_changed || may_have_changed || number < forgotten_);
  }

  // What is known of a table is the end of its list, by whole records.
  void ExpectEnds() const {
    for (const TableId table : tables_) {
      const std::vector<Noted> all = AllOf(table);
      std::vector<Noted> known;
      for (std::string_view rest =
               recent_.ChangesBefore(table, recent_.EndOf(table));
           !rest.empty();) {
        const auto [number, origin, key] = RecentChanges::TakeLast(rest);
        known.push_back({number, origin, std::string(key)});
      }
      std::ranges::reverse(known);
      ASSERT_LE(known.size(), all.size());
      const auto begin = all.end() - static_cast<std::ptrdiff_t>(known.size());
      EXPECT_EQ(std::vector<Noted>(begin, all.end()), known);
      EXPECT_TRUE(recent_.IsKnownSince(table, head_));
      EXPECT_EQ(recent_.HasChanged(table, head_), false);
      if (begin == all.begin()) continue;
      const std::uint64_t lost = begin[-1].number;
      EXPECT_FALSE(recent_.IsKnownSince(table, lost - 1));
      EXPECT_TRUE(recent_.HasChanged(table, lost - 1));
      if (!known.empty()) EXPECT_LT(lost, known.front().number);
    }
  }

  std::uint64_t head() const { return head_; }
  RecentChanges& recent() { return recent_; }

 private:
  std::vector<Noted> AllOf(TableId table) const {
    std::vector<Noted> found;
    std::ranges::copy_if(
        all_, std::back_inserter(found),
        [&](const Noted& one) { return TableOf(one.key) == table; });
    return found;
  }

  std::set<TableId> tables_;
  std::uint64_t forgotten_ = 0;
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
    if (i % 16 == 0) notes.ExpectEnds();
  }
  notes.ForgetUpTo(1);
  EXPECT_FALSE(notes.recent().IsKnownSince(kNever, 0));
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
  const std::uint64_t place = recent.EndOf(1);
  recent.Note(2, Origin::kLocal, 1, "b");
  std::string_view before = recent.ChangesBefore(1, place);
  EXPECT_EQ(RecentChanges::TakeLast(before).sort_key, "a");
  EXPECT_TRUE(before.empty());
  recent.ForgetUpTo(1);
  EXPECT_TRUE(recent.ChangesBefore(1, place).empty());
  EXPECT_FALSE(recent.ChangesBefore(1, recent.EndOf(1)).empty());

  const std::uint64_t end = recent.EndOf(1);
  recent.ForgetUpTo(2);
  recent.Note(3, Origin::kLocal, 1, "c");
  EXPECT_TRUE(recent.ChangesBefore(1, end).empty());
}

// An index that is built, or an import, must not make the followers of other
// tables read anew.
TEST(RecentChangesTest, ManyChangesOfATableHideNoneOfAnother) {
  RecentChanges recent;
  recent.Note(1, Origin::kLocal, 1, "a");
  for (std::uint64_t number = 2; number < 40; ++number) {
    for (int i = 0; i < 3'000; ++i) {
      recent.Note(number, Origin::kLocal, 2, "an entry of an index");
    }
    recent.Trim();
  }
  recent.Note(40, Origin::kRemote, 1, "b");

  EXPECT_TRUE(recent.IsKnownSince(1, 0));
  EXPECT_FALSE(recent.IsKnownSince(2, 38));
  std::string_view changes = recent.ChangesBefore(1, recent.EndOf(1));
  EXPECT_EQ(RecentChanges::TakeLast(changes).sort_key, "b");
  EXPECT_EQ(RecentChanges::TakeLast(changes).sort_key, "a");
}

// What is known of each takes memory.
TEST(RecentChangesTest, ForgetsMoreTablesThanAnyReaderNeeds) {
  RecentChanges recent;
  for (TableId table = 1; table <= 2'000; ++table) {
    recent.Note(table, Origin::kLocal, table, "a");
    recent.Trim();
  }
  EXPECT_FALSE(recent.IsKnownSince(1, 0));
  EXPECT_TRUE(recent.IsKnownSince(2'000, 1'999));
  EXPECT_TRUE(recent.IsKnownSince(1, 2'000));
}

}  // namespace
}  // namespace entitable
