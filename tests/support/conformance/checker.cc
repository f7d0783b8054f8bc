#include "support/conformance/checker.h"

#include <algorithm>
#include <cstddef>

namespace entitable {
namespace {

Json Expanded(Json json, const Variables& variables) {
  json.text = Expand(json.text, variables);
  for (Json& item : json.items) item = Expanded(std::move(item), variables);
  return json;
}

std::vector<std::string> NamesOf(const Json& object) {
  std::vector<std::string> names;
  for (const Json& member : object.items) names.push_back(member.name);
  return names;
}

std::vector<std::string> TextsIn(const Json& list) {
  std::vector<std::string> texts;
  for (const Json& item : list.items) texts.push_back(item.text);
  return texts;
}

bool IsAmong(const std::vector<std::string>& texts, std::string_view text) {
  return std::ranges::find(texts, text) != texts.end();
}

bool IsCustom(const Json& member) {
  const std::string_view name = member.name;
  return !name.starts_with("odata.") && !name.starts_with("Timestamp") &&
         name != "PartitionKey" && name != "RowKey";
}

}  // namespace

std::string Shortened(std::string_view text) {
  constexpr std::size_t kShown = 400;
  std::string shown(text.substr(0, kShown));
  return text.size() > kShown ? shown + "..." : shown;
}

std::string Joined(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += "'" + text + "' ";
  return Shortened(joined);
}

std::string Print(const Json& json) {
  switch (json.kind) {
    case Json::Kind::kNull:
      return "null";
    case Json::Kind::kBoolean:
      return json.boolean ? "true" : "false";
    case Json::Kind::kNumber:
      return std::to_string(json.number);
    case Json::Kind::kString:
      return Shortened(json.text);
    case Json::Kind::kArray:
    case Json::Kind::kObject:
      break;
  }
  std::string text = "[";
  for (const Json& item : json.items) text += Print(item) + " ";
  return Shortened(text) + "]";
}

void Checker::Note(std::string_view what, const std::string& expected,
                   const std::string& found) {
  mismatches_.push_back(std::string(what) + ": expected " + expected +
                        ", found " + found);
}

void Checker::Compare(std::string_view what, const std::string& expected,
                      const std::string& found) {
  if (expected != found) Note(what, Shortened(expected), Shortened(found));
}

void Checker::CheckStatus(const Json& expected, int status) {
  const auto matches = [&](const Json& one) {
    if (one.kind == Json::Kind::kNumber) return one.number == status;
    return status / 100 == one.text.front() - '0';
  };
  const bool holds = expected.kind == Json::Kind::kArray
                         ? std::ranges::any_of(expected.items, matches)
                         : matches(expected);
  if (!holds) Note("status", Print(expected), std::to_string(status));
}

void Checker::CheckCode(const Json& expected, const std::string& code) {
  const bool holds = expected.kind == Json::Kind::kArray
                         ? IsAmong(TextsIn(expected), code)
                         : expected.text == code;
  if (!holds) Note("code", Print(expected), code);
}

void Checker::CheckMembers(const Json& expected, const Json& object) {
  for (const Json& member : expected.items) {
    const Json* found = object.Find(member.name);
    if (found == nullptr || !found->Equals(Expanded(member, variables_))) {
      Note(member.name, Print(member), found ? Print(*found) : "nothing");
    }
  }
}

void Checker::CheckCustom(const Json& expected, const Json& object) {
  CheckMembers(expected, object);
  for (const Json& member : object.items) {
    if (IsCustom(member) && expected.Find(member.name) == nullptr) {
      Note(member.name, "nothing", Print(member));
    }
  }
}

void Checker::CheckNames(const Json& expect, const Json& object) {
  const std::vector<std::string> names = NamesOf(object);
  if (const Json* present = expect.Find("present")) {
    for (const std::string& name : TextsIn(*present)) {
      if (!IsAmong(names, name)) Note(name, "it", "nothing");
    }
  }
  if (const Json* absent = expect.Find("absent")) {
    for (const std::string& name : TextsIn(*absent)) {
      if (IsAmong(names, name)) Note(name, "nothing", "it");
    }
  }
  if (const Json* only = expect.Find("only")) {
    std::vector<std::string> expected = TextsIn(*only);
    std::vector<std::string> found = names;
    std::ranges::sort(expected);
    std::ranges::sort(found);
    Compare("names", Joined(expected), Joined(found));
  }
  if (const Json* order = expect.Find("order")) {
    std::vector<std::string> first = names;
    first.resize(std::min(first.size(), order->items.size()));
    Compare("order", Joined(TextsIn(*order)), Joined(first));
  }
}

void Checker::CheckObject(const Json& expect, const Json& object) {
  CheckNames(expect, object);
  if (const Json* members = expect.Find("members")) {
    CheckMembers(*members, object);
  }
  if (const Json* custom = expect.Find("custom")) CheckCustom(*custom, object);
  if (const Json* count = expect.Find("customCount")) {
    Compare("count of custom members",
            std::to_string(static_cast<int>(count->number)),
            std::to_string(std::ranges::count_if(object.items, IsCustom)));
  }
  if (const Json* ends = expect.Find("memberEnds")) {
    for (const Json& end : ends->items) {
      const std::string text = object.TextOf(end.name);
      if (!text.ends_with(end.text)) Note(end.name, "..." + end.text, text);
    }
  }
}

}  // namespace entitable
