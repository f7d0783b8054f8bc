// load_rows.h - what a step of an import stores: entities, in key order.

#ifndef ENTITABLE_LOAD_LOAD_ROWS_H_
#define ENTITABLE_LOAD_LOAD_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/date_time.h"
#include "base/work_budget.h"
#include "entitable/error.h"
#include "entitable/operation.h"
#include "model/entity_reader.h"
#include "model/schema.h"
#include "store/lookup.h"

namespace entitable {

// The work for the bytes of an entity, each time that it is read or made.
inline constexpr std::uint64_t kEntityBytesPerUnit = 16;

struct LoadRow {
  std::uint64_t hash;  // Of the key, once it was looked up.
  // The position of the key, which the properties follow.
  std::uint32_t at;
  std::uint32_t key_size;
  std::uint32_t size;  // Of the properties.
  // Of the names of typed values (model/entity.h), which follow them, and of
  // removed properties (model/parts.h), which come last.
  std::uint32_t typed_size;
  std::uint32_t removed_size;
  std::uint32_t index;         // In the order of the input.
  DateTime timestamp = {};     // For an archive.
  bool keeps_doubles = false;  // And has numbers that may become Doubles.

  // What a lookup has found in pages, and the number of what it found.
  Presence stored = Presence::kUnknown;
  std::uint32_t found = 0;
};

// Invariant: once Sort() has returned true, the rows are in key order, and rows
// with the same key in the order of the input.  All bytes of all rows are in
// one string, so a step of many short entities makes few allocations:
//
//   key, as in a sort key | properties | names of typed values | removed
//   at                    + key_size   + size                  + typed_size
class LoadRows {
 public:
  void Add(const NewEntity& entity, std::string_view properties,
           bool keeps_doubles);

  // Sorts until the work is spent.  Returns false if it must be called again.
  // Add no rows after the first call.
  bool Sort(WorkBudget& work);

  // Drops the rows before this index of the input.
  void DropBefore(std::size_t index);

  bool is_empty() const { return rows_.empty(); }
  std::size_t size() const { return rows_.size(); }

  // Of keys and properties, with bookkeeping.
  std::size_t bytes() const {
    return bytes_.size() + rows_.size() * sizeof(LoadRow);
  }

  LoadRow& operator[](std::size_t i) { return rows_[i]; }
  const LoadRow& operator[](std::size_t i) const { return rows_[i]; }
  auto begin() { return rows_.begin(); }
  auto end() { return rows_.end(); }
  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }

  std::string_view KeyOf(const LoadRow& row) const {
    return {bytes_.data() + row.at, row.key_size};
  }
  std::string_view PropertiesOf(const LoadRow& row) const {
    return {bytes_.data() + row.at + row.key_size, row.size};
  }
  std::string_view TypedOf(const LoadRow& row) const {
    return {bytes_.data() + row.at + row.key_size + row.size, row.typed_size};
  }
  std::string_view RemovedOf(const LoadRow& row) const {
    return {TypedOf(row).data() + row.typed_size, row.removed_size};
  }

  // The end of the rows with the same key.
  std::size_t EndOfKey(std::size_t begin) const;

 private:
  // What the sort moves in place of a row.
  struct Order {
    std::uint64_t prefix;  // Of the key, behind the common bytes.
    std::uint32_t index;
  };
  void BeginSort();
  void FinishSort();
  bool IsBefore(const Order& a, const Order& b) const;

  std::string bytes_;
  std::vector<LoadRow> rows_;
  std::size_t common_ = 0;  // How many bytes all keys have in common.

  // The progress of the sort: the present gap, and the next row to place.
  std::vector<Order> order_;
  std::size_t gap_ = 0;
  std::size_t next_ = 0;
  bool is_sorted_ = false;
};

struct LoadInput {
  std::string table;
  ImportMode mode;
  bool makes_table;  // The first step of a table of an archive.

  // For an archive: the settings of the table that the step creates, or of the
  // account if it creates none.  They took this many lines.
  PropertyList settings = {};
  std::size_t setting_lines = 0;

  LoadRows rows = {};
  const std::optional<Schema>* schema = nullptr;  // Of the import.

  bool is_insert() const {
    return mode == ImportMode::kInsert || mode == ImportMode::kRestore;
  }

  // Whether the result depends on the stored entity.
  bool NeedsStored(const LoadRow& row) const {
    return mode != ImportMode::kReplace || row.keeps_doubles ||
           looks_for_version();
  }

  // Whether a row must not replace one of a later version.
  bool looks_for_version() const {
    return !is_insert() && *schema && (*schema)->looks_for_version();
  }
};

// Only this many entities of the input are stored.  Without a reason, there are
// no more, or the rest needs another step.
struct LoadCut {
  std::size_t limit = 0;
  std::optional<Error> failure = {};
};

}  // namespace entitable

#endif  // ENTITABLE_LOAD_LOAD_ROWS_H_
