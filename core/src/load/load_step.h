// load_step.h - the entities that one step of an import stores.

#ifndef ENTITABLE_LOAD_LOAD_STEP_H_
#define ENTITABLE_LOAD_LOAD_STEP_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/date_time.h"
#include "base/work_budget.h"
#include "entitable/engine.h"
#include "entitable/result.h"
#include "entitable/storage.h"
#include "load/load_rows.h"
#include "load/loaded_keys.h"
#include "model/entity.h"
#include "model/entity_reader.h"
#include "model/schema.h"
#include "store/bulk_load.h"
#include "store/lookup.h"
#include "write/staging.h"

namespace entitable {

// Collects entities, sorts them once, and evaluates them as often as necessary,
// a slice of work at a time.
// The result is usually a new sorted run.  Rows that the memtable also has go
// into the log record instead, because the memtable hides rows in pages.  If
// the step is too small to fill pages, all its rows go into the record.
class LoadStep {
 public:
  // `makes_table`: this is the first step of a table of an archive.
  LoadStep(std::string table, ImportMode mode, bool makes_table)
      : table_(std::move(table)),
        mode_(mode),
        makes_table_(makes_table),
        looks_up_(mode != ImportMode::kReplace) {}

  // For an archive: the settings of the table that this step creates, or of the
  // account if it creates none.  They took this many lines.
  void Set(PropertyList settings, std::size_t lines) {
    settings_ = std::move(settings);
    setting_lines_ = lines;
  }

  // `keeps_doubles`: as in UpdateEntity (entitable/operation.h).
  void Add(const NewEntity& entity, bool keeps_doubles);

  // Completes the step.  `known_table`: the table of earlier steps.  `loaded`:
  // the keys that they stored.  `schema`: of the import.  Both must outlive
  // this step.
  void Seal(std::optional<TableId> known_table, const LoadedKeys& loaded,
            const std::optional<Schema>& schema);

  bool makes_table() const { return makes_table_; }

  // Whether stored entities matter for some rows.
  bool looks_up() const { return looks_up_; }
  bool is_empty() const {
    return rows_.is_empty() && !makes_table_ && setting_lines_ == 0;
  }

  // Of keys and properties, with bookkeeping.
  std::size_t bytes() const { return rows_.bytes(); }

  // Stages what can be stored.  Fails if that is nothing.  If it is not
  // everything, failure() has the reason; without a reason the record was full,
  // and the rest needs another step.  The result is meaningless while pages are
  // missing, and while is_paused(): the work was spent, and the next call goes
  // on.  If the state has changed by then, that call begins again.
  Result<Response> Evaluate(DateTime now, const EngineOptions& options,
                            Staging& staging, WorkBudget& work);
  bool is_paused() const { return is_paused_; }

  // The result of the last evaluation: pages to store with the record, and the
  // manifest that names them.  Both are empty if there are no pages.
  const std::vector<Put>& pages() const { return pages_; }
  const Bytes& manifest() const { return manifest_; }

  // Adds the stored keys to `loaded`.
  void AddTo(LoadedKeys& loaded) const;

  // The number of stored entities; for an archive, of lines.
  std::size_t stored() const {
    return limit_ + setting_lines_ + (makes_table_ ? 1 : 0);
  }
  const std::optional<Error>& failure() const { return failure_; }
  bool has_rest() const { return !failure_ && limit_ < rows_.size(); }

  // Call it once the first part is stored: the step then consists of the rest.
  void KeepRest();

  TableId table_id() const { return table_id_; }

 private:
  bool is_insert() const {
    return mode_ == ImportMode::kInsert || mode_ == ImportMode::kRestore;
  }
  // Whether the result depends on the stored entity.
  bool NeedsStored(const LoadRow& row) const {
    return mode_ != ImportMode::kReplace || row.keeps_doubles;
  }
  const std::string& SortKeyOf(const LoadRow& row);

  Result<void> ChooseTable(const EngineOptions& options,
                           const Staging& staging);
  void LookUp(const AccountState& state, PageWindow& window, WorkBudget& work);
  void HalveLimit();
  Manifest OthersAmong(const Manifest& manifest);
  Result<Response> StageSettings(DateTime now, Staging& staging) const;

  // Where each row before the limit is to be stored.
  struct Plan {
    std::vector<Change> changes;  // Of the record.
    // The last changes put the rows with these indices.
    std::vector<std::uint32_t> indices;

    // The rows of a key that go into the run: their first, and their end.
    struct Key {
      std::uint32_t begin;
      std::uint32_t end;
    };
    std::vector<Key> keys;
  };

  // A result that is not complete yet.
  struct Draft {
    std::uint64_t version;  // Of the state that it is made for.
    DateTime timestamp;
    Plan plan = {};
    bool is_planned = false;
    std::size_t limit = 0;     // limit_ when the plan was begun.
    std::size_t next_row = 0;  // The plan has come to this row.
    std::unique_ptr<BulkLoad> load = nullptr;
    std::size_t next_key = 0;  // The run has come to this key of the plan.
  };
  Result<void> BeginDraft(DateTime now, const EngineOptions& options,
                          const Staging& staging, WorkBudget& work);
  void BeginPlan();
  bool MakePlan(const EngineOptions& options, const Memtable& memtable,
                WorkBudget& work);
  bool PlanBeforeLimit(bool is_small, const Memtable& memtable,
                       WorkBudget& work);
  void PlanTable(DateTime timestamp, Plan& plan) const;
  bool MakeEntity(std::size_t begin, std::size_t end, const MemRow* mem_row,
                  const Schemas& schemas);
  PropertyList ResultOn(std::string_view stored, const LoadRow& row) const;
  void FailAt(const LoadRow& row, Error error);
  void LimitRecord(const Plan& plan);
  DateTime TimestampOf(const LoadRow& row, DateTime now) const {
    return mode_ == ImportMode::kRestore ? row.timestamp : now;
  }

  bool WriteRun(const StoreLimits& limits, const AccountState& state,
                WorkBudget& work);
  std::size_t MostNotedRows() const;
  Result<void> StageNoted(const Draft& draft, const EngineOptions& options,
                          Staging& staging) const;
  Result<void> MarkRows(const Draft& draft, const SyncSupport& sync,
                        Staging& staging) const;
  RangeLoaded FinishRun(const Draft& draft);

  std::string table_;
  ImportMode mode_;
  bool makes_table_;
  bool looks_up_;
  PropertyList settings_ = {};
  std::size_t setting_lines_ = 0;
  DateTime newest_ = {};  // The newest timestamp of an archive's entities.
  std::optional<TableId> known_table_;
  const LoadedKeys* loaded_ = nullptr;
  const std::optional<Schema>* schema_ = nullptr;
  TableId table_id_ = 0;  // As of the last evaluation.
  Schemas schemas_;       // The same.
  // The same, of a table that is synced or has indexes: each of its rows
  // changes other rows, too.
  std::optional<Table> noted_;

  LoadRows rows_;
  std::string sort_key_;
  std::size_t table_size_ = 0;  // The bytes of the table in it.

  // The manifest_changes() that `stored` and found_ come from.
  std::optional<std::uint64_t> manifest_changes_;
  std::vector<Entity> found_;
  std::size_t found_bytes_ = 0;
  // All rows before this one have been looked up, if they are before the limit
  // of the last look-up.
  std::size_t looked_up_ = 0;
  std::size_t looked_up_limit_ = 0;

  std::optional<Draft> draft_;
  bool is_paused_ = false;

  // Only this many entities are stored, because the next one fails, or because
  // more was found than fits into memory: then most_rows_ has the limit.
  std::size_t limit_ = 0;
  std::size_t most_rows_ = SIZE_MAX;
  std::optional<Error> failure_;

  std::vector<Put> pages_;
  Bytes manifest_;
  PageId run_ = 0;  // The first directory page of the run that was written.

  // The entity that was made last.
  PropertyList merged_;
  std::string_view made_;
};

}  // namespace entitable

#endif  // ENTITABLE_LOAD_LOAD_STEP_H_
