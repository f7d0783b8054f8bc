// recent_changes.h - which rows the last records changed, for those who follow
// a table.

#ifndef ENTITABLE_STORE_RECENT_CHANGES_H_
#define ENTITABLE_STORE_RECENT_CHANGES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/sort_key.h"

namespace entitable {

class RecentChanges {
 public:
  // A record put or deleted the row of this sort key, which is of the table;
  // or, where it is the place at which the table begins, did more to that than
  // can be told row by row.  Records come in their order.
  void Note(std::uint64_t number, TableId table, std::string_view sort_key);

  // Forgets the oldest records where there is more than is to be remembered.
  void Trim();

  // What happened up to this record is not known, or need not be.
  void ForgetUpTo(std::uint64_t number);

  // Whether all that happened after this record is told.
  bool IsKnownSince(std::uint64_t number) const { return forgotten_ <= number; }

  // Which tables changed, whether that can be told row by row or not.
  struct Touched {
    std::uint64_t after = 0;  // Not by this record, nor by one before.
    bool are_all = false;     // Or it is not known.
    std::vector<TableId> tables = {};
  };

  // Since it was asked for last.  The head is the last record.
  Touched TakeTouched(std::uint64_t head) {
    return std::exchange(touched_, {.after = head});
  }

  // For TakeLast().
  std::string_view changes() const { return changes_; }

  struct Change {
    std::uint64_t number;
    std::string_view sort_key;
  };
  static Change TakeLast(std::string_view& changes);

 private:
  void Erase(std::uint64_t number);

  std::string changes_;  // { sort_key length:u32 number:u64 }: read backwards.
  std::uint64_t forgotten_ = 0;  // Nothing is known up to this record.
  Touched touched_;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_RECENT_CHANGES_H_
