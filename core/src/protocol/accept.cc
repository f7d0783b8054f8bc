#include "protocol/accept.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "base/ascii.h"
#include "base/number.h"

namespace entitable {
namespace {

// Removes and returns the text before the next separator, and removes the
// separator.
std::string_view TakeUntil(char separator, std::string_view& text) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return taken;
}

std::optional<MetadataLevel> LevelNamed(std::string_view name) {
  if (name.empty() || name == "minimalmetadata") return MetadataLevel::kMinimal;
  if (name == "nometadata") return MetadataLevel::kNone;
  if (name == "fullmetadata") return MetadataLevel::kFull;
  return std::nullopt;
}

struct MediaRange {
  std::string_view type;
  std::string_view odata = {};
  double quality = 1;

  bool is_json() const {
    return type == "application/json" || type == "application/*" ||
           type == "*/*" || type == "json";
  }
  bool is_xml() const {
    return type == "application/atom+xml" || type == "application/xml" ||
           type == "atom";
  }
};

MediaRange ReadRange(std::string_view text) {
  MediaRange range{TakeUntil(';', text)};
  while (!text.empty()) {
    std::string_view value = TakeUntil(';', text);
    const std::string_view name = TakeUntil('=', value);
    if (name == "odata") range.odata = value;
    if (name == "q") range.quality = ParseDouble(value).value_or(0);
  }
  return range;
}

// Lower case, without blanks: neither has a meaning in this header.
std::string Normalized(std::string_view text) {
  std::string normalized = ToLowerAscii(text);
  std::erase_if(normalized, [](char c) { return c == ' ' || c == '\t'; });
  return normalized;
}

}  // namespace

bool AsksForJson(std::string_view accept) {
  const std::string text = Normalized(accept);
  for (std::string_view rest = text; !rest.empty();) {
    const MediaRange range = ReadRange(TakeUntil(',', rest));
    if (range.is_json() && !range.type.ends_with('*') && range.quality > 0) {
      return true;
    }
  }
  return false;
}

Result<MetadataLevel> NegotiateLevel(std::string_view accept) {
  const std::string text = Normalized(accept);
  std::string_view rest = text;
  if (rest.empty()) return MetadataLevel::kMinimal;

  std::optional<MetadataLevel> best;
  double best_quality = 0;
  bool accepts_xml = false;
  while (!rest.empty()) {
    const MediaRange range = ReadRange(TakeUntil(',', rest));
    if (range.quality <= 0) continue;
    accepts_xml = accepts_xml || range.is_xml();
    if (!range.is_json() || range.quality <= best_quality) continue;
    if (const auto level = LevelNamed(range.odata)) {
      best = level;
      best_quality = range.quality;
    }
  }
  if (best) return *best;
  return Fail(accepts_xml ? ErrorCode::kAtomFormatNotSupported
                          : ErrorCode::kMediaTypeNotSupported);
}

}  // namespace entitable
