#include "load/load_step.h"

#include <algorithm>
#include <utility>

#include "store/bulk_load.h"
#include "store/sort_key.h"
#include "store/table_row.h"
#include "write/indexed_rows.h"
#include "write/sync_support.h"
#include "write/write.h"

namespace entitable {
namespace {

// Rows that fill less than this fraction of a page (1/n) go into the log.
constexpr std::size_t kSmallPart = 4;

// The rows of a synced table that one step takes: each has a mark, too.
constexpr std::size_t kSyncedRows = 100;

// The same for a table with one index, for rows that were not there and for
// others, which must be found first.
constexpr std::size_t kNewIndexedRows = 2000;
constexpr std::size_t kIndexedRows = 200;

// The greatest size of the RangeLoaded change.
constexpr std::size_t kRangeBytes = std::size_t{16} * 1024;

// Makes a list from bytes that this step wrote itself.
PropertyList ListOf(std::string_view bytes) {
  return PropertyList::FromBytes(bytes).value_or(PropertyList());
}

// Of the properties of stored rows.  If a step finds more, it stores its first
// rows only, and the rest needs another step.
constexpr std::size_t kMaxFoundBytes = std::size_t{4} << 20;

// The work for a row of the plan, and for a row of a page, beside that for the
// bytes of the entity.
constexpr std::uint64_t kUnitsPerPlannedRow = 2;
constexpr std::uint64_t kUnitsPerWrittenRow = 4;
constexpr std::uint64_t kEntityBytesPerUnit = 16;

// A check of an entity reads the whole schema.
constexpr std::uint64_t kSchemaBytesPerUnit = 8;

EntityKey KeyOfSortKey(std::string_view sort_key) {
  auto parsed = ParseSortKey(sort_key);
  return parsed ? std::move(parsed->key) : EntityKey();
}

}  // namespace

// ------------------------------------------------------------ adding entities

void LoadStep::Add(const NewEntity& entity, bool keeps_doubles) {
  newest_ = std::max(newest_, entity.timestamp);
  if (is_insert()) {
    rows_.Add(entity, entity.properties.bytes(), /*keeps_doubles=*/false);
    return;
  }
  keeps_doubles =
      keeps_doubles && HasPlainNumbers(entity.properties, entity.typed);
  looks_up_ |= keeps_doubles;
  rows_.Add(entity, SortedByName(entity.properties).bytes(), keeps_doubles);
}

void LoadStep::Seal(std::optional<TableId> known_table,
                    const LoadedKeys& loaded,
                    const std::optional<Schema>& schema) {
  known_table_ = known_table;
  loaded_ = &loaded;
  schema_ = &schema;
}

// Rows with the same key have the hash in the first one.
void LoadStep::AddTo(LoadedKeys& loaded) const {
  for (std::size_t i = 0; i < rows_.size(); i = rows_.EndOfKey(i)) {
    if (rows_[i].index < limit_) loaded.Add(rows_[i].hash);
  }
  if (!manifest_.empty()) loaded.AddRun(run_);
}

// ---------------------------------------------------------------- evaluation

Result<Response> LoadStep::Evaluate(DateTime now, const EngineOptions& options,
                                    Staging& staging, WorkBudget& work) {
  is_paused_ = false;
  const bool is_of_account = setting_lines_ > 0 && !makes_table_;
  if (is_of_account) return StageSettings(now, staging);
  const AccountState& state = staging.state();
  if (draft_ && draft_->version != state.version()) draft_.reset();
  if (!draft_) ENTITABLE_TRY(BeginDraft(now, options, staging, work));
  if (!draft_) return Response{};
  is_paused_ = !MakePlan(options, state.memtable(), work);
  if (is_paused_) return Response{};
  if (failure_ && limit_ == 0) {
    draft_.reset();
    return *failure_;
  }
  is_paused_ = !WriteRun(options.store, state, work);
  if (is_paused_) return Response{};
  Draft draft = *std::exchange(draft_, std::nullopt);
  if (draft.load) draft.plan.changes.push_back(FinishRun(draft));
  if (draft.plan.changes.empty()) return Response{};
  if (noted_) {
    if (auto staged = StageNoted(draft, options, staging); !staged) {
      staging.Undo();
      return std::move(staged).error();
    }
  } else {
    staging.Stage(draft.plan.changes, draft.timestamp);
  }
  return Response{};
}

// Looks up what the step needs.  There is no draft yet if pages are missing or
// the work is spent.
Result<void> LoadStep::BeginDraft(DateTime now, const EngineOptions& options,
                                  const Staging& staging, WorkBudget& work) {
  failure_.reset();
  manifest_.clear();
  ENTITABLE_TRY(ChooseTable(options, staging));
  limit_ = std::min(
      {rows_.size(), most_rows_, noted_ ? MostNotedRows() : rows_.size()});
  StoredRows& stored = staging.stored();
  if (stored.is_missing()) return {};
  is_paused_ = !rows_.Sort(work);
  if (is_paused_) return {};
  if (looks_up_ && !rows_.is_empty()) {
    LookUp(staging.state(), stored.window(), work);
    if (const auto& damage = stored.window().damage()) return *damage;
    if (is_paused_ || stored.window().is_waiting()) return {};
    stored.window().ReleaseAll();
  }
  ENTITABLE_TRY(const DateTime timestamp, staging.NextTimestamp(now));
  // Later writes must get timestamps after those of the archive.
  draft_ = Draft{.version = staging.state().version(),
                 .timestamp = std::max(timestamp, newest_)};
  BeginPlan();
  return {};
}

// The table that the step goes to, or the one that it creates.
Result<void> LoadStep::ChooseTable(const EngineOptions& options,
                                   const Staging& staging) {
  ENTITABLE_TRY(const Table* table, staging.FindTable(table_));
  if (staging.stored().is_missing()) return {};
  const bool has_table = table != nullptr;
  if (makes_table_ && has_table) return Fail(ErrorCode::kTableAlreadyExists);
  // A table that was created again has none of the entities that earlier steps
  // stored.
  if (!makes_table_ &&
      (!has_table || (known_table_ && *known_table_ != table->id))) {
    return Fail(ErrorCode::kTableNotFound);
  }
  const TableId id = makes_table_ ? staging.next_table_id() : table->id;
  noted_.reset();
  if (has_table) ENTITABLE_TRY(CheckWritable(*table, options));
  const bool is_noted =
      has_table && (table->sync != kNoTable || !table->indexes.empty());
  if (is_noted) noted_ = *table;
  // The rows that were looked up belong to another table.
  if (table_id_ != id) manifest_changes_.reset();
  table_id_ = id;
  // An archive comes back as it was.
  schemas_ = mode_ == ImportMode::kRestore ? Schemas()
                                           : Schemas(*schema_, table->schema);
  sort_key_ = WholeTable(id).begin;
  table_size_ = sort_key_.size();
  return {};
}

Result<Response> LoadStep::StageSettings(DateTime now, Staging& staging) const {
  ENTITABLE_TRY(const DateTime timestamp, staging.NextTimestamp(now));
  ENTITABLE_TRY(std::vector<Change> changes,
                AccountChange(settings_, timestamp, staging));
  staging.Stage(changes, timestamp);
  return Response{};
}

const std::string& LoadStep::SortKeyOf(const LoadRow& row) {
  sort_key_.resize(table_size_);
  return sort_key_ += rows_.KeyOf(row);
}

// A manifest with the runs that may contain keys of this step and that earlier
// steps did not write.  There are none if the table is new, or if the keys
// follow all existing keys.
Manifest LoadStep::OthersAmong(const Manifest& manifest) {
  Manifest others;
  const std::string first = SortKeyOf(*rows_.begin());
  const std::string& last = SortKeyOf(rows_[rows_.size() - 1]);
  for (const Run& run : manifest.runs) {
    const bool is_among =
        !run.directories.empty() && first <= run.end &&
        std::max(run.directories.front().first_key, run.begin) <= last;
    if (is_among && !loaded_->HasRun(run)) others.runs.push_back(run);
  }
  return others;
}

// Continues where pages were missing or the work was spent.  The rows that were
// found stay valid as long as the manifest does not change.
void LoadStep::LookUp(const AccountState& state, PageWindow& window,
                      WorkBudget& work) {
  if (manifest_changes_ != state.manifest_changes()) {
    for (LoadRow& row : rows_) row.stored = Presence::kUnknown;
    found_.clear();
    found_bytes_ = 0;
    looked_up_ = 0;
    manifest_changes_ = state.manifest_changes();
  }
  // Other indexes allow more rows: those were passed over.
  if (limit_ > looked_up_limit_) looked_up_ = 0;
  looked_up_limit_ = limit_;
  window.ForgetDamage();
  const Manifest others = OthersAmong(state.manifest());
  const std::size_t first = looked_up_;
  for (std::size_t i = first; i < rows_.size(); i = rows_.EndOfKey(i)) {
    if (!window.is_waiting()) looked_up_ = i;
    // Each call looks up one row at least: pages that no row has used leave the
    // cache.
    if (i > first && work.is_spent()) {
      is_paused_ = !window.is_waiting();
      return;
    }
    work.Spend(1);
    LoadRow& row = rows_[i];
    if (row.stored != Presence::kUnknown || row.index >= limit_) continue;
    row.hash = loaded_->HashOf(rows_.KeyOf(row));
    if (!NeedsStored(row)) continue;
    const Manifest& where =
        loaded_->MayHave(row.hash) ? state.manifest() : others;
    if (where.runs.empty()) continue;
    const std::string& key = SortKeyOf(row);
    if (state.memtable().Find(key) != nullptr) continue;
    if (!window.MakeRoom()) return;
    EntityPlace place;
    work.Spend(where.runs.size() * kUnitsPerKeySearch);
    row.stored = FindInPages(where, key, window, place);
    if (window.damage()) return;
    if (row.stored == Presence::kThere && !is_insert()) {
      row.found = static_cast<std::uint32_t>(found_.size());
      found_.push_back(place.Decode());
      const std::size_t bytes = found_.back().properties.bytes().size();
      work.Spend(bytes / kEntityBytesPerUnit);
      found_bytes_ += bytes;
      while (found_bytes_ > kMaxFoundBytes && limit_ > 1) HalveLimit();
    }
  }
}

// Forgets what was found of the rows behind the limit.
void LoadStep::HalveLimit() {
  most_rows_ = limit_ /= 2;
  std::vector<Entity> found;
  found_bytes_ = 0;
  for (LoadRow& row : rows_) {
    if (row.stored != Presence::kThere) continue;
    if (row.index >= limit_) {
      row.stored = Presence::kUnknown;
      continue;
    }
    found_bytes_ += found_[row.found].properties.bytes().size();
    found.push_back(std::move(found_[row.found]));
    row.found = static_cast<std::uint32_t>(found.size() - 1);
  }
  found_ = std::move(found);
}

// ------------------------------------------------------------------ the plan

void LoadStep::BeginPlan() {
  draft_->plan = {};
  draft_->limit = limit_;
  draft_->next_row = 0;
  PlanTable(draft_->timestamp, draft_->plan);
}

// If a row fails, or the record becomes too long, the limit is lowered, and the
// plan is made again for the rows before it.  Returns false if the work is
// spent.
bool LoadStep::MakePlan(const EngineOptions& options, const Memtable& memtable,
                        WorkBudget& work) {
  const bool is_small =
      noted_ || bytes() < options.store.page_bytes / kSmallPart;
  while (!draft_->is_planned) {
    if (!PlanBeforeLimit(is_small, memtable, work)) return false;
    if (limit_ == draft_->limit) LimitRecord(draft_->plan);
    draft_->is_planned = limit_ == draft_->limit || limit_ == 0;
    if (!draft_->is_planned) BeginPlan();
  }
  return true;
}

bool LoadStep::PlanBeforeLimit(bool is_small, const Memtable& memtable,
                               WorkBudget& work) {
  Plan& plan = draft_->plan;
  std::size_t end = 0;
  for (std::size_t& begin = draft_->next_row; begin < rows_.size();
       begin = end) {
    if (work.is_spent()) return false;
    end = rows_.EndOfKey(begin);
    work.Spend(kUnitsPerPlannedRow * (end - begin));
    const LoadRow& first = rows_[begin];
    const std::string& key = SortKeyOf(first);
    const MemRow* mem_row = memtable.Find(key);
    const bool is_made = MakeEntity(begin, end, mem_row, schemas_);
    work.Spend(made_.size() / kEntityBytesPerUnit +
               schemas_.bytes() / kSchemaBytesPerUnit * (end - begin));
    // Once a row has failed, only rows before it matter: there may be one that
    // fails, too.
    if (!is_made || limit_ < draft_->limit) continue;
    if (is_small || mem_row != nullptr) {
      plan.indices.push_back(first.index);
      plan.changes.push_back(
          EntityPut{table_id_,
                    KeyOfSortKey(key),
                    {TimestampOf(first, draft_->timestamp), ListOf(made_)}});
    } else {
      plan.keys.push_back(
          {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
    }
  }
  return true;
}

// The table that this step creates.
void LoadStep::PlanTable(DateTime timestamp, Plan& plan) const {
  if (makes_table_) plan.changes.push_back(TableCreated{table_id_, table_});
  if (settings_.count() > 0) {
    const Table made{table_id_, table_};
    plan.changes.push_back(SettingsChange(TableRowEntityKey(table_).view(),
                                          MakeTableRow(made).properties.bytes(),
                                          settings_, timestamp));
  }
}

// Applies all rows with one key to the stored entity, and checks the results
// against the schemas.  Returns false if none of them precedes the limit.
bool LoadStep::MakeEntity(std::size_t begin, std::size_t end,
                          const MemRow* mem_row, const Schemas& schemas) {
  const LoadRow& first = rows_[begin];
  bool exists = false;
  if (mem_row != nullptr) {
    exists = mem_row->entity.has_value();
    if (exists) made_ = mem_row->entity->properties;
  } else if (first.stored == Presence::kThere) {
    exists = true;
    if (!is_insert()) made_ = found_[first.found].properties.bytes();
  }
  bool is_made = false;
  for (std::size_t i = begin; i < end && rows_[i].index < limit_; ++i) {
    const LoadRow& row = rows_[i];
    if (exists && is_insert()) {
      FailAt(row, Error(ErrorCode::kEntityAlreadyExists));
      break;
    }
    if (exists && (mode_ == ImportMode::kMerge || row.keeps_doubles)) {
      merged_ = ResultOn(made_, row);
      const auto is_allowed =
          CheckEntityLimits(KeyOfSortKey(sort_key_).view(), merged_);
      if (!is_allowed) {
        FailAt(row, is_allowed.error());
        break;
      }
      made_ = merged_.bytes();
    } else {
      made_ = rows_.PropertiesOf(row);
    }
    if (!schemas.are_empty()) {
      const auto is_allowed =
          schemas.Check(KeyOfSortKey(sort_key_).view(), made_);
      if (!is_allowed) {
        FailAt(row, is_allowed.error());
        break;
      }
    }
    exists = is_made = true;
  }
  return is_made;
}

// The row, applied to an entity with these properties.
PropertyList LoadStep::ResultOn(std::string_view stored,
                                const LoadRow& row) const {
  PropertyList given = ListOf(rows_.PropertiesOf(row));
  if (row.keeps_doubles) {
    given = WithStoredDoubles(given, rows_.TypedOf(row), stored);
  }
  if (mode_ == ImportMode::kReplace) return given;
  return MergedByName(stored, given);
}

// Lowers the limit if the record would be too long, but keeps at least one
// entity.  The last changes belong to the rows with these indices.
void LoadStep::LimitRecord(const Plan& plan) {
  const std::size_t others = plan.changes.size() - plan.indices.size();
  std::size_t bytes = kRecordOverhead + kRangeBytes;
  std::vector<std::size_t> sizes(plan.indices.empty() ? 0 : limit_);
  for (std::size_t i = 0; i < plan.changes.size(); ++i) {
    const std::size_t size = MaxEncodedSize(plan.changes[i]);
    if (i < others) {
      bytes += size;
    } else {
      sizes[plan.indices[i - others]] = size;
    }
  }
  bool is_first = true;
  for (std::size_t index = 0; index < sizes.size(); ++index) {
    if (sizes[index] == 0) continue;
    bytes += sizes[index];
    if (!std::exchange(is_first, false) && bytes > kMaxRecordBytes) {
      limit_ = index;
      failure_.reset();
      return;
    }
  }
}

// ------------------------------------------------------------------- the run

// Writes the rows of the plan into pages, if there are any.  Returns false if
// the work is spent: also if the pages are complete, because the host needs the
// next slice to take them.
bool LoadStep::WriteRun(const StoreLimits& limits, const AccountState& state,
                        WorkBudget& work) {
  const std::vector<Plan::Key>& keys = draft_->plan.keys;
  if (keys.empty()) return true;
  if (!draft_->load) draft_->load = std::make_unique<BulkLoad>(state, limits);
  for (std::size_t& next = draft_->next_key; next < keys.size(); ++next) {
    if (work.is_spent()) return false;
    const auto& [begin, end] = keys[next];
    const std::string& key = SortKeyOf(rows_[begin]);
    static_cast<void>(MakeEntity(begin, end, nullptr, /*schemas=*/{}));
    work.Spend(kUnitsPerWrittenRow +
               (key.size() + made_.size()) / kEntityBytesPerUnit);
    draft_->load->Add(key,
                      {TimestampOf(rows_[begin], draft_->timestamp), made_});
  }
  return !work.is_spent();
}

std::size_t LoadStep::MostNotedRows() const {
  const std::size_t indexed = is_insert() ? kNewIndexedRows : kIndexedRows;
  const std::size_t indexes = std::max<std::size_t>(noted_->indexes.size(), 1);
  return noted_->sync != kNoTable ? kSyncedRows : indexed / indexes;
}

Result<void> LoadStep::StageNoted(const Draft& draft,
                                  const EngineOptions& options,
                                  Staging& staging) const {
  if (noted_->sync != kNoTable) {
    ENTITABLE_TRY(MarkRows(draft, *options.sync, staging));
  }
  const auto before = is_insert() ? RowBefore::kAbsent : RowBefore::kAny;
  for (const Change& change : draft.plan.changes) {
    if (const auto* put = std::get_if<EntityPut>(&change)) {
      ENTITABLE_TRY(
          PutRow(staging, *noted_, put->key.view(), put->entity, before));
    }
  }
  staging.End(draft.timestamp);
  return {};
}

// Each row is pushed by itself: an import is no transaction.
Result<void> LoadStep::MarkRows(const Draft& draft, const SyncSupport& sync,
                                Staging& staging) const {
  for (const Change& change : draft.plan.changes) {
    const auto* put = std::get_if<EntityPut>(&change);
    if (put == nullptr) continue;
    const sync::LocalChange row{put->key, put->entity.properties};
    ENTITABLE_TRY(sync.mark(staging, *noted_, draft.timestamp, {&row, 1}));
  }
  return {};
}

// Makes the manifest that names the pages.
RangeLoaded LoadStep::FinishRun(const Draft& draft) {
  const std::vector<Plan::Key>& keys = draft.plan.keys;
  BulkLoad::Output output = draft.load->Finish(draft.timestamp);
  pages_ = std::move(output.pages);
  manifest_ = std::move(output.manifest);
  run_ = output.first_directory;
  const LoadRow& first = rows_[keys.front().begin];
  return {.table = table_id_,
          .first = KeyOfSortKey(SortKeyOf(first)),
          .last = KeyOfSortKey(output.last_key),
          .count = keys.size()};
}

// ------------------------------------------------------------------ the rest

void LoadStep::KeepRest() {
  rows_.DropBefore(limit_);
  makes_table_ = false;
  settings_ = {};
  setting_lines_ = 0;
  known_table_ = table_id_;
  manifest_changes_.reset();
  // The next rows may be shorter.
  if (most_rows_ <= rows_.size()) most_rows_ *= 2;
}

void LoadStep::FailAt(const LoadRow& row, Error error) {
  limit_ = row.index;
  failure_ = std::move(error);
  EntityKey key = KeyOfSortKey(SortKeyOf(row));
  failure_->entity_keys = {std::move(key.partition_key),
                           std::move(key.row_key)};
}

}  // namespace entitable
