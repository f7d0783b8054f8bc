// Windows into the page cache, against sets of the pages that they hold.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "store/page_cache.h"
#include "support/numbered_pages.h"
#include "support/random.h"

namespace entitable {
namespace {

// A window, the pages that it should hold, with the mark of their last use, and
// those that it should miss.
class WindowUse {
 public:
  WindowUse(PageCache& cache, const std::set<PageId>& cached)
      : window_(cache), cached_(cached) {}

  void Ask(PageId id) {
    const bool is_there = Reach(id);
    const bool is_found = id % 3 == 0
                              ? window_.Directory(EntryOf(id)) != nullptr
                              : window_.Leaf(EntryOf(id)) != nullptr;
    EXPECT_EQ(is_found, is_there);
    EXPECT_FALSE(window_.damage());
  }

  void Want(PageId id) {
    Reach(id);
    window_.Want(id);
  }

  void Keep(PageId id) {
    if (held_.contains(id) || cached_.contains(id)) Reach(id);
    window_.Keep(id);
  }

  void Release(PageId id) {
    window_.Release(id);
    held_.erase(id);
  }

  void Mark() {
    window_.Mark();
    ++mark_;
  }

  void ReleaseUnmarked() {
    window_.ReleaseUnmarked();
    std::erase_if(held_,
                  [this](const auto& one) { return one.second != mark_; });
  }

  void ReleaseAll() {
    window_.ReleaseAll();
    held_.clear();
    missing_.clear();
  }

  std::vector<PageId> TakeMissing() {
    EXPECT_EQ(window_.is_waiting(), !missing_.empty());
    std::vector<PageId> missing = window_.TakeMissing();
    EXPECT_EQ(missing, missing_);
    missing_.clear();
    return missing;
  }

  // Returns their bytes.
  std::size_t ExpectHeld() const {
    std::size_t bytes = 0;
    for (PageId id = 1; id <= kPages; ++id) {
      const PagePtr page = window_.Share(id);
      EXPECT_EQ(page != nullptr, held_.contains(id)) << id;
      if (page != nullptr) bytes += BytesOf(page);
    }
    EXPECT_EQ(window_.held_bytes(), bytes);
    return bytes;
  }

 private:
  bool Reach(PageId id) {
    const bool is_there = held_.contains(id) || cached_.contains(id);
    if (is_there) {
      held_[id] = mark_;
    } else if (std::ranges::find(missing_, id) == missing_.end()) {
      missing_.push_back(id);
    }
    return is_there;
  }

  PageWindow window_;
  const std::set<PageId>& cached_;
  std::map<PageId, int> held_;
  std::vector<PageId> missing_;
  int mark_ = 0;
};

void Use(WindowUse& window, std::mt19937_64& random) {
  const PageId id = 1 + random() % kPages;
  switch (random() % 9) {
    case 0:
      return window.Want(id);
    case 8:
      return window.Keep(id);
    case 1:
      return window.Release(id);
    case 2:
      return window.Mark();
    case 3:
      return random() % 4 == 0 ? window.ReleaseAll() : window.ReleaseUnmarked();
    default:
      return window.Ask(id);
  }
}

TEST(PageWindowTest, HoldsPagesWhateverTheCacheDoes) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  std::mt19937_64 random(TestSeed());
  PageCache cache(0);
  std::set<PageId> cached;
  WindowUse windows[] = {{cache, cached}, {cache, cached}};
  for (int i = 0; i < 500 && !HasFailure(); ++i) {
    WindowUse& window = windows[random() % 2];
    Use(window, random);
    if (random() % 4 == 0) {
      for (const PageId id : window.TakeMissing()) {
        if (random() % 3 == 0) continue;
        cache.Insert(id, PageOf(id));
        cached.insert(id);
      }
    }
    if (random() % 4 == 0) {
      cache.Trim();
      cached.clear();
    }
    const std::size_t bytes = windows[0].ExpectHeld() + windows[1].ExpectHeld();
    EXPECT_EQ(cache.held_bytes(), bytes);
  }
  for (WindowUse& window : windows) window.ReleaseAll();
  EXPECT_EQ(cache.held_bytes(), 0U);
}

TEST(PageWindowTest, TakesAPageThatIsNotItsEntrysForDamaged) {
  PageCache cache(0);
  for (PageId id = 1; id <= kPages; ++id) cache.Insert(id, PageOf(id));
  PageEntry other_key = EntryOf(1);
  other_key.first_key = "key1001";
  PageEntry other_count = EntryOf(1);
  ++other_count.totals.rows;
  for (const PageEntry& entry : {other_key, other_count, EntryOf(3)}) {
    PageWindow window(cache);
    EXPECT_EQ(window.Leaf(entry), nullptr);
    EXPECT_FALSE(window.is_waiting());
    ASSERT_TRUE(window.damage());
    EXPECT_EQ(window.damage()->code, ErrorCode::kStorageDamaged);
  }
  PageWindow window(cache);
  EXPECT_EQ(window.Directory(EntryOf(1)), nullptr);
  EXPECT_TRUE(window.damage());
  EXPECT_TRUE(window.TakeDamage());
  EXPECT_NE(window.Leaf(EntryOf(1)), nullptr);
  EXPECT_FALSE(window.damage());
}

TEST(PageWindowTest, DoesNotAskForADamagedPage) {
  PageCache cache(0);
  PageWindow window(cache);
  cache.MarkDamaged(1, Error(ErrorCode::kStorageDamaged, "why"));
  EXPECT_EQ(window.Leaf(EntryOf(1)), nullptr);
  EXPECT_FALSE(window.is_waiting());
  EXPECT_EQ(window.damage()->message, "why");
}

TEST(PageWindowTest, KeepsEverythingForAUserThatStartsOver) {
  PageCache cache(0);
  cache.Insert(1, PageOf(1));
  PageWindow window(cache, PageWindow::Hold::kForever);
  window.Want(1);
  window.Release(1);
  window.Mark();
  window.ReleaseUnmarked();
  EXPECT_NE(window.Share(1), nullptr);
  window.ReleaseAll();
  EXPECT_EQ(window.Share(1), nullptr);
}

// A search for another row has to wait until the pages of this one are there.
TEST(PageWindowTest, MakesNoRoomAtTheCostOfARowThatWaits) {
  PageCache cache(0);
  PageWindow window(cache);
  for (PageId id = 100; id < 163; ++id) window.Want(id);
  EXPECT_TRUE(window.MakeRoom());
  window.Want(163);
  EXPECT_FALSE(window.MakeRoom());
  window.TakeMissing();

  // Pages of more than 2 MiB in all.
  PageId id = 200;
  const PagePtr page = *DecodePage(LeafValue(4'000));
  for (; window.held_bytes() <= std::size_t{2} << 20; ++id) {
    cache.Insert(id, page);
    window.Want(id);
  }
  window.Want(99);
  EXPECT_FALSE(window.MakeRoom());
  EXPECT_NE(window.Share(200), nullptr);
  window.TakeMissing();
  window.Mark();
  window.Want(id - 1);
  EXPECT_TRUE(window.MakeRoom());
  EXPECT_EQ(window.Share(200), nullptr);
  EXPECT_NE(window.Share(id - 1), nullptr);
}

}  // namespace
}  // namespace entitable
