// overlay.h - rows that one read sees over those of the state.

#ifndef ENTITABLE_STORE_OVERLAY_H_
#define ENTITABLE_STORE_OVERLAY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "entitable/storage.h"
#include "store/account_state.h"

namespace entitable {

// The rows of a record that is not stored are in the memtable as long as the
// overlay exists.  The state has a version of its own meanwhile, so that a read
// that goes on under another overlay, or without one, takes nothing for known.
// Nobody else may use the state.
//
// The record must outlive the overlay.  It changes only rows.
class Overlay {
 public:
  Overlay(AccountState& state, BytesView record);
  ~Overlay();
  Overlay(const Overlay&) = delete;
  Overlay& operator=(const Overlay&) = delete;

 private:
  void Put(TableId table, EntityKeyView key, std::optional<EntityView> entity);

  AccountState& state_;
  std::uint64_t version_;
  // What was there before, in the order of the changes.
  std::vector<std::pair<std::string, std::optional<MemRow>>> hidden_;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_OVERLAY_H_
