#include "model/settings.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/date_time.h"
#include "base/json_splitter.h"
#include "base/json_writer.h"
#include "base/number.h"
#include "base/utf.h"

namespace entitable {
namespace {

constexpr std::size_t kMaxPolicies = 5;
constexpr std::size_t kMaxIdLength = 64;  // UTF-16 units
constexpr std::int32_t kMaxDays = 365;
constexpr std::size_t kMaxCorsRules = 5;
constexpr std::size_t kMaxCorsBytes = 2048;  // Of all texts of all rules.
constexpr std::size_t kMaxCorsNames = 64;    // Of one list.
constexpr std::size_t kMaxCorsPrefixes = 2;
constexpr std::size_t kMaxCorsNameLength = 256;

// --------------------------------------------------------------------- texts

// Each says whether a text is right, and may bring it into its stored form.
using Check = bool (*)(std::string& text);

bool IsId(std::string& text) {
  return !text.empty() && Utf16Length(text) <= kMaxIdLength;
}

bool TakeTime(std::string& text) {
  const auto time = DateTime::Parse(text);
  if (time) text = time->ToLongString();
  return time.has_value();
}

bool IsPermission(std::string& text) {
  constexpr std::string_view kLetters = "raud";
  return text.size() <= kLetters.size() &&
         text.find_first_not_of(kLetters) == std::string::npos;
}

// "1.0", the only one that there is of what would write logs.
bool IsVersion(std::string& text) { return text == "1.0"; }

bool IsBoolean(std::string& text) { return text == "true" || text == "false"; }

bool IsDays(std::string& text) {
  const auto days = ParseInt32(text);
  return days && *days >= 1 && *days <= kMaxDays;
}

bool IsAge(std::string& text) {
  const auto seconds = ParseInt32(text);
  return seconds && *seconds >= 0;
}

// Whether a list has something, and each of its parts fits.
template <typename Fits>
bool IsListOf(std::string_view list, Fits fits) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    if (!fits(list.substr(0, end))) return false;
    list.remove_prefix(end);
    if (list == ",") return false;
    if (!list.empty()) list.remove_prefix(1);
  }
  return true;
}

// Whether it can stand in a header, where it may come to.
bool IsPrintable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

bool IsOrigins(std::string& text) {
  std::size_t count = 0;
  return !text.empty() && IsListOf(text, [&](std::string_view origin) {
    return !origin.empty() && origin.size() <= kMaxCorsNameLength &&
           IsPrintable(origin) && ++count <= kMaxCorsNames;
  });
}

bool IsMethods(std::string& text) {
  return !text.empty() && IsListOf(text, [](std::string_view method) {
    constexpr std::string_view kMethods =
        ",DELETE,GET,HEAD,MERGE,OPTIONS,PATCH,POST,PUT,";
    const std::string quoted = "," + std::string(method) + ",";
    return method.find(',') == std::string_view::npos && !method.empty() &&
           kMethods.find(quoted) != std::string_view::npos;
  });
}

bool IsHeaders(std::string& text) {
  std::size_t names = 0;
  std::size_t prefixes = 0;
  return IsListOf(text, [&](std::string_view name) {
    const std::size_t star = name.find('*');
    const bool is_prefix = star != std::string_view::npos;
    ++(is_prefix ? prefixes : names);
    return !name.empty() && name.size() <= kMaxCorsNameLength &&
           IsPrintable(name) && (!is_prefix || star + 1 == name.size()) &&
           names <= kMaxCorsNames && prefixes <= kMaxCorsPrefixes;
  });
}

// ------------------------------------------------------------------- records

enum class Need : std::uint8_t {
  kAlways,
  kMayLack,      // Also when it is empty.
  kIfEnabled,    // Where Enabled is true, and nowhere else.
  kIfRetention,  // The same with RetentionPolicy.Enabled.
};

struct Member {
  std::string_view name;
  Check check;
  Need need = Need::kAlways;
};

constexpr std::string_view kRetention = "RetentionPolicy.Enabled";

constexpr Member kPolicyMembers[] = {
    {"Id", IsId},
    {"AccessPolicy.Start", TakeTime, Need::kMayLack},
    {"AccessPolicy.Expiry", TakeTime, Need::kMayLack},
    {"AccessPolicy.Permission", IsPermission, Need::kMayLack},
};

constexpr Member kLoggingMembers[] = {
    {"Version", IsVersion},
    {"Read", IsBoolean},
    {"Write", IsBoolean},
    {"Delete", IsBoolean},
    {kRetention, IsBoolean},
    {"RetentionPolicy.Days", IsDays, Need::kIfRetention},
};

constexpr Member kMetricsMembers[] = {
    {"Version", IsVersion},
    {"Enabled", IsBoolean},
    {"IncludeAPIs", IsBoolean, Need::kIfEnabled},
    {kRetention, IsBoolean},
    {"RetentionPolicy.Days", IsDays, Need::kIfRetention},
};

constexpr Member kCorsRuleMembers[] = {
    {"AllowedMethods", IsMethods}, {"AllowedOrigins", IsOrigins},
    {"AllowedHeaders", IsHeaders}, {"ExposedHeaders", IsHeaders},
    {"MaxAgeInSeconds", IsAge},
};

struct Form {
  std::string_view kind;
  std::span<const Member> members;
  std::string_view by_default = {};  // Behind the kind.
};

constexpr Form kPolicyForm = {"SignedIdentifier", kPolicyMembers};
constexpr Form kCorsRuleForm = {"CorsRule", kCorsRuleMembers};
constexpr std::string_view kMetricsOff =
    R"(,"Version":"1.0","Enabled":"false","RetentionPolicy.Enabled":"false")";

// In the order in which the service answers.
constexpr Form kPropertyForms[] = {
    {"Logging", kLoggingMembers,
     R"(,"Version":"1.0","Read":"false","Write":"false","Delete":"false","RetentionPolicy.Enabled":"false")"},
    {"HourMetrics", kMetricsMembers, kMetricsOff},
    {"MinuteMetrics", kMetricsMembers, kMetricsOff},
    {"Cors", {}},
};

using Members = std::vector<JsonMember>;

// Nothing where there is none, or no text.
std::optional<std::string> TextOf(const Members& members,
                                  std::string_view name) {
  const auto found = std::ranges::find(members, name, &JsonMember::name);
  if (found == members.end() || found->kind != JsonMember::Kind::kString) {
    return std::nullopt;
  }
  return std::string(found->text);
}

bool IsNeeded(const Member& member, const Members& members) {
  switch (member.need) {
    case Need::kAlways:
      return true;
    case Need::kIfEnabled:
      return TextOf(members, "Enabled") == "true";
    case Need::kIfRetention:
      return TextOf(members, kRetention) == "true";
    case Need::kMayLack: {
      const auto text = TextOf(members, member.name);
      return text && !text->empty();
    }
  }
  return false;
}

void AppendText(std::string_view name, std::string_view text,
                std::string& line) {
  line.append(",\"").append(name).append("\":");
  AppendJsonString(text, line);
}

// The line of a record without its end; false when it breaks a rule.
bool AppendRecord(const Form& form, const Members& members, std::string& line) {
  line += kSettingStart;
  AppendJsonString(form.kind, line);
  // What is left in the end comes twice, or has no meaning.
  std::size_t known = 1;
  for (const Member& member : form.members) {
    auto text = TextOf(members, member.name);
    if (text) ++known;
    if (!IsNeeded(member, members)) continue;
    if (!text || !member.check(*text)) return false;
    AppendText(member.name, *text, line);
  }
  line += "}\n";
  return known == members.size();
}

Failure Invalid() { return Fail(ErrorCode::kInvalidXmlDocument); }

// Has every record of the lines taken by a function, which says whether it
// knows what it is; false when it does not, or they are no lines of objects.
template <typename Take>
bool ReadRecords(JsonReader& json, JsonText lines, Take take) {
  if (!IsValidUtf8(lines.text)) return false;
  JsonSplitter splitter;
  splitter.Feed(lines);
  for (;;) {
    const JsonSplitter::Found found = splitter.Next();
    if (found == JsonSplitter::Found::kNothing) return splitter.may_end();
    if (found == JsonSplitter::Found::kFault) return false;
    const auto members = json.ReadFlatObject(splitter.object());
    if (!members) return false;
    const auto kind = TextOf(*members, "kind");
    if (!kind || !take(*kind, *members)) return false;
  }
}

}  // namespace

Result<std::string> ReadPolicies(JsonReader& json, JsonText lines) {
  std::string policies;
  std::vector<std::string> ids;
  const bool is_right = ReadRecords(
      json, lines, [&](std::string_view kind, const Members& members) {
        ids.push_back(TextOf(members, "Id").value_or(""));
        const bool is_new = std::ranges::count(ids, ids.back()) == 1;
        return kind == kPolicyForm.kind && is_new &&
               ids.size() <= kMaxPolicies &&
               AppendRecord(kPolicyForm, members, policies);
      });
  if (!is_right) return Invalid();
  return policies;
}

Result<PropertyList> ReadServiceProperties(JsonReader& json, JsonText lines) {
  std::array<std::string, std::size(kPropertyForms)> found;
  std::string& cors = found.back();
  std::size_t rules = 0;
  std::size_t rule_bytes = 0;
  const auto take = [&](std::string_view kind, const Members& members) {
    if (kind == kCorsRuleForm.kind) {
      for (const JsonMember& member : members) {
        if (member.name != "kind") rule_bytes += member.text.size();
      }
      return !cors.empty() && ++rules <= kMaxCorsRules &&
             rule_bytes <= kMaxCorsBytes &&
             AppendRecord(kCorsRuleForm, members, cors);
    }
    const auto* form = std::ranges::find(kPropertyForms, kind, &Form::kind);
    if (form == std::end(kPropertyForms)) return false;
    std::string& place = found[static_cast<std::size_t>(form - kPropertyForms)];
    return place.empty() && AppendRecord(*form, members, place);
  };
  if (!ReadRecords(json, lines, take)) return Invalid();
  PropertyList properties;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].empty()) continue;
    properties.Append(kPropertyForms[i].kind, Value::String(found[i]));
  }
  return properties;
}

std::string ServicePropertiesOf(const PropertyList& set, bool has_defaults) {
  std::string lines;
  for (const Form& form : kPropertyForms) {
    if (const auto value = set.Find(form.kind)) {
      if (value->type() == EdmType::kString) lines += value->string();
    } else if (has_defaults) {
      lines += kSettingStart;
      AppendJsonString(form.kind, lines);
      lines.append(form.by_default).append("}\n");
    }
  }
  return lines;
}

}  // namespace entitable
