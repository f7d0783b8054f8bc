#include "support/naive_order.h"

#include <cmath>
#include <limits>

namespace entitable::naive {
namespace {

using Type = Value::Type;

// Holds every double and every integer of 64 bits.
using Number = long double;
static_assert(std::numeric_limits<Number>::digits >= 64);

int Sign(auto a, auto b) { return a < b ? -1 : b < a ? 1 : 0; }

// The order of the types; a missing value comes before all of them.
int RankOf(const Value* value) {
  if (value == nullptr) return 0;
  switch (value->type) {
    case Type::kBoolean:
      return 1;
    case Type::kInt32:
    case Type::kInt64:
    case Type::kDouble:
      return 2;
    case Type::kDateTime:
      return 3;
    case Type::kString:
      return 4;
    case Type::kGuid:
      return 5;
    case Type::kBinary:
      return 6;
  }
  return -1;
}

Number NumberIn(const Value& value) {
  return value.type == Type::kDouble ? Number{value.real}
                                     : static_cast<Number>(value.integer);
}

int CompareNumbers(Number a, Number b) {
  if (std::isnan(a) || std::isnan(b)) {
    return Sign(!std::isnan(a), !std::isnan(b));
  }
  return Sign(a, b);
}

int CompareValues(const Value* a, const Value* b) {
  const int ranks = Sign(RankOf(a), RankOf(b));
  if (ranks != 0 || a == nullptr) return ranks;
  switch (RankOf(a)) {
    case 2:
      return CompareNumbers(NumberIn(*a), NumberIn(*b));
    case 4:
      return CompareOrdinal(a->text, b->text);
    case 5:
    case 6:
      return a->text.compare(b->text);
    default:
      return Sign(a->integer, b->integer);
  }
}

}  // namespace

std::string ToString(const Order& order) {
  std::string text;
  for (const auto& [name, descends] : order) {
    if (!text.empty()) text += ',';
    text += name;
    if (descends) text += " desc";
  }
  return text;
}

int Compare(const Order& order, const Entity& a, const Entity& b) {
  for (const auto& [name, descends] : order) {
    const auto find = [&name](const Entity& entity) {
      const auto found = entity.find(name);
      return found == entity.end() ? nullptr : &found->second;
    };
    const int sign = CompareValues(find(a), find(b));
    if (sign != 0) return descends ? -sign : sign;
  }
  return 0;
}

}  // namespace entitable::naive
