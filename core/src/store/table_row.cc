#include "store/table_row.h"

#include <utility>

#include "base/coding.h"
#include "base/json_writer.h"
#include "model/names.h"
#include "model/settings.h"
#include "store/sort_key.h"

namespace entitable {
namespace {

constexpr std::string_view kName = "Name";
constexpr std::string_view kId = "Id";
constexpr std::string_view kSync = "Sync";
constexpr std::string_view kReadOnly = "ReadOnly";
constexpr std::string_view kIndexes = "Indexes";

// The states of an index.
enum class IndexState : std::uint8_t { kComplete, kBegins, kGoesOn };

// Of a term.
constexpr std::uint8_t kDescends = 1;
constexpr std::uint8_t kIsWords = 2;

void AppendIndex(const TableIndex& index, std::string& out) {
  const auto& [id, terms, build] = index;
  const auto state = !build        ? IndexState::kComplete
                     : build->last ? IndexState::kGoesOn
                                   : IndexState::kBegins;
  AppendVarint(id, out);
  AppendU8(static_cast<std::uint8_t>(state), out);
  if (state == IndexState::kGoesOn) {
    AppendText(build->last->partition_key, out);
    AppendText(build->last->row_key, out);
  }
  AppendU8(static_cast<std::uint8_t>(terms.size()), out);
  for (const auto& [name, descends, is_words] : terms) {
    AppendU8((descends ? kDescends : 0) | (is_words ? kIsWords : 0), out);
    AppendText(name, out);
  }
}

TableIndex TakeIndex(Decoder& bytes) {
  TableIndex index{.id = bytes.ReadVarint(), .terms = {}};
  const auto state = static_cast<IndexState>(bytes.ReadU8());
  if (state > IndexState::kGoesOn) bytes.Fail();
  if (state != IndexState::kComplete) index.build.emplace();
  if (state == IndexState::kGoesOn) {
    EntityKey& last = index.build->last.emplace();
    last.partition_key = bytes.ReadText();
    last.row_key = bytes.ReadText();
  }
  for (std::uint8_t n = bytes.ReadU8(); n > 0 && !bytes.failed(); --n) {
    const std::uint8_t flags = bytes.ReadU8();
    index.terms.push_back({std::string(bytes.ReadText()),
                           (flags & kDescends) != 0, (flags & kIsWords) != 0});
  }
  if (index.terms.empty()) bytes.Fail();
  return index;
}

// Returns false if the bytes do not follow the grammar.
bool TakeIndexes(std::string_view row, std::vector<TableIndex>& indexes) {
  const auto stored = FindProperty(row, kIndexes);
  if (!stored) return true;
  if (stored->type() != EdmType::kBinary) return false;
  Decoder bytes(stored->binary());
  while (!bytes.at_end() && !bytes.failed()) {
    indexes.push_back(TakeIndex(bytes));
  }
  return !bytes.failed();
}

}  // namespace

std::string TableRowKey(std::string_view name) {
  return MakeSortKey(kCatalogue, TableRowEntityKey(name).view());
}

Entity MakeTableRow(const Table& table) {
  Entity row{};
  row.properties.Append(kName, Value::String(table.name));
  row.properties.Append(kId, Value::Int64(static_cast<std::int64_t>(table.id)));
  return row;
}

Change SettingsChange(EntityKeyView key, std::string_view before,
                      const PropertyList& given, DateTime timestamp) {
  return EntityPut{kCatalogue,
                   {std::string(key.partition_key), std::string(key.row_key)},
                   {timestamp, MergedByName(before, given)}};
}

EntityKey TableRowEntityKey(std::string_view name) {
  return {FoldTableName(name), {}};
}

std::string_view PoliciesOf(std::string_view row) {
  const auto policies = FindProperty(row, kPolicies);
  return policies && policies->type() == EdmType::kString ? policies->string()
                                                          : "";
}

std::string_view SchemaOf(std::string_view row) {
  const auto schema = FindProperty(row, kSchema);
  return schema && schema->type() == EdmType::kBinary ? schema->binary() : "";
}

std::optional<Table> ReadTableRow(const EntityView& row) {
  const auto name = FindProperty(row.properties, kName);
  const auto id = FindProperty(row.properties, kId);
  if (!name || name->type() != EdmType::kString) return std::nullopt;
  if (!id || id->type() != EdmType::kInt64 || id->int64() <= 0) {
    return std::nullopt;
  }
  Table table{static_cast<TableId>(id->int64()), std::string(name->string()),
              std::string(SchemaOf(row.properties))};
  if (const auto sync = FindProperty(row.properties, kSync)) {
    if (sync->type() != EdmType::kInt64 || sync->int64() <= 0) {
      return std::nullopt;
    }
    table.sync = static_cast<TableId>(sync->int64());
    table.is_read_only = FindProperty(row.properties, kReadOnly).has_value();
  }
  if (!TakeIndexes(row.properties, table.indexes)) return std::nullopt;
  return table;
}

PropertyList WithSync(std::string_view row, TableId sync, bool is_read_only) {
  PropertyList given;
  if (sync != kNoTable) {
    given.Append(kSync, Value::Int64(static_cast<std::int64_t>(sync)));
  }
  if (is_read_only) given.Append(kReadOnly, Value::Boolean(true));
  const PropertyList plain = Without(Without(row, kSync).bytes(), kReadOnly);
  return MergedByName(plain.bytes(), given);
}

std::string IndexTableName(std::string_view table, TableId index) {
  std::string name(1, kHiddenMark);
  name.append(table).push_back(kHiddenMark);
  AppendDecimal(static_cast<std::int64_t>(index), name);
  return name;
}

PropertyList WithIndexes(std::string_view row,
                         const std::vector<TableIndex>& indexes) {
  PropertyList plain = Without(row, kIndexes);
  if (indexes.empty()) return plain;
  std::string bytes;
  for (const TableIndex& index : indexes) AppendIndex(index, bytes);
  PropertyList given;
  given.Append(kIndexes, Value::Binary(bytes));
  return MergedByName(plain.bytes(), given);
}

}  // namespace entitable
