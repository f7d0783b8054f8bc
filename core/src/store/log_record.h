// log_record.h - a log record: one commit, as stored in the log.

#ifndef ENTITABLE_STORE_LOG_RECORD_H_
#define ENTITABLE_STORE_LOG_RECORD_H_

#include <cstdint>
#include <vector>

#include "base/date_time.h"
#include "entitable/result.h"
#include "entitable/storage.h"
#include "store/change.h"
#include "store/envelope.h"

namespace entitable {

//   record = envelope of kind "ETLR", version 2, around
//   body   = previous_crc:u32 number:u64 session:16 bytes commit:u64
//            ticks:u64 { change }
struct RecordHead {
  // The checksum of the previous record; zero in the first record.  It reveals
  // a fork of the log or a log that was set back.
  std::uint32_t previous_crc = 0;

  std::uint64_t number = 0;  // The first is 1; there are no gaps.

  // The engine that wrote the record, and the number of the commit among that
  // engine's commits.  An engine looks for these two to find out whether a
  // commit with an unknown outcome was stored.
  Random128 session{};
  std::uint64_t commit = 0;

  // The last timestamp that the store has given out.
  DateTime last_timestamp{};
};

struct LogRecord : RecordHead {
  std::vector<Change> changes{};
};

inline constexpr EnvelopeKind kRecordKind{"ETLR", 2};

// The greatest size of a record in bytes.  A record with the changes of only
// one request, or of one entity of an import, may be longer.
inline constexpr std::size_t kMaxRecordBytes = std::size_t{1} << 20;

// The bytes of a record without its changes, rounded up.
inline constexpr std::size_t kRecordOverhead = 64;

// The bytes before the changes.
inline constexpr std::size_t kRecordHeadBytes = kEnvelopeBytes + 44;

// Completes a record that is built in place.  It begins with kRecordHeadBytes
// bytes of any content, which are overwritten, before its changes.
void SealLogRecord(const RecordHead& head, Bytes& value);

// Checks the whole record, but returns only its head.  Fails like
// DecodeLogRecord().
Result<RecordHead> ReadRecordHead(BytesView value);

Bytes EncodeLogRecord(const LogRecord& record);

// Fails with StorageDamaged if the bytes are invalid.  Safe for any bytes.
Result<LogRecord> DecodeLogRecord(BytesView value);

}  // namespace entitable

#endif  // ENTITABLE_STORE_LOG_RECORD_H_
