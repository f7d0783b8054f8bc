// checkpoint.h - the start of the log: the identity of the store, and a summary
// of the log records that are already in pages.
//
// A flush replaces the checkpoint and the manifest in one batch, so both always
// describe the same last flushed record.  Every commit expects the checkpoint
// to be unchanged.  This keeps an engine that missed a flush from appending to
// a part of the log that is gone.

#ifndef ENTITABLE_STORE_CHECKPOINT_H_
#define ENTITABLE_STORE_CHECKPOINT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/date_time.h"
#include "entitable/result.h"
#include "entitable/storage.h"
#include "store/change.h"
#include "store/envelope.h"

namespace entitable {

// Identifies a log record: the engine that wrote it, and the number of the
// commit among that engine's commits.
struct Author {
  Random128 session{};
  std::uint64_t commit = 0;

  bool operator==(const Author&) const = default;
};

//   checkpoint = envelope of kind "ETLB", version 2, around
//   body       = store_id:16 bytes number:u64 crc:u32 ticks:u64
//                first_record:u64
//                session_count:varint { session:16 bytes commit:varint }
//                [ first_sound_index:varint ]    if the store was repaired
struct Checkpoint {
  // Random, chosen when the store is created.  It tells an empty new store from
  // one that was deleted and created again.
  Random128 store_id{};

  // All changes up to this log record are in pages; zero before the first
  // flush.
  std::uint64_t number = 0;
  std::uint32_t crc = 0;  // The checksum of that record; zero if there is none.

  // The last timestamp that the store gave out up to that record.
  DateTime last_timestamp{};

  // The number of the first record that the log still holds.
  std::uint64_t first_record = 1;

  // The last commit of each engine that wrote a flushed record; the engine that
  // committed last is at the end.  Only this many engines are kept.
  static constexpr std::size_t kMaxSessions = 64;
  std::vector<Author> sessions = {};

  // An index with a smaller id may not fit the entities, because the store was
  // repaired.  Zero: it was not.
  TableId first_sound_index = 0;

  bool IsSound(TableId index) const { return index >= first_sound_index; }

  // Notes that this record was flushed.
  void Remember(const Author& author);

  // Whether a commit is among the flushed records.  Nothing: unknown, because
  // its engine is no longer in the list.
  std::optional<bool> Has(const Author& author) const;

  bool operator==(const Checkpoint&) const = default;
};

// Whether a store may have given out this last timestamp: zero (none given), or
// a valid time.  The timestamps that follow must stay readable.
constexpr bool IsLastTimestamp(DateTime timestamp) {
  return timestamp >= DateTime{} && timestamp <= kMaxDateTime;
}

inline constexpr EnvelopeKind kCheckpointKind{"ETLB", 2};

Bytes EncodeCheckpoint(const Checkpoint& checkpoint);

// Fails with StorageDamaged if the bytes are invalid.  Safe for any bytes.
Result<Checkpoint> DecodeCheckpoint(BytesView value);

}  // namespace entitable

#endif  // ENTITABLE_STORE_CHECKPOINT_H_
