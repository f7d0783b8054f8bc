// stored_rows.h - the stored rows that a commit group needs.
//
// Rows are evaluated without waiting, so a group is evaluated as often as rows
// are missing.  A row that was asked for is in one of these states:
//
//   pending   its pages are missing; the window knows which
//   there     its properties are here, or only its Timestamp
//   absent    no page has it
//   failed    its page is damaged, or there is no memory for it
//
//   Find() --> pending --Resolve(), after each fetch--> there, absent or failed
//                 ^                                              |
//                 +-- Find() needs the properties of it, too ----+
//
// Only pending rows are looked up again.  Their properties are copied, so the
// window may release pages when it holds many, and a group needs memory for its
// rows and for one window.  Rows of the memtable are not kept here: they are
// views, and always the newest.

#ifndef ENTITABLE_WRITE_STORED_ROWS_H_
#define ENTITABLE_WRITE_STORED_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/key_table.h"
#include "base/poll.h"
#include "entitable/result.h"
#include "host/memory.h"
#include "model/entity.h"
#include "query/filter.h"
#include "query/page_evaluator.h"
#include "query/parser.h"
#include "store/lookup.h"
#include "store/scan.h"
#include "store/store.h"
#include "store/table_row.h"

namespace entitable {

// A row of a range.
struct FoundRow {
  std::string sort_key;
  Entity entity;  // Without properties if only the timestamp was asked for.
};

// The first rows of a range, in key order.
struct FoundRange {
  std::vector<FoundRow> rows;
  bool is_whole = true;  // There are no more.
};

// How much of a range is asked for: at most so many rows, and none behind the
// row that reaches so many bytes of properties.
struct RangeLimit {
  std::size_t rows;
  std::size_t bytes = std::numeric_limits<std::size_t>::max();

  bool operator==(const RangeLimit&) const = default;
};

// The table that was found last, because most writes of a group are to one
// table.
struct FoundTable {
  std::string name;  // As in the request.
  std::optional<Table> table;
};

// An evaluation asks for rows.  If the pages of a row are missing, the row is
// noted and pending.  The evaluation may go on to ask for others.  The engine
// fetches those pages, a few at a time, and evaluates again.
//
// The rows of the first write are kept, as long as its commit can fit into
// memory at all, because a group has to store one write at least.  For the rows
// of other writes there is a lower limit.  Writes beyond it stay pending, and
// go to the next group.
class StoredRows {
 public:
  // What a write needs of a row; without its properties, a row takes no memory.
  enum class Part : bool { kTimestamp, kProperties };

  StoredRows(PageCache& cache, const HostMemory& memory)
      : window_(cache), memory_(memory) {}

  // The evaluation of the first write begins, or ends.
  void BeginFirst() { is_first_ = true; }
  void EndFirst() { is_first_ = false, required_ = found_.size(); }

  // Nothing if the row does not exist.  The view is valid until the next call.
  // Fails with StorageDamaged; with ServerBusy if there is no memory for the
  // row; and with RequestBodyTooLarge if there can never be enough.
  Poll<std::optional<EntityView>> Find(const AccountState& state,
                                       std::string_view sort_key, Part part);

  // Fails like Find().
  Poll<FoundRange> FindRange(const AccountState& state, const SortRange& range,
                             const RangeLimit& limit, Part part);

  // Whether the limit is reached: only the rows of the first write are looked
  // up, and new rows of others stay pending.
  bool is_full() const { return found_bytes_ >= kMaxFoundBytes; }

  // Of the properties of the rows that were found.
  std::size_t found_bytes() const { return found_bytes_; }

  // Looks up the pending rows again.  Returns true if no row is pending, or if
  // the limit is reached and the first write has its rows.  Otherwise the
  // window knows the pages that are needed next.
  bool Resolve(const AccountState& state);

  // Forgets all rows, because the pages have changed.
  void Clear();

  // Memory for the sort key that is searched for.  Every search reuses it.
  std::string& sort_key() { return sort_key_; }

  // The same for the table that is searched for.
  FoundTable& table() { return table_; }

  PageWindow& window() { return window_; }
  const PageWindow& window() const { return window_; }

 private:
  // Of properties.
  static constexpr std::size_t kMaxFoundBytes = std::size_t{4} << 20;

  struct Row {
    Part part = Part::kTimestamp;
    Poll<std::optional<Entity>> found = Pending::kPages;
  };

  // A range that was asked for, as far as its pages were there.
  //
  // It keeps its scan between two evaluations and goes on where it had to wait.
  // The state may not have changed meanwhile: a search is of one version.
  struct RangeSearch {
    RangeSearch(const AccountState& at, const SortRange& sought,
                const RangeLimit& most, Part of)
        : version(at.version()),
          range(sought),
          limit(most),
          part(of),
          scan({sought}, evaluator, tally) {}

    bool IsFor(const AccountState& state, const SortRange& sought,
               const RangeLimit& most, Part of) const {
      return version == state.version() && range == sought && limit == most &&
             part == of;
    }

    std::uint64_t version;
    SortRange range;
    RangeLimit limit;
    Part part;
    Filter every_row = *ParseFilter({});
    PageEvaluator evaluator{every_row};
    ScanTally tally;
    Scan scan;
    FoundRange found = {{}, false};
    std::size_t bytes = 0;  // Of properties.
    bool is_done = false;
  };

  using Searches = std::list<RangeSearch>;

  // Takes the bytes of its rows out of the account.
  Searches::iterator Forget(Searches::iterator search);
  // Searches of earlier states are not asked for again.
  void ForgetOlder(std::uint64_t version);
  Poll<void> Continue(const AccountState& state, RangeSearch& search);
  void LookUp(const AccountState& state, std::string_view sort_key, Row& row);
  Result<Entity> Decode(const EntityPlace& place, Part part);

  PageWindow window_;
  const HostMemory& memory_;
  std::string sort_key_;
  FoundTable table_;
  KeyTable rows_;  // The rows that were asked for.
  std::vector<Row> found_;
  Searches ranges_;
  std::size_t found_bytes_ = 0;
  std::size_t required_ = 0;  // How many of them belong to the first write.
  bool is_first_ = true;
};

}  // namespace entitable

#endif  // ENTITABLE_WRITE_STORED_ROWS_H_
