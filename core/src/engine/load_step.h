// load_step.h - the entities that one step of an import stores.

#ifndef ENTITABLE_ENGINE_LOAD_STEP_H_
#define ENTITABLE_ENGINE_LOAD_STEP_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/date_time.h"
#include "engine/load_rows.h"
#include "engine/loaded_keys.h"
#include "engine/staging.h"
#include "entitable/engine.h"
#include "entitable/result.h"
#include "entitable/storage.h"
#include "model/entity.h"
#include "model/entity_reader.h"
#include "store/lookup.h"

namespace entitable {

// Collects entities, sorts them once, and evaluates them as often as necessary.
// The result is usually a new sorted run.  Rows that the memtable also has go
// into the log record instead, because the memtable hides rows in pages.  If
// the step is too small to fill pages, all its rows go into the record.
class LoadStep {
 public:
  // `makes_table`: this is the first step of a table of an archive.
  LoadStep(std::string table, ImportMode mode, bool makes_table)
      : table_(std::move(table)), mode_(mode), makes_table_(makes_table) {}

  // For an archive: the settings of the table that this step creates, or of the
  // account if it creates none.  They took this many lines.
  void Set(PropertyList settings, std::size_t lines) {
    settings_ = std::move(settings);
    setting_lines_ = lines;
  }

  void Add(const NewEntity& entity);

  // Completes the step.  `known_table`: the table of earlier steps.  `loaded`:
  // the keys that they stored; it must outlive this step.
  void Seal(std::optional<TableId> known_table, const LoadedKeys& loaded);

  bool makes_table() const { return makes_table_; }
  bool is_empty() const {
    return rows_.is_empty() && !makes_table_ && setting_lines_ == 0;
  }

  // Of keys and properties, with bookkeeping.
  std::size_t bytes() const { return rows_.bytes(); }

  // Stages what can be stored.  Fails if that is nothing.  If it is not
  // everything, failure() has the reason; without a reason the record was full,
  // and the rest needs another step.  The result is meaningless while pages are
  // missing.
  Result<Response> Evaluate(DateTime now, const EngineOptions& options,
                            Staging& staging);

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
  const std::string& SortKeyOf(const LoadRow& row);

  Result<void> ChooseTable(const Staging& staging);
  void LookUp(const AccountState& state, PageWindow& window);
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
  Plan MakePlan(DateTime timestamp, const EngineOptions& options,
                const Staging& staging);
  Plan PlanBeforeLimit(DateTime timestamp, bool is_small,
                       const Memtable& memtable);
  void PlanTable(DateTime timestamp, Plan& plan) const;
  bool MakeEntity(std::size_t begin, std::size_t end, const MemRow* mem_row);
  void FailAt(const LoadRow& row, Error error);
  void LimitRecord(const Plan& plan);
  DateTime TimestampOf(const LoadRow& row, DateTime now) const {
    return mode_ == ImportMode::kRestore ? row.timestamp : now;
  }

  void Emit(Plan plan, DateTime timestamp, const EngineOptions& options,
            Staging& staging);
  RangeLoaded EmitRun(const Plan& plan, DateTime timestamp,
                      const StoreLimits& limits, const AccountState& state);

  std::string table_;
  ImportMode mode_;
  bool makes_table_;
  PropertyList settings_ = {};
  std::size_t setting_lines_ = 0;
  DateTime newest_ = {};  // The newest timestamp of an archive's entities.
  std::optional<TableId> known_table_;
  const LoadedKeys* loaded_ = nullptr;
  TableId table_id_ = 0;  // As of the last evaluation.

  LoadRows rows_;
  std::string sort_key_;
  std::size_t table_size_ = 0;  // The bytes of the table in it.

  // The manifest_changes() that `stored` and found_ come from.
  std::optional<std::uint64_t> manifest_changes_;
  std::vector<Entity> found_;

  // Only this many entities are stored, because the next one fails.
  std::size_t limit_ = 0;
  std::optional<Error> failure_;

  std::vector<Put> pages_;
  Bytes manifest_;
  PageId run_ = 0;  // The first directory page of the run that was written.

  // The entity that was made last.
  PropertyList merged_;
  std::string_view made_;
};

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_LOAD_STEP_H_
