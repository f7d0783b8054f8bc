// first_rows.h - the first rows of an order, as far as memory allows.

#ifndef ENTITABLE_READ_FIRST_ROWS_H_
#define ENTITABLE_READ_FIRST_ROWS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/work_budget.h"

namespace entitable {

// How many bytes the rows or groups of one query may take: a part of the page
// cache, or this many if that is more.
constexpr std::size_t MostQueryBytes(std::size_t cache_bytes) {
  constexpr std::size_t kPartOfCache = 4;
  constexpr std::size_t kLeastBytes = std::size_t{4} << 20;
  return std::max(cache_bytes / kPartOfCache, kLeastBytes);
}

// Takes rows in any order, and keeps those that come first.  A row is any
// bytes, which are its place in the order (memcmp).
//
// A heap has the last of the kept rows on top.  So a row that comes too late
// costs one comparison, and in a random order that soon holds for nearly all.
// The last kept row is also a bound for the filter (OrderFilter).
//
// If memory limits the rows and not their number, the ones that come last are
// left out, and lacks_rows() says so.  The kept rows are still the first ones
// of the order.
class FirstRows {
 public:
  // Keeps this many rows, or fewer if they would take more bytes; but at least
  // one.
  FirstRows() = default;
  FirstRows(std::size_t most_rows, std::size_t most_bytes)
      : most_rows_(most_rows), most_bytes_(most_bytes) {}

  // The row must be new.  Its bytes are copied.
  void Add(std::string_view row, WorkBudget& work);

  // The last kept row, if rows behind it are not kept any more; otherwise null.
  const std::string* last() const {
    const bool is_full = lacks_rows_ || rows_.size() >= most_rows_;
    return is_full && !rows_.empty() ? &rows_.front() : nullptr;
  }

  // Whether a row was left out: it comes behind the kept rows.
  bool lacks_rows() const { return lacks_rows_; }

  // Sorts the kept rows.  Returns false if the work budget is spent first;
  // the next call continues.  Nothing may be added afterwards.
  bool Sort(WorkBudget& work);

  // The functions below need Sort() to have returned true.

  // The first row that was not dropped.
  bool is_empty() const { return next_ == rows_.size(); }
  std::size_t size() const { return rows_.size() - next_; }
  const std::string& front() const { return rows_[next_]; }
  const std::string& operator[](std::size_t i) const {
    return rows_[next_ + i];
  }

  // Drops this many rows.
  void Drop(std::size_t count) { next_ += count; }

 private:
  std::size_t most_rows_ = std::numeric_limits<std::size_t>::max();
  std::size_t most_bytes_ = std::numeric_limits<std::size_t>::max();
  std::vector<std::string> rows_;
  std::size_t bytes_ = 0;
  bool lacks_rows_ = false;

  // The rows behind these many are sorted; when all are, the rows before
  // `next_` are dropped.
  std::size_t heap_size_ = 0;
  bool is_sorting_ = false;
  std::size_t next_ = 0;
};

// What an ordered query has found, but not returned yet.
//
// The next page of the same query can return them without a scan.
struct OrderedRest {
  std::string subject = {};  // Of the request.
  std::string after = {};    // The order key that the rows come behind.
  std::uint64_t head = 0;    // The log when the search began.
  FirstRows rows = {};
};

}  // namespace entitable

#endif  // ENTITABLE_READ_FIRST_ROWS_H_
