#include "verify/page_verifier.h"

#include <algorithm>
#include <set>
#include <utility>

#include "store/directory_page.h"
#include "store/page_cache.h"
#include "store/sort_key.h"
#include "verify/log_verifier.h"

namespace entitable {
namespace {

// A newer run and an older one.
using Pair = std::pair<std::size_t, std::size_t>;

// `rows` must be sorted by key.
//
// Rows of one key in two runs are two states of one entity, and every write
// gives a later Timestamp.  So a single common key tells which of the runs is
// newer.
std::set<Pair> PairsAmong(const std::vector<RowVersion>& rows) {
  std::set<Pair> pairs;
  for (auto begin = rows.begin(); begin != rows.end();) {
    const auto end = std::find_if(
        begin, rows.end(),
        [begin](const RowVersion& row) { return row.key != begin->key; });
    for (auto newer = begin; newer != end; ++newer) {
      for (auto older = begin; older != end; ++older) {
        if (newer->timestamp > older->timestamp && newer->run != older->run) {
          pairs.insert({newer->run, older->run});
        }
      }
    }
    begin = end;
  }
  return pairs;
}

}  // namespace

// This is a topological sort: a run is placed when no run that is left is newer
// than it.  Among those, the one with the newest row comes first.
std::vector<std::size_t> OrderRuns(std::size_t run_count,
                                   std::vector<RowVersion> rows) {
  std::vector<DateTime> newest(run_count);
  for (const RowVersion& row : rows) {
    newest[row.run] = std::max(newest[row.run], row.timestamp);
  }
  std::sort(
      rows.begin(), rows.end(),
      [](const RowVersion& a, const RowVersion& b) { return a.key < b.key; });
  const std::set<Pair> pairs = PairsAmong(rows);
  std::vector<std::size_t> newer_count(run_count);
  for (const auto& [newer, older] : pairs) ++newer_count[older];

  std::vector<std::size_t> order;
  std::vector<bool> is_placed(run_count);
  while (order.size() < run_count) {
    // Only forged rows can make runs newer than one another in a circle.  Then
    // as few pairs as possible are ignored.
    std::size_t next = run_count;
    for (std::size_t run = 0; run < run_count; ++run) {
      if (is_placed[run]) continue;
      const bool is_newer =
          next == run_count || newer_count[run] < newer_count[next] ||
          (newer_count[run] == newer_count[next] && newest[run] > newest[next]);
      if (is_newer) next = run;
    }
    is_placed[next] = true;
    order.push_back(next);
    for (auto at = pairs.lower_bound({next, 0});
         at != pairs.end() && at->first == next; ++at) {
      --newer_count[at->second];
    }
  }
  return order;
}

// --------------------------------------------------------------- page verifier

namespace {

// Pages to read at once: about 2 MB.
constexpr std::size_t kMaxWindow = 32;

PageEntry WithoutZoneMap(const PageEntry& entry) {
  return {entry.first_key, entry.page, entry.totals, {}};
}

}  // namespace

void VerifiedTables::Note(const Table& table) {
  names.insert_or_assign(table.id, table.name);
  for (const TableIndex& index : table.indexes) {
    names.insert_or_assign(index.id, IndexTableName(table.name, index.id));
  }
}

void PageVerifier::Begin(const Manifest& manifest) {
  waiting_.clear();
  asked_.clear();
  seen_.clear();
  lost_.clear();
  stray_leaves_.clear();
  stray_directories_.clear();
  leaves_.assign(manifest.runs.size(), {});
  for (std::size_t i = 0; i < manifest.runs.size(); ++i) {
    const Run& run = manifest.runs[i];
    for (std::size_t at = run.directories.size(); at-- > 0;) {
      const bool is_open = at + 1 < run.directories.size();
      Refer({.entry = run.directories[at],
             .run = i,
             .begin = run.begin,
             .to = is_open ? run.directories[at + 1].first_key : run.end,
             .is_open = is_open,
             .is_leaf = false});
    }
  }
}

// Works like a stack: the leaf pages of a directory page are read before the
// next directory page, so that few references wait.
void PageVerifier::Refer(Reference reference) {
  if (!seen_.insert(reference.entry.page).second) {
    return Note(reference, Flaw::kTwice, "The page is named twice.");
  }
  if (reference.is_leaf && sound_.contains(reference.entry.page)) return;
  waiting_.push_back(std::move(reference));
}

std::vector<PageId> PageVerifier::Next() {
  std::vector<PageId> ids;
  while (!waiting_.empty() && ids.size() < kMaxWindow) {
    const PageId id = waiting_.back().entry.page;
    ids.push_back(id);
    asked_.insert_or_assign(id, std::move(waiting_.back()));
    waiting_.pop_back();
  }
  return ids;
}

void PageVerifier::Accept(PageId id, std::optional<Bytes> value) {
  const Reference reference = std::move(asked_.extract(id).mapped());
  if (value && reference.is_leaf) {
    return AcceptLeaf(reference, *std::move(value));
  }
  if (value) return AcceptDirectory(reference, *value);
  Note(reference, Flaw::kMissing, "The page is missing.");
}

// Each leaf page is bounded by the first key of the next one, and the last one
// by what bounds the directory page.  They are referred to from the last to the
// first, since the list of references is a stack.
void PageVerifier::AcceptDirectory(const Reference& reference,
                                   const Bytes& value) {
  const auto page = DirectoryPage::Decode(value);
  if (!page) {
    return Note(reference, FlawOf(page.error()), page.error().message);
  }
  const std::vector<PageEntry>& leaves = page->leaves;
  PageTotals totals;
  for (const PageEntry& leaf : leaves) totals += leaf.totals;
  const bool is_it =
      totals == reference.entry.totals &&
      leaves.front().first_key == reference.entry.first_key &&
      (reference.is_open ? leaves.back().first_key < reference.to
                         : leaves.back().first_key <= reference.to);
  if (!is_it) {
    return Note(reference, Flaw::kMisplaced,
                "The page is not the one that the manifest names.");
  }
  // Pages before the beginning of the run are obsolete and may be gone.
  const std::size_t first = FindPageEntry(leaves, reference.begin);
  for (std::size_t at = leaves.size(); at-- > first;) {
    const bool is_last = at + 1 == leaves.size();
    Refer({.entry = WithoutZoneMap(leaves[at]),
           .run = reference.run,
           .begin = reference.begin,
           .to = is_last ? reference.to : leaves[at + 1].first_key,
           .is_open = reference.is_open || !is_last,
           .is_leaf = true});
  }
}

// A leaf page that is valid but not the one that its name promises may be
// another version of it, for example from before a storage has fallen back.
void PageVerifier::AcceptLeaf(const Reference& reference, Bytes value) {
  const std::size_t bytes = value.size();
  const PageId id = reference.entry.page;
  const auto page = LeafPage::Decode(std::move(value));
  if (!page) {
    return Note(reference, FlawOf(page.error()), page.error().message);
  }
  std::string why;
  auto leaf = CheckLeaf(id, *page, bytes, /*is_stray=*/false, why);
  if (!leaf) return Note(reference, Flaw::kDamaged, std::move(why));
  const bool is_it = leaf->entry == reference.entry &&
                     (reference.is_open ? leaf->last_key < reference.to
                                        : leaf->last_key <= reference.to);
  if (!is_it) {
    return Note(reference, Flaw::kMisplaced,
                "The page is not the one that its directory page or the "
                "manifest names.");
  }
  if (keeps_) {
    leaves_[reference.run].push_back(*std::move(leaf));
  } else {
    sound_.insert(id);
  }
}

// Also checks each row: its key must be readable, and so must a table's row in
// the catalogue.
//
// The checksum of the page is right by now.  So an invalid row was written by a
// fault, or by somebody else, and the page is not to be trusted.
std::optional<VerifiedLeaf> PageVerifier::CheckLeaf(PageId id,
                                                    const LeafPage& page,
                                                    std::size_t bytes,
                                                    bool is_stray,
                                                    std::string& why) {
  VerifiedLeaf leaf;
  leaf.entry.first_key = page.keys().first();
  leaf.entry.page = id;
  leaf.entry.totals = {page.row_count(), 0, bytes};
  std::string key;
  std::string_view rest = page.keys().Begin();
  for (std::size_t row = 0; KeyBlock::Next(rest, key); ++row) {
    const auto parsed = ParseSortKey(key);
    const bool is_tombstone = page.is_tombstone(row);
    std::optional<Table> table;
    const bool is_table = parsed && parsed->table == kCatalogue &&
                          parsed->key.view() != kAccountKey && !is_tombstone;
    if (is_table) table = ReadTableRow(page.EntityOf(row));
    if (!parsed || (is_table && !table)) {
      why = "A row of the page has an invalid format.";
      return std::nullopt;
    }
    if (table) {
      leaf.tables.emplace(key, table->id);
      tables_.Note(*table);
    }
    if (is_tombstone) {
      ++leaf.entry.totals.deleted;
      continue;
    }
    const DateTime timestamp = page.TimestampOf(row);
    leaf.newest = std::max(leaf.newest, timestamp);
    if (is_stray) leaf.versions.push_back({hash_.Of(key), timestamp, 0});
    if (parsed->table != kCatalogue) tables_.with_rows.insert(parsed->table);
  }
  leaf.last_key = std::move(key);
  return leaf;
}

// Nothing says what a stray page should be.  If it can be read, it may belong
// to what was lost; obsolete pages are among them, too, and the repair tells
// them apart.
bool PageVerifier::AcceptStray(PageId id, std::optional<Bytes> value) {
  if (!value) return false;
  seen_.insert(id);
  auto page = DecodePage(*value);
  std::string why;
  std::optional<VerifiedLeaf> leaf;
  if (page) {
    if (const auto* directory = std::get_if<DirectoryPage>(page->get())) {
      std::vector<PageEntry>& entries = stray_directories_.emplace_back();
      for (const PageEntry& entry : directory->leaves) {
        entries.push_back(WithoutZoneMap(entry));
      }
      return true;
    }
    leaf = CheckLeaf(id, std::get<LeafPage>(**page), value->size(),
                     /*is_stray=*/true, why);
  }
  if (leaf) {
    stray_leaves_.insert_or_assign(id, *std::move(leaf));
  } else {
    findings_.push_back({ValueKey::Page(id), ValueKind::kPage,
                         page ? Flaw::kDamaged : FlawOf(page.error()),
                         page ? std::move(why) : page.error().message});
  }
  return true;
}

// A lost directory page hides all leaf pages below it.  What is known of it is
// kept, so that stray leaf pages may find their place by their keys.
void PageVerifier::Note(const Reference& reference, Flaw flaw,
                        std::string message) {
  const std::string from = std::max(reference.entry.first_key, reference.begin);
  if (!reference.is_leaf && flaw != Flaw::kTwice) {
    lost_.push_back({reference.run, from, reference.to, reference.entry.totals,
                     findings_.size()});
  }
  findings_.push_back(
      {ValueKey::Page(reference.entry.page),
       reference.is_leaf ? ValueKind::kLeafPage : ValueKind::kDirectoryPage,
       flaw, std::move(message), from, reference.to});
}

}  // namespace entitable
