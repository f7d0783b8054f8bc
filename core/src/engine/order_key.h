// order_key.h - the place of an entity in an order, as bytes.
//
// The order of the bytes (memcmp) is the order of the entities.  No two
// entities of a table have the same order key, because it ends with their keys.
//
//   order key = { value } text 00 text    a value for each term; then the keys,
//                                         as in a sort key (store/sort_key.h)
//   value     = 01                        the entity has no such property
//             | 02 u8                     Boolean
//             | 03 u64 u16                a number, see below
//             | 04 u64                    DateTime
//             | 05 text 00                String
//             | 06 16 bytes               Guid
//             | 07 bytes 00               Binary: 00 becomes 01 01, 01 becomes
//                                         01 02
//
// Integers here have the highest byte first.  Numbers of all types are ordered
// by their values, exactly.  NaN comes before all others.  The u64 is a double
// as an integer of the same order.  A double cannot hold every integer beyond
// 2^53, so there it is a multiple of 1024, and the u16 is the rest.
//
// If a term descends, all bits of its value are inverted.

#ifndef ENTITABLE_ENGINE_ORDER_KEY_H_
#define ENTITABLE_ENGINE_ORDER_KEY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/page_columns.h"
#include "model/column.h"
#include "model/value.h"
#include "query/order.h"
#include "store/entity_place.h"

namespace entitable {

// Null: the entity has no such property.
void AppendOrderValue(const Value* value, bool descends, std::string& key);

// Where the keys begin; nothing if the bytes do not follow the grammar.
std::optional<std::size_t> FindKeysIn(std::string_view order_key,
                                      std::span<const OrderTerm> terms);

// Makes the order keys of entities.
class OrderKeys {
 public:
  // The terms must outlive the object.
  explicit OrderKeys(std::span<const OrderTerm> terms);

  // Appends the order key of an entity.
  void Append(std::string_view sort_key, const EntityPlace& place,
              std::string& key);

  // Appends its values alone.  If no term is a key, the sort key is not needed.
  void AppendValues(std::string_view sort_key, const EntityPlace& place,
                    std::string& key);

  // Appends the value of the first term, which is not a key, for a row of a
  // page.
  void Use(std::uint64_t page, std::span<const Column> columns) {
    columns_.Use(page, columns);
  }
  void AppendFirst(std::size_t row, std::string& key) const {
    AppendColumn(0, row, key);
  }

 private:
  void AppendColumn(std::size_t term, std::size_t row, std::string& key) const;

  std::span<const OrderTerm> terms_;
  PageColumns columns_;  // By term.
};

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_ORDER_KEY_H_
