#include "store/checkpoint.h"

#include <algorithm>

#include "base/fields.h"

namespace entitable {

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

template <typename Io>
void Fields(Io& io, Of<Io, Checkpoint>& checkpoint) {
  io.Raw(checkpoint.store_id);
  io.U64(checkpoint.number);
  io.U32(checkpoint.crc);
  io.U64(checkpoint.last_timestamp.ticks);
  io.U64(checkpoint.first_record);
  io.Many(checkpoint.sessions, [&](auto& author) {
    io.Raw(author.session);
    io.Varint(author.commit);
  });
  if (io.HasMore(checkpoint.first_sound_index > 0)) {
    io.Varint(checkpoint.first_sound_index);
    io.Check([&] { return checkpoint.first_sound_index > 0; });
  }
  io.Check([&] {
    return checkpoint.first_record > 0 &&
           checkpoint.first_record <= checkpoint.number + 1 &&
           checkpoint.sessions.size() <= Checkpoint::kMaxSessions &&
           IsLastTimestamp(checkpoint.last_timestamp);
  });
}

Bytes EncodeCheckpoint(const Checkpoint& checkpoint) {
  return Seal(kCheckpointKind, EncodeFields(checkpoint));
}

Result<Checkpoint> DecodeCheckpoint(BytesView value) {
  ENTITABLE_TRY(const OpenedEnvelope envelope, Unseal(kCheckpointKind, value));
  Checkpoint checkpoint;
  if (!DecodeFields(envelope.body, checkpoint)) {
    return Fail(ErrorCode::kStorageDamaged,
                "The checkpoint has an invalid format.");
  }
  return checkpoint;
}

}  // namespace entitable
