#include "engine/load_step.h"

#include <algorithm>
#include <utility>

#include "engine/write.h"
#include "store/bulk_load.h"
#include "store/sort_key.h"
#include "store/table_row.h"

namespace entitable {
namespace {

// Rows that fill less than this fraction of a page (1/n) go into the log.
constexpr std::size_t kSmallPart = 4;

// The greatest size of the RangeLoaded change.
constexpr std::size_t kRangeBytes = std::size_t{16} * 1024;

// Makes a list from bytes that this step wrote itself.
PropertyList ListOf(std::string_view bytes) {
  return PropertyList::FromBytes(bytes).value_or(PropertyList());
}

EntityKey KeyOfSortKey(std::string_view sort_key) {
  auto parsed = ParseSortKey(sort_key);
  return parsed ? std::move(parsed->key) : EntityKey();
}

}  // namespace

// ------------------------------------------------------------ adding entities

void LoadStep::Add(const NewEntity& entity) {
  newest_ = std::max(newest_, entity.timestamp);
  if (is_insert()) {
    rows_.Add(entity.key.view(), entity.properties.bytes(), entity.timestamp);
  } else {
    rows_.Add(entity.key.view(), SortedByName(entity.properties).bytes(),
              entity.timestamp);
  }
}

void LoadStep::Seal(std::optional<TableId> known_table,
                    const LoadedKeys& loaded) {
  known_table_ = known_table;
  loaded_ = &loaded;
  rows_.Sort();
}

void LoadStep::AddTo(LoadedKeys& loaded) const {
  for (const LoadRow& row : rows_) {
    if (row.index < limit_) loaded.Add(rows_.KeyOf(row));
  }
  if (!manifest_.empty()) loaded.AddRun(run_);
}

// ---------------------------------------------------------------- evaluation

Result<Response> LoadStep::Evaluate(DateTime now, const EngineOptions& options,
                                    Staging& staging) {
  failure_.reset();
  manifest_.clear();
  limit_ = rows_.size();
  const bool is_of_account = setting_lines_ > 0 && !makes_table_;
  if (is_of_account) return StageSettings(now, staging);
  ENTITABLE_TRY(ChooseTable(staging));
  StoredRows& stored = staging.stored();
  if (stored.is_missing()) return Response{};
  if (mode_ != ImportMode::kReplace && !rows_.is_empty()) {
    LookUp(staging.state(), stored.window());
    if (const auto& damage = stored.window().damage()) return *damage;
    if (stored.window().is_waiting()) return Response{};
    stored.window().ReleaseAll();
  }
  ENTITABLE_TRY(DateTime timestamp, staging.NextTimestamp(now));
  // Later writes must get timestamps after those of the archive.
  timestamp = std::max(timestamp, newest_);
  Plan plan = MakePlan(timestamp, options, staging);
  if (failure_ && limit_ == 0) return *failure_;
  Emit(std::move(plan), timestamp, options, staging);
  return Response{};
}

// The table that the step goes to, or the one that it creates.
Result<void> LoadStep::ChooseTable(const Staging& staging) {
  ENTITABLE_TRY(const auto table, staging.FindTable(table_));
  if (staging.stored().is_missing()) return {};
  if (makes_table_ && table) return Fail(ErrorCode::kTableAlreadyExists);
  // A table that was created again has none of the entities that earlier steps
  // stored.
  if (!makes_table_ &&
      (!table || (known_table_ && *known_table_ != table->id))) {
    return Fail(ErrorCode::kTableNotFound);
  }
  const TableId id = makes_table_ ? staging.next_table_id() : table->id;
  // The rows that were looked up belong to another table.
  if (table_id_ != id) manifest_changes_.reset();
  table_id_ = id;
  sort_key_ = WholeTable(id).begin;
  table_size_ = sort_key_.size();
  return {};
}

Result<Response> LoadStep::StageSettings(DateTime now, Staging& staging) const {
  ENTITABLE_TRY(const DateTime timestamp, staging.NextTimestamp(now));
  ENTITABLE_TRY(std::vector<Change> changes,
                AccountChange(settings_, timestamp, staging));
  staging.Stage(std::move(changes), timestamp);
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

// Continues where pages were missing.  The rows that were found stay valid as
// long as the manifest does not change.
void LoadStep::LookUp(const AccountState& state, PageWindow& window) {
  if (manifest_changes_ != state.manifest_changes()) {
    for (LoadRow& row : rows_) row.stored = Presence::kUnknown;
    found_.clear();
    manifest_changes_ = state.manifest_changes();
  }
  window.ForgetDamage();
  const Manifest others = OthersAmong(state.manifest());
  for (std::size_t i = 0; i < rows_.size(); i = rows_.EndOfKey(i)) {
    LoadRow& row = rows_[i];
    if (row.stored != Presence::kUnknown) continue;
    const Manifest& where =
        loaded_->MayHave(rows_.KeyOf(row)) ? state.manifest() : others;
    if (where.runs.empty()) continue;
    const std::string& key = SortKeyOf(row);
    if (state.memtable().Find(key) != nullptr) continue;
    if (!window.MakeRoom()) return;
    EntityPlace place;
    row.stored = FindInPages(where, key, window, place);
    if (window.damage()) return;
    if (row.stored == Presence::kThere && mode_ == ImportMode::kMerge) {
      row.found = static_cast<std::uint32_t>(found_.size());
      found_.push_back(place.Decode());
    }
  }
}

// ------------------------------------------------------------------ the plan

// If a row fails, or the record becomes too long, the limit is lowered, and the
// plan is made again for the rows before it.
LoadStep::Plan LoadStep::MakePlan(DateTime timestamp,
                                  const EngineOptions& options,
                                  const Staging& staging) {
  const bool is_small = bytes() < options.store.page_bytes / kSmallPart;
  Plan plan;
  std::size_t tried = 0;
  do {
    tried = limit_;
    plan = PlanBeforeLimit(timestamp, is_small, staging.state().memtable());
    if (limit_ == tried) LimitRecord(plan);
  } while (limit_ < tried && limit_ > 0);
  return plan;
}

LoadStep::Plan LoadStep::PlanBeforeLimit(DateTime timestamp, bool is_small,
                                         const Memtable& memtable) {
  const std::size_t limit = limit_;
  Plan plan;
  PlanTable(timestamp, plan);
  std::size_t end = 0;
  for (std::size_t begin = 0; begin < rows_.size(); begin = end) {
    end = rows_.EndOfKey(begin);
    const LoadRow& first = rows_[begin];
    const std::string& key = SortKeyOf(first);
    const MemRow* mem_row = memtable.Find(key);
    const bool is_made = MakeEntity(begin, end, mem_row);
    // Once a row has failed, only rows before it matter: there may be one that
    // fails, too.
    if (!is_made || limit_ < limit) continue;
    if (is_small || mem_row != nullptr) {
      plan.indices.push_back(first.index);
      plan.changes.push_back(
          EntityPut{table_id_,
                    KeyOfSortKey(key),
                    {TimestampOf(first, timestamp), ListOf(made_)}});
    } else {
      plan.keys.push_back(
          {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
    }
  }
  return plan;
}

// The table that this step creates.
void LoadStep::PlanTable(DateTime timestamp, Plan& plan) const {
  if (makes_table_) plan.changes.push_back(TableCreated{table_id_, table_});
  if (settings_.count() > 0) {
    const Table made{table_id_, table_};
    plan.changes.push_back(SettingsChange(TableRowEntityKey(table_).view(),
                                          MakeTableRow(made).properties,
                                          settings_, timestamp));
  }
}

// Applies all rows with one key to the stored entity.  Returns false if none of
// them precedes the limit.
bool LoadStep::MakeEntity(std::size_t begin, std::size_t end,
                          const MemRow* mem_row) {
  const LoadRow& first = rows_[begin];
  bool exists = false;
  if (mem_row != nullptr) {
    exists = mem_row->entity.has_value();
    if (exists) made_ = mem_row->entity->properties.bytes();
  } else if (first.stored == Presence::kThere) {
    exists = true;
    if (mode_ == ImportMode::kMerge) {
      made_ = found_[first.found].properties.bytes();
    }
  }
  bool is_made = false;
  for (std::size_t i = begin; i < end && rows_[i].index < limit_; ++i) {
    const LoadRow& row = rows_[i];
    if (exists && is_insert()) {
      FailAt(row, Error(ErrorCode::kEntityAlreadyExists));
      break;
    }
    if (exists && mode_ == ImportMode::kMerge) {
      merged_ = MergedByName(ListOf(made_), ListOf(rows_.PropertiesOf(row)));
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
    exists = is_made = true;
  }
  return is_made;
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

// ------------------------------------------------------------------ emission

// Stages the record, and writes the run if there is one.
void LoadStep::Emit(Plan plan, DateTime timestamp, const EngineOptions& options,
                    Staging& staging) {
  if (!plan.keys.empty()) {
    plan.changes.push_back(
        EmitRun(plan, timestamp, options.store, staging.state()));
  }
  if (plan.changes.empty()) return;
  staging.Stage(std::move(plan.changes), timestamp);
}

// Makes the pages, and the manifest that names them.
RangeLoaded LoadStep::EmitRun(const Plan& plan, DateTime timestamp,
                              const StoreLimits& limits,
                              const AccountState& state) {
  BulkLoad load(state, limits);
  for (const auto& [begin, end] : plan.keys) {
    const std::string& key = SortKeyOf(rows_[begin]);
    static_cast<void>(MakeEntity(begin, end, nullptr));
    load.Add(key, {TimestampOf(rows_[begin], timestamp), made_});
  }
  BulkLoad::Output output = load.Finish(timestamp);
  pages_ = std::move(output.pages);
  manifest_ = std::move(output.manifest);
  run_ = output.first_directory;
  const LoadRow& first = rows_[plan.keys.front().begin];
  return {.table = table_id_,
          .first = KeyOfSortKey(SortKeyOf(first)),
          .last = KeyOfSortKey(output.last_key),
          .count = plan.keys.size()};
}

// ------------------------------------------------------------------ the rest

void LoadStep::KeepRest() {
  rows_.DropBefore(limit_);
  makes_table_ = false;
  settings_ = {};
  setting_lines_ = 0;
  known_table_ = table_id_;
  manifest_changes_.reset();
}

void LoadStep::FailAt(const LoadRow& row, Error error) {
  limit_ = row.index;
  failure_ = std::move(error);
  EntityKey key = KeyOfSortKey(SortKeyOf(row));
  failure_->entity_keys = {std::move(key.partition_key),
                           std::move(key.row_key)};
}

}  // namespace entitable
