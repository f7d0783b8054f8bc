#include "store/table_row.h"

#include "model/settings.h"
#include "model/table_name.h"
#include "store/sort_key.h"

namespace entitable {
namespace {

constexpr std::string_view kName = "Name";
constexpr std::string_view kId = "Id";
constexpr std::string_view kSync = "Sync";
constexpr std::string_view kReadOnly = "ReadOnly";

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
  return table;
}

PropertyList WithSync(std::string_view row, TableId sync, bool is_read_only) {
  PropertyList given;
  if (sync != kCatalogue) {
    given.Append(kSync, Value::Int64(static_cast<std::int64_t>(sync)));
  }
  if (is_read_only) given.Append(kReadOnly, Value::Boolean(true));
  const PropertyList plain = Without(Without(row, kSync).bytes(), kReadOnly);
  return MergedByName(plain.bytes(), given);
}

}  // namespace entitable
