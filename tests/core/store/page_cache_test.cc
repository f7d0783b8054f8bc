// The page cache, against a list of its pages by their last use.

#include "store/page_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "support/numbered_pages.h"
#include "support/random.h"

namespace entitable {
namespace {

class Random {
 public:
  std::size_t Below(std::size_t limit) { return random_() % limit; }
  PageId Id() { return 1 + Below(kPages); }

  // Some pages in any order.
  std::vector<PageId> Ids() {
    std::vector<PageId> ids;
    for (PageId id = 1; id <= kPages; ++id) ids.push_back(id);
    std::shuffle(ids.begin(), ids.end(), random_);
    ids.resize(Below(4));
    return ids;
  }

 private:
  std::mt19937_64 random_{TestSeed()};
};

// The cache and the ids of the pages that it should have, the least recently
// used first.
class CacheUse {
 public:
  explicit CacheUse(std::size_t max_bytes)
      : max_bytes_(max_bytes), cache_(max_bytes) {}

  void Find(PageId id) {
    const PageCache::Found found = cache_.Find(id);
    ASSERT_EQ(found.page != nullptr, Has(id));
    EXPECT_EQ(found.bytes, Has(id) ? BytesOf(found.page) : 0);
    if (Has(id)) Use(id);
  }

  void Insert(PageId id) {
    cache_.Insert(id, PageOf(id));
    Use(id);
  }

  void Erase(PageId id) {
    cache_.Erase(id);
    std::erase(used_, id);
  }

  void Trim() {
    cache_.Trim();
    while (Bytes() > max_bytes_) used_.erase(used_.begin());
  }

  // Values that are no pages, or none that can be read, do no harm.
  void AcceptWritten(const std::vector<PageId>& puts,
                     const std::vector<PageId>& deletes) {
    std::vector<Put> written{{ValueKey::Manifest(), Share("manifest")},
                             {ValueKey::Page(kPages + 1), Share("damaged")}};
    std::vector<ValueKey> gone{ValueKey::Record(1)};
    for (const PageId id : deletes) {
      gone.push_back(ValueKey::Page(id));
      std::erase(used_, id);
    }
    for (const PageId id : puts) {
      if (Has(id)) continue;  // Ids are never used twice.
      written.push_back({ValueKey::Page(id), Share(ValueOf(id))});
      if (Bytes() + BytesOf(PageOf(id)) <= max_bytes_) Use(id);
    }
    cache_.AcceptWritten(written, gone);
  }

  void ExpectBytes() const { EXPECT_EQ(cache_.bytes(), Bytes()); }

 private:
  bool Has(PageId id) const {
    return std::ranges::find(used_, id) != used_.end();
  }
  void Use(PageId id) {
    std::erase(used_, id);
    used_.push_back(id);
  }
  std::size_t Bytes() const {
    std::size_t bytes = 0;
    for (const PageId id : used_) bytes += BytesOf(PageOf(id));
    return bytes;
  }

  std::size_t max_bytes_;
  PageCache cache_;
  std::vector<PageId> used_;
};

TEST(PageCacheTest, KeepsTheLastUsedPagesThatFit) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  Random random;
  for (const std::size_t max_bytes : {0U, 2'000U, 5'000U}) {
    CacheUse use(max_bytes);
    for (int i = 0; i < 200 && !HasFailure(); ++i) {
      switch (random.Below(6)) {
        case 0:
          use.Insert(random.Id());
          break;
        case 1:
          use.Erase(random.Id());
          break;
        case 2:
          use.Trim();
          break;
        case 3:
          use.AcceptWritten(random.Ids(), random.Ids());
          break;
        default:
          use.Find(random.Id());
      }
      use.ExpectBytes();
    }
    for (PageId id = 1; id <= kPages; ++id) use.Find(id);
  }
}

TEST(PageCacheTest, ForgetsDamageWhenItIsTrimmed) {
  PageCache cache(1000);
  cache.MarkDamaged(7, Error(ErrorCode::kStorageDamaged, "why"));
  ASSERT_NE(cache.DamageOf(7), nullptr);
  EXPECT_EQ(cache.DamageOf(7)->message, "why");
  EXPECT_EQ(cache.DamageOf(8), nullptr);
  cache.Trim();
  EXPECT_EQ(cache.DamageOf(7), nullptr);
}

}  // namespace
}  // namespace entitable
