// recent_changes.h - which rows the last log records changed, for readers that
// follow a table.

#ifndef ENTITABLE_STORE_RECENT_CHANGES_H_
#define ENTITABLE_STORE_RECENT_CHANGES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/change.h"
#include "store/range_set.h"
#include "store/sort_key.h"

namespace entitable {

class RecentChanges {
 public:
  // Notes that a record put or deleted the row with this sort key.  If the key
  // is the beginning of the table's key range, the record changed more of the
  // table than single rows.  Records must come in order.
  void Note(std::uint64_t number, Origin origin, TableId table,
            std::string_view sort_key);

  // Forgets the oldest records if there are too many changes.
  void Trim();

  // Changes up to this record are unknown or not needed.
  void ForgetUpTo(std::uint64_t number);

  // Whether all changes after this record are known.
  bool IsKnownSince(std::uint64_t number) const { return forgotten_ <= number; }

  // Whether a record behind this one changed a row of the range, or may have.
  // The range is a whole table.
  bool HaveChanged(const SortRange& range, std::uint64_t number) const {
    return IsAnySince(number, [&range](std::string_view sort_key) {
      return sort_key >= range.begin && sort_key < range.end;
    });
  }

  // The same for ranges of any kind.
  bool HaveChanged(const RangeSet& ranges, std::uint64_t number) const {
    return IsAnySince(number, [&ranges](std::string_view sort_key) {
      return ranges.Has(sort_key);
    });
  }

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

  // A place behind the last change.
  std::uint64_t end() const { return erased_ + changes_.size(); }

  // The changes before a place, for TakeLast(); nothing if they are unknown.
  // The place before the last of them is `place` minus the bytes that it takes.
  std::string_view ChangesBefore(std::uint64_t place) const {
    return place <= erased_ ? std::string_view()
                            : std::string_view(changes_).substr(
                                  0, static_cast<std::size_t>(place - erased_));
  }

  struct Change {
    std::uint64_t number;
    Origin origin;
    std::string_view sort_key;
  };
  static Change TakeLast(std::string_view& changes);

 private:
  void Erase(std::uint64_t number);

  template <typename Test>
  bool IsAnySince(std::uint64_t number, Test test) const {
    if (!IsKnownSince(number)) return true;
    for (std::string_view rest = changes_; !rest.empty();) {
      const Change change = TakeLast(rest);
      if (change.number <= number) return false;
      if (test(change.sort_key)) return true;
    }
    return false;
  }

  // { sort_key length:u32 origin:u8 number:u64 }, read backwards.
  std::string changes_;
  std::uint64_t forgotten_ = 0;  // Changes up to this record are unknown.
  std::uint64_t erased_ = 0;     // The bytes that they took.
  Touched touched_;
  Touched taken_;  // Keeps the memory of the list.
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_RECENT_CHANGES_H_
