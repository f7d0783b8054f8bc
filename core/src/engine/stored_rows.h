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

// An evaluation asks for rows.  Rows whose pages are missing are noted.  The
// engine fetches those pages, a few at a time, and evaluates again.  The rows
// that were found stay here, the pages do not.
//
// The rows of the first write are found whatever memory they take.  Of those of
// others, no more are looked for when they take much.
class StoredRows {
 public:
  explicit StoredRows(PageCache& cache) : window_(cache) {}

  // An evaluation begins, with its first write, or with its second.
  void BeginFirst() { is_first_ = true, is_missing_ = false; }
  void EndFirst() { is_first_ = false, required_ = found_.size(); }

  // Null when it is not there, or lacks; valid until Clear().  Fails with
  // StorageDamaged.
  Result<const Entity*> Find(const AccountState& state,
                             std::string_view sort_key);

  // Whether a row lacked since the evaluation began.
  bool is_missing() const { return is_missing_; }

  // Whether rows take so much that those of the first write must do.
  bool is_full() const { return found_bytes_ >= kMaxFoundBytes; }

  // The write whose rows are missing is not evaluated now.
  void ForgetMissing() { is_missing_ = false; }

  // Looks again for the missing rows.  True if none is missing any more, or if
  // it is full and the first write has its rows.  Else the window knows the
  // pages that are needed next.
  bool Resolve(const AccountState& state);

  // Forgets all: what is in pages has become another.
  void Clear();

  PageWindow& window() { return window_; }
  const PageWindow& window() const { return window_; }

 private:
  // Of properties.
  static constexpr std::size_t kMaxFoundBytes = std::size_t{4} << 20;

  using Found = Result<std::optional<Entity>>;

  // Nothing when pages lack.
  std::optional<Found> LookUp(const AccountState& state,
                              std::string_view sort_key);

  PageWindow window_;
  // What was asked for; nothing where the row lacks.
  KeyTable rows_;
  std::vector<std::unique_ptr<std::optional<Found>>> found_;
  std::size_t found_bytes_ = 0;
  std::size_t required_ = 0;  // So many of them, for the first write.
  bool is_first_ = true;
  bool is_missing_ = false;
};

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_STORED_ROWS_H_
