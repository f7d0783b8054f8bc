#include "store/table_row.h"

#include <algorithm>
#include <utility>

#include "base/fields.h"
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

// Added to the state if a term is of items or of a whole text.  Versions that
// do not know such terms refuse the table, as they know no such state.
// Otherwise they would take the index for one of values, and find too little.
constexpr std::uint8_t kReadsParts = 4;

// Added to the state of a covering index, for the same reason: such a version
// would leave its entries as they are when their entities change.
constexpr std::uint8_t kIsCovering = 8;
constexpr std::uint8_t kMarks = kReadsParts | kIsCovering;

// Of a term.
constexpr std::uint8_t kDescends = 1;
constexpr std::uint8_t kIsWords = 2;
constexpr std::uint8_t kIsItems = 4;
constexpr std::uint8_t kIsWhole = 8;
constexpr std::uint8_t kAllFlags = 15;

template <typename Io>
void Term(Io& io, Of<Io, IndexTerm>& term) {
  std::uint8_t flags =
      (term.descends ? kDescends : 0) | (term.is_words ? kIsWords : 0) |
      (term.is_items ? kIsItems : 0) | (term.is_whole ? kIsWhole : 0);
  io.U8(flags);
  io.Check([&] { return flags <= kAllFlags; });
  io.Text(term.name);
  if constexpr (Io::kReads) {
    term.descends = (flags & kDescends) != 0;
    term.is_words = (flags & kIsWords) != 0;
    term.is_items = (flags & kIsItems) != 0;
    term.is_whole = (flags & kIsWhole) != 0;
  }
}

std::uint8_t MarksOf(const TableIndex& index) {
  const bool reads_parts = std::ranges::any_of(
      index.terms,
      [](const auto& term) { return term.is_items || term.is_whole; });
  return (reads_parts ? kReadsParts : 0) |
         (index.is_covering() ? kIsCovering : 0);
}

template <typename Io>
void Index(Io& io, Of<Io, TableIndex>& index) {
  auto state = !index.build        ? IndexState::kComplete
               : index.build->last ? IndexState::kGoesOn
                                   : IndexState::kBegins;
  io.Varint(index.id);
  std::uint8_t byte = static_cast<std::uint8_t>(state) | MarksOf(index);
  io.U8(byte);
  state = static_cast<IndexState>(byte & ~kMarks);
  io.Check([&] { return state <= IndexState::kGoesOn; });
  if constexpr (Io::kReads) {
    if (state != IndexState::kComplete) index.build.emplace();
    if (state == IndexState::kGoesOn) index.build->last.emplace();
  }
  if (state == IndexState::kGoesOn) {
    io.Text(index.build->last->partition_key);
    io.Text(index.build->last->row_key);
  }
  // There are few, so their number is one byte.
  io.Many(index.terms, [&](auto& term) { Term(io, term); });
  if ((byte & kIsCovering) != 0) {
    io.Flag(index.copies.are_all);
    io.Many(index.copies.names, [&](auto& name) { io.Text(name); });
  }
  io.Check([&] {
    return !index.terms.empty() && MarksOf(index) == (byte & kMarks);
  });
}

// Returns false if the bytes do not follow the grammar.
bool ReadIndexes(std::string_view row, std::vector<TableIndex>& indexes) {
  const auto stored = FindProperty(row, kIndexes);
  if (!stored) return true;
  if (stored->type() != EdmType::kBinary) return false;
  FieldReader io(stored->binary());
  while (!io.at_end()) Index(io, indexes.emplace_back());
  return !io.failed();
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
  if (!ReadIndexes(row.properties, table.indexes)) return std::nullopt;
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
  FieldWriter io(bytes);
  for (const TableIndex& index : indexes) Index(io, index);
  PropertyList given;
  given.Append(kIndexes, Value::Binary(bytes));
  return MergedByName(plain.bytes(), given);
}

}  // namespace entitable
