#include "store/log_record.h"

#include <algorithm>

#include "base/fields.h"
#include "store/checkpoint.h"

namespace entitable {

template <typename Io>
void Fields(Io& io, Of<Io, RecordHead>& head) {
  io.U32(head.previous_crc);
  io.U64(head.number);
  io.Raw(head.session);
  io.U64(head.commit);
  io.U64(head.last_timestamp.ticks);
  io.Check([&] { return IsLastTimestamp(head.last_timestamp); });
}

// The head is written behind the changes first, where a writer can append it.
void SealLogRecord(const RecordHead& head, Bytes& value) {
  const auto size = static_cast<std::ptrdiff_t>(value.size());
  FieldWriter io(value);
  Fields(io, head);
  std::copy(value.begin() + size, value.end(), value.begin() + kEnvelopeBytes);
  value.resize(static_cast<std::size_t>(size));
  SealInPlace(kRecordKind, value);
}

Result<RecordHead> ReadRecordHead(BytesView value) {
  ENTITABLE_TRY(const OpenedEnvelope envelope, Unseal(kRecordKind, value));
  RecordHead head;
  FieldReader io(envelope.body);
  Fields(io, head);
  while (!io.at_end()) ReadChange(io);
  if (io.failed()) {
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
    record.changes.push_back(CopyOf(ReadCheckedChange(rest)));
  }
  return record;
}

}  // namespace entitable
