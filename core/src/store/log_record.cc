#include "store/log_record.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "store/checkpoint.h"

namespace entitable {

void SealLogRecord(const RecordHead& head, Bytes& value) {
  auto put = [at = value.data() + kEnvelopeBytes](const auto& part) mutable {
    std::memcpy(at, &part, sizeof part);
    at += sizeof part;
  };
  put(head.previous_crc);
  put(head.number);
  put(head.session);
  put(head.commit);
  put(head.last_timestamp.ticks);
  SealInPlace(kRecordKind, value);
}

Result<RecordHead> ReadRecordHead(BytesView value) {
  ENTITABLE_TRY(const OpenedEnvelope envelope, Unseal(kRecordKind, value));
  RecordHead head;
  Decoder body(envelope.body);
  head.previous_crc = body.ReadU32();
  head.number = body.ReadU64();
  const std::string_view session = body.ReadBytes(head.session.size());
  std::ranges::copy(session, head.session.begin());
  head.commit = body.ReadU64();
  head.last_timestamp.ticks = static_cast<std::int64_t>(body.ReadU64());
  if (!IsLastTimestamp(head.last_timestamp)) body.Fail();
  while (!body.at_end()) TakeChange(body);
  if (body.failed()) {
    return Fail(ErrorCode::kStorageDamaged,
                "The log record has an invalid format.");
  }
  return head;
}

Bytes EncodeLogRecord(const LogRecord& record) {
  Bytes value(kRecordHeadBytes, '\0');
  for (const Change& change : record.changes) AppendChange(change, value);
  SealLogRecord(record, value);
  return value;
}

Result<LogRecord> DecodeLogRecord(BytesView value) {
  ENTITABLE_TRY(const RecordHead head, ReadRecordHead(value));
  LogRecord record{head, {}};
  for (Decoder rest(value.substr(kRecordHeadBytes)); !rest.at_end();) {
    record.changes.push_back(CopyOf(TakeCheckedChange(rest)));
  }
  return record;
}

}  // namespace entitable
