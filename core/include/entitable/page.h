// page.h - the opaque values that a host keeps for the engine.
//
// A host stores values under keys, and knows nothing of what is in them.  Each
// value begins with a magic, a version and a checksum, which the engine alone
// writes and checks; docs/internals/file-format.md has the grammar of each.

#ifndef ENTITABLE_PAGE_H_
#define ENTITABLE_PAGE_H_

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace entitable {

// Octets, not text.
using Bytes = std::string;
using BytesView = std::string_view;

// Under what a value is kept.  A host that has two ordered stores keeps the
// first two kinds in one and the last two in the other: they are read and
// written in transactions of their own.
struct ValueKey {
  enum class Kind : std::uint8_t {
    kCheckpoint,  // One value: what the log begins with.
    kRecord,      // The log, numbered from 1 without a gap.
    kManifest,    // One value: the top of all pages.
    kPage,        // Immutable pages; a number is never used twice.
  };

  Kind kind;
  std::uint64_t number =
      0;  // Zero for kCheckpoint and kManifest; always below 2^53.

  static constexpr ValueKey Checkpoint() { return {Kind::kCheckpoint}; }
  static constexpr ValueKey Record(std::uint64_t n) {
    return {Kind::kRecord, n};
  }
  static constexpr ValueKey Manifest() { return {Kind::kManifest}; }
  static constexpr ValueKey Page(std::uint64_t id) { return {Kind::kPage, id}; }

  auto operator<=>(const ValueKey&) const = default;
};

// A condition of a batch: what the host must find under the key.
struct Expectation {
  ValueKey key;
  std::optional<Bytes> value;  // None: nothing may be there.
};

struct Put {
  ValueKey key;
  Bytes value;
};

// The one thing the engine ever does to storage: all of it, or nothing, and
// nothing unless every expectation holds.
struct Batch {
  std::vector<Expectation> expect;
  std::vector<Put> puts;
  std::vector<ValueKey> deletes;

  // A host may store the batch before it has looked at the values that are
  // expected, if nothing stands where nothing may.  Where it finds another
  // value then, the outcome is unknown.
  bool is_optimistic = false;

  // Nothing is added but what makes room, soon or later: deletions, and the
  // moving of what is there.  A host that has a reserve of room gives it for
  // such a batch where there is no other.
  bool is_freeing = false;
};

}  // namespace entitable

#endif  // ENTITABLE_PAGE_H_
