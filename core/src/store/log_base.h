// log_base.h - what the log begins with: the identity of the store.

#ifndef ENTITABLE_STORE_LOG_BASE_H_
#define ENTITABLE_STORE_LOG_BASE_H_

#include <cstdint>

#include "base/date_time.h"
#include "entitable/engine.h"
#include "entitable/page.h"
#include "entitable/result.h"

namespace entitable {

//   base = envelope of kind "ETLB", version 1, around
//   body = store_id:16 bytes number:u64 crc:u32 ticks:u64
struct LogBase {
  // Random, made with the store: a store that was deleted and made anew, which
  // otherwise looks like an empty one, has another.
  Random128 store_id{};

  // All changes up to this record are in pages; zero while there are none.
  std::uint64_t number = 0;
  std::uint32_t crc = 0;  // Of that record; zero when there is none.

  // The last timestamp given out up to there.
  DateTime last_timestamp{};

  bool operator==(const LogBase&) const = default;
};

// Whether it can be the last one given out: zero, when none was, or a time.
// What follows a later one could not be read back.
constexpr bool IsLastTimestamp(DateTime timestamp) {
  return timestamp >= DateTime{} && timestamp <= kMaxDateTime;
}

Bytes EncodeLogBase(const LogBase& base);

// Fails with StorageDamaged; survives any bytes.
Result<LogBase> DecodeLogBase(BytesView value);

}  // namespace entitable

#endif  // ENTITABLE_STORE_LOG_BASE_H_
