// load_target.h - the table that a step of an import goes to.

#ifndef ENTITABLE_LOAD_LOAD_TARGET_H_
#define ENTITABLE_LOAD_LOAD_TARGET_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/date_time.h"
#include "base/poll.h"
#include "entitable/engine.h"
#include "entitable/result.h"
#include "load/load_rows.h"
#include "model/schema.h"
#include "store/store.h"
#include "store/table_row.h"
#include "write/indexed_rows.h"
#include "write/staging.h"

namespace entitable {

// Nothing of a key that this module did not write itself.
EntityKey EntityKeyIn(std::string_view sort_key);

// The table is looked for in each evaluation, because another tab may have
// dropped it, put it under sync, or given it an index since the step before.
class LoadTarget {
 public:
  // The table of earlier steps.
  void Expect(std::optional<TableId> known) { known_ = known; }

  // Finds the table, or takes the id of the one that the step creates.  Fails
  // with TableAlreadyExists or TableNotFound, or if no import may write to the
  // table.
  Poll<void> Choose(const LoadInput& input, const EngineOptions& options,
                    const Staging& staging);

  TableId id() const { return id_; }

  // That the entities must keep.
  const Schemas& schemas() const { return schemas_; }

  // The key in all pages.  Valid until the next call.
  const std::string& SortKeyOf(std::string_view key) {
    sort_key_.resize(table_size_);
    return sort_key_ += key;
  }

  // The last one.
  const std::string& last_sort_key() const { return sort_key_; }

  // Whether the table is synced or has indexes: each of its rows changes other
  // rows, too.  Then all rows go through the log.
  bool has_dependents() const { return with_dependents_.has_value(); }

  // How many rows one step takes for that reason.
  std::size_t MostRows(const LoadInput& input) const;

  // Stages these changes, and those of other rows.
  Poll<void> Stage(const std::vector<Change>& changes, DateTime timestamp,
                   RowBefore before, const SyncSupport* sync,
                   Staging& staging) const;

 private:
  std::optional<TableId> known_;
  TableId id_ = 0;
  Schemas schemas_;
  std::optional<Table> with_dependents_;
  std::string sort_key_;
  std::size_t table_size_ = 0;  // The bytes of the table in it.
};

}  // namespace entitable

#endif  // ENTITABLE_LOAD_LOAD_TARGET_H_
