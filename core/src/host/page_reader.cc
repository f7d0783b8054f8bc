#include "host/page_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include "store/envelope.h"

namespace entitable {
namespace {

void Accept(PageId id, std::optional<Bytes> value, PageCache& cache) {
  if (!value) {
    return cache.MarkDamaged(
        id, Named(ValueKey::Page(id),
                  Error(ErrorCode::kStorageDamaged, "The page is missing.")));
  }
  auto page = DecodePage(*std::move(value));
  if (!page) {
    return cache.MarkDamaged(
        id, Named(ValueKey::Page(id), std::move(page).error()));
  }
  cache.Insert(id, *std::move(page));
}

}  // namespace

void PageReader::Want(const std::vector<PageId>& pages) {
  const auto has = [](const std::vector<PageId>& ids, PageId id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  };
  for (const PageId id : pages) {
    if (!has(wanted_, id) && !has(in_flight_, id)) wanted_.push_back(id);
  }
}

std::vector<ValueKey> PageReader::Begin(const Store& store) {
  asked_at_ = store.progress();
  std::vector<ValueKey> keys = {ValueKey::Manifest()};
  // The other pages will be asked for again if they are still needed.
  if (wanted_.size() > window_) wanted_.resize(window_);
  in_flight_ = std::exchange(wanted_, {});
  for (const PageId id : in_flight_) keys.push_back(ValueKey::Page(id));
  return keys;
}

// The manifest was read in the same snapshot as the pages.  So it tells what it
// means that a page is missing:
//
//   the manifest has not changed              the page is lost: damage
//   it is another one                         the page may be gone by right
//   the state cannot take it before the log   unknown: the log is read first
Result<void> PageReader::Finish(Snapshot snapshot, Store& store) {
  const std::vector<PageId> pages = std::exchange(in_flight_, {});
  wanted_.clear();
  if (snapshot.values.size() != pages.size() + 1) {
    return Fail(ErrorCode::kStorageDamaged,
                "The storage did not return the values that were asked for.");
  }
  ENTITABLE_TRY(store.AcceptManifest(snapshot.values.front(), asked_at_));
  window_ = std::min(window_ + 1, kMaxWindow);
  const bool is_same_manifest =
      store.state().manifest().version == asked_at_.manifest_version &&
      !store.state().is_behind();
  for (std::size_t i = 0; i < pages.size(); ++i) {
    auto& value = snapshot.values[i + 1];
    // Under another manifest, the page may rightly be gone.  A read that still
    // needs it asks again.
    if (value || is_same_manifest)
      Accept(pages[i], std::move(value), store.cache());
  }
  return {};
}

void PageReader::Abandon() {
  in_flight_.clear();
  wanted_.clear();
}

bool PageReader::Narrow() {
  if (in_flight_.size() < 2) return false;
  window_ = in_flight_.size() / 2;
  wanted_.insert(wanted_.begin(), in_flight_.begin(), in_flight_.end());
  in_flight_.clear();
  return true;
}

}  // namespace entitable
