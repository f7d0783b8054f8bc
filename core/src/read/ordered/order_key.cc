#include "read/ordered/order_key.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bits.h"
#include "base/coding.h"
#include "base/crc32c.h"
#include "base/number.h"
#include "base/text_encodings.h"
#include "model/entity.h"
#include "model/entity_key.h"
#include "model/row_filter.h"
#include "model/schema_format.h"
#include "read/index/index_lookup.h"
#include "store/sort_key.h"
#include "store/table_row.h"

namespace entitable {
namespace {

// A text in the form of a sort key.
void AppendKeyText(std::string_view text, std::string& key) {
  key += static_cast<char>(OrderKind::kString);
  key += text;
  key += '\0';
}

// The property's value; null if the entity does not have it.
void AppendTerm(const OrderTerm& term, const Value* value, std::string& key) {
  const auto counted = term.ValueOf(value);
  AppendOrderValue(counted ? &*counted : nullptr, term.descends, key);
}

std::vector<std::string> NamesOf(std::span<const OrderTerm> terms) {
  std::vector<std::string> names;
  names.reserve(terms.size());
  for (const OrderTerm& term : terms) names.push_back(term.name);
  return names;
}

}  // namespace

std::optional<std::size_t> FindKeysIn(std::string_view order_key,
                                      std::span<const OrderTerm> terms) {
  std::size_t at = 0;
  for (const OrderTerm& term : terms) {
    if (at >= order_key.size()) return std::nullopt;
    const char mask = term.descends ? '\xFF' : '\0';
    const auto kind = static_cast<unsigned char>(order_key[at] ^ mask);
    if (kind == 0 || kind >= std::size(kOrderSizes)) return std::nullopt;
    if (kOrderSizes[kind] > 0) {
      at += kOrderSizes[kind];
      continue;
    }
    at = order_key.find(mask, at + 1);
    if (at == std::string_view::npos) return std::nullopt;
    ++at;
  }
  if (at > order_key.size()) return std::nullopt;
  return at;
}

OrderKeys::OrderKeys(std::span<const OrderTerm> terms)
    : terms_(terms), columns_(NamesOf(terms)) {}

// The end is the sort key without its table, so keys can be made back into sort
// keys.
void OrderKeys::Append(std::string_view sort_key, const EntityPlace& place,
                       std::string& key) {
  AppendValues(sort_key, place, key);
  key += sort_key.substr(TextsOf(sort_key).table.size());
}

// A row of a page has its keys in the key block and all else in columns; an
// entity of the memtable has all in one list.
void OrderKeys::AppendValues(std::string_view sort_key,
                             const EntityPlace& place, std::string& key) {
  PageRow row;
  if (place.in_memory == nullptr) {
    row = place.page_row();
    Use(place.page, row.columns);
  }
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const OrderTerm& term = terms_[i];
    const std::string& name = term.name;
    if (IsKeyName(name) && term.part) {
      AppendOrderValue(nullptr, term.descends, key);  // A key is no DateTime.
    } else if (IsKeyName(name)) {
      const SortTexts texts = TextsOf(sort_key);
      const std::size_t begin = key.size();
      AppendKeyText(name == "RowKey" ? texts.row_key : texts.partition_key,
                    key);
      InvertIf(term.descends, begin, key);
    } else if (place.in_memory == nullptr) {
      AppendColumn(i, row.row, key);
    } else if (name == "Timestamp") {
      const Value time = Value::OfDateTime(place.in_memory->timestamp);
      AppendTerm(term, &time, key);
    } else {
      const auto value = FindProperty(place.in_memory->properties, name);
      AppendTerm(term, value ? &*value : nullptr, key);
    }
  }
}

void OrderKeys::AppendColumn(std::size_t term, std::size_t row,
                             std::string& key) const {
  const Column* const column = columns_.Find(term, row);
  if (column == nullptr) return AppendTerm(terms_[term], nullptr, key);
  const Value value = column->ValueAt(column->IndexOf(row));
  AppendTerm(terms_[term], &value, key);
}

// ---------------------------------------------------------------- order filter

namespace {

// No value is the beginning of another, so the first values decide unless they
// are equal.
int CompareFirst(std::string_view value, std::string_view order_key) {
  return value.compare(order_key.substr(0, value.size()));
}

}  // namespace

OrderFilter::OrderFilter(RowFilter& filter, std::span<const OrderTerm> terms,
                         OrderKeys& keys, const std::string& after,
                         const FirstRows& rows)
    : filter_(filter),
      terms_(terms),
      keys_(keys),
      after_(after),
      rows_(rows),
      has_first_column_(!terms.empty() && !IsKeyName(terms.front().name)) {}

PageMatch OrderFilter::MatchZoneMap(const PropertyList& zone_map,
                                    WorkBudget& work) {
  const PageMatch match = filter_.MatchZoneMap(zone_map, work);
  if (match == PageMatch::kNone || !HasBounds()) return match;
  return MayHave(zone_map) ? PageMatch::kSome : PageMatch::kNone;
}

std::optional<std::span<const std::uint64_t>> OrderFilter::MatchPage(
    const ColumnSource& page, WorkBudget& work) {
  const auto found = filter_.MatchPage(page, work);
  if (!found || !HasBounds()) return found;
  keys_.Use(page.identity().page, page.columns());
  matches_.assign(found->begin(), found->end());
  for (std::size_t i = 0; i < matches_.size(); ++i) {
    for (std::uint64_t left = matches_[i]; left != 0; left &= left - 1) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(left));
      value_.clear();
      keys_.AppendFirst(i * kWordBits + bit, value_);
      if (IsTooEarly(value_) || IsTooLate(value_)) {
        matches_[i] &= ~(std::uint64_t{1} << bit);
      }
      work.SpendParts(kPartsPerValue + value_.size() * kPartsPerTextByte);
    }
  }
  return matches_;
}

// Behind a position, rows with an earlier first value were returned already.
bool OrderFilter::IsTooEarly(std::string_view first_value) const {
  return !after_.empty() && CompareFirst(first_value, after_) < 0;
}

bool OrderFilter::IsTooLate(std::string_view first_value) const {
  const auto last = rows_.last();
  return last && CompareFirst(first_value, *last) > 0;
}

// Rows without the property may be in the page, too.  Bounds of texts are not
// values.
bool OrderFilter::MayHave(const PropertyList& zone_map) const {
  const std::string& name = terms_.front().name;
  const bool descends = terms_.front().descends;
  bool may_have = true;
  ForEachZoneBounds(zone_map, [&](std::string_view of, const auto& bounds_of) {
    if (of != name) return;
    const ZoneBounds bounds = bounds_of();
    if (bounds.least.type() == EdmType::kString) return;
    const auto bytes_of = [&](const Value* value) {
      std::string bytes;
      AppendOrderValue(value, descends, bytes);
      return bytes;
    };
    const bool has_all = name == "Timestamp";
    const std::string least = bytes_of(&bounds.least);
    const std::string greatest = bytes_of(&bounds.greatest);
    const std::string& first = descends ? greatest : least;
    const std::string& last = descends ? least : greatest;
    const std::string missing = bytes_of(nullptr);
    may_have = (!IsTooLate(first) || (!has_all && !IsTooLate(missing))) &&
               (!IsTooEarly(last) || (!has_all && !IsTooEarly(missing)));
  });
  return may_have;
}

// ------------------------------------------------------------- ordered request

namespace {

// Tells apart the tokens of different orders.
//
// Without the mark, such a token might be taken for a position.
std::uint32_t MarkOf(const std::vector<OrderTerm>& terms) {
  std::string text;
  for (const OrderTerm& term : terms) {
    text += term.name;
    text += term.descends ? '-' : '+';
  }
  return Crc32c(text);
}

// Whether all entities of the ranges are in one partition.
bool AreInOnePartition(const std::vector<KeyRange>& ranges) {
  if (ClassifyAccess(ranges) > AccessPath::kPartitionScan) return false;
  const auto partition_of = [](const KeyRange& range) {
    return range.lower ? std::string_view(range.lower->key.partition_key)
                       : std::string_view();
  };
  return std::ranges::all_of(ranges, [&](const KeyRange& range) {
    return partition_of(range) == partition_of(ranges.front());
  });
}

// Whether the order is that of the keys, in which entities are stored.  Terms
// behind the whole key decide nothing, and in one partition the PartitionKey
// decides nothing.
bool IsOrderOfKeys(std::span<const OrderTerm> terms,
                   const std::vector<KeyRange>& ranges) {
  const bool is_one = AreInOnePartition(ranges);
  if (terms.empty()) return true;
  if (terms.front().name == "PartitionKey") {
    if (terms.front().descends && !is_one) return false;
    terms = terms.subspan(1);
  } else if (!is_one) {
    return false;
  }
  return terms.empty() ||
         (terms.front().name == "RowKey" && !terms.front().descends);
}

Result<void> ReadNumber(const std::optional<std::string_view>& text,
                        std::uint64_t& number) {
  if (!text) return {};
  const auto value = ParseInt64(*text);
  if (!value || text->starts_with('-')) {
    return Fail(ErrorCode::kInvalidInput,
                "How many entities to skip, or to return at most, is a number "
                "from 0.");
  }
  number = static_cast<std::uint64_t>(*value);
  return {};
}

// The rest of the bytes is an order key.  Whether it is one is checked down to
// its end, since SortKeyOf() relies on it.
bool ReadPosition(std::string_view bytes, const std::vector<OrderTerm>& terms,
                  OrderPosition& position) {
  Decoder decoder(bytes);
  const bool is_of_order = decoder.ReadU32() == MarkOf(terms);
  position.skip = decoder.ReadVarint();
  position.most = decoder.ReadVarint();
  position.after = decoder.rest();
  if (decoder.failed() || !is_of_order) return false;
  if (position.after.empty()) return true;
  const auto keys = FindKeysIn(position.after, terms);
  if (!keys) return false;
  const std::string sort_key =
      WholeTable(kCatalogue).begin + position.after.substr(*keys);
  return ParseSortKey(sort_key).has_value();
}

}  // namespace

Result<OrderedRequest> ReadQuery(const QueryOrdered& operation,
                                 std::string_view base_url) {
  QueryEntities plain = operation.query;
  const auto token = std::exchange(plain.next_partition_key, std::nullopt);
  plain.next_row_key = std::nullopt;
  ENTITABLE_TRY(QueryEntitiesRequest query, ReadQuery(plain, base_url));
  LeaveOutRangeFilter(query);
  ENTITABLE_TRY(std::vector<OrderTerm> terms, ParseOrder(operation.order_by));
  if (IsOrderOfKeys(terms, query.ranges)) terms.clear();
  OrderedRequest request{.query = std::move(query), .terms = std::move(terms)};
  OrderPosition& position = request.position;
  ENTITABLE_TRY(ReadNumber(operation.skip, position.skip));
  ENTITABLE_TRY(ReadNumber(operation.most, position.most));
  if (token) {
    const auto bytes = DecodeBase64(*token);
    if (!bytes || !ReadPosition(*bytes, request.terms, position)) {
      return Fail(ErrorCode::kInvalidInput,
                  "The continuation token is not one of a query with this "
                  "order.");
    }
  }
  AppendText(plain.table, request.subject);
  AppendText(plain.options.filter.value_or(""), request.subject);
  request.subject += operation.order_by;
  return request;
}

std::string EncodePosition(const OrderPosition& position,
                           const std::vector<OrderTerm>& terms) {
  std::string bytes;
  AppendU32(MarkOf(terms), bytes);
  AppendVarint(position.skip, bytes);
  AppendVarint(position.most, bytes);
  bytes += position.after;
  std::string token;
  AppendBase64(bytes, token);
  return token;
}

}  // namespace entitable
