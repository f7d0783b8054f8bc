#include "store/sort_key.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

#include "base/coding.h"
#include "base/utf.h"

namespace entitable {
namespace {

// Between the PartitionKey and the RowKey.
constexpr char kEnd = 0x00;
// The first byte of the codes for 00 and 01.
constexpr char kEscape = 0x01;

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

TableId TakeTable(Decoder& bytes) {
  const std::string_view id = bytes.TakeText();
  if (id.size() > sizeof(TableId) || id.starts_with('\0')) bytes.Fail();
  TableId table = 0;
  for (const char byte : id) {
    table = table << 8 | static_cast<unsigned char>(byte);
  }
  return table;
}

// EE and EF are the lead bytes of U+E000 to U+FFFF.  FE and FF do not occur in
// UTF-8.
bool IsLead(char byte, unsigned char first) {
  return (static_cast<unsigned char>(byte) | 1) == (first | 1);
}

char OtherLead(char byte) { return static_cast<char>(byte ^ 0x10); }

// Hardly any key contains a byte that is not plain.
bool IsPlain(char byte) {
  return static_cast<unsigned char>(byte) > 1 && !IsLead(byte, 0xEE);
}

// ASCII that is stored unchanged.
bool IsAsIs(char byte) { return static_cast<signed char>(byte) > kEscape; }

// The same for eight bytes.  A lesser byte borrows, which sets its high bit.
bool AreAsIs(std::uint64_t bytes) {
  constexpr std::uint64_t kOnes = 0x0101'0101'0101'0101;
  return (((bytes - (kEscape + 1) * kOnes) | bytes) & 0x80 * kOnes) == 0;
}

bool IsAllAsIs(std::string_view bytes) {
  for (std::uint64_t word; bytes.size() >= sizeof word;
       bytes.remove_prefix(sizeof word)) {
    std::memcpy(&word, bytes.data(), sizeof word);
    if (!AreAsIs(word)) return false;
  }
  return std::all_of(bytes.begin(), bytes.end(), IsAsIs);
}

void AppendSortText(std::string_view text, std::string& out) {
  if (IsAllAsIs(text) || std::all_of(text.begin(), text.end(), IsPlain)) {
    out += text;
    return;
  }
  for (const char byte : text) {
    if (byte == 0 || byte == 1) {
      out += {kEscape, static_cast<char>(byte + 1)};
    } else {
      out += IsLead(byte, 0xEE) ? OtherLead(byte) : byte;
    }
  }
}

// Reverses AppendSortText().  Returns false for bytes that it cannot have
// written.
bool DecodeSortText(std::string_view bytes, std::string& text) {
  text.clear();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    char byte = bytes[i];
    if (byte == kEnd || IsLead(byte, 0xEE)) return false;
    if (byte == kEscape) {
      ++i;
      if (i == bytes.size() || (bytes[i] != 1 && bytes[i] != 2)) return false;
      byte = static_cast<char>(bytes[i] - 1);
    } else if (IsLead(byte, 0xFE)) {
      byte = OtherLead(byte);
    }
    text += byte;
  }
  return IsValidUtf8(text);
}

bool TakeSortText(std::string_view bytes, std::string& text) {
  if (!IsAllAsIs(bytes)) return DecodeSortText(bytes, text);
  text = bytes;
  return true;
}

// Parses what precedes the RowKey, and returns its length; 0 if it is invalid.
std::size_t ParseHead(std::string_view sort_key, TableKey& parsed) {
  Decoder bytes(sort_key);
  parsed.table = TakeTable(bytes);
  const std::size_t size = bytes.rest().find(kEnd);
  if (bytes.failed() || size == std::string_view::npos ||
      !TakeSortText(bytes.TakeBytes(size), parsed.key.partition_key)) {
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

std::string MakeSortText(std::string_view utf8) {
  std::string text;
  AppendSortText(utf8, text);
  return text;
}

std::optional<std::string_view> ReadSortText(std::string_view text,
                                             std::string& room) {
  if (IsAllAsIs(text)) return text;
  if (!DecodeSortText(text, room)) return std::nullopt;
  return room;
}

SortTexts TextsOf(std::string_view sort_key) {
  Decoder bytes(sort_key);
  bytes.TakeText();
  const std::string_view texts = bytes.rest();
  const std::size_t end = std::min(texts.find(kEnd), texts.size());
  return {sort_key.substr(0, sort_key.size() - texts.size()),
          texts.substr(0, end), texts.substr(std::min(end + 1, texts.size()))};
}

std::optional<TableKey> ParseSortKey(std::string_view sort_key) {
  std::optional<TableKey> parsed(std::in_place);
  const std::size_t head = ParseHead(sort_key, *parsed);
  if (head == 0 || !TakeSortText(sort_key.substr(head), parsed->key.row_key)) {
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
         TakeSortText(sort_key.substr(head_.size()), parsed_.key.row_key);
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
