// load_step.h - the entities that one step of an import stores.

#ifndef ENTITABLE_LOAD_LOAD_STEP_H_
#define ENTITABLE_LOAD_LOAD_STEP_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/date_time.h"
#include "base/poll.h"
#include "base/work_budget.h"
#include "entitable/engine.h"
#include "entitable/result.h"
#include "entitable/storage.h"
#include "load/load_lookup.h"
#include "load/load_plan.h"
#include "load/load_rows.h"
#include "load/load_target.h"
#include "model/entity.h"
#include "model/entity_reader.h"
#include "model/schema.h"
#include "store/flush.h"
#include "write/staging.h"

namespace entitable {

// Collects entities, sorts them once, and evaluates them as often as necessary,
// a slice of work at a time.  The result is usually a new sorted run.
//
//   Add()       collect rows, until Seal()
//   Evaluate()  choose the table, sort, look up, plan, write pages, stage
//   KeepRest()  what was stored goes, and the rest begins again
//
// Each stage remembers how far it has come, so the next slice goes on there.
// Nothing is staged before the last one has ended.  If the state of the store
// has changed by then, the draft is made again; the sorted rows stay, and so
// does what was looked up as long as the manifest is the same.
//
// The entities that are stored are always the first ones of the input, up to
// the cut (LoadCut).  So an import that fails can say how many are stored, and
// one that goes on begins behind them.
class LoadStep {
 public:
  // `makes_table`: this is the first step of a table of an archive.
  LoadStep(std::string table, ImportMode mode, bool makes_table)
      : input_{.table = std::move(table),
               .mode = mode,
               .makes_table = makes_table},
        looks_up_(mode != ImportMode::kReplace) {}

  // Its parts know one another.
  LoadStep(const LoadStep&) = delete;
  LoadStep& operator=(const LoadStep&) = delete;

  // For an archive: the settings of the table that this step creates, or of the
  // account if it creates none.  They took this many lines.
  void Set(PropertyList settings, std::size_t lines) {
    input_.settings = std::move(settings);
    input_.setting_lines = lines;
  }

  // `keeps_doubles`: as in UpdateEntity (entitable/operation.h).
  void Add(const NewEntity& entity, bool keeps_doubles);

  // Completes the step.  `known_table`: the table of earlier steps.  `loaded`:
  // the keys that they stored.  `schema`: of the import.  Both must outlive
  // this step.
  void Seal(std::optional<TableId> known_table, const LoadedKeys& loaded,
            const std::optional<Schema>& schema);

  bool makes_table() const { return input_.makes_table; }

  // Whether stored entities matter for some rows.
  bool looks_up() const { return looks_up_; }
  bool is_empty() const {
    return input_.rows.is_empty() && !input_.makes_table &&
           input_.setting_lines == 0;
  }

  // Of keys and properties, with bookkeeping.
  std::size_t bytes() const { return input_.rows.bytes(); }

  // Stages what can be stored.  Fails if that is nothing.  If it is not
  // everything, failure() has the reason; without a reason the record was full,
  // and the rest needs another step.  After a wait, the next call goes on; if
  // the state has changed by then, it begins again.
  Poll<void> Evaluate(DateTime now, const EngineOptions& options,
                      Staging& staging, WorkBudget& work);

  // The result of the last evaluation: pages to store with the record, and the
  // manifest that names them.  Both are empty if there are no pages.
  const std::vector<Put>& pages() const { return output_.pages; }
  const Bytes& manifest() const { return output_.manifest; }

  // Adds the stored keys to `loaded`.
  void AddTo(LoadedKeys& loaded) const;

  // The number of stored entities; for an archive, of lines.
  std::size_t stored() const {
    return cut_.limit + input_.setting_lines + (input_.makes_table ? 1 : 0);
  }
  const std::optional<Error>& failure() const { return cut_.failure; }
  bool has_rest() const {
    return !cut_.failure && cut_.limit < input_.rows.size();
  }

  // Call it once the first part is stored: the step then consists of the rest.
  void KeepRest();

  TableId table_id() const { return target_.id(); }

 private:
  // A result that is not complete yet.
  struct Draft {
    std::uint64_t version;  // Of the state that it is made for.
    LoadPlan plan;
    std::unique_ptr<BulkLoad> load = nullptr;
    std::size_t next_key = 0;  // The run has come to this key of the plan.
  };
  Poll<void> BeginDraft(DateTime now, const EngineOptions& options,
                        const Staging& staging, WorkBudget& work);
  bool WriteRun(const StoreLimits& limits, const AccountState& state,
                WorkBudget& work);
  RangeLoaded FinishRun(Draft& draft);
  Poll<void> Stage(const LoadPlan& plan, const EngineOptions& options,
                   Staging& staging) const;
  Poll<void> StageSettings(DateTime now, Staging& staging) const;

  LoadInput input_;
  bool looks_up_;
  DateTime newest_ = {};  // The newest timestamp of an archive's entities.
  LoadTarget target_;     // As of the last evaluation.
  LoadCut cut_;           // The same.
  LoadLookup lookup_{input_, target_, cut_};
  std::unique_ptr<Draft> draft_;
  BulkLoad::Output output_ = {};
};

}  // namespace entitable

#endif  // ENTITABLE_LOAD_LOAD_STEP_H_
