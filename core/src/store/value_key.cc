#include "store/value_key.h"

#include <cstdint>
#include <string_view>
#include <utility>

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

}  // namespace entitable
