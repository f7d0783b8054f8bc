// checkpoint.h - what the log begins with: the identity of the store, and what
// was in the records that are in pages now.

#ifndef ENTITABLE_STORE_CHECKPOINT_H_
#define ENTITABLE_STORE_CHECKPOINT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/date_time.h"
#include "entitable/engine.h"
#include "entitable/page.h"
#include "entitable/result.h"
#include "store/envelope.h"

namespace entitable {

// Who made a record: the opener, and its how many-th commit.
struct Author {
  Random128 session{};
  std::uint64_t commit = 0;

  bool operator==(const Author&) const = default;
};

//   base = envelope of kind "ETLB", version 2, around
//   body = store_id:16 bytes number:u64 crc:u32 ticks:u64 first_record:u64
//          session_count:varint { session:16 bytes commit:varint }
struct Checkpoint {
  // Random, made with the store: a store that was deleted and made anew, which
  // otherwise looks like an empty one, has another.
  Random128 store_id{};

  // All changes up to this record are in pages; zero while there are none.
  std::uint64_t number = 0;
  std::uint32_t crc = 0;  // Of that record; zero when there is none.

  // The last timestamp given out up to there.
  DateTime last_timestamp{};

  // The log has no record before this one.
  std::uint64_t first_record = 1;

  // The last commit of each opener among the records up to there, the opener
  // that committed last at the end.  Only so many are remembered.
  static constexpr std::size_t kMaxSessions = 64;
  std::vector<Author> sessions = {};

  // Notes that the author's record is in pages.
  void Remember(const Author& author);

  // Whether a commit is among those records.  Nothing: nobody knows any more.
  std::optional<bool> Has(const Author& author) const;

  bool operator==(const Checkpoint&) const = default;
};

// Whether it can be the last one given out: zero, when none was, or a time.
// What follows a later one could not be read back.
constexpr bool IsLastTimestamp(DateTime timestamp) {
  return timestamp >= DateTime{} && timestamp <= kMaxDateTime;
}

inline constexpr EnvelopeKind kCheckpointKind{"ETLB", 2};

Bytes EncodeCheckpoint(const Checkpoint& checkpoint);

// Fails with StorageDamaged; survives any bytes.
Result<Checkpoint> DecodeCheckpoint(BytesView value);

}  // namespace entitable

#endif  // ENTITABLE_STORE_CHECKPOINT_H_
