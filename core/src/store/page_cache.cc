// The cache drops the page that was used longest ago, and does so only in
// Trim(), which the engine calls when all readers that wait have looked for the
// pages of a fetch.  In between it may be larger than its limit.  Otherwise a
// page that was fetched could leave again before its reader has seen it.
//
// A window holds pages for one reader and keeps them alive by itself.  What a
// reader does with its window, in this order and again after each wait:
//
//   Directory(), Leaf()   the page.  If it is null, it is damaged, or it is now
//                         noted among the missing ones.
//   is_waiting()          something is missing: the reader returns kPages, and
//                         the scheduler fetches what TakeMissing() lists
//   TakeDamage()          the reader fails with it
//   Release(), MakeRoom() give up what is not needed any more
//
// A page has a mark: the mark of the window when the page was last asked for.
// ReleaseUnmarked() keeps the pages that were asked for since the last Mark().
// That is how a scan gives up the pages of the state that it began with, but
// holds those that it has asked for again in the new one.
//
// Pages that are not what their directory says count as damaged, although their
// checksums are right: a page is in the wrong place then.

#include "store/page_cache.h"

#include <algorithm>
#include <utility>

#include "base/visit.h"
#include "store/envelope.h"

namespace entitable {
namespace {

// The most pages to ask for at once, and the most bytes to hold for unrelated
// rows.
constexpr std::size_t kMaxMissing = 64;
constexpr std::size_t kMaxHeldBytes = std::size_t{2} << 20;

// Enough for the read of one row of two runs: a directory page and a leaf page
// of each.
constexpr std::size_t kPagesOfRow = 4;

constexpr char kIsAnother[] =
    "The page is not the one that its directory page or the manifest names.";

std::size_t MemoryBytes(const Page& page) {
  return Visit([](const auto& one) { return one.memory_bytes(); }, page);
}

template <typename T>
Result<PagePtr> Shared(Result<T> page) {
  if (!page) return std::move(page).error();
  return std::make_shared<const Page>(*std::move(page));
}

}  // namespace

Result<PagePtr> DecodePage(Bytes value) {
  // Most pages are leaf pages.  The magic tells which kind it is.
  if (IsDirectoryPage(value)) return Shared(DirectoryPage::Decode(value));
  return Shared(LeafPage::Decode(std::move(value)));
}

// --------------------------------------------------------------------- cache

PageCache::Slots::iterator PageCache::SlotOf(PageId id) {
  return std::lower_bound(
      slots_.begin(), slots_.end(), id,
      [](const Slot& slot, PageId wanted) { return slot.id < wanted; });
}

PageCache::Found PageCache::Find(PageId id) {
  const auto slot = SlotOf(id);
  if (slot == slots_.end() || slot->id != id) return {nullptr, 0};
  slot->used = ++uses_;
  return {slot->page, slot->bytes};
}

void PageCache::Insert(PageId id, PagePtr page) {
  Erase(id);
  const std::size_t bytes = MemoryBytes(*page);
  slots_.insert(SlotOf(id), {id, std::move(page), bytes, ++uses_});
  bytes_ += bytes;
}

void PageCache::AcceptWritten(const std::vector<Put>& puts,
                              const std::vector<ValueKey>& deletes) {
  for (const ValueKey& key : deletes) {
    if (key.kind == ValueKey::Kind::kPage) Erase(key.number);
  }
  for (const auto& [key, value] : puts) {
    const bool is_page = key.kind == ValueKey::Kind::kPage && key.number > 0;
    if (!is_page || bytes_ + value->size() > max_bytes_) continue;
    if (auto page = DecodePage(*value)) Insert(key.number, *std::move(page));
    // A decoded page takes a little more.
    if (bytes_ > max_bytes_) Erase(key.number);
  }
}

void PageCache::Erase(PageId id) {
  const auto slot = SlotOf(id);
  if (slot == slots_.end() || slot->id != id) return;
  bytes_ -= slot->bytes;
  slots_.erase(slot);
}

void PageCache::Clear() {
  slots_.clear();
  bytes_ = 0;
}

void PageCache::MarkDamaged(PageId id, Error reason) {
  damaged_.emplace_back(id, std::move(reason));
}

const Error* PageCache::DamageOf(PageId id) const {
  for (const auto& [page, reason] : damaged_) {
    if (page == id) return &reason;
  }
  return nullptr;
}

void PageCache::Trim() {
  damaged_.clear();
  while (bytes_ > max_bytes_) {
    const auto oldest = std::min_element(
        slots_.begin(), slots_.end(),
        [](const Slot& a, const Slot& b) { return a.used < b.used; });
    bytes_ -= oldest->bytes;
    slots_.erase(oldest);
  }
}

// -------------------------------------------------------------------- window

const DirectoryPage* PageWindow::Directory(const PageEntry& entry) {
  const Page* page = Find(entry.page);
  if (page == nullptr) return nullptr;
  const auto* directory = std::get_if<DirectoryPage>(page);
  if (directory != nullptr &&
      directory->leaves.front().first_key == entry.first_key) {
    return directory;
  }
  NoteDamage(entry.page, kIsAnother);
  return nullptr;
}

const LeafPage* PageWindow::Leaf(const PageEntry& entry) {
  const Page* page = Find(entry.page);
  if (page == nullptr) return nullptr;
  const auto* leaf = std::get_if<LeafPage>(page);
  if (leaf != nullptr && leaf->row_count() == entry.totals.rows &&
      leaf->keys().first() == entry.first_key) {
    return leaf;
  }
  NoteDamage(entry.page, kIsAnother);
  return nullptr;
}

// Pages do not store their own numbers, but their contents identify them.
void PageWindow::NoteDamage(PageId id, const char* text) {
  damage_ = Named(ValueKey::Page(id), Error(ErrorCode::kStorageDamaged, text));
}

void PageWindow::NoteDisorder(PageId id) {
  NoteDamage(
      id, "The keys of the page are out of order with those of other pages.");
}

void PageWindow::Want(PageId id) { Find(id); }

void PageWindow::Keep(PageId id) {
  const std::size_t asked = missing_.size();
  Find(id);
  missing_.resize(asked);
}

PagePtr PageWindow::Share(PageId id) const {
  const auto held = std::ranges::find(held_, id, &Held::id);
  return held == held_.end() ? nullptr : held->page;
}

std::vector<PageId> PageWindow::TakeMissing() {
  return std::exchange(missing_, {});
}

template <typename Predicate>
void PageWindow::ReleaseIf(Predicate is_released) {
  std::size_t bytes = 0;
  std::erase_if(held_, [&](const Held& held) {
    if (!is_released(held)) return false;
    bytes += held.bytes;
    return true;
  });
  held_bytes_ -= bytes;
  cache_.held_bytes_ -= bytes;
}

void PageWindow::Release(PageId id) {
  if (hold_ == Hold::kForever) return;
  ReleaseIf([id](const Held& held) { return held.id == id; });
}

void PageWindow::ReleaseUnmarked() {
  if (hold_ == Hold::kForever) return;
  ReleaseIf([this](const Held& held) { return held.mark != mark_; });
}

bool PageWindow::has_room() const {
  return missing_.size() < kMaxMissing && held_bytes_ <= kMaxHeldBytes;
}

// Keeps the pages of a row while others of its pages are missing.  Otherwise
// the row would never have all its pages at once.
bool PageWindow::MakeRoom() {
  if (missing_.size() >= kMaxMissing) return false;
  if (held_bytes_ <= kMaxHeldBytes) return true;
  if (is_waiting()) return false;
  ReleaseUnmarked();
  Mark();
  return true;
}

void PageWindow::ReleaseAll() {
  ReleaseIf([](const Held&) { return true; });
  missing_.clear();
}

const Page* PageWindow::Find(PageId id) {
  for (Held& held : held_) {
    if (held.id != id) continue;
    held.mark = mark_;
    return held.page.get();
  }
  auto [page, bytes] = cache_.Find(id);
  if (page == nullptr) {
    if (const Error* reason = cache_.DamageOf(id)) {
      damage_ = *reason;
      return nullptr;
    }
    if (std::find(missing_.begin(), missing_.end(), id) == missing_.end()) {
      missing_.push_back(id);
    }
    return nullptr;
  }
  held_bytes_ += bytes;
  cache_.held_bytes_ += bytes;
  if (held_.empty()) held_.reserve(kPagesOfRow);
  held_.push_back({id, std::move(page), bytes, mark_});
  return held_.back().page.get();
}

}  // namespace entitable
