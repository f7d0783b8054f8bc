#include "store/envelope.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/coding.h"
#include "base/crc32c.h"
#include "base/json_writer.h"

namespace entitable {

std::string KeyText(ValueKey key) {
  std::string text = key.kind < ValueKey::Kind::kManifest ? "log/" : "pages/";
  if (key.kind == ValueKey::Kind::kCheckpoint) return text += "base";
  if (key.kind == ValueKey::Kind::kManifest) return text += "root";
  AppendDecimal(static_cast<std::int64_t>(key.number), text);
  return text;
}

Error Named(ValueKey key, Error error) {
  error.message = KeyText(key).append(": ").append(error.message);
  return error;
}

// -------------------------------------------------------------------- envelope

namespace {

constexpr std::size_t kMagicSize = 4;

Error Damaged(EnvelopeKind kind, std::string_view what) {
  std::string text = "A stored value of kind ";
  text.append(kind.magic).append(" ").append(what);
  return Fail(ErrorCode::kStorageDamaged, std::move(text));
}

}  // namespace

Bytes Seal(EnvelopeKind kind, BytesView body) {
  Bytes value(kEnvelopeBytes, '\0');
  value += body;
  SealInPlace(kind, value);
  return value;
}

void SealInPlace(EnvelopeKind kind, Bytes& value) {
  assert(kind.magic.size() == kMagicSize);
  std::string head(kind.magic);
  AppendU8(kind.version, head);
  AppendU32(Crc32c(BytesView(value).substr(kEnvelopeBytes)), head);
  std::ranges::copy(head, value.begin());
}

Result<OpenedEnvelope> Unseal(EnvelopeKind kind, BytesView value) {
  Decoder rest(value);
  const std::string_view magic = rest.ReadBytes(kMagicSize);
  const std::uint8_t version = rest.ReadU8();
  const std::uint32_t crc = rest.ReadU32();
  if (rest.failed() || magic != kind.magic) {
    return Damaged(kind, "does not begin with its magic.");
  }
  if (version > kind.version) {
    return Fail(ErrorCode::kStorageVersionNewer);
  }
  if (version < kind.version || Crc32c(rest.rest()) != crc) {
    return Damaged(kind, "does not match its checksum.");
  }
  return OpenedEnvelope{rest.rest(), crc};
}

std::uint32_t EnvelopeCrc(BytesView value) {
  Decoder rest(value);
  rest.ReadBytes(kMagicSize + 1);
  return rest.ReadU32();
}

}  // namespace entitable
