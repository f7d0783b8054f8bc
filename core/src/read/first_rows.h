// first_rows.h - the first rows of an order, as far as memory allows.

#ifndef ENTITABLE_READ_FIRST_ROWS_H_
#define ENTITABLE_READ_FIRST_ROWS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
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
// While rows are added, a heap has the last of the kept rows on top, so that a
// row that comes too late costs one comparison.  The rows are sorted by merging
// neighbours, because each pass goes through memory in its order: a heap of
// 200,000 rows misses the processor's cache at every level.  For the same
// reason a row is a small place in one long text, with its first bytes beside
// it, and all of them are freed at once.
//
// The last kept row is also a bound for the filter (OrderFilter).  If memory
// limits the rows and not their number, the ones that come last are left out,
// and lacks_rows() says so.  The kept rows are still the first ones of the
// order.
class FirstRows {
 public:
  // Keeps this many rows, or fewer if they would take more bytes; but at least
  // one.
  FirstRows() = default;
  FirstRows(std::size_t most_rows, std::size_t most_bytes)
      : most_rows_(most_rows), most_bytes_(most_bytes) {}

  // The row must be new.  Its bytes are copied.
  void Add(std::string_view row, WorkBudget& work);

  // The last kept row, if rows behind it are not kept any more.  Valid until a
  // row is added.
  std::optional<std::string_view> last() const {
    const bool is_full = lacks_rows_ || rows_.size() >= most_rows_;
    if (!is_full || rows_.empty()) return std::nullopt;
    return BytesOf(rows_.front());
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
  std::string_view front() const { return BytesOf(rows_[next_]); }
  std::string_view operator[](std::size_t i) const {
    return BytesOf(rows_[next_ + i]);
  }

  // Drops this many rows.
  void Drop(std::size_t count) { next_ += count; }

 private:
  struct Row {
    std::uint64_t head;  // The first eight bytes as a number, then zeros.
    std::size_t at;      // Of all bytes.
    std::size_t size;
  };

  std::string_view BytesOf(const Row& row) const {
    return std::string_view(text_).substr(row.at, row.size);
  }
  bool IsBefore(const Row& a, const Row& b) const {
    return a.head != b.head ? a.head < b.head : BytesOf(a) < BytesOf(b);
  }
  auto Before() const {
    return [this](const Row& a, const Row& b) { return IsBefore(a, b); };
  }
  void DropLast();
  void MergeSome();

  std::size_t most_rows_ = std::numeric_limits<std::size_t>::max();
  std::size_t most_bytes_ = std::numeric_limits<std::size_t>::max();
  std::string text_;  // The bytes of all rows, also of some that were left out.
  std::vector<Row> rows_;
  std::size_t bytes_ = 0;  // Of the kept rows, with what belongs to each.
  bool lacks_rows_ = false;

  // Runs of so many rows are sorted.  Those of a pass are merged in pairs; the
  // rows of the present pair that were taken from its first run are counted.
  std::size_t run_rows_ = 1;
  std::vector<Row> merged_;
  std::size_t taken_of_first_ = 0;

  std::size_t next_ = 0;  // The sorted rows before it are dropped.
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
