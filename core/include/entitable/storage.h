// storage.h - the opaque values that a host stores for the engine.
//
// A host stores values under keys and does not interpret them.  Each value
// begins with a magic, a version and a checksum.  Only the engine writes and
// checks these.  docs/internals/file-format.md has the grammar of each value.

#ifndef ENTITABLE_STORAGE_H_
#define ENTITABLE_STORAGE_H_

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace entitable {

// Bytes, not text.
using Bytes = std::string;
using BytesView = std::string_view;

// The engine keeps many of the values that it asks the host to store or to
// compare.  It shares them with the host instead of copying them.
using SharedBytes = std::shared_ptr<const Bytes>;
inline SharedBytes Share(Bytes value) {
  return std::make_shared<const Bytes>(std::move(value));
}

// The key of a stored value.  A host with two ordered stores keeps the first
// two kinds in one store and the last two in the other, because the engine
// reads and writes the log and the pages in separate transactions.
struct ValueKey {
  enum class Kind : std::uint8_t {
    kCheckpoint,  // One value: the start of the log.
    kRecord,      // The log records, numbered from 1 without a gap.
    kManifest,    // One value: the list of all sorted runs.
    kPage,        // Immutable pages.  A number is never used twice, but for 0,
                  // whose value is replaced: it has copies of pages.
  };

  Kind kind;
  // Zero for kCheckpoint and kManifest; always below 2^53.
  std::uint64_t number = 0;

  static constexpr ValueKey Checkpoint() { return {Kind::kCheckpoint}; }
  static constexpr ValueKey Record(std::uint64_t n) {
    return {Kind::kRecord, n};
  }
  static constexpr ValueKey Manifest() { return {Kind::kManifest}; }
  static constexpr ValueKey Page(std::uint64_t id) { return {Kind::kPage, id}; }

  auto operator<=>(const ValueKey&) const = default;
};

// A record of the log.
struct Record {
  std::uint64_t number;
  Bytes value;
};

// What a host read at one moment.
struct Snapshot {
  // In the order of Read::keys; empty: the key has no value.
  std::vector<std::optional<Bytes>> values;
  std::vector<Record> records;  // Ascending.
};

// Random bytes of the host: the name of a store, or of a session of an engine.
using Random128 = std::array<std::uint8_t, 16>;

// A condition of a batch: the value that the host must find under the key.
struct Expectation {
  ValueKey key;
  SharedBytes value;  // Null: the key must have no value.
};

struct Put {
  ValueKey key;
  SharedBytes value;  // Never null.
};

// The only write that the engine ever asks for.  The host stores either all of
// it or nothing, and stores it only if every expectation holds.
struct Batch {
  std::vector<Expectation> expect;
  std::vector<Put> puts;
  std::vector<ValueKey> deletes;

  // The host may store the batch before it compares the expected values, as
  // long as every key that must have no value has none.  If the host then finds
  // another value, the outcome is kUnknown.
  bool is_optimistic = false;

  // The batch makes room, now or later: it adds only tombstones, or
  // writes again what was stored before.  A host that keeps a reserve of space
  // spends it on such a batch if no other space is left.
  bool frees = false;
};

}  // namespace entitable

#endif  // ENTITABLE_STORAGE_H_
