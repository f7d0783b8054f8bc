#include "store/sort_key.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "base/coding.h"

namespace entitable {
namespace {

// Between the PartitionKey and the RowKey.
constexpr char kEnd = kSortTextEnd;

void AppendTable(TableId table, std::string& out) {
  auto bytes = (static_cast<std::size_t>(std::bit_width(table)) + 7) / 8;
  AppendU8(static_cast<std::uint8_t>(bytes), out);
  while (bytes-- > 0) {
    AppendU8(static_cast<std::uint8_t>(table >> 8 * bytes), out);
  }
}

std::string TablePrefix(TableId table) {
  std::string prefix;
  AppendTable(table, prefix);
  return prefix;
}

TableId ReadTable(Decoder& bytes) {
  const std::string_view id = bytes.ReadText();
  if (id.size() > sizeof(TableId) || id.starts_with('\0')) bytes.Fail();
  TableId table = 0;
  for (const char byte : id) {
    table = table << 8 | static_cast<unsigned char>(byte);
  }
  return table;
}

// Parses what precedes the RowKey, and returns its length; 0 if it is invalid.
std::size_t ParseHead(std::string_view sort_key, TableKey& parsed) {
  Decoder bytes(sort_key);
  parsed.table = ReadTable(bytes);
  const std::size_t size = bytes.rest().find(kEnd);
  if (bytes.failed() || size == std::string_view::npos ||
      !CopySortText(bytes.ReadBytes(size), parsed.key.partition_key)) {
    return 0;
  }
  return sort_key.size() - bytes.rest().size() + 1;
}

std::string PlaceOf(TableId table, const KeyBound& bound) {
  std::string place = MakeSortKey(table, bound.key.view());
  // The least bytes after these.  No key of an entity has them.
  if (bound.after) place += '\0';
  return place;
}

}  // namespace

std::string MakeSortKey(TableId table, EntityKeyView key) {
  std::string sort_key;
  AppendSortKey(table, key, sort_key);
  return sort_key;
}

void AppendSortKey(TableId table, EntityKeyView key, std::string& out) {
  AppendTable(table, out);
  // Hardly any text is longer there.
  out.reserve(out.size() + key.partition_key.size() + 1 + key.row_key.size());
  AppendSortTexts(key, out);
}

void AppendSortTexts(EntityKeyView key, std::string& out) {
  AppendSortText(key.partition_key, out);
  out += kEnd;
  AppendSortText(key.row_key, out);
}

SortTexts TextsOf(std::string_view sort_key) {
  Decoder bytes(sort_key);
  bytes.ReadText();
  const std::string_view texts = bytes.rest();
  const std::size_t end = std::min(texts.find(kEnd), texts.size());
  return {sort_key.substr(0, sort_key.size() - texts.size()),
          texts.substr(0, end), texts.substr(std::min(end + 1, texts.size()))};
}

std::optional<TableKey> ParseSortKey(std::string_view sort_key) {
  std::optional<TableKey> parsed(std::in_place);
  const std::size_t head = ParseHead(sort_key, *parsed);
  if (head == 0 || !CopySortText(sort_key.substr(head), parsed->key.row_key)) {
    parsed.reset();
  }
  return parsed;
}

// Nothing but the RowKey follows the head, so keys with the same head have the
// same table and PartitionKey.
bool SortKeyParser::Parse(std::string_view sort_key) {
  if (head_.empty() || !sort_key.starts_with(head_)) {
    head_ = sort_key.substr(0, ParseHead(sort_key, parsed_));
  }
  return !head_.empty() &&
         CopySortText(sort_key.substr(head_.size()), parsed_.key.row_key);
}

SortRange MakeSortRange(TableId table, const KeyRange& range) {
  SortRange places = WholeTable(table);
  if (range.lower) places.begin = PlaceOf(table, *range.lower);
  if (range.upper) places.end = PlaceOf(table, *range.upper);
  return places;
}

SortRange WholeTable(TableId table) {
  // Behind the greatest id comes the length byte of a longer id.
  const bool is_last = table == std::numeric_limits<TableId>::max();
  return {TablePrefix(table), is_last ? std::string(1, sizeof(TableId) + 1)
                                      : TablePrefix(table + 1)};
}

}  // namespace entitable
