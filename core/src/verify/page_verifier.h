// page_verifier.h - every page of a store, and what is wrong with each.

#ifndef ENTITABLE_VERIFY_PAGE_VERIFIER_H_
#define ENTITABLE_VERIFY_PAGE_VERIFIER_H_

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/date_time.h"
#include "base/keyed_hash.h"
#include "entitable/page.h"
#include "entitable/verify.h"
#include "store/leaf_page.h"
#include "store/manifest.h"
#include "verify/run_order.h"

namespace entitable {

// A leaf page that can be read.
struct VerifiedLeaf {
  PageEntry entry;  // Without zones.
  std::string last_key;
  DateTime newest = {};  // Of its timestamps.

  // The tables of which rows of the catalogue are here, by the rows' sort keys.
  std::map<std::string, TableId> tables = {};

  // Of a stray, its rows that are not deleted; the run is left to others.
  std::vector<RowVersion> versions = {};
};

// A directory page that cannot be read, and where its leaves were.
struct LostDirectory {
  std::size_t run;
  std::string from;
  std::string to;  // No row of it comes behind.
  PageTotals totals;
  std::size_t finding;  // Which of them is about it.
};

// Tables as rows and records tell of them.
struct VerifiedTables {
  std::map<TableId, std::string> names = {};  // Of some time.
  std::set<TableId> with_rows = {};
};

// Goes through the pages that a root names, and then through those that are
// there beside.
class PageVerifier {
 public:
  // `keeps`: what is found is going to be wanted, and not only the flaws.
  PageVerifier(bool keeps, VerifiedTables& tables,
               std::vector<Finding>& findings)
      : keeps_(keeps), tables_(tables), findings_(findings) {}

  // Leaf pages that were found sound are not read again, unless they are kept,
  // however often it begins: they never change.
  void Begin(const Manifest& manifest);

  // Pages to read next, none at the end; and what is there, in any order.
  std::vector<PageId> Next();
  void Take(PageId id, std::optional<Bytes> value);

  // A page that no other one told of.  False when there is none.
  bool TakeStray(PageId id, std::optional<Bytes> value);
  bool WasSeen(PageId id) const { return seen_.contains(id); }

  // Sound leaf pages by run of the root, each in any order.
  std::vector<std::vector<VerifiedLeaf>>& leaves() { return leaves_; }
  const std::vector<LostDirectory>& lost() const { return lost_; }

  // Strays.
  std::map<PageId, VerifiedLeaf>& stray_leaves() { return stray_leaves_; }
  const std::vector<std::vector<PageEntry>>& stray_directories() const {
    return stray_directories_;
  }

  PageId last_page() const { return seen_.empty() ? 0 : *seen_.rbegin(); }

 private:
  // What another page, or the root, says of one.
  struct Reference {
    PageEntry entry;
    std::size_t run;
    std::string begin;  // Of the run.
    std::string to;     // No row comes behind it,
    bool is_open;       // or at it, neither.
    bool is_leaf;
  };

  void Refer(Reference reference);
  void TakeDirectory(const Reference& reference, const Bytes& value);
  void TakeLeaf(const Reference& reference, Bytes value);
  std::optional<VerifiedLeaf> CheckLeaf(PageId id, const LeafPage& page,
                                        std::size_t bytes, bool is_stray,
                                        std::string& why);
  void Note(const Reference& reference, Flaw flaw, std::string message);

  bool keeps_;
  KeyedHash hash_;
  VerifiedTables& tables_;
  std::vector<Finding>& findings_;
  std::vector<Reference> waiting_;
  std::map<PageId, Reference> asked_;
  std::set<PageId> seen_;
  std::set<PageId> sound_;  // Unless they are kept, and so read again.
  std::vector<std::vector<VerifiedLeaf>> leaves_;
  std::vector<LostDirectory> lost_;
  std::map<PageId, VerifiedLeaf> stray_leaves_;
  std::vector<std::vector<PageEntry>> stray_directories_;
};

}  // namespace entitable

#endif  // ENTITABLE_VERIFY_PAGE_VERIFIER_H_
