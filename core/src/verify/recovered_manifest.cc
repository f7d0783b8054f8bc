// How a store is made of what can be read.
//
// Leaf pages are kept as they are; everything above them is made anew.  So the
// result is a manifest, a checkpoint, directory pages and log records, which
// the caller lays over the pages:
//
// 1. Runs.  Those of the manifest, with the stray pages that fit into a gap of
//    theirs; or, without a manifest, runs that are guessed from the pages.
// 2. Records.  Those that are not in pages as far as known, numbered anew.
// 3. Tables.  Those that have rows but no row in the catalogue get one.
// 4. Numbers.  The next page, the next table and the time of the store lie
//    behind all that was seen, so that nothing is used twice.
//
// The order of runs decides which state of a row is the newest.  A wrong order
// brings back old rows, so it is taken from the manifest wherever there is one.

#include "verify/recovered_manifest.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "base/json_writer.h"
#include "base/visit.h"
#include "model/names.h"
#include "store/directory_page.h"
#include "store/table_row.h"

namespace entitable {
namespace {

// Leaf pages per directory page.  These directory pages are never stored, only
// read once.
constexpr std::size_t kLeavesPerDirectory = 256;

struct RecoveredRun {
  std::string begin = {};
  std::string end = {};
  std::vector<VerifiedLeaf> leaves = {};
};

class ManifestRecovery {
 public:
  ManifestRecovery(VerifiedLog log, PageVerifier& pages, VerifiedTables& tables,
                   std::vector<Finding>& findings,
                   std::vector<std::string>& names)
      : log_(std::move(log)),
        pages_(pages),
        tables_(tables),
        findings_(findings),
        names_(names) {}

  std::vector<Put> Make() {
    if (log_.manifest) {
      TakeRuns();
      PlaceStrays();
    } else {
      GuessRuns();
    }
    KeepRecords();
    NoteTablesInPages();
    RecreateTables();
    MakeManifest();
    MakeLog();
    return std::move(puts_);
  }

 private:
  void TakeRuns() {
    for (std::size_t i = 0; i < log_.manifest->runs.size(); ++i) {
      const Run& run = log_.manifest->runs[i];
      runs_.push_back({run.begin, run.end, std::move(pages_.leaves()[i])});
    }
  }

  // Finds the run of leaf pages whose directory page is lost, by their keys.
  //
  // A page between two keys of a lost directory page may also be an obsolete
  // one.  If the rows that were found are as many as the directory page had,
  // nothing is lost.
  void PlaceStrays() {
    for (auto& [id, leaf] : pages_.stray_leaves()) {
      for (const LostDirectory& lost : pages_.lost()) {
        if (leaf.last_key < lost.from || leaf.last_key > lost.to) continue;
        runs_[lost.run].leaves.push_back(std::move(leaf));
        break;
      }
    }
    for (const LostDirectory& lost : pages_.lost()) {
      std::uint64_t rows = 0;
      for (const VerifiedLeaf& leaf : runs_[lost.run].leaves) {
        const bool is_of_it =
            lost.from <= leaf.last_key && leaf.last_key <= lost.to;
        if (is_of_it) rows += leaf.entry.totals.rows;
      }
      if (rows == lost.totals.rows) findings_[lost.finding].is_lossy = false;
    }
  }

  // Without a manifest, only leaf pages of the same directory page are known to
  // be in one run.  The order of the runs follows from the timestamps of their
  // rows; but tombstones have none.
  void GuessRuns() {
    auto& leaves = pages_.stray_leaves();
    std::vector<RecoveredRun> runs;
    for (const std::vector<PageEntry>& entries : pages_.stray_directories()) {
      RecoveredRun& run = runs.emplace_back();
      for (const PageEntry& entry : entries) {
        const auto found = leaves.find(entry.page);
        const bool is_it =
            found != leaves.end() && found->second.entry == entry;
        if (is_it) run.leaves.push_back(leaves.extract(found).mapped());
      }
    }
    for (auto& [id, leaf] : leaves) {
      runs.emplace_back().leaves.push_back(std::move(leaf));
    }
    std::vector<RowVersion> versions;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      for (VerifiedLeaf& leaf : runs[i].leaves) {
        runs[i].end = std::max(runs[i].end, leaf.last_key);
        for (RowVersion& version : leaf.versions) version.run = i;
        versions.insert(versions.end(), leaf.versions.begin(),
                        leaf.versions.end());
        leaf.versions = {};
      }
    }
    for (const std::size_t i : OrderRuns(runs.size(), std::move(versions))) {
      runs_.push_back(std::move(runs[i]));
    }
  }

  // Keeps all records that are not flushed.  If the order of the runs is a
  // guess, also keeps flushed records that follow one another without a gap up
  // to these: they tell which rows were deleted last.  Stops at a bulk load,
  // because it may have changed rows of earlier records only in pages.
  void KeepRecords() {
    std::uint64_t first = log_.flushed() + 1;
    std::vector<LogRecord>& records = log_.records;
    if (!log_.manifest) {
      for (auto at = records.rbegin(); at != records.rend(); ++at) {
        if (at->number + 1 == first) first = at->number;
        if (HasLoad(*at)) break;
      }
    }
    number_ = first - 1;
    std::erase_if(records, [first](const LogRecord& record) {
      return record.number < first;
    });
    for (LogRecord& record : records) {
      // Loaded rows are in pages, or they are lost.
      std::erase_if(record.changes, [](const Change& change) {
        return std::holds_alternative<RangeLoaded>(change);
      });
      last_timestamp_ = std::max(last_timestamp_, record.last_timestamp);
      for (const Change& change : record.changes) NoteTable(change);
    }
  }

  // Ids of tables are never given out again, so the next one is behind all of
  // them.
  void NoteTable(const Change& change) {
    if (const auto* created = std::get_if<TableCreated>(&change)) {
      tables_.names.insert_or_assign(created->table, created->name);
      known_tables_.insert(created->table);
    } else if (const auto* dropped = std::get_if<TableDropped>(&change)) {
      tables_.names.insert_or_assign(dropped->table, dropped->name);
      known_tables_.insert(dropped->table);
    } else if (const auto* put = std::get_if<EntityPut>(&change)) {
      NotePut(*put);
    }
    const TableId table =
        Visit([](const auto& one) { return one.table; }, change);
    next_table_ = std::max(next_table_, table + 1);
  }

  // The catalogue row of a table also tells its name.
  void NotePut(const EntityPut& put) {
    if (put.table != kCatalogue) {
      tables_.with_rows.insert(put.table);
    } else if (const auto table = ReadTableRow(put.entity)) {
      tables_.Note(*table);
      known_tables_.insert(table->id);
    }
  }

  // Catalogue rows before the beginning of a run are obsolete.
  void NoteTablesInPages() {
    for (const RecoveredRun& run : runs_) {
      for (const VerifiedLeaf& leaf : run.leaves) {
        for (const auto& [key, id] : leaf.tables) {
          if (key >= run.begin) known_tables_.insert(id);
        }
      }
    }
  }

  // Creates tables that have rows, but whose catalogue row is lost.
  //
  // A name that is known from elsewhere is used unless another table has it by
  // now.
  void RecreateTables() {
    std::set<std::string> taken;
    for (const auto& [id, name] : tables_.names) {
      if (known_tables_.contains(id)) taken.insert(FoldTableName(name));
      next_table_ = std::max(next_table_, id + 1);
    }
    std::vector<Change> made;
    for (const TableId id : tables_.with_rows) {
      next_table_ = std::max(next_table_, id + 1);
      if (known_tables_.contains(id) || WasDropped(id)) continue;
      const auto known = tables_.names.find(id);
      if (known != tables_.names.end() &&
          taken.insert(FoldTableName(known->second)).second) {
        made.push_back(TableCreated{id, known->second});
        continue;
      }
      std::string name = "Lost";
      AppendDecimal(static_cast<std::int64_t>(id), name);
      while (!taken.insert(FoldTableName(name)).second) name += 'x';
      tables_.names.insert_or_assign(id, name);
      names_.push_back(name);
      made.push_back(TableCreated{id, std::move(name)});
    }
    if (made.empty()) return;
    log_.records.push_back({{}, std::move(made)});
  }

  // Rows of dropped tables stay in pages until a compaction leaves them out.
  bool WasDropped(TableId id) const {
    if (!log_.manifest) return false;
    const std::vector<TableId>& dropped = log_.manifest->dropped;
    return std::find(dropped.begin(), dropped.end(), id) != dropped.end();
  }

  // The new manifest needs no record, and belongs to a log that begins behind
  // it.  All indexes count as unsound, since rows may be lost that they name:
  // engines do without them until they are built again.
  void MakeManifest() {
    Manifest manifest;
    if (log_.manifest) manifest = *log_.manifest;
    if (log_.checkpoint) {
      manifest.store_id = log_.checkpoint->store_id;
      last_timestamp_ =
          std::max(last_timestamp_, log_.checkpoint->last_timestamp);
    }
    ++manifest.version;
    manifest.number = number_;
    manifest.crc = 0;
    manifest.needs = 0;
    manifest.pending_drops = 0;
    manifest.next_page = std::max(manifest.next_page, pages_.last_page() + 1);
    // The checkpoint needs it, too: all indexes that are there have smaller
    // ids.
    next_table_ = std::max(manifest.next_table, next_table_);
    manifest.next_table = next_table_;
    manifest.runs.clear();
    for (RecoveredRun& run : runs_) {
      AddRun(std::move(run), manifest);
    }
    manifest.last_timestamp = last_timestamp_ =
        std::max(manifest.last_timestamp, last_timestamp_);
    store_id_ = manifest.store_id;
    puts_.push_back({ValueKey::Manifest(), Share(EncodeManifest(manifest))});
  }

  // Leaf pages that overlap with others are moved to a run of their own, behind
  // this one.
  void AddRun(RecoveredRun run, Manifest& manifest) {
    std::sort(run.leaves.begin(), run.leaves.end(),
              [](const VerifiedLeaf& a, const VerifiedLeaf& b) {
                return a.entry.first_key < b.entry.first_key;
              });
    while (!run.leaves.empty()) {
      RecoveredRun rest{run.begin, run.end, {}};
      Run made{.begin = run.begin, .end = run.end};
      DirectoryPage page;
      std::string last_key;
      for (VerifiedLeaf& leaf : run.leaves) {
        last_timestamp_ = std::max(last_timestamp_, leaf.newest);
        if (!last_key.empty() && leaf.entry.first_key <= last_key) {
          rest.leaves.push_back(std::move(leaf));
          continue;
        }
        last_key = leaf.last_key;
        page.leaves.push_back(std::move(leaf.entry));
        if (page.leaves.size() == kLeavesPerDirectory) {
          AddDirectory(std::move(page), manifest, made);
          page = {};
        }
      }
      if (!page.leaves.empty()) AddDirectory(std::move(page), manifest, made);
      manifest.runs.push_back(std::move(made));
      run = std::move(rest);
    }
  }

  // The directory pages that are there are not used again: some of them may be
  // damaged, and those of a run must be complete.
  void AddDirectory(DirectoryPage page, Manifest& manifest, Run& run) {
    PageEntry entry{.first_key = page.leaves.front().first_key,
                    .page = manifest.next_page++};
    for (const PageEntry& leaf : page.leaves) entry.totals += leaf.totals;
    puts_.push_back({ValueKey::Page(entry.page), Share(page.Encode())});
    run.directories.push_back(std::move(entry));
  }

  // Numbers the records without gaps, even if some were missing.
  //
  // Each record has the checksum of the one before, so all are encoded anew.
  void MakeLog() {
    Checkpoint checkpoint;
    if (log_.checkpoint) checkpoint.sessions = log_.checkpoint->sessions;
    checkpoint.store_id = store_id_;
    checkpoint.number = number_;
    checkpoint.first_record = number_ + 1;
    checkpoint.last_timestamp = last_timestamp_;
    checkpoint.first_sound_index = next_table_;
    puts_.push_back(
        {ValueKey::Checkpoint(), Share(EncodeCheckpoint(checkpoint))});
    std::uint32_t crc = 0;
    for (LogRecord& record : log_.records) {
      record.number = ++number_;
      record.previous_crc = crc;
      Bytes value = EncodeLogRecord(record);
      crc = EnvelopeCrc(value);
      puts_.push_back({ValueKey::Record(number_), Share(std::move(value))});
    }
  }

  VerifiedLog log_;
  PageVerifier& pages_;
  VerifiedTables& tables_;
  std::vector<Finding>& findings_;
  std::vector<std::string>& names_;
  std::vector<RecoveredRun> runs_;
  std::set<TableId>
      known_tables_;  // Tables whose catalogue row, or deletion, is known.
  std::uint64_t number_ = 0;  // All changes up to this log record are in pages.
  TableId next_table_ = 1;
  DateTime last_timestamp_{};
  Random128 store_id_{};
  std::vector<Put> puts_;
};

}  // namespace

std::vector<Put> RecoverManifest(VerifiedLog log, PageVerifier& pages,
                                 VerifiedTables& tables,
                                 std::vector<Finding>& findings,
                                 std::vector<std::string>& names) {
  return ManifestRecovery(std::move(log), pages, tables, findings, names)
      .Make();
}

}  // namespace entitable
