#include "load/load_plan.h"

#include <utility>

#include "model/parts.h"
#include "store/sort_key.h"
#include "store/table_row.h"
#include "write/write.h"

namespace entitable {
namespace {

// The greatest size of the RangeLoaded change.
constexpr std::size_t kRangeBytes = std::size_t{16} * 1024;

// The work for a row of the plan, beside that for the bytes of the entity.
constexpr std::uint64_t kUnitsPerPlannedRow = 2;

// A check of an entity reads the whole schema.
constexpr std::uint64_t kSchemaBytesPerUnit = 8;

// Makes a list from bytes that this step wrote itself.
PropertyList ListOf(std::string_view bytes) {
  return PropertyList::FromBytes(bytes).value_or(PropertyList());
}

}  // namespace

void LoadPlan::Begin() {
  changes_.clear();
  indices_.clear();
  keys_.clear();
  limit_ = cut_.limit;
  next_row_ = 0;
  PlanTable();
}

// The table that this step creates.
void LoadPlan::PlanTable() {
  const std::string& name = input_.table;
  if (input_.makes_table) Add(TableCreated{target_.id(), name});
  if (input_.settings.count() == 0) return;
  const Table made{target_.id(), name};
  Add(SettingsChange(TableRowEntityKey(name).view(),
                     MakeTableRow(made).properties.bytes(), input_.settings,
                     timestamp_));
}

bool LoadPlan::Continue(bool is_small, const Memtable& memtable,
                        WorkBudget& work) {
  while (!is_complete_) {
    if (!PlanBeforeLimit(is_small, memtable, work)) return false;
    if (cut_.limit == limit_) LimitRecord();
    is_complete_ = cut_.limit == limit_ || cut_.limit == 0;
    if (!is_complete_) Begin();
  }
  return true;
}

bool LoadPlan::PlanBeforeLimit(bool is_small, const Memtable& memtable,
                               WorkBudget& work) {
  const LoadRows& rows = input_.rows;
  const Schemas& schemas = target_.schemas();
  std::size_t end = 0;
  for (std::size_t& begin = next_row_; begin < rows.size(); begin = end) {
    if (work.is_spent()) return false;
    end = rows.EndOfKey(begin);
    work.Spend(kUnitsPerPlannedRow * (end - begin));
    const LoadRow& first = rows[begin];
    const std::string& key = target_.SortKeyOf(rows.KeyOf(first));
    const MemRow* mem_row = memtable.Find(key);
    const bool is_made = MakeEntity(begin, end, mem_row, schemas);
    work.Spend(made_.size() / kEntityBytesPerUnit +
               schemas.bytes() / kSchemaBytesPerUnit * (end - begin));
    // Once a row has failed, only rows before it matter: there may be one that
    // fails, too.
    if (!is_made || cut_.limit < limit_) continue;
    if (is_small || mem_row != nullptr) {
      indices_.push_back(first.index);
      Add(EntityPut{
          target_.id(), EntityKeyIn(key), {TimestampOf(first), ListOf(made_)}});
    } else {
      keys_.push_back(
          {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
    }
  }
  return true;
}

EntityView LoadPlan::MakeAgain(const Key& key) {
  const LoadRow& first = input_.rows[key.begin];
  target_.SortKeyOf(input_.rows.KeyOf(first));
  static_cast<void>(MakeEntity(key.begin, key.end, nullptr, /*schemas=*/{}));
  return {TimestampOf(first), made_};
}

// Applies all rows with one key, which is the target's last sort key, to the
// stored entity, and checks the results against the schemas.  Returns false if
// none of them precedes the limit.
bool LoadPlan::MakeEntity(std::size_t begin, std::size_t end,
                          const MemRow* mem_row, const Schemas& schemas) {
  const LoadRow& first = input_.rows[begin];
  bool exists = false;
  if (mem_row != nullptr) {
    exists = mem_row->entity.has_value();
    if (exists) made_ = mem_row->entity->properties;
  } else if (first.stored == Presence::kThere) {
    exists = true;
    if (!input_.is_insert()) made_ = lookup_.PropertiesOf(first);
  }
  if (exists && !input_.is_insert()) {
    const auto is_known = schemas.CheckVersion(made_);
    if (!is_known) {
      FailAt(first, is_known.error());
      return false;
    }
  }
  bool is_made = false;
  for (std::size_t i = begin; i < end; ++i) {
    const LoadRow& row = input_.rows[i];
    if (row.index >= cut_.limit) break;
    if (!Apply(row, exists) || !Check(row, schemas)) break;
    exists = is_made = true;
  }
  return is_made;
}

// Returns false if the row fails.
bool LoadPlan::Apply(const LoadRow& row, bool exists) {
  if (exists && input_.is_insert()) {
    FailAt(row, Error(ErrorCode::kEntityAlreadyExists));
    return false;
  }
  if (!exists || (input_.mode != ImportMode::kMerge && !row.keeps_doubles)) {
    made_ = input_.rows.PropertiesOf(row);
    return true;
  }
  merged_ = ResultOn(made_, row);
  const auto is_allowed =
      CheckEntityLimits(EntityKeyIn(target_.last_sort_key()).view(), merged_);
  if (!is_allowed) {
    FailAt(row, is_allowed.error());
    return false;
  }
  made_ = merged_.bytes();
  return true;
}

bool LoadPlan::Check(const LoadRow& row, const Schemas& schemas) {
  if (schemas.are_empty()) return true;
  const auto is_allowed =
      schemas.Check(EntityKeyIn(target_.last_sort_key()).view(), made_);
  if (!is_allowed) FailAt(row, is_allowed.error());
  return is_allowed.has_value();
}

// The row, applied to an entity with these properties.
PropertyList LoadPlan::ResultOn(std::string_view stored,
                                const LoadRow& row) const {
  PropertyList given = ListOf(input_.rows.PropertiesOf(row));
  if (row.keeps_doubles) {
    given = WithStoredDoubles(given, input_.rows.TypedOf(row), stored);
  }
  if (input_.mode == ImportMode::kReplace) return given;
  const std::string_view removed = input_.rows.RemovedOf(row);
  if (removed.empty()) return MergedByName(stored, given);
  return MergedByName(WithoutRemoved(stored, removed).bytes(), given);
}

void LoadPlan::FailAt(const LoadRow& row, Error error) {
  cut_.limit = row.index;
  EntityKey key = EntityKeyIn(target_.last_sort_key());
  error.entity_keys = {std::move(key.partition_key), std::move(key.row_key)};
  cut_.failure = std::move(error);
}

// Lowers the limit if the record would be too long, but keeps at least one
// entity.
void LoadPlan::LimitRecord() {
  const std::size_t others = changes_.size() - indices_.size();
  std::size_t bytes = kRecordOverhead + kRangeBytes;
  std::vector<std::size_t> sizes(indices_.empty() ? 0 : cut_.limit);
  for (std::size_t i = 0; i < changes_.size(); ++i) {
    const std::size_t size = MaxEncodedSize(changes_[i]);
    if (i < others) {
      bytes += size;
    } else {
      sizes[indices_[i - others]] = size;
    }
  }
  bool is_first = true;
  for (std::size_t index = 0; index < sizes.size(); ++index) {
    if (sizes[index] == 0) continue;
    bytes += sizes[index];
    if (!std::exchange(is_first, false) && bytes > kMaxRecordBytes) {
      cut_.limit = index;
      cut_.failure.reset();
      return;
    }
  }
}

}  // namespace entitable
