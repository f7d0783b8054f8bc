// store.h - the store of an account: its state, if it is open, and its pages.

#ifndef ENTITABLE_STORE_STORE_H_
#define ENTITABLE_STORE_STORE_H_

#include <cassert>
#include <memory>
#include <utility>

#include "entitable/engine.h"
#include "store/account_state.h"
#include "store/page_cache.h"

namespace entitable {

// The page cache is there even while the store is closed, because requests that
// wait for the store to open already have windows into it.
class Store {
 public:
  explicit Store(const StoreLimits& limits) : cache_(limits.cache_bytes) {}

  bool is_open() const { return state_ != nullptr; }

  // Only of an open store.
  AccountState& state() { return assert(state_), *state_; }
  const AccountState& state() const { return assert(state_), *state_; }

  PageCache& cache() { return cache_; }
  const PageCache& cache() const { return cache_; }

  void Open(std::unique_ptr<AccountState> state) { state_ = std::move(state); }
  void Close() {
    state_.reset();
    cache_.Clear();
  }

 private:
  std::unique_ptr<AccountState> state_;  // Null while the store is closed.
  PageCache cache_;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_STORE_H_
