#include "model/entity_key.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error_text.h"

namespace entitable {
namespace {

// Two sets of characters: what no key may have, and what no address may have.
// The second is a part of the first.  So a key may come in by an address and be
// refused by a write all the same.
constexpr bool IsForbiddenAscii(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F || c == '/' || c == '\\' || c == '#' ||
         c == '?';
}

constexpr bool IsRefusedInUrl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F || c == '/' || c == '\\';
}

// U+0081, U+008D, U+008F, U+0090 and U+009D: the C1 control characters that
// Windows-1252 does not define.  `next` is the last byte of their UTF-8.
constexpr bool IsRefusedC1(char lead, char next) {
  return lead == '\xC2' && (next == '\x81' || next == '\x8D' ||
                            next == '\x8F' || next == '\x90' || next == '\x9D');
}

bool IsUrlKey(std::string_view utf8) {
  char before = '\0';
  for (const char c : utf8) {
    if (IsRefusedInUrl(c) || IsRefusedC1(before, c)) return false;
    before = c;
  }
  return true;
}

// U+0080-U+009F are the bytes C2 80 to C2 9F.
constexpr bool IsC1(char lead, char next) {
  return lead == '\xC2' && static_cast<unsigned char>(next) < 0xA0;
}

// The byte offset of the first forbidden character, or the size.
std::size_t FindForbiddenInKey(std::string_view utf8) {
  char before = '\0';
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    if (IsForbiddenAscii(utf8[i])) return i;
    if (IsC1(before, utf8[i])) return i - 1;
    before = utf8[i];
  }
  return utf8.size();
}

std::size_t MaxKeyLengthOf(Profile profile) {
  return profile == Profile::kService ? kMaxServiceKeyLength : kMaxKeyLength;
}

}  // namespace

bool CheckKeyCharacters(Report::Path path, std::string_view utf8,
                        Report& report) {
  const std::size_t at = FindForbiddenInKey(utf8);
  if (at == utf8.size()) return true;
  std::string message;
  if (path) {
    message.append("The '").append(*path).append("' parameter of value '");
    message.append(utf8).append("' is out of range.");
  }
  return report.AddCharacter(Rule::kKeyCharacter, ErrorCode::kOutOfRangeInput,
                             path, utf8, at, message);
}

bool CheckKeyLength(Report::Path path, std::string_view utf8, Profile profile,
                    Report& report) {
  // No text has more UTF-16 units than bytes.
  if (utf8.size() <= kMaxServiceKeyLength) return true;
  const std::size_t length = Utf16Length(utf8);
  const std::size_t limit = MaxKeyLengthOf(profile);
  if (length > limit) {
    return report.AddMeasure(Rule::kKeyLength,
                             ErrorCode::kPropertyValueTooLarge, path, limit,
                             length);
  }
  if (length > kMaxServiceKeyLength) {
    report.WarnOfMeasure(Rule::kKeyLength, ErrorCode::kPropertyValueTooLarge,
                         path, kMaxServiceKeyLength, length);
  }
  return true;
}

bool CheckWrittenKey(const WrittenKey& written, Report& report) {
  const std::pair<std::string_view, std::string_view> keys[] = {
      {"PartitionKey", written.key.partition_key},
      {"RowKey", written.key.row_key}};
  return std::ranges::all_of(keys, [&](const auto& one) {
    const auto& [name, key] = one;
    return CheckKeyCharacters({}, key, report) &&
           (!written.may_insert ||
            CheckKeyLength(name, key, written.profile, report));
  });
}

Result<EntityKey> ReadUrlKey(EntityKeyView key) {
  if (!IsUrlKey(key.partition_key) || !IsUrlKey(key.row_key)) {
    return Fail(ErrorCode::kInvalidInput, kQuerySyntaxText);
  }
  return EntityKey{std::string(key.partition_key), std::string(key.row_key)};
}

// ------------------------------------------------------------------- key range

std::strong_ordering KeyBound::operator<=>(const KeyBound& other) const {
  const auto order = key <=> other.key;
  return order != 0 ? order : after <=> other.after;
}

KeyBound StartOfPartition(std::string_view partition) {
  return {{std::string(partition), {}}, false};
}

KeyBound EndOfPartition(std::string_view partition) {
  KeyBound end = StartOfPartition(partition);
  end.key.partition_key.push_back('\0');
  return end;
}

}  // namespace entitable
