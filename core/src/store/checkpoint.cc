#include "store/checkpoint.h"

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
  const std::string_view taken = bytes.ReadBytes(random.size());
  std::copy(taken.begin(), taken.end(), random.begin());
  return random;
}

}  // namespace

void Checkpoint::Remember(const Author& author) {
  std::erase_if(sessions, [&](const Author& known) {
    return known.session == author.session;
  });
  sessions.push_back(author);
  if (sessions.size() > kMaxSessions) sessions.erase(sessions.begin());
}

std::optional<bool> Checkpoint::Has(const Author& author) const {
  for (const Author& known : sessions) {
    if (known.session == author.session) return known.commit >= author.commit;
  }
  if (sessions.size() == kMaxSessions) return std::nullopt;
  return false;
}

Bytes EncodeCheckpoint(const Checkpoint& checkpoint) {
  Bytes body;
  AppendRandom(checkpoint.store_id, body);
  AppendU64(checkpoint.number, body);
  AppendU32(checkpoint.crc, body);
  AppendU64(static_cast<std::uint64_t>(checkpoint.last_timestamp.ticks), body);
  AppendU64(checkpoint.first_record, body);
  AppendVarint(checkpoint.sessions.size(), body);
  for (const Author& author : checkpoint.sessions) {
    AppendRandom(author.session, body);
    AppendVarint(author.commit, body);
  }
  if (checkpoint.first_sound_index > 0) {
    AppendVarint(checkpoint.first_sound_index, body);
  }
  return Seal(kCheckpointKind, body);
}

Result<Checkpoint> DecodeCheckpoint(BytesView value) {
  ENTITABLE_TRY(const OpenedEnvelope envelope, Unseal(kCheckpointKind, value));
  Checkpoint checkpoint;
  Decoder body(envelope.body);
  checkpoint.store_id = TakeRandom(body);
  checkpoint.number = body.ReadU64();
  checkpoint.crc = body.ReadU32();
  checkpoint.last_timestamp.ticks = static_cast<std::int64_t>(body.ReadU64());
  checkpoint.first_record = body.ReadU64();
  for (std::uint64_t n = body.ReadVarint(); n > 0 && !body.failed(); --n) {
    const Random128 session = TakeRandom(body);
    checkpoint.sessions.push_back({session, body.ReadVarint()});
  }
  if (!body.at_end()) {
    checkpoint.first_sound_index = body.ReadVarint();
    if (checkpoint.first_sound_index == 0) body.Fail();
  }
  if (checkpoint.first_record == 0 ||
      checkpoint.first_record > checkpoint.number + 1 ||
      checkpoint.sessions.size() > Checkpoint::kMaxSessions ||
      !IsLastTimestamp(checkpoint.last_timestamp)) {
    body.Fail();
  }
  if (body.failed() || !body.at_end()) {
    return Fail(ErrorCode::kStorageDamaged,
                "The checkpoint has an invalid format.");
  }
  return checkpoint;
}

}  // namespace entitable
