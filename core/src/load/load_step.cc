#include "load/load_step.h"

#include <algorithm>
#include <utility>

#include "write/write.h"

namespace entitable {
namespace {

// Rows that fill less than this fraction of a page (1/n) go into the log: a run
// of one small page would cost every read a page, and soon a compaction.
constexpr std::size_t kSmallPart = 4;

// The work for a row of a page, beside that for the bytes of the entity.
constexpr std::uint64_t kUnitsPerWrittenRow = 4;

}  // namespace

// ------------------------------------------------------------ adding entities

void LoadStep::Add(const NewEntity& entity, bool keeps_doubles) {
  newest_ = std::max(newest_, entity.timestamp);
  if (input_.is_insert()) {
    input_.rows.Add(entity, entity.properties.bytes(), /*keeps_doubles=*/false);
    return;
  }
  keeps_doubles =
      keeps_doubles && HasPlainNumbers(entity.properties, entity.typed);
  looks_up_ |= keeps_doubles;
  input_.rows.Add(entity, SortedByName(entity.properties).bytes(),
                  keeps_doubles);
}

void LoadStep::Seal(std::optional<TableId> known_table,
                    const LoadedKeys& loaded,
                    const std::optional<Schema>& schema) {
  target_.Expect(known_table);
  lookup_.Begin(loaded);
  input_.schema = &schema;
  looks_up_ |= input_.looks_for_version();
}

// Rows with the same key have the hash in the first one.
void LoadStep::AddTo(LoadedKeys& loaded) const {
  const LoadRows& rows = input_.rows;
  for (std::size_t i = 0; i < rows.size(); i = rows.EndOfKey(i)) {
    if (rows[i].index < cut_.limit) loaded.Add(rows[i].hash);
  }
  if (!manifest().empty()) loaded.AddRun(output_.first_directory);
}

void LoadStep::KeepRest() {
  input_.rows.DropBefore(cut_.limit);
  input_.makes_table = false;
  input_.settings = {};
  input_.setting_lines = 0;
  target_.Expect(target_.id());
  lookup_.KeepRest();
}

// ---------------------------------------------------------------- evaluation

// A table with dependents stores all rows as changes, since each row changes
// others.
Poll<void> LoadStep::Evaluate(DateTime now, const EngineOptions& options,
                              Staging& staging, WorkBudget& work) {
  const bool is_of_account = input_.setting_lines > 0 && !input_.makes_table;
  if (is_of_account) return StageSettings(now, staging);
  const AccountState& state = staging.state();
  if (draft_ && draft_->version != state.version()) draft_.reset();
  if (!draft_) ENTITABLE_TRY(BeginDraft(now, options, staging, work));
  const bool is_small = target_.has_dependents() ||
                        bytes() < options.store.page_bytes / kSmallPart;
  if (!draft_->plan.Continue(is_small, state.memtable(), work)) {
    return Pending::kSlice;
  }
  if (cut_.failure && cut_.limit == 0) {
    draft_.reset();
    return *cut_.failure;
  }
  if (!WriteRun(options.store, state, work)) return Pending::kSlice;
  const std::unique_ptr<Draft> draft = std::move(draft_);
  if (draft->load) draft->plan.Add(FinishRun(*draft));
  auto staged = Stage(draft->plan, options, staging);
  if (!staged) staging.Undo();
  return staged;
}

// Looks up what the step needs.  A step that had to wait comes here again, and
// finds its rows sorted and its look-ups done.
Poll<void> LoadStep::BeginDraft(DateTime now, const EngineOptions& options,
                                const Staging& staging, WorkBudget& work) {
  cut_.failure.reset();
  output_ = {};
  const TableId id_before = target_.id();
  ENTITABLE_TRY(target_.Choose(input_, options, staging));
  if (target_.id() != id_before) lookup_.Forget();
  cut_.limit = std::min(
      {input_.rows.size(), lookup_.most_rows(), target_.MostRows(input_)});
  if (!input_.rows.Sort(work)) return Pending::kSlice;
  if (looks_up_ && !input_.rows.is_empty()) {
    PageWindow& window = staging.stored().window();
    ENTITABLE_TRY(lookup_.Continue(staging.state(), window, work));
    window.ReleaseAll();
  }
  ENTITABLE_TRY(const DateTime timestamp, staging.NextTimestamp(now));
  // Later writes must get timestamps after those of the archive.
  draft_ = std::make_unique<Draft>(
      staging.state().version(),
      LoadPlan(input_, target_, lookup_, cut_, std::max(timestamp, newest_)));
  return {};
}

Poll<void> LoadStep::Stage(const LoadPlan& plan, const EngineOptions& options,
                           Staging& staging) const {
  if (plan.changes().empty()) return {};
  if (!target_.has_dependents()) {
    staging.Stage(plan.changes(), plan.timestamp());
    return {};
  }
  const auto before = input_.is_insert() ? RowBefore::kAbsent : RowBefore::kAny;
  return target_.Stage(plan.changes(), plan.timestamp(), before, options.sync,
                       staging);
}

Poll<void> LoadStep::StageSettings(DateTime now, Staging& staging) const {
  ENTITABLE_TRY(const DateTime timestamp, staging.NextTimestamp(now));
  ENTITABLE_TRY(std::vector<Change> changes,
                AccountChange(input_.settings, timestamp, staging));
  staging.Stage(changes, timestamp);
  return {};
}

// ------------------------------------------------------------------- the run

// Writes the rows of the plan into pages, if there are any.  Returns false if
// the work is spent: also if the pages are complete, because the host needs the
// next slice to take them.
bool LoadStep::WriteRun(const StoreLimits& limits, const AccountState& state,
                        WorkBudget& work) {
  LoadPlan& plan = draft_->plan;
  if (plan.keys().empty()) return true;
  if (!draft_->load) draft_->load = std::make_unique<BulkLoad>(state, limits);
  for (std::size_t& next = draft_->next_key; next < plan.keys().size();
       ++next) {
    if (work.is_spent()) return false;
    const EntityView entity = plan.MakeAgain(plan.keys()[next]);
    const std::string& key = target_.last_sort_key();
    work.Spend(kUnitsPerWrittenRow +
               (key.size() + entity.properties.size()) / kEntityBytesPerUnit);
    draft_->load->Add(key, entity);
  }
  return !work.is_spent();
}

// Makes the manifest that names the pages.  The record gets the range of keys
// and no entity: it tells other openers that rows have come which are in no
// record.
RangeLoaded LoadStep::FinishRun(Draft& draft) {
  const std::vector<LoadPlan::Key>& keys = draft.plan.keys();
  output_ = draft.load->Finish(draft.plan.timestamp());
  const LoadRow& first = input_.rows[keys.front().begin];
  return {.table = target_.id(),
          .first = EntityKeyIn(target_.SortKeyOf(input_.rows.KeyOf(first))),
          .last = EntityKeyIn(output_.last_key),
          .count = keys.size()};
}

}  // namespace entitable
