// index_verifier.h - compares the indexes of tables with their entities.
//
// Each index is compared by the sum of the hashes of its entries, so memory
// does not grow with the table.  Only for an index that differs, the hashes are
// collected to count what is missing and what is too much.
//
//   kTables   reads the catalogue: which tables have complete indexes
//   kRows     reads a table, and adds up the entries that its rows should have
//   kIndex    reads the entries of each index, and adds them up, too
//
// If the sums differ, the table is read a second time and hashes are collected.
// A sum cannot say what is wrong, but that two different sets have the same sum
// and the same count is as unlikely as equal hashes of 64 bits.
//
// The rows are read through a Store with a cache of its own, so as any reader
// sees them: unflushed records, tombstones and dropped tables count.

#ifndef ENTITABLE_VERIFY_INDEX_VERIFIER_H_
#define ENTITABLE_VERIFY_INDEX_VERIFIER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/keyed_hash.h"
#include "entitable/limits.h"
#include "entitable/storage.h"
#include "entitable/verify.h"
#include "model/row_filter.h"
#include "store/page_cache.h"
#include "store/scan.h"
#include "store/store.h"
#include "store/table_row.h"

namespace entitable {

// Works on a store whose values are all sound.
class IndexVerifier {
 public:
  IndexVerifier();

  // As an engine reads it when it opens the store.
  void Begin(const Snapshot& snapshot);

  // The pages to read next; empty at the end.
  std::vector<PageId> Next(std::vector<Finding>& findings);
  void Accept(PageId id, std::optional<Bytes> value);

 private:
  struct Entries {
    std::uint64_t count = 0;
    std::uint64_t sum = 0;
    std::vector<std::uint64_t> hashes = {};  // In the second pass.
  };
  struct Compared {
    Entries expected;
    Entries stored;

    bool is_equal() const {
      return expected.count == stored.count && expected.sum == stored.sum;
    }
  };

  void Scan(TableId table);
  void AddRow();
  void AddEntry();
  void Add(std::string_view entry, std::string_view row_key, const Entity* copy,
           Entries& entries);
  void EndScan(std::vector<Finding>& findings);
  void BeginTable();
  void Report(std::vector<Finding>& findings);

  StoreLimits limits_;
  Store store_{limits_};
  std::optional<PageWindow> window_;
  KeyedHash hash_;
  EveryRow every_row_;
  ScanTally tally_;
  std::optional<entitable::Scan> scan_;

  std::vector<Table> tables_;  // With indexes.
  std::size_t at_table_ = 0;
  // The scan is of the catalogue; of the table; or of the index with the number
  // below.
  //
  // A scan stays where it is while pages are fetched, so the part is kept
  // between two reads.
  enum class Part : std::uint8_t { kTables, kRows, kIndex };
  Part part_ = Part::kTables;
  std::size_t at_index_ = 0;
  bool collects_ = false;
  std::vector<Compared> compared_;  // By index.
};

}  // namespace entitable

#endif  // ENTITABLE_VERIFY_INDEX_VERIFIER_H_
