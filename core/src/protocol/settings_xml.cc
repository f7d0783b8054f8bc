#include "protocol/settings_xml.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "base/utf.h"
#include "model/settings.h"
#include "protocol/cors.h"
#include "protocol/xml_reader.h"

namespace entitable {

SettingsReader::SettingsReader(std::string_view lines) {
  splitter_.Feed({lines});
}

bool SettingsReader::Next() {
  if (splitter_.Next() != JsonSplitter::Found::kObject) return false;
  const auto members = json_.ReadFlatObject(splitter_.object());
  if (!members) return false;
  members_ = *members;
  return true;
}

std::string_view SettingsReader::TextOf(std::string_view name) const {
  for (const JsonMember& member : members_) {
    if (member.name == name) return member.text;
  }
  return {};
}

// ---------------------------------------------------------------- settings xml

namespace {

constexpr std::string_view kCors = "Cors";
constexpr std::string_view kCorsRule = "CorsRule";
constexpr std::string_view kAccessPolicy = "AccessPolicy";

// Elements that become records of their own.
constexpr std::string_view kRecords[] = {
    "SignedIdentifier", "Logging", "HourMetrics",
    "MinuteMetrics",    kCors,     kCorsRule,
};

// The root, a list, a record, its member, and a member of that.
constexpr std::size_t kMaxDepth = 5;

// ------------------------------------------------------------------- reading

// Elements are written as they come, with a list of the open ones instead of
// recursion.  Its depth is limited, so a document cannot make it grow.  Blanks
// between elements have no meaning; other text is allowed only in a member.
class LinesWriter {
 public:
  explicit LinesWriter(std::string_view root) : root_(root) {}

  // Each returns false if the element is not allowed here.
  bool Start(std::string_view name) {
    if (names_.empty()) {
      if (name != root_ || is_over_) return false;
    } else if (MayBegin(name)) {
      record_ = names_.size();
      lines_.append(kSettingStart);
      AppendJsonString(name, lines_);
      if (name == kCors) lines_ += "}\n";
    } else if (record_ == 0 || names_[record_] == kCors) {
      return false;
    }
    names_.push_back(name);
    text_.clear();
    is_leaf_ = true;
    return names_.size() <= kMaxDepth;
  }

  bool Text(std::string_view text) {
    text_ += text;
    const bool is_blank =
        text.find_first_not_of(" \t\r\n") == std::string_view::npos;
    const bool may_have_text =
        is_leaf_ && record_ > 0 && names_.size() > record_ + 1;
    return is_blank || may_have_text;
  }

  bool End(std::string_view name) {
    if (names_.empty() || names_.back() != name) return false;
    const std::size_t depth = names_.size() - 1;
    if (depth == 0) {
      is_over_ = true;
    } else if (depth == record_) {
      if (name != kCors) lines_ += "}\n";
      record_ = name == kCorsRule ? record_ - 1 : 0;
    } else if (is_leaf_ && !(name == kAccessPolicy && text_.empty())) {
      AppendMember();
    }
    names_.pop_back();
    text_.clear();
    is_leaf_ = false;
    return true;
  }

  bool is_over() const { return is_over_; }
  std::string Take() { return std::move(lines_); }

 private:
  // Whether a record begins with this element: a child of the root, or a rule
  // in the list of rules.
  bool MayBegin(std::string_view name) const {
    if (std::ranges::find(kRecords, name) == std::end(kRecords)) return false;
    return name == kCorsRule ? record_ > 0 && names_.back() == kCors
                             : names_.size() == 1;
  }

  void AppendMember() {
    std::string path;
    for (std::size_t i = record_ + 1; i < names_.size(); ++i) {
      if (!path.empty()) path += '.';
      path += names_[i];
    }
    lines_ += ',';
    AppendJsonString(path, lines_);
    lines_ += ':';
    AppendJsonString(text_, lines_);
  }

  std::string_view root_;
  std::vector<std::string_view> names_;  // Of the open elements.
  std::size_t record_ = 0;  // The number of the record's element; 0: none.
  std::string text_;
  bool is_leaf_ = false;  // No element was found in the innermost one.
  bool is_over_ = false;
  std::string lines_;
};

bool ReadLines(XmlReader& xml, LinesWriter& lines) {
  for (;;) {
    bool is_right = false;
    switch (xml.Next()) {
      case XmlReader::Found::kStart:
        is_right = lines.Start(xml.name());
        break;
      case XmlReader::Found::kText:
        is_right = lines.Text(xml.text());
        break;
      case XmlReader::Found::kEnd:
        is_right = lines.End(xml.name());
        break;
      case XmlReader::Found::kNothing:
        return lines.is_over();
      case XmlReader::Found::kFault:
        break;
    }
    if (!is_right) return false;
  }
}

// ------------------------------------------------------------------- writing

void AppendTag(std::string_view start, std::string_view name,
               std::string& xml) {
  if (!name.empty()) xml.append(start).append(name).append(">");
}

void AppendText(std::string_view text, std::string& xml) {
  for (const char c : text) {
    if (c == '&') {
      xml += "&amp;";
    } else if (c == '<') {
      xml += "&lt;";
    } else if (c == '>') {
      xml += "&gt;";
    } else {
      xml += c;
    }
  }
}

// A member "A.b" becomes the element b in the element A.  Elements before the
// dot are opened and closed where they change.
void AppendRecord(const SettingsReader& record, std::string& xml) {
  AppendTag("<", record.kind(), xml);
  std::string_view open;
  for (const JsonMember& member : record.members()) {
    if (&member == &record.members().front()) continue;
    const std::size_t dot = member.name.find('.');
    const bool is_deep = dot != std::string_view::npos;
    const std::string_view outer = is_deep ? member.name.substr(0, dot) : "";
    const std::string_view name =
        is_deep ? member.name.substr(dot + 1) : member.name;
    if (outer != open) {
      AppendTag("</", open, xml);
      AppendTag("<", outer, xml);
      open = outer;
    }
    AppendTag("<", name, xml);
    AppendText(member.text, xml);
    AppendTag("</", name, xml);
  }
  AppendTag("</", open, xml);
  AppendTag("</", record.kind(), xml);
}

}  // namespace

Result<std::string> SettingsFromXml(std::string_view xml,
                                    std::string_view root) {
  XmlReader reader(xml);
  LinesWriter lines(root);
  if (!IsValidUtf8(xml) || !ReadLines(reader, lines)) {
    return Fail(ErrorCode::kInvalidXmlDocument);
  }
  return lines.Take();
}

// Without any record, the root is empty, and has a blank before its slash.  The
// service writes it so (payloads, 4.9).
std::string SettingsToXml(std::string_view lines, std::string_view root) {
  std::string xml = BeginXml();
  if (lines.empty()) return xml.append("<").append(root).append(" />");
  AppendTag("<", root, xml);
  // The list of rules is the last element.
  bool has_rule_list = false;
  bool has_rules = false;
  for (SettingsReader record(lines); record.Next();) {
    if (record.kind() == kCors) {
      has_rule_list = true;
      continue;
    }
    if (record.kind() == kCorsRule && !has_rules) {
      has_rules = true;
      AppendTag("<", kCors, xml);
    }
    AppendRecord(record, xml);
  }
  if (has_rules) {
    AppendTag("</", kCors, xml);
  } else if (has_rule_list) {
    xml += "<Cors />";
  }
  AppendTag("</", root, xml);
  return xml;
}

std::string BeginXml() {
  return "\xEF\xBB\xBF<?xml version=\"1.0\" encoding=\"utf-8\"?>";
}

// ------------------------------------------------------------- settings answer

namespace {

// There is only one location, so replication is always up to date.
std::string Statistics(DateTime now) {
  return BeginXml() +
         "<StorageServiceStats><GeoReplication><Status>live</Status>"
         "<LastSyncTime>" +
         HttpDate(now) +
         "</LastSyncTime></GeoReplication></StorageServiceStats>";
}

HttpResponse AnswerPreflight(const RequestContext& context,
                             std::string_view rules, DateTime now) {
  auto headers = AnswerPreflight(context.cors, rules);
  if (!headers) return MakeAnswer(context, headers.error(), now);
  HttpResponse answer = MakeAnswer(context, Response{}, &now);
  for (auto& header : *headers) answer.headers.push_back(std::move(header));
  return answer;
}

}  // namespace

// The engine answers all of these with lines of settings, and the document that
// was asked for decides what is made of them.
HttpResponse MakeSettingsAnswer(const RequestContext& context,
                                const Response& response, DateTime now) {
  const std::string& rules =
      context.cors_rules ? *context.cors_rules : response.body;
  if (context.document == Document::kCorsHeaders) {
    return {.headers = CorsHeaders(context.cors, rules)};
  }
  if (context.document == Document::kPreflight) {
    return AnswerPreflight(context, rules, now);
  }
  Response answer{.status = response.status};
  constexpr int kRead = 200;
  if (response.status == kRead) {
    answer.body = context.document == Document::kStatistics
                      ? Statistics(now)
                      : SettingsToXml(response.body,
                                      context.document == Document::kPolicies
                                          ? kPoliciesElement
                                          : kPropertiesElement);
  }
  return MakeAnswer(context, std::move(answer), &now);
}

}  // namespace entitable
