// random_rows.h - rows of pages: any entities, and deletions, in key order.

#ifndef ENTITABLE_TESTS_SUPPORT_RANDOM_ROWS_H_
#define ENTITABLE_TESTS_SUPPORT_RANDOM_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "entitable/storage.h"
#include "model/entity.h"

namespace entitable {

struct Row {
  std::string sort_key;
  std::optional<Entity> entity;  // None: deleted.
};

// How the rows of one run resemble each other.
struct RowTraits {
  std::size_t names = 8;  // From how many, of all types, they choose.
  bool has_one_schema = false;
  bool has_small_values = false;  // Else any, the extremes most of all.
  std::size_t deleted_percent = 0;
};

class RandomRows {
 public:
  explicit RandomRows(std::uint64_t seed) : random_(seed) {}

  RowTraits NextTraits();
  std::vector<Row> Next(std::size_t count, const RowTraits& traits);
  PropertyList NextProperties(const RowTraits& traits);
  void AppendValue(std::string_view name, EdmType type, const RowTraits& traits,
                   PropertyList& list);

  std::size_t Below(std::size_t limit) { return random_() % limit; }
  std::uint64_t Bits() { return random_(); }

 private:
  std::int64_t Integer(EdmType type, const RowTraits& traits);
  double Real(const RowTraits& traits);
  std::string Text(EdmType type, const RowTraits& traits);

  std::mt19937_64 random_;
};

// All rows in as few pages as the builder makes of them.
std::vector<Bytes> PagesOf(const std::vector<Row>& rows);

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_RANDOM_ROWS_H_
