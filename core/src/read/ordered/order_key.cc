#include "read/ordered/order_key.h"

#include <iterator>

#include "model/entity.h"
#include "model/schema_format.h"
#include "store/sort_key.h"

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

void OrderKeys::Append(std::string_view sort_key, const EntityPlace& place,
                       std::string& key) {
  AppendValues(sort_key, place, key);
  key += sort_key.substr(TextsOf(sort_key).table.size());
}

void OrderKeys::AppendValues(std::string_view sort_key,
                             const EntityPlace& place, std::string& key) {
  PageRow row;
  if (place.in_memory == nullptr) {
    row = place.page_row();
    Use(place.page, row.columns);
  }
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const auto& [name, descends, part] = terms_[i];
    if (IsKeyName(name) && part) {
      AppendOrderValue(nullptr, descends, key);  // A key is no DateTime.
    } else if (IsKeyName(name)) {
      const SortTexts texts = TextsOf(sort_key);
      const std::size_t begin = key.size();
      AppendKeyText(name == "RowKey" ? texts.row_key : texts.partition_key,
                    key);
      InvertIf(descends, begin, key);
    } else if (place.in_memory == nullptr) {
      AppendColumn(i, row.row, key);
    } else if (name == "Timestamp") {
      const Value time = Value::OfDateTime(place.in_memory->timestamp);
      AppendTerm(terms_[i], &time, key);
    } else {
      const auto value = FindProperty(place.in_memory->properties, name);
      AppendTerm(terms_[i], value ? &*value : nullptr, key);
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

}  // namespace entitable
