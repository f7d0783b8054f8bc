#include "read/ordered/ordered_request.h"

#include <optional>
#include <utility>

#include "base/coding.h"
#include "base/crc32c.h"
#include "base/number.h"
#include "base/text_encodings.h"
#include "read/ordered/order_key.h"
#include "store/sort_key.h"
#include "store/table_row.h"

namespace entitable {
namespace {

// Tells apart the tokens of different orders.
std::uint32_t MarkOf(const std::vector<OrderTerm>& terms) {
  std::string text;
  for (const OrderTerm& term : terms) {
    text += term.name;
    text += term.descends ? '-' : '+';
  }
  return Crc32c(text);
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

// The rest of the bytes is an order key.
bool ReadPlace(std::string_view bytes, const std::vector<OrderTerm>& terms,
               OrderPlace& place) {
  Decoder decoder(bytes);
  const bool is_of_order = decoder.TakeU32() == MarkOf(terms);
  place.skip = decoder.TakeVarint();
  place.most = decoder.TakeVarint();
  place.after = decoder.rest();
  if (decoder.failed() || !is_of_order) return false;
  if (place.after.empty()) return true;
  const auto keys = FindKeysIn(place.after, terms);
  if (!keys) return false;
  const std::string sort_key =
      WholeTable(kCatalogue).begin + place.after.substr(*keys);
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
  OrderedRequest request{.query = std::move(query), .terms = std::move(terms)};
  OrderPlace& place = request.place;
  ENTITABLE_TRY(ReadNumber(operation.skip, place.skip));
  ENTITABLE_TRY(ReadNumber(operation.most, place.most));
  if (token) {
    const auto bytes = DecodeBase64(*token);
    if (!bytes || !ReadPlace(*bytes, request.terms, place)) {
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

std::string EncodePlace(const OrderPlace& place,
                        const std::vector<OrderTerm>& terms) {
  std::string bytes;
  AppendU32(MarkOf(terms), bytes);
  AppendVarint(place.skip, bytes);
  AppendVarint(place.most, bytes);
  bytes += place.after;
  std::string token;
  AppendBase64(bytes, token);
  return token;
}

}  // namespace entitable
