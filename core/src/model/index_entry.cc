#include "model/index_entry.h"

#include <algorithm>

#include "base/heap_sort.h"
#include "base/search_words.h"
#include "model/entity.h"
#include "model/json_value.h"
#include "model/names.h"
#include "model/order_value.h"
#include "model/parts.h"

namespace entitable {
namespace {

// Of ASCII as it is in an entry.
constexpr unsigned char kFirst = 0x04;
constexpr unsigned char kLast = 0x7D;
constexpr char kBelow = 0x03;
constexpr unsigned char kAbove = 0x7E;
constexpr unsigned char kFarAbove = 0xBF;
constexpr char kEnd = 0x02;
constexpr char kWordEnd = 0x03;

// Of a number in an entry of a word.  A String has fewer than 2^18 words.
constexpr int kDigitBits = 6;
constexpr std::size_t kDigits = 3;
constexpr char kZero = '0';

// The PartitionKey of an entry is a text, so it must be UTF-8, and it must sort
// by bytes.  ASCII does both.  Most bytes of values are ASCII and stay.  Others
// become two bytes, of which the first keeps the order, as 03 comes before all
// ASCII that stays and 7E and 7F come behind it.  02 is below everything, so
// the entries of a value come before those of a longer one that begins with it.
void AppendByte(unsigned char byte, std::string& text) {
  if (byte >= kFirst && byte <= kLast) {
    text += static_cast<char>(byte);
  } else if (byte < kFirst) {
    text += {kBelow, static_cast<char>(kFirst + byte)};
  } else if (byte < kFarAbove) {
    text +=
        {static_cast<char>(kAbove), static_cast<char>(kFirst + byte - kAbove)};
  } else {
    text += {static_cast<char>(kAbove + 1),
             static_cast<char>(kFirst + byte - kFarAbove)};
  }
}

std::optional<Value> ValueOf(const std::string& name, EntityKeyView key,
                             std::string_view properties) {
  if (name == "PartitionKey") return Value::String(key.partition_key);
  if (name == "RowKey") return Value::String(key.row_key);
  return FindProperty(properties, name);
}

void AppendNumber(std::uint32_t number, std::string& text) {
  for (int shift = (kDigits - 1) * kDigitBits; shift >= 0;
       shift -= kDigitBits) {
    text += static_cast<char>(kZero + (number >> shift & 0x3FU));
  }
}

std::uint32_t NumberIn(std::string_view digits) {
  std::uint32_t number = 0;
  for (const char digit : digits) {
    number = number << kDigitBits |
             (static_cast<std::uint32_t>(digit - kZero) & 0x3FU);
  }
  return number;
}

// The values of the entries, without repetition.
std::vector<std::string> ItemsOf(const std::string& name,
                                 std::string_view properties) {
  std::string room;
  std::string item_room;
  std::vector<std::string> values;
  const auto text = WholeText(properties, name, Parts::kAll, room);
  const auto json = text ? JsonValue::Read(*text) : std::nullopt;
  if (json && json->is_array()) {
    for (JsonElements items(*json); items.Next();) {
      const auto item = items.value().Scalar(item_room);
      if (item) values.push_back(IndexBytesOf(&*item));
    }
  }
  HeapSort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (values.empty()) values.push_back(IndexBytesOf(nullptr));
  if (values.size() > kMaxItems) values = {std::string(kManyItems)};
  return values;
}

// Both numbers are in the key, because entries have no properties.  So a search
// scores entities by their entries, without reading their texts.
std::vector<std::string> WordEntriesOf(const IndexTerm& term, EntityKeyView key,
                                       std::string_view properties) {
  std::string room;
  const auto indexed = IndexedText(term, properties, room);
  if (!indexed) return {};
  const std::vector<CountedWord> words = CountWords(*indexed);
  std::uint32_t length = 0;
  for (const CountedWord& word : words) length += word.count;
  std::vector<std::string> entries;
  entries.reserve(words.size());
  for (const auto& [word, count] : words) {
    std::string text = WordPrefix(word);
    AppendNumber(count, text);
    AppendNumber(length, text);
    text += kEnd;
    text += key.partition_key;
    entries.push_back(std::move(text));
  }
  return entries;
}

}  // namespace

std::vector<std::string> IndexEntriesOf(const IndexTerms& terms,
                                        EntityKeyView key,
                                        std::string_view properties) {
  if (terms.front().is_words) {
    return WordEntriesOf(terms.front(), key, properties);
  }
  // Of the terms before the items, and of those behind them.
  std::string head;
  std::string tail;
  std::vector<std::string> items;
  bool descends = false;
  for (const IndexTerm& term : terms) {
    if (term.is_items) {
      items = ItemsOf(term.name, properties);
      descends = term.descends;
      continue;
    }
    const auto value = ValueOf(term.name, key, properties);
    AppendIndexText(IndexBytesOf(value ? &*value : nullptr), term.descends,
                    items.empty() ? head : tail);
  }
  tail += kEnd;
  tail += key.partition_key;
  if (items.empty()) return {head + tail};
  for (std::string& item : items) {
    std::string entry = head;
    AppendIndexText(item, descends, entry);
    item = entry + tail;
  }
  return items;
}

bool HasCopyOf(const IndexTerms& terms, const IndexCopies& copies,
               std::string_view name) {
  return copies.are_all || IsSystemName(name) ||
         std::ranges::find(copies.names, name) != copies.names.end() ||
         std::ranges::find(terms, name, &IndexTerm::name) != terms.end();
}

// Other indexes have the timestamp, too, but nobody reads it: it may be that of
// an older state of the entity.
Entity CopyOf(const IndexTerms& terms, const IndexCopies& copies,
              const EntityView& entity) {
  Entity copy{entity.timestamp, {}};
  if (copies.is_empty()) return copy;
  PropertyCursor properties(entity.properties);
  while (const auto property = properties.NextPacked()) {
    if (!HasCopyOf(terms, copies, property->name)) continue;
    copy.properties.Append(*property);
    if (copy.properties.bytes().size() > kMaxCopiedBytes) return {kNoCopy, {}};
  }
  return copy;
}

std::optional<std::string_view> IndexedText(const IndexTerm& term,
                                            std::string_view properties,
                                            std::string& room) {
  if (term.is_whole)
    return WholeText(properties, term.name, Parts::kSome, room);
  const auto value = FindProperty(properties, term.name);
  if (!value || value->type() != EdmType::kString) return std::nullopt;
  return value->string();
}

std::optional<EntityKeyView> IndexedKey(EntityKeyView entry) {
  const std::size_t end = entry.partition_key.find(kEnd);
  if (end == std::string_view::npos) return std::nullopt;
  return EntityKeyView{entry.partition_key.substr(end + 1), entry.row_key};
}

std::string WordPrefix(std::string_view word) {
  return std::string(word) + kWordEnd;
}

std::optional<WordEntry> ReadWordEntry(std::string_view sort_texts) {
  const std::size_t end = sort_texts.find(kEnd);
  if (end == std::string_view::npos || end < 2 * kDigits) return std::nullopt;
  return WordEntry{sort_texts.substr(end + 1),
                   NumberIn(sort_texts.substr(end - 2 * kDigits, kDigits)),
                   NumberIn(sort_texts.substr(end - kDigits, kDigits))};
}

std::string TextOfIndex(const IndexTerms& terms) {
  std::string text;
  for (const IndexTerm& term : terms) {
    if (!text.empty()) text += ',';
    if (term.is_words) text += "words(";
    if (term.is_items) text += "items(";
    if (term.is_whole) text += "whole(";
    text += term.name;
    if (term.is_words || term.is_items) text += ')';
    if (term.is_whole) text += ')';
    if (term.descends) text += " desc";
  }
  return text;
}

std::string IndexBytesOf(const Value* value) {
  std::string bytes;
  AppendOrderValue(value, /*descends=*/false, bytes);
  if (bytes.size() > kMaxIndexedBytes) bytes.resize(kMaxIndexedBytes);
  return bytes;
}

void AppendIndexText(std::string_view bytes, bool descends, std::string& text) {
  for (const char byte : bytes) {
    AppendByte(static_cast<unsigned char>(descends ? ~byte : byte), text);
  }
}

}  // namespace entitable
