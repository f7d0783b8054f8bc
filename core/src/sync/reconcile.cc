#include "sync/reconcile.h"

#include <algorithm>
#include <utility>

#include "base/heap_sort.h"
#include "sync/push.h"

namespace entitable::sync {
namespace {

// Without an order, a row that is missing on this page may be on any other one.
bool Ascends(const Listing& listing) {
  const EntityKey* last = listing.after ? &*listing.after : nullptr;
  for (const ListedRow& row : listing.rows) {
    if (last != nullptr && *last >= row.key) return false;
    last = &row.key;
  }
  return true;
}

// Whether a row may be there and not be seen yet.
bool IsYoung(const RemoteRow& base, DateTime date) {
  const auto time = base ? TimeOfEtag(base->etag) : std::nullopt;
  return !time || time->ticks > date.ticks - kWideOverlap;
}

class Comparison {
 public:
  Comparison(SyncRows& rows, const Listing& listing)
      : rows_(rows), listing_(listing) {}

  Poll<Findings> Run(const Scope& scope) {
    std::optional<EntityKey> last;
    if (!listing_.is_end) {
      if (listing_.rows.empty()) return Findings();
      last = listing_.rows.back().key;
    }
    ENTITABLE_TRY(const std::vector<EntityKey> known,
                  rows_.KnownKeys(scope, listing_.after, last));
    found_.known = known.size();
    auto ours = known.begin();
    for (const ListedRow& row : listing_.rows) {
      while (ours != known.end() && *ours < row.key) {
        ENTITABLE_TRY(AddMissing(*ours++));
      }
      if (ours != known.end() && *ours == row.key) ++ours;
    }
    while (ours != known.end()) ENTITABLE_TRY(AddMissing(*ours++));
    ENTITABLE_TRY(found_.unknown, FindChanged());
    return std::move(found_);
  }

  Poll<std::vector<EntityKey>> FindChanged() {
    std::vector<EntityKey> changed;
    for (const ListedRow& listed : listing_.rows) {
      // Without the fence: a base that has changed since may still be older.
      ENTITABLE_TRY(const SyncedRow row, rows_.Find(listed.key.view()));
      const RemoteRow base = row.base();
      if (!base || base->etag != listed.etag) changed.push_back(listed.key);
    }
    return changed;
  }

 private:
  Poll<bool> IsFenced(const EntityKey& key) {
    ENTITABLE_TRY(const std::uint64_t changed_at,
                  rows_.BaseChangedAt(key.view()));
    return changed_at > listing_.sequence;
  }

  Poll<void> AddMissing(const EntityKey& key) {
    ENTITABLE_TRY(const bool is_fenced, IsFenced(key));
    if (is_fenced) return {};
    ENTITABLE_TRY(const SyncedRow row, rows_.Find(key.view()));
    const bool is_doubtful =
        row.is_dirty() || IsYoung(row.base(), listing_.date);
    (is_doubtful ? found_.doubtful : found_.missing).push_back(key);
    return {};
  }

  SyncRows& rows_;
  const Listing& listing_;
  Findings found_;
};

}  // namespace

Poll<Findings> Compare(SyncRows& rows, const Scope& scope,
                       const Listing& listing) {
  if (!Ascends(listing)) return Findings{.is_unsorted = true};
  return Comparison(rows, listing).Run(scope);
}

Poll<std::vector<EntityKey>> FindChanged(SyncRows& rows,
                                         const Listing& listing) {
  return Comparison(rows, listing).FindChanged();
}

Listing InOrder(Listing listing) {
  HeapSort(listing.rows, [](const ListedRow& a, const ListedRow& b) {
    return a.key < b.key;
  });
  const auto twice = std::ranges::unique(listing.rows, {}, &ListedRow::key);
  listing.rows.erase(twice.begin(), twice.end());
  return listing;
}

// A remote that answers with an empty list by mistake must not empty the
// replica.
bool IsSuspicious(std::uint64_t missing, std::uint64_t known) {
  constexpr std::uint64_t kMany = 100;
  return missing > kMany || missing * 10 > known;
}

}  // namespace entitable::sync
