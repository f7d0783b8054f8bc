#include "support/conformance/expectations.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "base/utf.h"
#include "support/http_client.h"

namespace entitable {
namespace {

// Enough to see what went wrong.
std::string Shortened(std::string_view text) {
  constexpr std::size_t kShown = 400;
  std::string shown(text.substr(0, kShown));
  return text.size() > kShown ? shown + "..." : shown;
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

std::string Joined(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += "'" + text + "' ";
  return Shortened(joined);
}

bool IsAmong(const std::vector<std::string>& texts, std::string_view text) {
  return std::ranges::find(texts, text) != texts.end();
}

bool IsCustom(const Json& member) {
  const std::string_view name = member.name;
  return !name.starts_with("odata.") && !name.starts_with("Timestamp") &&
         name != "PartitionKey" && name != "RowKey";
}

// Collects what does not hold.
class Checker {
 public:
  explicit Checker(const Variables& variables) : variables_(variables) {}

  void Note(std::string_view what, const std::string& expected,
            const std::string& found) {
    mismatches_.push_back(std::string(what) + ": expected " + expected +
                          ", found " + found);
  }
  void Compare(std::string_view what, const std::string& expected,
               const std::string& found) {
    if (expected != found) Note(what, Shortened(expected), Shortened(found));
  }

  // A status, "4xx", or a list of them.
  void CheckStatus(const Json& expected, int status) {
    const auto matches = [&](const Json& one) {
      if (one.kind == Json::Kind::kNumber) return one.number == status;
      return status / 100 == one.text.front() - '0';
    };
    const bool holds = expected.kind == Json::Kind::kArray
                           ? std::ranges::any_of(expected.items, matches)
                           : matches(expected);
    if (!holds) Note("status", Print(expected), std::to_string(status));
  }

  void CheckCode(const Json& expected, const std::string& code) {
    const bool holds = expected.kind == Json::Kind::kArray
                           ? IsAmong(TextsIn(expected), code)
                           : expected.text == code;
    if (!holds) Note("code", Print(expected), code);
  }

  // What is expected of one object: the body, or an element of a feed.
  void CheckObject(const Json& expect, const Json& object);

  const Variables& variables() const { return variables_; }
  std::vector<std::string> Take() && { return std::move(mismatches_); }

 private:
  void CheckMembers(const Json& expected, const Json& object);
  void CheckCustom(const Json& expected, const Json& object);
  void CheckNames(const Json& expect, const Json& object);

  const Variables& variables_;
  std::vector<std::string> mismatches_;
};

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

// --------------------------------------------------------------------- feeds

std::vector<Json> ElementsOf(const HttpResponse& answer) {
  const auto body = ParseJson(answer.body);
  const Json* value = body ? body->Find("value") : nullptr;
  return value == nullptr ? std::vector<Json>() : value->items;
}

std::vector<Json> AllElements(const Observed& observed) {
  std::vector<Json> all;
  for (const HttpResponse& answer : observed.answers) {
    for (Json& element : ElementsOf(answer)) all.push_back(std::move(element));
  }
  return all;
}

std::string KeysOf(const Json& element) {
  return element.TextOf("PartitionKey") + "|" + element.TextOf("RowKey");
}

// Strictly, by UTF-16 code units.
bool IsSorted(const std::vector<Json>& elements) {
  for (std::size_t i = 1; i < elements.size(); ++i) {
    const Json& a = elements[i - 1];
    const Json& b = elements[i];
    const auto order =
        CompareUtf16(a.TextOf("PartitionKey"), b.TextOf("PartitionKey"));
    if (order > 0) return false;
    if (order == 0 && CompareUtf16(a.TextOf("RowKey"), b.TextOf("RowKey")) >= 0)
      return false;
  }
  return true;
}

void CheckTexts(std::string_view what, const Json& expect,
                const std::vector<Json>& elements,
                const std::function<std::string(const Json&)>& text_of,
                Checker& checker) {
  const Json* expected = expect.Find(what);
  if (expected == nullptr) return;
  std::vector<std::string> texts;
  for (const Json& item : expected->items) {
    texts.push_back(item.kind == Json::Kind::kArray
                        ? item.items[0].text + "|" + item.items[1].text
                        : item.text);
  }
  std::vector<std::string> found;
  for (const Json& element : elements) found.push_back(text_of(element));
  checker.Compare(what, Joined(texts), Joined(found));
}

void CheckFeed(const Observed& observed, const Json& expect, Checker& checker) {
  const std::vector<Json> elements = AllElements(observed);
  const auto member = [](const char* name) {
    return [name](const Json& element) { return element.TextOf(name); };
  };
  CheckTexts("rows", expect, elements, member("RowKey"), checker);
  CheckTexts("tables", expect, elements, member("TableName"), checker);
  CheckTexts("keys", expect, elements, KeysOf, checker);
  if (const Json* count = expect.Find("count")) {
    checker.Compare("count", std::to_string(static_cast<int>(count->number)),
                    std::to_string(elements.size()));
  }
  if (expect.Find("isSorted") != nullptr && !IsSorted(elements)) {
    checker.Note("isSorted", "ascending keys", "another order");
  }
  if (const Json* pages = expect.Find("pages")) {
    std::string expected;
    for (const Json& page : pages->items) {
      expected += std::to_string(static_cast<int>(page.number)) + " ";
    }
    std::string found;
    for (const HttpResponse& answer : observed.answers) {
      found += std::to_string(ElementsOf(answer).size()) + " ";
    }
    checker.Compare("pages", expected, found);
  }
  if (const Json* expected = expect.Find("elements")) {
    checker.Compare("elements", std::to_string(expected->items.size()),
                    std::to_string(elements.size()));
    for (std::size_t i = 0;
         i < std::min(elements.size(), expected->items.size()); ++i) {
      checker.CheckObject(expected->items[i], elements[i]);
    }
  }
}

// ------------------------------------------------------------ headers, texts

void CheckHeaders(const HttpResponse& answer, const Json& expect,
                  Checker& checker) {
  if (const Json* headers = expect.Find("headers")) {
    for (const Json& header : headers->items) {
      const auto found = HeaderOf(answer, header.name);
      if (header.kind == Json::Kind::kString) {
        checker.Compare(header.name, Expand(header.text, checker.variables()),
                        found.value_or("no header"));
      } else if (found.has_value() != header.is_true()) {
        checker.Note(header.name, header.is_true() ? "it" : "no header",
                     found.value_or("no header"));
      }
    }
  }
  if (const Json* pieces = expect.Find("headersHave")) {
    for (const Json& piece : pieces->items) {
      const std::string found = HeaderOf(answer, piece.name).value_or("");
      if (!found.contains(piece.text)) {
        checker.Note(piece.name, "..." + piece.text + "...", found);
      }
    }
  }
}

std::size_t CountOf(std::string_view piece, std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(piece); at != std::string_view::npos;
       at = text.find(piece, at + 1)) {
    ++count;
  }
  return count;
}

void CheckText(const std::string& body, const Json& expect, Checker& checker) {
  const std::pair<const char*, std::function<bool(std::size_t)>> kRules[] = {
      {"has", [](std::size_t count) { return count > 0; }},
      {"hasNot", [](std::size_t count) { return count == 0; }},
      {"once", [](std::size_t count) { return count == 1; }},
  };
  for (const auto& [name, holds] : kRules) {
    const Json* pieces = expect.Find(name);
    if (pieces == nullptr) continue;
    for (const Json& piece : pieces->items) {
      const std::string text = Expand(piece.text, checker.variables());
      if (!holds(CountOf(text, body))) {
        checker.Note(name, Shortened(text), Shortened(body));
      }
    }
  }
  if (const Json* expected = expect.Find("body")) {
    const std::string pattern = Expand(expected->text, checker.variables());
    if (!MatchesPattern(body, pattern)) {
      checker.Note("body", Shortened(pattern), Shortened(body));
    }
  }
}

// -------------------------------------------------------------------- errors

std::string Between(std::string_view text, std::string_view start,
                    std::string_view end) {
  const std::size_t begin = text.find(start);
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin + start.size());
  return std::string(text.substr(0, text.find(end)));
}

void CheckMessage(const std::string& message, const Json& expect,
                  Checker& checker) {
  const std::string start = expect.TextOf("message");
  if (!message.starts_with(start)) checker.Note("message", start, message);
  const Json* pieces = expect.Find("messageHas");
  if (pieces == nullptr) return;
  for (const Json& piece : pieces->items) {
    if (!message.contains(piece.text)) {
      checker.Note("message", "..." + piece.text + "...", message);
    }
  }
}

void CheckXmlError(const HttpResponse& answer, const Json& expect,
                   Checker& checker) {
  const std::string code = Between(answer.body, "<m:code>", "</m:code>");
  checker.CheckCode(*expect.Find("code"), code);
  checker.Compare("Content-Type", "application/xml",
                  HeaderOf(answer, "Content-Type").value_or(""));
  checker.Compare("x-ms-error-code", code,
                  HeaderOf(answer, "x-ms-error-code").value_or(""));
  CheckMessage(Between(answer.body, "\"en-US\">", "</m:message>"), expect,
               checker);
}

void CheckJsonError(const HttpResponse& answer, const Json& expect,
                    Checker& checker) {
  const auto body = ParseJson(answer.body);
  const Json* error = body ? body->Find("odata.error") : nullptr;
  const Json* message = error ? error->Find("message") : nullptr;
  if (message == nullptr) {
    checker.Note("body", "an error", Shortened(answer.body));
    return;
  }
  if (const Json* code = expect.Find("code")) {
    checker.CheckCode(*code, error->TextOf("code"));
  }
  const std::string text = message->TextOf("value");
  CheckMessage(text, expect, checker);
  const std::string id = HeaderOf(answer, "x-ms-request-id").value_or("");
  if (!text.contains("\nRequestId:" + id + "\nTime:")) {
    checker.Note("message", "request id and time", text);
  }
}

void CheckError(const HttpResponse& answer, const Json& expect,
                Checker& checker) {
  if (expect.TextOf("form") == "xml") {
    CheckXmlError(answer, expect, checker);
  } else {
    CheckJsonError(answer, expect, checker);
  }
}

}  // namespace

std::vector<std::string> Mismatches(const Observed& observed,
                                    const Json& expect,
                                    const Variables& variables) {
  Checker checker(variables);
  const HttpResponse& answer = observed.answer();
  if (const Json* status = expect.Find("status")) {
    checker.CheckStatus(*status, answer.status);
  }
  if (answer.status >= 400) CheckError(answer, expect, checker);
  CheckHeaders(answer, expect, checker);
  CheckText(answer.body, expect, checker);
  if (const auto body = ParseJson(answer.body)) {
    checker.CheckObject(expect, *body);
  }
  CheckFeed(observed, expect, checker);
  if (const Json* examined = expect.Find("examined")) {
    if (static_cast<double>(observed.examined) > examined->number) {
      checker.Note("examined", Print(*examined),
                   std::to_string(observed.examined));
    }
  }
  return std::move(checker).Take();
}

std::vector<std::string> Mismatches(const Result<Response>& outcome,
                                    const Json& expect,
                                    const Variables& variables) {
  Checker checker(variables);
  const int status =
      outcome ? outcome->status : HttpStatus(outcome.error().code);
  checker.CheckStatus(*expect.Find("status"), status);
  if (!outcome) {
    const Error& error = outcome.error();
    if (const Json* code = expect.Find("code")) {
      checker.CheckCode(*code, std::string(ErrorName(error.code)));
    }
    CheckMessage(error.message, expect, checker);
    if (const Json* operation = expect.Find("operation")) {
      checker.Compare("operation",
                      std::to_string(static_cast<int>(operation->number)),
                      std::to_string(error.operation.value_or(9999)));
    }
    return std::move(checker).Take();
  }
  if (const Json* parts = expect.Find("parts")) {
    std::string expected;
    for (const Json& part : parts->items) {
      expected += std::to_string(static_cast<int>(part.number)) + " ";
    }
    std::string found;
    for (const Response& part : outcome->parts) {
      found += std::to_string(part.status) + " ";
    }
    checker.Compare("parts", expected, found);
  }
  if (const Json* etags = expect.Find("etags")) {
    for (std::size_t i = 0;
         i < std::min(etags->items.size(), outcome->parts.size()); ++i) {
      if (etags->items[i].is_true() == outcome->parts[i].etag.empty()) {
        checker.Note("etags", Print(*etags), outcome->parts[i].etag);
      }
    }
  }
  return std::move(checker).Take();
}

}  // namespace entitable
