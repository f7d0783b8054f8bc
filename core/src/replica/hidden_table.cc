#include "replica/hidden_table.h"

#include <utility>

#include "base/text_encodings.h"
#include "model/entity.h"
#include "model/entity_key.h"
#include "sync/records.h"

namespace entitable {
namespace {

using Part = StoredRows::Part;

// The name of the only property of a row; and of rows that an earlier version
// has stored, whose values have no version byte.
constexpr std::string_view kValue = "S";
constexpr std::string_view kValueWithoutVersion = "V";

std::string PartitionOf(HiddenKind kind, std::string_view partition_key = {}) {
  return std::string(1, static_cast<char>(kind)).append(partition_key);
}

// Fails with StorageVersionNewer if a newer version of this code wrote the
// value, so that an old tab does not take it for damage.
Result<std::string> ValueIn(const EntityView& row) {
  auto value = FindProperty(row.properties, kValue);
  const bool has_version = value.has_value();
  if (!value) value = FindProperty(row.properties, kValueWithoutVersion);
  if (!value || value->type() != EdmType::kBinary) return DamagedSyncState();
  if (!has_version) return std::string(value->binary());
  return sync::WithoutVersion(value->binary());
}

}  // namespace

EntityKey HiddenKey(HiddenKind kind, std::string_view partition_key,
                    std::string row_key) {
  return {PartitionOf(kind, partition_key), std::move(row_key)};
}

// The highest byte comes first.
std::string TextOfNumber(std::uint64_t number) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) {
    bytes += static_cast<char>(number >> shift & 0xFF);
  }
  return HexOf(bytes);
}

std::uint64_t NumberIn(std::string_view row_key) {
  std::uint64_t number = 0;
  for (const char byte : BytesOfHex(row_key)) {
    number = number << 8 | static_cast<unsigned char>(byte);
  }
  return number;
}

Failure DamagedSyncState() {
  return Fail(ErrorCode::kStorageDamaged,
              "A record of the state of sync has an invalid format.");
}

Poll<std::vector<FoundRow>> FindRows(const Staging& staging,
                                     const SortRange& range, std::size_t limit,
                                     Part part) {
  ENTITABLE_TRY(auto found, staging.FindRange(range, {limit}, part));
  return std::move(found.rows);
}

Poll<std::vector<EntityKey>> FindKeys(
    const Staging& staging, const SortRange& range, std::size_t limit,
    Result<EntityKey> (*key_of)(const FoundRow&)) {
  ENTITABLE_TRY(const auto found,
                FindRows(staging, range, limit, Part::kTimestamp));
  std::vector<EntityKey> keys;
  keys.reserve(found.size());
  for (const FoundRow& row : found) {
    ENTITABLE_TRY(EntityKey key, key_of(row));
    keys.push_back(std::move(key));
  }
  return keys;
}

Result<EntityKey> KeyOf(const FoundRow& row) {
  auto parsed = ParseSortKey(row.sort_key);
  if (!parsed) return DamagedSyncState();
  return std::move(parsed->key);
}

Result<EntityKey> SyncedKeyOf(const FoundRow& row) {
  ENTITABLE_TRY(EntityKey key, KeyOf(row));
  if (key.partition_key.empty()) return DamagedSyncState();
  key.partition_key.erase(0, 1);
  return key;
}

Poll<std::optional<std::string>> HiddenTable::Find(const EntityKey& key) const {
  ENTITABLE_TRY(const auto row,
                staging_.FindEntity(id_, key.view(), Part::kProperties));
  if (!row) return std::optional<std::string>();
  ENTITABLE_TRY(std::string value, ValueIn(*row));
  return std::optional(std::move(value));
}

void HiddenTable::Put(const EntityKey& key, std::string_view bytes) {
  PropertyList properties;
  const std::string stored = sync::WithVersion(bytes);
  properties.Append(kValue, Value::Binary(stored));
  staging_.Put(id_, key.view(), {timestamp_, properties.bytes()});
  staging_.Publish();
}

void HiddenTable::Remove(const EntityKey& key) {
  staging_.Delete(id_, key.view());
  staging_.Publish();
}

// All keys that begin with this character: up to the key that is the next
// character.
SortRange HiddenTable::RangeOf(HiddenKind kind) const {
  std::string next(1, static_cast<char>(static_cast<char>(kind) + 1));
  return {MakeSortKey(id_, HiddenKey(kind).view()),
          MakeSortKey(id_, {next, {}})};
}

SortRange HiddenTable::RangeOf(HiddenKind kind,
                               std::string_view partition_key) const {
  const std::string partition = PartitionOf(kind, partition_key);
  return MakeSortRange(
      id_, {StartOfPartition(partition), EndOfPartition(partition)});
}

Poll<std::vector<HiddenTable::FoundValue>> HiddenTable::FindValues(
    const SortRange& range, std::size_t limit) const {
  ENTITABLE_TRY(const auto found,
                FindRows(staging_, range, limit, Part::kProperties));
  std::vector<FoundValue> values;
  values.reserve(found.size());
  for (const FoundRow& row : found) {
    ENTITABLE_TRY(std::string bytes, ValueIn(row.entity));
    values.push_back({row.sort_key, std::move(bytes)});
  }
  return values;
}

}  // namespace entitable
