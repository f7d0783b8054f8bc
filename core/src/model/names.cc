#include "model/names.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/ascii.h"
#include "base/coding.h"
#include "base/error_text.h"
#include "base/utf.h"
#include "model/property_name_table.h"

namespace entitable {
namespace {

// The name of the resource that lists the tables.
constexpr std::string_view kReservedTableName = "tables";

// The byte offset of the first character that is not allowed at its position,
// or the size.
std::size_t FindForbiddenInTable(std::string_view utf8) {
  if (utf8.empty() || !IsAsciiLetter(utf8.front())) return 0;
  const auto at = std::ranges::find_if_not(utf8, IsAsciiAlphanumeric);
  return static_cast<std::size_t>(at - utf8.begin());
}

bool CheckLength(std::string_view utf8, Report& report) {
  const std::size_t length = Utf16Length(utf8);
  const bool is_short = length < kMinTableNameLength;
  if (!is_short && length <= kMaxTableNameLength) return true;
  return report.AddMeasure(Rule::kTableNameLength, ErrorCode::kOutOfRangeInput,
                           {},
                           is_short ? kMinTableNameLength : kMaxTableNameLength,
                           length, kNameLengthText);
}

}  // namespace

std::string FoldTableName(std::string_view text) { return ToLowerAscii(text); }

bool CheckTableName(std::string_view utf8, Report& report) {
  const std::size_t at = FindForbiddenInTable(utf8);
  if (at < utf8.size() &&
      !report.AddCharacter(Rule::kTableNameCharacter,
                           ErrorCode::kInvalidResourceName, {}, utf8, at)) {
    return false;
  }
  if (!CheckLength(utf8, report)) return false;
  return FoldTableName(utf8) != kReservedTableName ||
         report.Add(Rule::kTableNameReserved, ErrorCode::kInvalidInput);
}

Result<TableName> TableName::Parse(std::string_view text) {
  Report report;
  if (!CheckTableName(text, report)) {
    return report.FirstError();
  }
  return TableName(text);
}

TableName::TableName(std::string_view text)
    : text_(text), folded_(FoldTableName(text)) {}

// --------------------------------------------------------------- property name

namespace {

// Decodes the ranges, which are stored as varints: each number as the distance
// from the previous one.  This halves their size in the download.
template <const auto& kRanges, typename Visitor>
constexpr void ForEachPackedByte(Visitor visit) {
  std::uint32_t last = 0;
  for (const CodeUnitRange& range : kRanges) {
    for (const std::uint32_t unit : {range.first, range.last}) {
      std::uint32_t distance = unit - last;
      for (; distance >= 0x80; distance >>= 7) {
        visit(static_cast<char>(distance | 0x80));
      }
      visit(static_cast<char>(distance));
      last = unit;
    }
  }
}

template <const auto& kRanges>
consteval auto Pack() {
  constexpr std::size_t kSize = [] {
    std::size_t size = 0;
    ForEachPackedByte<kRanges>([&](char) { ++size; });
    return size;
  }();
  std::array<char, kSize> bytes{};
  std::size_t at = 0;
  ForEachPackedByte<kRanges>([&](char byte) { bytes[at++] = byte; });
  return bytes;
}

constexpr auto kStart = Pack<kPropertyNameStart>();
constexpr auto kPart = Pack<kPropertyNamePart>();

// A bitmap of the allowed UTF-16 units, decoded on first use.  A body may have
// a million characters in names, so each check must be fast.
//
// So the ranges exist in three forms: as a table while the compiler runs, as
// packed bytes in the module, and as two bitmaps of 8 KiB in memory.
class UnitSet {
 public:
  void AddRanges(std::span<const char> packed) {
    Decoder ranges({packed.data(), packed.size()});
    std::size_t last = 0;
    while (!ranges.at_end()) {
      std::size_t unit = last + static_cast<std::size_t>(ranges.ReadVarint());
      last = unit + static_cast<std::size_t>(ranges.ReadVarint());
      for (; unit <= last; ++unit) units_.set(unit);
    }
  }

  bool Has(char32_t code_point) const {
    return code_point < units_.size() && units_[code_point];
  }

 private:
  std::bitset<0x10000> units_;
};

struct NameUnits {
  NameUnits() {
    start.AddRanges(kStart);
    part.AddRanges(kStart);
    part.AddRanges(kPart);
  }

  UnitSet start;
  UnitSet part;
};

const NameUnits& GetNameUnits() {
  static const NameUnits kUnits;
  return kUnits;
}

// Nearly all names consist of these characters, which need no search.
constexpr bool IsAsciiPart(char c) {
  return IsAsciiAlphanumeric(c) || c == '_';
}

// The byte offset of the first character that is not allowed at its position,
// or the size.
std::size_t FindForbiddenInName(std::string_view utf8) {
  const NameUnits& units = GetNameUnits();
  std::string_view rest = utf8;
  if (rest.empty() || !units.start.Has(ReadCodePoint(rest))) return 0;
  while (!rest.empty()) {
    const std::size_t at = utf8.size() - rest.size();
    if (IsAsciiPart(rest.front())) {
      rest.remove_prefix(1);
    } else if (!units.part.Has(ReadCodePoint(rest))) {
      return at;
    }
  }
  return utf8.size();
}

}  // namespace

bool IsSystemName(std::string_view name) {
  return name == "PartitionKey" || name == "RowKey" || name == "Timestamp";
}

bool CheckPropertyName(std::string_view utf8, Report::Path path,
                       Report& report) {
  const std::size_t length = Utf16Length(utf8);
  if (length > kMaxPropertyNameLength &&
      !report.AddMeasure(Rule::kPropertyNameLength,
                         ErrorCode::kPropertyNameTooLong, path,
                         kMaxPropertyNameLength, length)) {
    return false;
  }
  if (utf8.empty()) {
    return report.AddMeasure(Rule::kPropertyNameLength,
                             ErrorCode::kPropertyNameInvalid, path, 1, 0);
  }
  const std::size_t at = FindForbiddenInName(utf8);
  return at == utf8.size() ||
         report.AddCharacter(Rule::kPropertyNameCharacter,
                             ErrorCode::kPropertyNameInvalid, path, utf8, at);
}

Result<void> CheckPropertyName(std::string_view utf8) {
  Report report;
  if (!CheckPropertyName(utf8, {}, report)) {
    return report.FirstError();
  }
  return {};
}

}  // namespace entitable
