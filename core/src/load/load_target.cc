#include "load/load_target.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "store/sort_key.h"
#include "write/indexed_rows.h"
#include "write/sync_support.h"
#include "write/write.h"

namespace entitable {
namespace {

// The rows of a synced table that one step takes: each has a mark, too.
constexpr std::size_t kSyncedRows = 100;

// The same for a table with one index, for rows that were not there and for
// others, which must be found first.
constexpr std::size_t kNewIndexedRows = 2000;
constexpr std::size_t kIndexedRows = 200;

// Each row is pushed by itself: an import is no transaction.
Poll<void> MarkRows(const std::vector<Change>& changes, const Table& table,
                    DateTime timestamp, const SyncSupport& sync,
                    Staging& staging) {
  for (const Change& change : changes) {
    const auto* put = std::get_if<EntityPut>(&change);
    if (put == nullptr) continue;
    const sync::LocalChange row{put->key, put->entity.properties};
    ENTITABLE_TRY(sync.mark(staging, table, timestamp, {&row, 1}));
  }
  return {};
}

}  // namespace

EntityKey EntityKeyIn(std::string_view sort_key) {
  auto parsed = ParseSortKey(sort_key);
  return parsed ? std::move(parsed->key) : EntityKey();
}

Poll<void> LoadTarget::Choose(const LoadInput& input,
                              const EngineOptions& options,
                              const Staging& staging) {
  ENTITABLE_TRY(const Table* table, staging.FindTable(input.table));
  const bool has_table = table != nullptr;
  if (input.makes_table && has_table) {
    return Fail(ErrorCode::kTableAlreadyExists);
  }
  // A table that was created again has none of the entities that earlier steps
  // stored.
  if (!input.makes_table && (!has_table || (known_ && *known_ != table->id))) {
    return Fail(ErrorCode::kTableNotFound);
  }
  with_dependents_.reset();
  if (has_table) ENTITABLE_TRY(CheckWritable(*table, options));
  const bool has_others =
      has_table && (table->sync != kNoTable || !table->indexes.empty());
  if (has_others) with_dependents_ = *table;
  id_ = has_table ? table->id : staging.next_table_id();
  // An archive comes back as it was.
  schemas_ = input.mode == ImportMode::kRestore
                 ? Schemas()
                 : Schemas(*input.schema, table->schema);
  sort_key_ = WholeTable(id_).begin;
  table_size_ = sort_key_.size();
  return {};
}

std::size_t LoadTarget::MostRows(const LoadInput& input) const {
  if (!with_dependents_) return input.rows.size();
  if (with_dependents_->sync != kNoTable) return kSyncedRows;
  const std::size_t rows = input.is_insert() ? kNewIndexedRows : kIndexedRows;
  return rows / std::max<std::size_t>(with_dependents_->indexes.size(), 1);
}

Poll<void> LoadTarget::Stage(const std::vector<Change>& changes,
                             DateTime timestamp, RowBefore before,
                             const SyncSupport* sync, Staging& staging) const {
  if (with_dependents_->sync != kNoTable) {
    ENTITABLE_TRY(
        MarkRows(changes, *with_dependents_, timestamp, *sync, staging));
  }
  for (const Change& change : changes) {
    if (const auto* put = std::get_if<EntityPut>(&change)) {
      ENTITABLE_TRY(PutRow(staging, *with_dependents_, put->key.view(),
                           put->entity, before));
    }
  }
  staging.End(timestamp);
  return {};
}

}  // namespace entitable
