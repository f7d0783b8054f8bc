#include "model/settings.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/date_time.h"
#include "base/json_reader.h"
#include "base/json_writer.h"
#include "base/number.h"
#include "base/text_encodings.h"
#include "base/utf.h"
#include "model/entity_members.h"
#include "model/schema.h"

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

// Each returns whether the text is valid, and may change it to its stored form.
using Check = bool (*)(std::string& text);

bool IsId(std::string& text) {
  return !text.empty() && Utf16Length(text) <= kMaxIdLength;
}

bool NormalizeTime(std::string& text) {
  const auto time = DateTime::Parse(text);
  if (time) text = time->ToLongString();
  return time.has_value();
}

bool IsPermission(std::string& text) {
  constexpr std::string_view kLetters = "raud";
  return text.size() <= kLetters.size() &&
         text.find_first_not_of(kLetters) == std::string::npos;
}

// "1.0" is the only version of the service's logging and metrics settings.
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

// Whether the text can be part of a header value.
bool IsPrintable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

// `names` has a comma before and behind each name, and no name is a part of
// another.  If `names` is empty, every name is allowed.
bool IsAmong(std::string_view names, std::string_view name) {
  const std::size_t at = names.find(name);
  return names.empty() ||
         (at != std::string_view::npos && names[at - 1] == ',' &&
          names[at + name.size()] == ',');
}

// Whether all elements of the list are valid: names that may end in a star;
// with `known`, only those names.
bool IsList(std::string_view list, std::string_view known = {}) {
  std::size_t names = 0;
  std::size_t prefixes = 0;
  for (bool is_last = list.empty(); !is_last;) {
    const std::size_t end = list.find(',');
    is_last = end == std::string_view::npos;
    const std::string_view name = list.substr(0, end);
    if (!is_last) list.remove_prefix(end + 1);
    const std::size_t star = name.find('*');
    const bool is_prefix = star != std::string_view::npos;
    ++(is_prefix ? prefixes : names);
    if (name.empty() || name.size() > kMaxCorsNameLength ||
        !IsPrintable(name) || (is_prefix && star + 1 < name.size()) ||
        !IsAmong(known, name)) {
      return false;
    }
  }
  return names <= kMaxCorsNames && prefixes <= kMaxCorsPrefixes;
}

bool IsHeaders(std::string& text) { return IsList(text); }

bool IsOrigins(std::string& text) { return !text.empty() && IsList(text); }

bool IsMethods(std::string& text) {
  return !text.empty() &&
         IsList(text, ",DELETE,GET,HEAD,MERGE,OPTIONS,PATCH,POST,PUT,");
}

struct Member {
  std::string_view name;
  Check check;

  // The member that must be true if this one is present, and must not be true
  // otherwise.  If it names this member itself, this one is optional and may be
  // empty.
  std::string_view condition = {};
};

constexpr std::string_view kSchemaBytes = "Bytes";
constexpr std::string_view kPolicyStart = "AccessPolicy.Start";
constexpr std::string_view kPolicyExpiry = "AccessPolicy.Expiry";
constexpr std::string_view kPermission = "AccessPolicy.Permission";
constexpr std::string_view kEnabled = "Enabled";
constexpr std::string_view kRetention = "RetentionPolicy.Enabled";

constexpr Member kPolicyMembers[] = {
    {"Id", IsId},
    {kPolicyStart, NormalizeTime, kPolicyStart},
    {kPolicyExpiry, NormalizeTime, kPolicyExpiry},
    {kPermission, IsPermission, kPermission},
};

constexpr Member kLoggingMembers[] = {
    {"Version", IsVersion},  {"Read", IsBoolean},
    {"Write", IsBoolean},    {"Delete", IsBoolean},
    {kRetention, IsBoolean}, {"RetentionPolicy.Days", IsDays, kRetention},
};

constexpr Member kMetricsMembers[] = {
    {"Version", IsVersion},
    {kEnabled, IsBoolean},
    {"IncludeAPIs", IsBoolean, kEnabled},
    {kRetention, IsBoolean},
    {"RetentionPolicy.Days", IsDays, kRetention},
};

constexpr Member kCorsRuleMembers[] = {
    {"AllowedMethods", IsMethods}, {"AllowedOrigins", IsOrigins},
    {"AllowedHeaders", IsHeaders}, {"ExposedHeaders", IsHeaders},
    {"MaxAgeInSeconds", IsAge},
};

struct Form {
  std::string_view kind;
  std::span<const Member> members;
  std::size_t max_count;
  // The default members of the record, behind its kind.
  std::string_view by_default = {};
};

constexpr std::string_view kMetricsOff =
    R"(,"Version":"1.0","Enabled":"false","RetentionPolicy.Enabled":"false")";

// Policies, then properties in the order in which the service returns them.
// Rules belong to the record before them.
constexpr Form kForms[] = {
    {kPolicies, kPolicyMembers, kMaxPolicies},
    {"Logging", kLoggingMembers, 1,
     R"(,"Version":"1.0","Read":"false","Write":"false","Delete":"false","RetentionPolicy.Enabled":"false")"},
    {"HourMetrics", kMetricsMembers, 1, kMetricsOff},
    {"MinuteMetrics", kMetricsMembers, 1, kMetricsOff},
    {"Cors", {}, 1},
    {"CorsRule", kCorsRuleMembers, kMaxCorsRules},
};
constexpr std::size_t kFirstProperty = 1;
constexpr std::size_t kCors = 4;
constexpr std::size_t kCorsRule = 5;

// Nothing if there is no such member or it is not a text.
std::optional<std::string_view> TextOf(const Members& members,
                                       std::string_view name) {
  for (const JsonMember& member : members) {
    if (member.name != name) continue;
    if (member.kind != JsonMember::Kind::kString) break;
    return member.text;
  }
  return std::nullopt;
}

bool IsNeeded(const Member& member, const Members& members) {
  if (member.condition.empty()) return true;
  const auto text = TextOf(members, member.condition);
  const bool may_be_empty = member.condition == member.name;
  return text && (may_be_empty ? !text->empty() : *text == "true");
}

void AppendText(std::string_view name, std::string_view text,
                std::string& line) {
  line += ',';
  AppendJsonString(name, line);
  line += ':';
  AppendJsonString(text, line);
}

void AppendStart(const Form& form, std::string& line) {
  line += kSettingStart;
  AppendJsonString(form.kind, line);
}

// Appends the line of a record.  Returns false if it breaks a rule.
bool AppendRecord(const Form& form, const Members& members, std::string& line) {
  AppendStart(form, line);
  // A member that was not counted is a duplicate, or is unknown.
  std::size_t known = 1;
  for (const Member& member : form.members) {
    const auto given = TextOf(members, member.name);
    if (given) ++known;
    if (!IsNeeded(member, members)) continue;
    std::string text(given.value_or(""));
    if (!given || !member.check(text)) return false;
    AppendText(member.name, text, line);
  }
  line += "}\n";
  return known == members.size();
}

// Takes records one by one.
class SettingsCollector {
 public:
  explicit SettingsCollector(SettingsOf owner) : owner_(owner) {}

  // Returns false if the record breaks a rule.
  bool Add(const Members& members) {
    const auto kind = TextOf(members, "kind");
    const bool are_policies = owner_ != SettingsOf::kAccount;
    if (owner_ == SettingsOf::kTable && kind == kSchema) {
      is_schema_at_fault_ = !AddSchema(members);
      return !is_schema_at_fault_;
    }
    std::size_t form = 0;
    while (form < std::size(kForms) && kForms[form].kind != kind) ++form;
    if (form == std::size(kForms) || are_policies != (form < kFirstProperty) ||
        ++counts_[form] > kForms[form].max_count) {
      return false;
    }
    const bool is_rule = form == kCorsRule;
    if (is_rule && counts_[kCors] == 0) return false;
    for (const JsonMember& member : members) {
      if (is_rule && member.name != "kind") cors_bytes_ += member.text.size();
    }
    std::string line;
    std::string& lines = lines_[is_rule ? kCors : form];
    if (cors_bytes_ > kMaxCorsBytes ||
        !AppendRecord(kForms[form], members, line) ||
        (are_policies && IsNamed(lines, line))) {
      return false;
    }
    lines += line;
    return true;
  }

  bool is_schema_at_fault() const { return is_schema_at_fault_; }

  PropertyList Finish() const {
    PropertyList settings;
    for (std::size_t form = 0; form < kCorsRule; ++form) {
      if (lines_[form].empty()) continue;
      settings.Append(kForms[form].kind, Value::String(lines_[form]));
    }
    if (!schema_.empty()) settings.Append(kSchema, Value::Binary(schema_));
    return settings;
  }

 private:
  // Whether one of the policies has the same id as this one.  Quotes within
  // texts are escaped, so nothing else can look like the start of its line.
  static bool IsNamed(std::string_view policies, std::string_view line) {
    std::size_t end = line.find(R"(","AccessPolicy.)");
    end = std::min(end, line.size() - std::string_view("\"}\n").size());
    return policies.contains(line.substr(0, end + 1));
  }

  bool AddSchema(const Members& members) {
    const auto text = TextOf(members, kSchemaBytes);
    if (!schema_.empty() || !text || members.size() != 2) return false;
    const auto bytes = DecodeBase64(*text);
    if (!bytes || !Schema::Parse(*bytes)) return false;
    schema_ = *bytes;
    return true;
  }

  SettingsOf owner_;
  std::string schema_;
  bool is_schema_at_fault_ = false;
  std::size_t counts_[std::size(kForms)] = {};
  std::size_t cors_bytes_ = 0;
  std::string lines_[std::size(kForms)];
};

bool ReadRecords(JsonReader& json, JsonText lines,
                 SettingsCollector& collector) {
  if (!IsValidUtf8(lines.text)) return false;
  JsonSplitter splitter;
  splitter.Feed(lines);
  for (;;) {
    const JsonSplitter::Found found = splitter.Next();
    if (found == JsonSplitter::Found::kNothing) return splitter.may_end();
    if (found == JsonSplitter::Found::kFault) return false;
    const auto members = json.ReadFlatObject(splitter.object());
    if (!members || !collector.Add(*members)) return false;
  }
}

}  // namespace

Result<PropertyList> ReadSettings(JsonReader& json, JsonText lines,
                                  SettingsOf owner) {
  SettingsCollector collector(owner);
  if (!ReadRecords(json, lines, collector)) {
    return collector.is_schema_at_fault()
               ? Fail(ErrorCode::kInvalidInput, kNoSchemaText)
               : Fail(ErrorCode::kInvalidXmlDocument);
  }
  return collector.Finish();
}

void AppendSchemaLine(std::string_view schema, std::string& lines) {
  lines += kSettingStart;
  AppendJsonString(kSchema, lines);
  std::string text;
  AppendBase64(schema, text);
  AppendText(kSchemaBytes, text, lines);
  lines += "}\n";
}

std::string ServicePropertiesOf(const PropertyList& set, bool has_defaults) {
  std::string lines;
  for (std::size_t i = kFirstProperty; i <= kCors; ++i) {
    const Form& form = kForms[i];
    if (const auto value = set.Find(form.kind)) {
      if (value->type() == EdmType::kString) lines += value->string();
    } else if (has_defaults) {
      AppendStart(form, lines);
      lines += form.by_default;
      lines += "}\n";
    }
  }
  return lines;
}

}  // namespace entitable
