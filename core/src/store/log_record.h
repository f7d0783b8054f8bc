// log_record.h - one commit, as it stands in the log.

#ifndef ENTITABLE_STORE_LOG_RECORD_H_
#define ENTITABLE_STORE_LOG_RECORD_H_

#include <cstdint>
#include <vector>

#include "base/date_time.h"
#include "entitable/engine.h"
#include "entitable/page.h"
#include "entitable/result.h"
#include "store/change.h"
#include "store/envelope.h"

namespace entitable {

//   record = envelope of kind "ETLR", version 2, around
//   body   = previous_crc:u32 number:u64 session:16 bytes commit:u64
//            ticks:u64 { change }
struct LogRecord {
  // The checksum of the record before this one, so that a fork or a log rolled
  // back shows at once; zero in the first record.
  std::uint32_t previous_crc = 0;

  std::uint64_t number = 0;  // The first is 1; no gaps.

  // Who wrote it, and the how many-th commit of that opener it is: by these two
  // a writer finds out whether a commit of unknown outcome came true.
  Random128 session{};
  std::uint64_t commit = 0;

  // The last timestamp that the store has given out.
  DateTime last_timestamp{};

  std::vector<Change> changes{};
};

inline constexpr EnvelopeKind kRecordKind{"ETLR", 2};

// A record is no longer than this, in bytes, unless it has the changes of one
// request alone, or of an import those of one entity.
inline constexpr std::size_t kMaxRecordBytes = std::size_t{1} << 20;

// What a record takes beside its changes, rounded up.
inline constexpr std::size_t kRecordOverhead = 64;

Bytes EncodeLogRecord(const LogRecord& record);

// Fails with StorageDamaged; survives any bytes.
Result<LogRecord> DecodeLogRecord(BytesView value);

}  // namespace entitable

#endif  // ENTITABLE_STORE_LOG_RECORD_H_
