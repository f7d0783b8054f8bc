#include "wire/continuation_token.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/json_writer.h"
#include "base/text_encodings.h"
#include "base/utf.h"

namespace entitable {

std::string EncodeToken(std::string_view utf8) {
  std::string text;
  AppendBase64(utf8, text);
  std::ranges::replace(text, '=', '-');

  std::string token = "1!";
  AppendDecimal(static_cast<std::int64_t>(text.size()), token);
  token.push_back('!');
  return token + text;
}

Result<std::string> DecodeToken(std::string_view token) {
  std::string restored(token);
  std::ranges::replace(restored, ' ', '+');

  // Base64 contains no '!'.  If the token has none, all of it counts as text.
  std::string text = restored.substr(restored.rfind('!') + 1);
  std::ranges::replace(text, '-', '=');
  std::optional<std::string> value = DecodeBase64(text);
  // The prefix and the length are correct if encoding the value again gives the
  // same token.
  if (!value || !IsValidUtf8(*value) || EncodeToken(*value) != restored) {
    return Fail(ErrorCode::kInvalidInput);
  }
  return *std::move(value);
}

}  // namespace entitable
