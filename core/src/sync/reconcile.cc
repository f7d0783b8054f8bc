#include "sync/reconcile.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "sync/push.h"

namespace entitable::sync {
namespace {

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

  Result<Findings> Run(const Scope& scope) {
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

  Result<std::vector<EntityKey>> FindChanged() {
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
  Result<bool> IsFenced(const EntityKey& key) {
    ENTITABLE_TRY(const std::uint64_t changed_at,
                  rows_.BaseChangedAt(key.view()));
    return changed_at > listing_.sequence;
  }

  Result<void> AddMissing(const EntityKey& key) {
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

Result<Findings> Compare(SyncRows& rows, const Scope& scope,
                         const Listing& listing) {
  if (!Ascends(listing)) return Findings{.is_unsorted = true};
  return Comparison(rows, listing).Run(scope);
}

Result<std::vector<EntityKey>> FindChanged(SyncRows& rows,
                                           const Listing& listing) {
  return Comparison(rows, listing).FindChanged();
}

bool IsSuspicious(std::uint64_t missing, std::uint64_t known) {
  constexpr std::uint64_t kMany = 100;
  return missing > kMany || missing * 10 > known;
}

// --------------------------------------------------------------------- a pass

Result<ReconcilePass::Step> ReconcilePass::Take(SyncRows& rows, Listing page) {
  Step step;
  if (!is_sorted_) {
    ENTITABLE_TRY(step.unknown, FindChanged(rows, page));
    if (!has_page_) {
      // What is missing was missing at the first page, too.
      whole_.sequence = page.sequence;
      whole_.asked_at = page.asked_at;
      whole_.date = page.date;
    }
    has_page_ = true;
    std::ranges::move(page.rows, std::back_inserter(whole_.rows));
    return step;
  }
  page.after = last_key_;
  ENTITABLE_TRY(Findings found, Compare(rows, scope_, page));
  if (found.is_unsorted) return Step{.is_unsorted = true};
  Note(found, page);
  if (!page.rows.empty()) last_key_ = std::move(page.rows.back().key);
  step.unknown = std::move(found.unknown);
  return step;
}

void ReconcilePass::Note(const Findings& found, const Listing& listing) {
  for (const EntityKey& key : found.missing) {
    end_.missing.push_back({key, listing.sequence, listing.asked_at});
  }
  std::ranges::copy(found.doubtful, std::back_inserter(end_.doubtful));
}

Result<ReconcilePass::End> ReconcilePass::Finish(SyncRows& rows) {
  if (!is_sorted_) {
    std::ranges::sort(whole_.rows, {}, &ListedRow::key);
    // A row that moved may have been listed twice.
    const auto twice = std::ranges::unique(whole_.rows, {}, &ListedRow::key);
    whole_.rows.erase(twice.begin(), twice.end());
    whole_.is_end = true;
    ENTITABLE_TRY(const Findings found, Compare(rows, scope_, whole_));
    Note(found, whole_);
  }
  const std::size_t count = end_.missing.size();
  if (count == 0) return std::move(end_);
  ENTITABLE_TRY(const std::vector<EntityKey> known,
                rows.KnownKeys(scope_, std::nullopt, std::nullopt));
  if (IsSuspicious(count, known.size())) {
    end_.samples.push_back(end_.missing.front().key);
    if (count > 2) end_.samples.push_back(end_.missing[count / 2].key);
    if (count > 1) end_.samples.push_back(end_.missing.back().key);
  }
  return std::move(end_);
}

}  // namespace entitable::sync
