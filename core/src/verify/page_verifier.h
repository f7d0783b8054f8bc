// page_verifier.h - checks every page of a store.
//
// The pages of a run form two levels, and a page is checked against what names
// it:
//
//   manifest --> directory pages --> leaf pages
//                first key, totals   first key, totals, bytes
//
// A page is sound if it can be decoded, if it is the one that its name
// promises, and if its keys lie between its own first key and that of the next
// page.  So a valid page of another place, or of another time, is found as
// well.  Of pages that are lost, the same names tell which keys are concerned.

#ifndef ENTITABLE_VERIFY_PAGE_VERIFIER_H_
#define ENTITABLE_VERIFY_PAGE_VERIFIER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/date_time.h"
#include "base/keyed_hash.h"
#include "entitable/storage.h"
#include "entitable/verify.h"
#include "store/leaf_page.h"
#include "store/manifest.h"
#include "store/table_row.h"

namespace entitable {

// Sorts runs by age, judging only by their rows.

// The version of a row, without its contents.
struct RowVersion {
  std::uint64_t key;  // The hash of the key.
  DateTime timestamp;
  std::size_t run;  // The number of the run, from 0.
};

// The runs, the newest first.  If two runs have a row with the same key, the
// run with the newer row is newer.  This comes first.  Runs without a common
// key are sorted by their newest rows; equal ones keep their order.  The second
// rule can be wrong: a run may contain newer rows than the run above it, if
// rows from before a bulk load were flushed after it.
std::vector<std::size_t> OrderRuns(std::size_t run_count,
                                   std::vector<RowVersion> rows);

// --------------------------------------------------------------- page verifier

// A leaf page that can be read.
//
// A repair keeps one of these for each leaf page, about a hundred bytes.
struct VerifiedLeaf {
  PageEntry entry;  // Without the zone map.
  std::string last_key;
  DateTime newest = {};  // The newest timestamp in the page.

  // The tables whose catalogue rows are in this page, by the sort keys of the
  // rows.
  std::map<std::string, TableId> tables = {};

  // For a stray page: its live rows.  The caller sets their run.
  std::vector<RowVersion> versions = {};
};

// A directory page that cannot be read, and the key range of its leaf pages.
struct LostDirectory {
  std::size_t run;
  std::string from;
  std::string to;  // No row of it follows this key.
  PageTotals totals;
  std::size_t finding;  // The index of its finding.
};

// What rows and log records tell about tables.
struct VerifiedTables {
  // Notes the names of a table and of its indexes.
  void Note(const Table& table);

  std::map<TableId, std::string> names = {};  // The last known names.
  std::set<TableId> with_rows = {};
};

// Checks the pages that the manifest names, directly or through directory
// pages, and then stray pages, which no readable page names.
class PageVerifier {
 public:
  // `keeps`: also keep the contents for a repair, not only the findings.
  PageVerifier(bool keeps, VerifiedTables& tables,
               std::vector<Finding>& findings)
      : keeps_(keeps), tables_(tables), findings_(findings) {}

  // Begins with a manifest.  Can be called again.  Leaf pages that were valid
  // are not read again, because they never change; if they are kept, they are.
  void Begin(const Manifest& manifest);

  // The pages to read next; empty at the end.  Accept() receives them in any
  // order.
  //
  // They are as many as a window has in an engine, which limits the memory.
  std::vector<PageId> Next();
  void Accept(PageId id, std::optional<Bytes> value);

  // Takes a stray page.  Returns false if there is no such page.
  bool AcceptStray(PageId id, std::optional<Bytes> value);
  bool WasSeen(PageId id) const { return seen_.contains(id); }

  // The valid leaf pages of each run of the manifest, each in any order.
  std::vector<std::vector<VerifiedLeaf>>& leaves() { return leaves_; }
  const std::vector<LostDirectory>& lost() const { return lost_; }

  // Stray pages.
  std::map<PageId, VerifiedLeaf>& stray_leaves() { return stray_leaves_; }
  const std::vector<std::vector<PageEntry>>& stray_directories() const {
    return stray_directories_;
  }

  PageId last_page() const { return seen_.empty() ? 0 : *seen_.rbegin(); }

 private:
  // What the manifest or another page says about a page.
  struct Reference {
    PageEntry entry;
    std::size_t run;
    std::string begin;  // Of the run.
    // No row follows this key; if is_open, no row is at this key, either.
    std::string to;
    bool is_open;
    bool is_leaf;
  };

  // Names a page to read, unless that was done already.
  void Refer(Reference reference);
  void AcceptDirectory(const Reference& reference, const Bytes& value);
  void AcceptLeaf(const Reference& reference, Bytes value);
  std::optional<VerifiedLeaf> CheckLeaf(PageId id, const LeafPage& page,
                                        std::size_t bytes, bool is_stray,
                                        std::string& why);
  // Adds a finding about the page, with the keys that it should have.
  void Note(const Reference& reference, Flaw flaw, std::string message);

  bool keeps_;
  KeyedHash hash_;
  VerifiedTables& tables_;
  std::vector<Finding>& findings_;
  std::vector<Reference> waiting_;
  std::map<PageId, Reference> asked_;
  std::set<PageId> seen_;
  std::set<PageId> sound_;  // Only used if pages are not kept.
  std::vector<std::vector<VerifiedLeaf>> leaves_;
  std::vector<LostDirectory> lost_;
  std::map<PageId, VerifiedLeaf> stray_leaves_;
  std::vector<std::vector<PageEntry>> stray_directories_;
};

}  // namespace entitable

#endif  // ENTITABLE_VERIFY_PAGE_VERIFIER_H_
