#include "support/random_rows.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <set>

#include "model/value.h"
#include "store/leaf_builder.h"
#include "store/sort_key.h"

namespace entitable {
namespace {

constexpr EdmType kTypes[] = {
    EdmType::kString,  EdmType::kInt32,    EdmType::kInt64, EdmType::kDouble,
    EdmType::kBoolean, EdmType::kDateTime, EdmType::kGuid,  EdmType::kBinary};

constexpr std::string_view kCharacters[] = {"a", "b", "\u00e9", "\uFFFF",
                                            "\U0001F600"};

}  // namespace

RowTraits RandomRows::NextTraits() {
  return {1 + Below(Below(4) == 0 ? 300 : 12), Below(2) == 0, Below(2) == 0,
          Below(3) == 0 ? Below(101) : 0};
}

std::int64_t RandomRows::Integer(EdmType type, const RowTraits& traits) {
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
  if (type == EdmType::kInt32) {
    low = INT32_MIN;
    high = INT32_MAX;
  } else if (type == EdmType::kDateTime) {
    low = kMinDateTime.ticks;
    high = kMaxDateTime.ticks;
  }
  if (traits.has_small_values) {
    return std::max<std::int64_t>(low, 0) +
           static_cast<std::int64_t>(Below(300));
  }
  const std::int64_t any = static_cast<std::int64_t>(Bits() >> Below(64));
  switch (Below(8)) {
    case 0:
      return low;
    case 1:
      return high;
    default:
      return any >= low && any <= high ? any : low + 1;
  }
}

double RandomRows::Real(const RowTraits& traits) {
  if (traits.has_small_values) return static_cast<double>(Below(1000)) - 500;
  constexpr double kReals[] = {0,
                               -0.0,
                               1.5,
                               9007199254740992.0,
                               9007199254740994.0,
                               -9007199254740992.0,
                               5e-324,
                               std::numeric_limits<double>::max(),
                               std::numeric_limits<double>::infinity(),
                               -std::numeric_limits<double>::infinity()};
  // Any bits are also NaNs of any payload.
  return Below(2) == 0 ? kReals[Below(std::size(kReals))]
                       : std::bit_cast<double>(Bits() | (Below(2) << 62));
}

std::string RandomRows::Text(EdmType type, const RowTraits& traits) {
  std::string text;
  const std::size_t length =
      traits.has_small_values ? Below(3) : Below(Below(8) == 0 ? 2000 : 20);
  for (std::size_t i = 0; i < length; ++i) {
    if (type == EdmType::kBinary) {
      text.push_back(static_cast<char>(Bits()));
    } else {
      text += kCharacters[Below(std::size(kCharacters))];
    }
  }
  return text;
}

void RandomRows::AppendValue(std::string_view name, EdmType type,
                             const RowTraits& traits, PropertyList& list) {
  switch (type) {
    case EdmType::kString:
      return list.Append(name, Value::String(Text(type, traits)));
    case EdmType::kBinary:
      return list.Append(name, Value::Binary(Text(type, traits)));
    case EdmType::kInt32:
      return list.Append(
          name, Value::Int32(static_cast<std::int32_t>(Integer(type, traits))));
    case EdmType::kInt64:
      return list.Append(name, Value::Int64(Integer(type, traits)));
    case EdmType::kDateTime:
      return list.Append(name, Value::OfDateTime({Integer(type, traits)}));
    case EdmType::kDouble:
      return list.Append(name, Value::Double(Real(traits)));
    case EdmType::kBoolean:
      return list.Append(name, Value::Boolean(Below(2) == 0));
    case EdmType::kGuid:
      Guid guid;
      for (std::uint8_t& byte : guid.bytes) {
        byte = static_cast<std::uint8_t>(Bits());
      }
      return list.Append(name, Value::OfGuid(guid));
  }
}

PropertyList RandomRows::NextProperties(const RowTraits& traits) {
  std::vector<std::size_t> names(std::min<std::size_t>(traits.names, 252));
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = i;
  if (!traits.has_one_schema) {
    std::shuffle(names.begin(), names.end(), random_);
    names.resize(Below(names.size() + 1));
  }
  PropertyList properties;
  for (const std::size_t i : names) {
    const std::size_t type =
        traits.has_one_schema ? i : i + (Below(8) == 0 ? Below(8) : 0);
    AppendValue("name" + std::to_string(i), kTypes[type % 8], traits,
                properties);
  }
  return properties;
}

std::vector<Row> RandomRows::Next(std::size_t count, const RowTraits& traits) {
  std::set<std::string> keys;
  while (keys.size() < count) {
    const std::string partition =
        Text(EdmType::kString, {.has_small_values = true});
    const std::string row = std::to_string(Below(count * 3));
    keys.insert(MakeSortKey(1 + Below(2), {partition, row}));
  }
  std::vector<Row> rows;
  for (const std::string& key : keys) {
    Row row{key, std::nullopt};
    if (Below(100) >= traits.deleted_percent) {
      row.entity =
          Entity{{Integer(EdmType::kDateTime, traits)}, NextProperties(traits)};
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Bytes> PagesOf(const std::vector<Row>& rows) {
  std::vector<Bytes> pages;
  LeafBuilder builder;
  const auto add = [&](const Row& row) {
    return row.entity ? builder.Add(row.sort_key, *row.entity)
                      : builder.AddTombstone(row.sort_key);
  };
  for (const Row& row : rows) {
    if (add(row)) continue;
    pages.push_back(builder.Finish());
    add(row);
  }
  if (!builder.is_empty()) pages.push_back(builder.Finish());
  return pages;
}

}  // namespace entitable
