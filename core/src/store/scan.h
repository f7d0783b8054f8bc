// scan.h - the rows of a range in key order, each in its newest state.

#ifndef ENTITABLE_STORE_SCAN_H_
#define ENTITABLE_STORE_SCAN_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/entity.h"
#include "store/account_state.h"
#include "store/page_cache.h"
#include "store/run_cursor.h"
#include "store/sort_key.h"

namespace entitable {

// Where it stands is a key, so it goes on through folds and merges, and after
// any wait, without beginning anew.
class Scan {
 public:
  explicit Scan(SortRange range) : range_(std::move(range)) {}

  enum class Step : std::uint8_t {
    kRow,
    kEnd,
    kWaiting,  // Pages lack, and the window knows which.
  };

  // To the next entity.  The window is the same in every call.
  Step Next(const AccountState& state, PageWindow& window);

  // Valid until the next call.
  std::string_view key() const { return key_; }
  const Entity& entity() const { return *entity_; }

 private:
  using MemRows = Memtable::Rows::const_iterator;

  bool SettleAll(PageWindow& window);
  void Begin(const AccountState& state, PageWindow& window);
  bool FindNextKey();
  bool Take(PageWindow& window);
  void Wait();

  SortRange range_;  // What is left of it.
  std::uint64_t version_ = 0;
  bool is_placed_ = false;
  bool is_new_ = false;    // Nothing was taken since it was last placed.
  std::size_t ahead_ = 1;  // Pages to ask for at once.

  MemRows mem_;
  MemRows mem_end_;
  std::vector<RunCursor> runs_;  // The newest first.

  std::string key_;
  const Entity* entity_ = nullptr;  // Null: the row is deleted.
  Entity decoded_{};
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_SCAN_H_
