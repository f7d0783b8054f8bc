// order_key.h - in which order a request asks for entities, and the place of
// one in it, as bytes.
//
// The order of the bytes (memcmp) is the order of the entities.  No two
// entities of a table have the same order key, because it ends with their keys.
//
//   order key = { value } text 00 text    a value for each term; then the keys,
//                                         as in a sort key (store/sort_key.h)
//   value     = see model/order_value.h; inverted if the term descends

#ifndef ENTITABLE_READ_ORDERED_ORDER_KEY_H_
#define ENTITABLE_READ_ORDERED_ORDER_KEY_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entitable/operation.h"
#include "entitable/result.h"
#include "model/column.h"
#include "model/order_value.h"
#include "model/row_filter.h"
#include "model/value.h"
#include "query/order.h"
#include "read/first_rows.h"
#include "read/query_support.h"
#include "read/read_request.h"
#include "store/lookup.h"

namespace entitable {

// Where the keys begin; nothing if the bytes do not follow the grammar.
//
// The bytes may come from a client, in a token, so nothing about them is taken
// for granted.
std::optional<std::size_t> FindKeysIn(std::string_view order_key,
                                      std::span<const OrderTerm> terms);

// Makes the order keys of entities.  Values are read from the columns of a
// page, so no entity is decoded for its order.
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

// ---------------------------------------------------------------- order filter

// A filter that also leaves out rows that an ordered query
// does not need, before their keys are read.

// It compares the first value of each row with those of two order keys: where
// the query begins, and the last row that it keeps.  As the query finds better
// rows, fewer rows pass.  A row that passes may still come too late, because
// equal first values decide nothing.
class OrderFilter final : public RowFilter {
 public:
  // All of them must outlive this object.
  OrderFilter(RowFilter& filter, std::span<const OrderTerm> terms,
              OrderKeys& keys, const std::string& after, const FirstRows& rows);

  // A page is not read if all values in it come too late, or too early.
  PageMatch MatchZoneMap(const PropertyList& zone_map,
                         WorkBudget& work) override;
  std::optional<std::span<const std::uint64_t>> MatchPage(
      const ColumnSource& page, WorkBudget& work) override;
  bool MatchRow(const PropertySource& row, WorkBudget& work) override {
    return filter_.MatchRow(row, work);
  }

 private:
  bool HasBounds() const {
    return has_first_column_ && (!after_.empty() || rows_.last());
  }
  bool IsTooEarly(std::string_view first_value) const;
  bool IsTooLate(std::string_view first_value) const;
  bool MayHave(const PropertyList& zone_map) const;

  RowFilter& filter_;
  std::span<const OrderTerm> terms_;
  OrderKeys& keys_;
  const std::string& after_;
  const FirstRows& rows_;
  bool has_first_column_;
  std::vector<std::uint64_t> matches_;
  std::string value_;
};

// ------------------------------------------------------------- ordered request

// An ordered query that has passed every check that needs
// no stored data, and its continuation tokens.

// Where an ordered query is.
struct OrderPosition {
  // The order key of the last entity so far; empty at the beginning.
  std::string after = {};
  std::uint64_t skip = 0;  // How many entities to leave out from here.
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};

struct OrderedRequest {
  QueryEntitiesRequest query;
  std::vector<OrderTerm> terms;
  OrderPosition position = {};

  // The same for two requests if they go through the same entities in the same
  // order.
  std::string subject = {};
};

// Fails with InvalidInput, and as ReadQuery() for a query without an order.
Result<OrderedRequest> ReadQuery(const QueryOrdered& operation,
                                 std::string_view base_url);

// The token of a position, which only ReadQuery() with the same order takes.
std::string EncodePosition(const OrderPosition& position,
                           const std::vector<OrderTerm>& terms);

}  // namespace entitable

#endif  // ENTITABLE_READ_ORDERED_ORDER_KEY_H_
