// envelope.h - the magic, version and checksum around every stored value.
//
//   envelope = magic:4 bytes version:u8 crc:u32 body
//   crc      = CRC-32C of the body

#ifndef ENTITABLE_STORE_ENVELOPE_H_
#define ENTITABLE_STORE_ENVELOPE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "entitable/error.h"
#include "entitable/result.h"
#include "entitable/storage.h"

namespace entitable {

// The names of stored values, as hosts and users know them.

// "log/base", "log/17", "pages/root", "pages/17".
std::string KeyText(ValueKey key);

// An error about a stored value: the message begins with the key and a colon.
// js/src/core/outcome.ts relies on this form.
Error Named(ValueKey key, Error error);

// -------------------------------------------------------------------- envelope

// The kind of a stored value, and the version of its body's grammar.
struct EnvelopeKind {
  std::string_view magic;  // Four characters.
  std::uint8_t version;
};

// The bytes before the body.
inline constexpr std::size_t kEnvelopeBytes = 9;

struct OpenedEnvelope {
  BytesView body;
  std::uint32_t crc;
};

Bytes Seal(EnvelopeKind kind, BytesView body);

// The same without a copy, for long values.  The value begins with
// kEnvelopeBytes bytes for the envelope, of any content, before the body.
void SealInPlace(EnvelopeKind kind, Bytes& value);

// Fails with StorageVersionNewer if the version is newer than ours, and with
// StorageDamaged if the magic, version or checksum is wrong.
Result<OpenedEnvelope> Unseal(EnvelopeKind kind, BytesView value);

// The checksum of a value that Seal() made.
std::uint32_t EnvelopeCrc(BytesView value);

}  // namespace entitable

#endif  // ENTITABLE_STORE_ENVELOPE_H_
