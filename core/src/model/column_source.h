// column_source.h - a run of rows by columns, as a filter sees them.

#ifndef ENTITABLE_MODEL_COLUMN_SOURCE_H_
#define ENTITABLE_MODEL_COLUMN_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/work_budget.h"
#include "model/column.h"
#include "model/value.h"

namespace entitable {

enum class KeyPart : std::uint8_t { kPartitionKey, kRowKey };

// The query side knows no more of a page.
class ColumnSource {
 public:
  // The same rows of the same page, which never changes: for whoever goes on
  // with it.
  struct Identity {
    std::uint64_t page = 0;
    std::size_t begin = 0;
    std::size_t end = 0;

    bool operator==(const Identity&) const = default;
  };
  virtual Identity identity() const = 0;

  virtual std::size_t row_count() const = 0;

  // A bit a row that is an entity; null when all are.
  virtual const char* live_rows() const = 0;

  // The properties, and Timestamp; not the keys.
  virtual std::span<const Column> columns() const = 0;

  // Sets the bits of the rows whose key is below the text, and of those where
  // it is the text, in words that are all zero.
  virtual void CompareKeys(KeyPart part, std::string_view text,
                           std::span<std::uint64_t> below,
                           std::span<std::uint64_t> equal,
                           WorkBudget& work) const = 0;

  // Sets the bits of the rows whose key is one of the texts: Strings in their
  // order, each once.
  virtual void FindKeys(KeyPart part, std::span<const Value> texts,
                        std::span<std::uint64_t> found,
                        WorkBudget& work) const = 0;

 protected:
  ~ColumnSource() = default;
};

}  // namespace entitable

#endif  // ENTITABLE_MODEL_COLUMN_SOURCE_H_
