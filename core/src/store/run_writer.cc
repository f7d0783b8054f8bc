#include "store/run_writer.h"

#include <utility>

#include "store/leaf_page.h"
#include "store/sort_key.h"
#include "store/table_row.h"

namespace entitable {
namespace {

static_assert(StoreLimits::kPageBytes.most == kMaxLeafBytes);

// The approximate size of an entry in a directory page.
std::size_t EntryBytes(const PageEntry& leaf) {
  constexpr std::size_t kNumbers = 16;
  return leaf.first_key.size() + leaf.zone_map.bytes().size() + kNumbers;
}

// The size at which a directory page is complete: two fifths of a leaf page.
// It is small because each compaction step rewrites one directory page.
constexpr std::size_t DirectoryBytes(const StoreLimits& limits) {
  return limits.page_bytes / 5 * 2;
}

}  // namespace

void RunWriter::Continue(std::vector<PageEntry> leaves) {
  leaves_ = std::move(leaves);
  for (const PageEntry& leaf : leaves_) leaves_bytes_ += EntryBytes(leaf);
}

// Rows of the catalogue have leaf pages of their own, which are short, so that
// they can be read when the store is opened (store/opening_pages.h).
void RunWriter::LeaveCatalogue(std::string_view sort_key) {
  if (!is_in_catalogue_ || sort_key < WholeTable(kCatalogue).end) return;
  is_in_catalogue_ = false;
  FinishLeaf();
}

void RunWriter::AddTombstone(std::string_view sort_key) {
  LeaveCatalogue(sort_key);
  if (builder_.AddTombstone(sort_key)) return;
  FinishLeaf();
  builder_.AddTombstone(sort_key);
}

void RunWriter::AddPage(const PageEntry& leaf) {
  FinishLeaf();
  leaves_bytes_ += EntryBytes(leaf);
  leaves_.push_back(leaf);
  if (leaves_bytes_ >= DirectoryBytes(limits_)) FinishDirectory();
}

std::vector<PageEntry> RunWriter::Finish() {
  FinishLeaf();
  FinishDirectory();
  return std::exchange(directories_, {});
}

void RunWriter::FinishLeaf() {
  if (builder_.is_empty()) return;
  Bytes page = builder_.Finish();
  const LeafSummary& summary = builder_.summary();
  last_key_ = summary.last_key;
  const PageTotals totals{summary.row_count, summary.tombstone_count,
                          page.size()};
  AddPage(
      {summary.first_key, Write(std::move(page)), totals, summary.zone_map});
}

void RunWriter::FinishDirectory() {
  if (leaves_.empty()) return;
  PageEntry entry{.first_key = leaves_.front().first_key};
  for (const PageEntry& leaf : leaves_) entry.totals += leaf.totals;
  entry.page = Write(DirectoryPage{std::move(leaves_)}.Encode());
  directories_.push_back(std::move(entry));
  leaves_.clear();
  leaves_bytes_ = 0;
}

PageId RunWriter::Write(Bytes value) {
  written_bytes_ += value.size();
  ++written_pages_;
  batch_.puts.push_back({ValueKey::Page(next_page_), Share(std::move(value))});
  return next_page_++;
}

}  // namespace entitable
