#include "sync/reconcile.h"

#include <algorithm>
#include <utility>

#include "base/utf.h"
#include "sync/push.h"

namespace entitable::sync {
namespace {

bool Ascends(const Listing& listing) {
  std::optional<std::string_view> last = listing.after;
  for (const ListedRow& row : listing.rows) {
    if (last && CompareUtf16(*last, row.row_key) >= 0) return false;
    last = row.row_key;
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
  Comparison(SyncRows& rows, std::string_view partition_key,
             const Listing& listing)
      : rows_(rows), partition_key_(partition_key), listing_(listing) {}

  Result<Findings> Run() {
    std::optional<std::string_view> last;
    if (!listing_.is_end) {
      if (listing_.rows.empty()) return Findings();
      last = listing_.rows.back().row_key;
    }
    ENTITABLE_TRY(const std::vector<std::string> known,
                  rows_.KnownRowKeys(partition_key_, listing_.after, last));
    auto ours = known.begin();
    for (const ListedRow& row : listing_.rows) {
      while (ours != known.end() && CompareUtf16(*ours, row.row_key) < 0) {
        ENTITABLE_TRY(AddMissing(*ours++));
      }
      if (ours != known.end() && *ours == row.row_key) ++ours;
      ENTITABLE_TRY(AddListed(row));
    }
    while (ours != known.end()) ENTITABLE_TRY(AddMissing(*ours++));
    return std::move(found_);
  }

 private:
  Result<bool> IsFenced(std::string_view row_key) {
    ENTITABLE_TRY(const std::uint64_t changed_at,
                  rows_.BaseChangedAt({partition_key_, row_key}));
    return changed_at > listing_.sequence;
  }

  Result<void> AddMissing(const std::string& row_key) {
    ENTITABLE_TRY(const bool is_fenced, IsFenced(row_key));
    if (is_fenced) return {};
    ENTITABLE_TRY(const SyncedRow row, rows_.Find({partition_key_, row_key}));
    const bool is_doubtful =
        row.is_dirty() || IsYoung(row.base(), listing_.date);
    (is_doubtful ? found_.doubtful : found_.missing).push_back(row_key);
    return {};
  }

  Result<void> AddListed(const ListedRow& listed) {
    ENTITABLE_TRY(const bool is_fenced, IsFenced(listed.row_key));
    if (is_fenced) return {};
    ENTITABLE_TRY(const SyncedRow row,
                  rows_.Find({partition_key_, listed.row_key}));
    const RemoteRow base = row.base();
    if (!base || base->etag != listed.etag) {
      found_.unknown.push_back(listed.row_key);
    }
    return {};
  }

  SyncRows& rows_;
  std::string_view partition_key_;
  const Listing& listing_;
  Findings found_;
};

}  // namespace

Result<Findings> Compare(SyncRows& rows, std::string_view partition_key,
                         const Listing& listing) {
  if (!Ascends(listing)) return Findings{.is_unsorted = true};
  return Comparison(rows, partition_key, listing).Run();
}

void SortListing(Listing& listing) {
  std::ranges::sort(listing.rows, [](const ListedRow& a, const ListedRow& b) {
    return CompareUtf16(a.row_key, b.row_key) < 0;
  });
}

bool IsSuspicious(std::size_t missing, std::size_t known) {
  constexpr std::size_t kMany = 100;
  return missing > kMany || missing * 10 > known;
}

}  // namespace entitable::sync
