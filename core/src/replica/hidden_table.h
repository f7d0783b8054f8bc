// hidden_table.h - the values that sync keeps beside a synced table.
//
// They are the rows of a table of their own, which no app can name
// (docs/internals/sync.md).  The first character of a PartitionKey says what
// the row is; most kinds have the PartitionKey of the synced table behind it.
// A row has one property: a version byte, and the bytes of the value.
//
//   PartitionKey   kind of row (1 character), then a PartitionKey of the table
//   RowKey         RowKey of the table, or a number, or empty
//   property S     01 value
//
// The kind comes first, so each kind is one range of keys, and so are the rows
// of a kind for one partition.  Numbers are 16 hexadecimal digits, so that
// their order as text is the order in which they were given out.

#ifndef ENTITABLE_REPLICA_HIDDEN_TABLE_H_
#define ENTITABLE_REPLICA_HIDDEN_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/date_time.h"
#include "base/poll.h"
#include "entitable/result.h"
#include "model/entity_key.h"
#include "store/sort_key.h"
#include "write/staging.h"

namespace entitable {

enum class HiddenKind : char {
  kAdoption = 'a',
  kConflict = 'c',
  kGroup = 'g',
  kNote = 'm',  // Of a row.
  kPosition = 'p',
  kRemote = 'r',
  kSentGroup = 's',
  kWholePosition = 't',
};

EntityKey HiddenKey(HiddenKind kind, std::string_view partition_key = {},
                    std::string row_key = {});

// Numbers as RowKeys, which have the order of the numbers: 16 hexadecimal
// digits.
std::string TextOfNumber(std::uint64_t number);
std::uint64_t NumberIn(std::string_view row_key);

// A value does not have the format of its kind.
Failure DamagedSyncState();

// At most so many rows; the same, of which `key_of` reads the keys.
Poll<std::vector<FoundRow>> FindRows(const Staging& staging,
                                     const SortRange& range, std::size_t limit,
                                     StoredRows::Part part);
Poll<std::vector<EntityKey>> FindKeys(
    const Staging& staging, const SortRange& range, std::size_t limit,
    Result<EntityKey> (*key_of)(const FoundRow&));

// The key of a row, and the key of the synced table's row that a row of the
// hidden table is about.
Result<EntityKey> KeyOf(const FoundRow& row);
Result<EntityKey> SyncedKeyOf(const FoundRow& row);

// Directly behind the key.
inline std::string Behind(std::string sort_key) { return sort_key += '\0'; }

// Each change is staged at once, and later searches find it.
class HiddenTable {
 public:
  // `timestamp` is that of the rows that this writes.
  HiddenTable(Staging& staging, TableId id, DateTime timestamp)
      : staging_(staging), id_(id), timestamp_(timestamp) {}

  TableId id() const { return id_; }

  Poll<std::optional<std::string>> Find(const EntityKey& key) const;
  void Put(const EntityKey& key, std::string_view bytes);
  void Remove(const EntityKey& key);

  // All values of the kind, or those about one partition.
  SortRange RangeOf(HiddenKind kind) const;
  SortRange RangeOf(HiddenKind kind, std::string_view partition_key) const;

  struct FoundValue {
    std::string sort_key;
    std::string bytes;
  };
  Poll<std::vector<FoundValue>> FindValues(const SortRange& range,
                                           std::size_t limit) const;

 private:
  Staging& staging_;
  TableId id_;
  DateTime timestamp_;
};

}  // namespace entitable

#endif  // ENTITABLE_REPLICA_HIDDEN_TABLE_H_
