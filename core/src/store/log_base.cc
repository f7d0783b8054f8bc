#include "store/log_base.h"

#include <algorithm>
#include <string_view>

#include "base/coding.h"
#include "store/envelope.h"

namespace entitable {
namespace {

constexpr EnvelopeKind kBaseKind{"ETLB", 1};

}  // namespace

Bytes EncodeLogBase(const LogBase& base) {
  Bytes body(base.store_id.begin(), base.store_id.end());
  AppendU64(base.number, body);
  AppendU32(base.crc, body);
  AppendU64(static_cast<std::uint64_t>(base.last_timestamp.ticks), body);
  return Seal(kBaseKind, body);
}

Result<LogBase> DecodeLogBase(BytesView value) {
  ENTITABLE_TRY(const OpenedEnvelope envelope, Unseal(kBaseKind, value));
  LogBase base;
  Decoder body(envelope.body);
  const std::string_view store_id = body.TakeBytes(base.store_id.size());
  std::copy(store_id.begin(), store_id.end(), base.store_id.begin());
  base.number = body.TakeU64();
  base.crc = body.TakeU32();
  base.last_timestamp.ticks = static_cast<std::int64_t>(body.TakeU64());
  if (body.failed() || !body.at_end() ||
      !IsLastTimestamp(base.last_timestamp)) {
    return Fail(ErrorCode::kStorageDamaged,
                "The base of the log does not follow its grammar.");
  }
  return base;
}

}  // namespace entitable
