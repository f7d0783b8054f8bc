// stored_rows.h - the rows that a round of writes asks the store for.

#ifndef ENTITABLE_ENGINE_STORED_ROWS_H_
#define ENTITABLE_ENGINE_STORED_ROWS_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/key_table.h"
#include "entitable/result.h"
#include "model/entity.h"
#include "store/account_state.h"
#include "store/page_cache.h"

namespace entitable {

// An evaluation asks for rows.  Those whose pages lack are noted, so that the
// pages can be fetched, a few at a time, and the evaluation be done again: what
// was found stays here, the pages do not.
class StoredRows {
 public:
  explicit StoredRows(PageCache& cache) : window_(cache) {}

  // Null when it is not there, or lacks; valid until Clear().  Fails with
  // StorageDamaged.
  Result<const Entity*> Find(const AccountState& state,
                             std::string_view sort_key);

  // Whether a row lacks.
  bool is_lacking() const { return lacking_ > 0; }

  // Looks for those rows again; true when none lacks any more.  Else the window
  // knows the pages that are needed next.
  bool Resolve(const AccountState& state);

  // Forgets all: what is in pages has become another.
  void Clear();

  PageWindow& window() { return window_; }

 private:
  using Found = Result<std::optional<Entity>>;

  // Nothing when pages lack.
  std::optional<Found> Look(const AccountState& state,
                            std::string_view sort_key);

  PageWindow window_;
  // What was asked for; nothing where the row lacks.
  KeyTable rows_;
  std::vector<std::unique_ptr<std::optional<Found>>> found_;
  std::size_t lacking_ = 0;
};

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_STORED_ROWS_H_
