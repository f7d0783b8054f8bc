#include "store/log_record.h"

#include <algorithm>
#include <string>

#include "store/checkpoint.h"

namespace entitable {
namespace {

// What comes before the changes.
constexpr std::size_t kHeadBytes = 44;

}  // namespace

Bytes EncodeLogRecord(const LogRecord& record) {
  std::size_t most = kEnvelopeBytes + kHeadBytes;
  for (const Change& change : record.changes) most += MaxEncodedSize(change);
  Bytes value(kEnvelopeBytes, '\0');
  value.reserve(most);
  AppendU32(record.previous_crc, value);
  AppendU64(record.number, value);
  value.append(record.session.begin(), record.session.end());
  AppendU64(record.commit, value);
  AppendU64(static_cast<std::uint64_t>(record.last_timestamp.ticks), value);
  for (const Change& change : record.changes) AppendChange(change, value);
  SealInPlace(kRecordKind, value);
  return value;
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
