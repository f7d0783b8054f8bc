#include "engine/load_step.h"

#include <algorithm>
#include <utility>

#include "engine/write.h"
#include "store/log_record.h"
#include "store/manifest.h"
#include "store/run_writer.h"
#include "store/sort_key.h"
#include "store/table_row.h"

namespace entitable {
namespace {

// Rows that fill less than this fraction of a page (1/n) go into the log.
constexpr std::size_t kSmallPart = 4;

// The greatest size of the RangeLoaded change.
constexpr std::size_t kRangeBytes = std::size_t{16} * 1024;

// The first eight bytes as a number with the same order.
std::uint64_t PrefixOf(std::string_view bytes) {
  std::uint64_t prefix = 0;
  for (std::size_t i = 0; i < sizeof prefix; ++i) {
    prefix = prefix << 8 |
             (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0);
  }
  return prefix;
}

std::size_t CommonSize(std::string_view a, std::string_view b) {
  std::size_t size = 0;
  while (size < a.size() && size < b.size() && a[size] == b[size]) ++size;
  return size;
}

// Makes a list from bytes that this step wrote itself.
PropertyList ListOf(std::string_view bytes) {
  return PropertyList::FromBytes(bytes).value_or(PropertyList());
}

EntityKey KeyOfSortKey(std::string_view sort_key) {
  auto parsed = ParseSortKey(sort_key);
  return parsed ? std::move(parsed->key) : EntityKey();
}

}  // namespace

// ----------------------------------------------------------------- gathering

void LoadStep::Add(const NewEntity& entity) {
  Row row{};
  row.at = static_cast<std::uint32_t>(bytes_.size());
  AppendSortTexts(entity.key.view(), bytes_);
  row.key_size = static_cast<std::uint32_t>(bytes_.size() - row.at);
  if (is_insert()) {
    bytes_ += entity.properties.bytes();
  } else {
    bytes_ += SortedByName(entity.properties).bytes();
  }
  row.size = static_cast<std::uint32_t>(bytes_.size() - row.at - row.key_size);
  row.index = static_cast<std::uint32_t>(rows_.size());
  row.timestamp = entity.timestamp;
  newest_ = std::max(newest_, entity.timestamp);
  const std::string_view key = KeyOf(row);
  common_ = rows_.empty()
                ? key.size()
                : CommonSize(KeyOf(rows_.front()).substr(0, common_), key);
  rows_.push_back(row);
}

// Uses Shell sort, because std::sort adds 2 KB of wasm, and usually the rows
// are already in order.
void LoadStep::Seal(std::optional<TableId> known_table,
                    const LoadedKeys& loaded) {
  known_table_ = known_table;
  loaded_ = &loaded;
  for (Row& row : rows_) row.prefix = PrefixOf(KeyOf(row).substr(common_));
  std::size_t gap = 1;
  while (gap < rows_.size() / 3) gap = 3 * gap + 1;
  for (; gap > 0; gap /= 3) {
    for (std::size_t i = gap; i < rows_.size(); ++i) {
      const Row row = rows_[i];
      std::size_t at = i;
      for (; at >= gap && IsBefore(row, rows_[at - gap]); at -= gap) {
        rows_[at] = rows_[at - gap];
      }
      rows_[at] = row;
    }
  }
}

void LoadStep::AddTo(LoadedKeys& loaded) const {
  for (const Row& row : rows_) {
    if (row.index < limit_) loaded.Add(KeyOf(row));
  }
  if (!manifest_.empty()) loaded.AddRun(run_);
}

// By key; rows with the same key in the order of the input.
bool LoadStep::IsBefore(const Row& a, const Row& b) const {
  if (a.prefix != b.prefix) return a.prefix < b.prefix;
  const int order = KeyOf(a).compare(KeyOf(b));
  return order != 0 ? order < 0 : a.index < b.index;
}

// ---------------------------------------------------------------- evaluation

Result<Response> LoadStep::Evaluate(DateTime now, const EngineOptions& options,
                                    Staging& staging) {
  failure_.reset();
  manifest_.clear();
  limit_ = rows_.size();
  const bool is_of_account = setting_lines_ > 0 && !makes_table_;
  if (is_of_account) return StageSettings(now, staging);
  StoredRows& stored = staging.stored();
  ENTITABLE_TRY(const auto table, staging.FindTable(table_));
  if (stored.is_missing()) return Response{};
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

  if (mode_ != ImportMode::kReplace && !rows_.empty()) {
    LookUp(staging.state(), stored.window());
    if (const auto& damage = stored.window().damage()) {
      return *damage;
    }
    if (stored.window().is_waiting()) return Response{};
    stored.window().ReleaseAll();
  }
  ENTITABLE_TRY(DateTime timestamp, staging.NextTimestamp(now));
  // Later writes must get timestamps after those of the archive.
  timestamp = std::max(timestamp, newest_);
  std::size_t tried = 0;
  do {
    tried = limit_;
    Build(timestamp, options, staging);
  } while (limit_ < tried && limit_ > 0);
  if (failure_ && limit_ == 0) return *failure_;
  return Response{};
}

Result<Response> LoadStep::StageSettings(DateTime now, Staging& staging) const {
  ENTITABLE_TRY(const DateTime timestamp, staging.NextTimestamp(now));
  ENTITABLE_TRY(std::vector<Change> changes,
                AccountChange(settings_, timestamp, staging));
  staging.Stage(std::move(changes), timestamp);
  return Response{};
}

const std::string& LoadStep::SortKeyOf(const Row& row) {
  sort_key_.resize(table_size_);
  return sort_key_ += KeyOf(row);
}

// The end of the rows with the same key.
std::size_t LoadStep::EndOfKey(std::size_t begin) const {
  const Row& first = rows_[begin];
  std::size_t end = begin + 1;
  while (end < rows_.size() && rows_[end].prefix == first.prefix &&
         rows_[end].key_size == first.key_size &&
         KeyOf(rows_[end]) == KeyOf(first)) {
    ++end;
  }
  return end;
}

// A manifest with the runs that may contain keys of this step and that earlier
// steps did not write.  There are none if the table is new, or if the keys
// follow all existing keys.
Manifest LoadStep::OthersAmong(const Manifest& manifest) {
  Manifest others;
  const std::string first = SortKeyOf(rows_.front());
  const std::string& last = SortKeyOf(rows_.back());
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
    for (Row& row : rows_) row.stored = Presence::kUnknown;
    found_.clear();
    manifest_changes_ = state.manifest_changes();
  }
  window.ForgetDamage();
  const Manifest others = OthersAmong(state.manifest());
  for (std::size_t i = 0; i < rows_.size(); i = EndOfKey(i)) {
    Row& row = rows_[i];
    if (row.stored != Presence::kUnknown) continue;
    const Manifest& where =
        loaded_->MayHave(KeyOf(row)) ? state.manifest() : others;
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

// Writes the rows before the limit.  If a row fails, or the record becomes too
// long, nothing is staged and the limit is lowered.
void LoadStep::Build(DateTime timestamp, const EngineOptions& options,
                     Staging& staging) {
  const std::size_t limit = limit_;
  const bool is_small = bytes() < options.store.page_bytes / kSmallPart;
  const Memtable& memtable = staging.state().memtable();
  Manifest manifest = staging.state().manifest();
  Batch batch;
  RunWriter writer(options.store, manifest.next_page, batch);
  std::vector<Change> changes;
  std::vector<std::uint32_t> indices;  // The rows that the record puts.
  if (makes_table_) changes.push_back(TableCreated{table_id_, table_});
  if (settings_.count() > 0) {
    const Table made{table_id_, table_};
    changes.push_back(SettingsChange(TableRowEntityKey(table_).view(),
                                     MakeTableRow(made).properties, settings_,
                                     timestamp));
  }
  RangeLoaded range{.table = table_id_, .first = {}, .last = {}, .count = 0};
  for (std::size_t begin = 0; begin < rows_.size();) {
    const std::size_t end = EndOfKey(begin);
    const std::string& key = SortKeyOf(rows_[begin]);
    const MemRow* mem_row = memtable.Find(key);
    const bool is_made = MakeEntity(begin, end, mem_row);
    const DateTime written =
        mode_ == ImportMode::kRestore ? rows_[begin].timestamp : timestamp;
    const std::uint32_t index = rows_[std::exchange(begin, end)].index;
    if (!is_made || limit_ < limit) continue;
    if (is_small || mem_row != nullptr) {
      indices.push_back(index);
      changes.push_back(
          EntityPut{table_id_, KeyOfSortKey(key), {written, ListOf(made_)}});
      continue;
    }
    if (++range.count == 1) range.first = KeyOfSortKey(key);
    writer.Add(key, {written, made_});
  }
  if (limit_ == limit) LimitRecord(changes, indices);
  if (limit_ < limit) return;
  if (range.count > 0) {
    Run run{.directories = writer.Finish()};
    run.end = writer.last_key();
    range.last = KeyOfSortKey(run.end);
    changes.push_back(std::move(range));
    run_ = run.directories.front().page;
    manifest.runs.insert(manifest.runs.begin(), std::move(run));
    ++manifest.version;
    manifest.needs = staging.state().head() + 1;
    manifest.last_timestamp = timestamp;
    pages_ = std::move(batch.puts);
    manifest_ = EncodeManifest(manifest);
  }
  if (!changes.empty()) staging.Stage(std::move(changes), timestamp);
}

// Applies all rows with one key to the stored entity.  Returns false if none of
// them precedes the limit.
bool LoadStep::MakeEntity(std::size_t begin, std::size_t end,
                          const MemRow* mem_row) {
  const Row& first = rows_[begin];
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
    const Row& row = rows_[i];
    if (exists && is_insert()) {
      FailAt(row, Error(ErrorCode::kEntityAlreadyExists));
      break;
    }
    if (exists && mode_ == ImportMode::kMerge) {
      merged_ = MergedByName(ListOf(made_), ListOf(PropertiesOf(row)));
      const auto is_allowed =
          CheckEntityLimits(KeyOfSortKey(sort_key_).view(), merged_);
      if (!is_allowed) {
        FailAt(row, is_allowed.error());
        break;
      }
      made_ = merged_.bytes();
    } else {
      made_ = PropertiesOf(row);
    }
    exists = is_made = true;
  }
  return is_made;
}

// Lowers the limit if the record would be too long, but keeps at least one
// entity.  The last changes belong to the rows with these indices.
void LoadStep::LimitRecord(const std::vector<Change>& changes,
                           const std::vector<std::uint32_t>& indices) {
  const std::size_t others = changes.size() - indices.size();
  std::size_t bytes = kRecordOverhead + kRangeBytes;
  std::vector<std::size_t> sizes(indices.empty() ? 0 : limit_);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const std::size_t size = MaxEncodedSize(changes[i]);
    if (i < others) {
      bytes += size;
    } else {
      sizes[indices[i - others]] = size;
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

void LoadStep::KeepRest() {
  std::erase_if(rows_, [this](const Row& row) { return row.index < limit_; });
  for (Row& row : rows_) row.index -= static_cast<std::uint32_t>(limit_);
  makes_table_ = false;
  settings_ = {};
  setting_lines_ = 0;
  known_table_ = table_id_;
  manifest_changes_.reset();
}

void LoadStep::FailAt(const Row& row, Error error) {
  limit_ = row.index;
  failure_ = std::move(error);
}

}  // namespace entitable
