// load_step.h - the entities that an import stores at once.

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
#include "engine/loaded_keys.h"
#include "engine/staging.h"
#include "entitable/engine.h"
#include "entitable/page.h"
#include "entitable/result.h"
#include "model/entity.h"
#include "model/entity_reader.h"
#include "store/change.h"
#include "store/lookup.h"

namespace entitable {

// Gathers entities one behind the other, then sorts them once, and evaluates
// them as often as it must: into pages that become the newest run.  Rows of
// which the tail of the log speaks are put by the record instead, because it
// hides what is in pages; and so are all, when they are too few for a page.
class LoadStep {
 public:
  // `makes_table`: the first thing that is stored of a table of an archive.
  LoadStep(std::string table, ImportMode mode, bool makes_table)
      : table_(std::move(table)), mode_(mode), makes_table_(makes_table) {}

  // Of an archive, too: what the table that it makes is set to, or, where it
  // makes none, the account; in so many lines.
  void Set(PropertyList settings, std::size_t lines) {
    settings_ = std::move(settings);
    setting_lines_ = lines;
  }

  void Add(const NewEntity& entity);

  // No more is added.  `known_table`: what earlier steps went to; `loaded`:
  // what they stored there, which must outlive this.
  void Seal(std::optional<TableId> known_table, const LoadedKeys& loaded);

  bool makes_table() const { return makes_table_; }
  bool is_empty() const {
    return rows_.empty() && !makes_table_ && setting_lines_ == 0;
  }

  // Of keys and properties, and what goes with them.
  std::size_t bytes() const {
    return bytes_.size() + rows_.size() * sizeof(Row);
  }

  // Stages what is to be stored.  Fails when that is nothing; when it is less
  // than all, failure() is why, or the record is as long as it may be, and the
  // rest is to be stored by itself.  Has no meaning while pages are missing.
  Result<Response> Evaluate(DateTime now, const EngineOptions& options,
                            Staging& staging);

  // What the last evaluation made: pages, to be stored with the record, and the
  // root that names them; empty without pages.
  const std::vector<Put>& pages() const { return pages_; }
  const Bytes& manifest() const { return manifest_; }

  // Notes what is stored when all this is.
  void AddTo(LoadedKeys& loaded) const;

  // What it found; of an archive in lines.
  std::size_t stored() const {
    return limit_ + setting_lines_ + (makes_table_ ? 1 : 0);
  }
  const std::optional<Error>& failure() const { return failure_; }
  bool has_rest() const { return !failure_ && limit_ < rows_.size(); }

  // Once that is stored: becomes a step of the rest.
  void KeepRest();

  TableId table_id() const { return table_id_; }

 private:
  struct Row {
    std::uint64_t prefix;  // Of the key, behind what all have in common.
    std::uint32_t at;      // In bytes_: the key, then the properties.
    std::uint32_t key_size;
    std::uint32_t size;                    // Of the properties.
    std::uint32_t index;                   // In the order of the input.
    Presence stored = Presence::kUnknown;  // In pages.
    std::uint32_t found = 0;               // Where in found_, if it is there.
    DateTime timestamp = {};               // Of an archive.
  };

  std::string_view KeyOf(const Row& row) const {
    return {bytes_.data() + row.at, row.key_size};
  }
  std::string_view PropertiesOf(const Row& row) const {
    return {bytes_.data() + row.at + row.key_size, row.size};
  }
  bool is_insert() const {
    return mode_ == ImportMode::kInsert || mode_ == ImportMode::kRestore;
  }
  bool IsBefore(const Row& a, const Row& b) const;
  std::size_t EndOfKey(std::size_t begin) const;
  const std::string& SortKeyOf(const Row& row);

  void LookUp(const AccountState& state, PageWindow& window);
  Manifest OthersAmong(const Manifest& manifest);
  Result<Response> StageSettings(DateTime now, Staging& staging) const;
  void Build(DateTime timestamp, const EngineOptions& options,
             Staging& staging);
  bool MakeEntity(std::size_t begin, std::size_t end, const MemRow* mem_row);
  void FailAt(const Row& row, Error error);
  void LimitRecord(const std::vector<Change>& changes,
                   const std::vector<std::uint32_t>& indices);

  std::string table_;
  ImportMode mode_;
  bool makes_table_;
  PropertyList settings_ = {};
  std::size_t setting_lines_ = 0;
  DateTime newest_ = {};  // Of the timestamps of an archive.
  std::optional<TableId> known_table_;
  const LoadedKeys* loaded_ = nullptr;
  TableId table_id_ = 0;  // As of the last evaluation.

  std::string bytes_;
  std::vector<Row> rows_;
  std::size_t common_ = 0;  // So many bytes all keys have in common.
  std::string sort_key_;
  std::size_t table_size_ = 0;  // Of the table in it.

  // What the pages of this root say of rows.
  std::optional<std::uint64_t> manifest_changes_;
  std::vector<Entity> found_;

  // Only the first so many entities are stored, because the next one fails.
  std::size_t limit_ = 0;
  std::optional<Error> failure_;

  std::vector<Put> pages_;
  Bytes manifest_;
  PageId run_ = 0;  // Its first directory page.

  // The entity that was made last.
  PropertyList merged_;
  std::string_view made_;
};

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_LOAD_STEP_H_
