#include "store/log_base.h"

#include <algorithm>
#include <string_view>

#include "base/coding.h"

namespace entitable {
namespace {

void AppendRandom(const Random128& random, Bytes& out) {
  out.append(random.begin(), random.end());
}

Random128 TakeRandom(Decoder& bytes) {
  Random128 random{};
  const std::string_view taken = bytes.TakeBytes(random.size());
  std::copy(taken.begin(), taken.end(), random.begin());
  return random;
}

}  // namespace

void LogBase::Remember(const Author& author) {
  std::erase_if(sessions, [&](const Author& known) {
    return known.session == author.session;
  });
  sessions.push_back(author);
  if (sessions.size() > kMaxSessions) sessions.erase(sessions.begin());
}

std::optional<bool> LogBase::Has(const Author& author) const {
  for (const Author& known : sessions) {
    if (known.session == author.session) return known.commit >= author.commit;
  }
  if (sessions.size() == kMaxSessions) return std::nullopt;
  return false;
}

Bytes EncodeLogBase(const LogBase& base) {
  Bytes body;
  AppendRandom(base.store_id, body);
  AppendU64(base.number, body);
  AppendU32(base.crc, body);
  AppendU64(static_cast<std::uint64_t>(base.last_timestamp.ticks), body);
  AppendU64(base.first_record, body);
  AppendVarint(base.sessions.size(), body);
  for (const Author& author : base.sessions) {
    AppendRandom(author.session, body);
    AppendVarint(author.commit, body);
  }
  return Seal(kBaseKind, body);
}

Result<LogBase> DecodeLogBase(BytesView value) {
  ENTITABLE_TRY(const OpenedEnvelope envelope, Unseal(kBaseKind, value));
  LogBase base;
  Decoder body(envelope.body);
  base.store_id = TakeRandom(body);
  base.number = body.TakeU64();
  base.crc = body.TakeU32();
  base.last_timestamp.ticks = static_cast<std::int64_t>(body.TakeU64());
  base.first_record = body.TakeU64();
  for (std::uint64_t n = body.TakeVarint(); n > 0 && !body.failed(); --n) {
    const Random128 session = TakeRandom(body);
    base.sessions.push_back({session, body.TakeVarint()});
  }
  if (base.first_record == 0 || base.first_record > base.number + 1 ||
      base.sessions.size() > LogBase::kMaxSessions ||
      !IsLastTimestamp(base.last_timestamp)) {
    body.Fail();
  }
  if (body.failed() || !body.at_end()) {
    return Fail(ErrorCode::kStorageDamaged,
                "The base of the log does not follow its grammar.");
  }
  return base;
}

}  // namespace entitable
