#include "store/log_record.h"

#include <algorithm>
#include <string>

#include "store/checkpoint.h"

namespace entitable {

Bytes EncodeLogRecord(const LogRecord& record) {
  Bytes body;
  AppendU32(record.previous_crc, body);
  AppendU64(record.number, body);
  body.append(record.session.begin(), record.session.end());
  AppendU64(record.commit, body);
  AppendU64(static_cast<std::uint64_t>(record.last_timestamp.ticks), body);
  for (const Change& change : record.changes) AppendChange(change, body);
  return Seal(kRecordKind, body);
}

Result<LogRecord> DecodeLogRecord(BytesView value) {
  ENTITABLE_TRY(const OpenedEnvelope envelope, Unseal(kRecordKind, value));
  LogRecord record;
  Decoder body(envelope.body);
  record.previous_crc = body.TakeU32();
  record.number = body.TakeU64();
  const std::string_view session = body.TakeBytes(record.session.size());
  std::copy(session.begin(), session.end(), record.session.begin());
  record.commit = body.TakeU64();
  record.last_timestamp.ticks = static_cast<std::int64_t>(body.TakeU64());
  if (!IsLastTimestamp(record.last_timestamp)) body.Fail();
  while (!body.at_end()) record.changes.push_back(TakeChange(body));
  if (body.failed()) {
    return Fail(ErrorCode::kStorageDamaged,
                "The log record has an invalid format.");
  }
  return record;
}

}  // namespace entitable
