// recent_changes.h - which rows the last log records changed, for readers that
// follow a table.

#ifndef ENTITABLE_STORE_RECENT_CHANGES_H_
#define ENTITABLE_STORE_RECENT_CHANGES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/change.h"
#include "store/range_set.h"

namespace entitable {

// The changes of each table are kept apart, so that a table with many changes,
// or an index that is built, makes no follower of another table read anew.
class RecentChanges {
 public:
  // Notes that a record put or deleted the row with this sort key.  If the key
  // is the beginning of the table's key range, the record changed more of the
  // table than single rows.  Records must come in order.
  void Note(std::uint64_t number, Origin origin, TableId table,
            std::string_view sort_key);

  // If there are too many changes, forgets the oldest of the table that has
  // most.
  void Trim();

  // Changes up to this record are unknown or not needed.
  void ForgetUpTo(std::uint64_t number);

  // Whether all changes of the table after this record are known.
  bool IsKnownSince(TableId table, std::uint64_t number) const;

  // Whether a record behind this one changed the table, or may have.
  bool HasChanged(TableId table, std::uint64_t number) const;

  // Whether a record behind this one changed a row of the set, or may have.
  bool HaveChanged(const RangeSet& rows, std::uint64_t number) const;

  // The tables that changed.
  struct Touched {
    // Changes of this record and earlier ones are not included.
    std::uint64_t after = 0;
    bool are_all = false;  // All tables may have changed.
    std::vector<TableId> tables = {};
  };

  // The tables changed since the last call.  `head` is the number of the last
  // record.  Valid until the next call.
  const Touched& TakeTouched(std::uint64_t head) {
    std::swap(touched_, taken_);
    touched_.after = head;
    touched_.are_all = false;
    touched_.tables.clear();
    return taken_;
  }

  // A place behind the last change of the table.
  std::uint64_t EndOf(TableId table) const;

  // The changes of the table before a place, for TakeLast(); nothing if they
  // are unknown.  The place before the last of them is `place` minus the bytes
  // that it takes.
  std::string_view ChangesBefore(TableId table, std::uint64_t place) const;

  struct Change {
    std::uint64_t number;
    Origin origin;
    std::string_view sort_key;
  };
  static Change TakeLast(std::string_view& changes);

 private:
  struct Changes {
    TableId table;
    // { sort_key length:u32 origin:u8 number:u64 }, read backwards.
    std::string bytes;
    // The place of the first byte.  No table had a change in a later place
    // before.
    std::uint64_t begin = 0;
    std::uint64_t forgotten = 0;  // Changes up to this record are unknown.
  };

  const Changes* Find(TableId table) const;
  void Erase(Changes& changes, std::uint64_t number);

  std::vector<Changes> changes_;  // Of few tables, so they are not sorted.
  std::size_t bytes_ = 0;         // Of all tables.
  std::uint64_t noted_ = 0;       // All bytes that there ever were.
  std::uint64_t forgotten_ = 0;   // Like Changes::forgotten, for all tables.
  std::uint64_t last_ = 0;        // The last record.
  Touched touched_;
  Touched taken_;  // Keeps the memory of the list.
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_RECENT_CHANGES_H_
