#include "support/conformance/expectations.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "base/utf.h"
#include "support/conformance/checker.h"
#include "support/http_client.h"

namespace entitable {
namespace {

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

// The RowKeys must be those of one of the lists.
void CheckRowsOneOf(const Json& lists, const std::vector<Json>& elements,
                    Checker& checker) {
  std::vector<std::string> found;
  for (const Json& element : elements)
    found.push_back(element.TextOf("RowKey"));
  for (const Json& list : lists.items) {
    std::vector<std::string> rows;
    for (const Json& row : list.items) rows.push_back(row.text);
    if (rows == found) return;
  }
  checker.Note("rowsOneOf", Print(lists), Joined(found));
}

void CheckFeed(const Observed& observed, const Json& expect, Checker& checker) {
  const std::vector<Json> elements = AllElements(observed);
  const auto member = [](const char* name) {
    return [name](const Json& element) { return element.TextOf(name); };
  };
  CheckTexts("rows", expect, elements, member("RowKey"), checker);
  if (const Json* lists = expect.Find("rowsOneOf")) {
    CheckRowsOneOf(*lists, elements, checker);
  }
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

// ------------------------------------------------------------------- batches

std::string StatusesIn(const Json& list) {
  std::string text;
  for (const Json& status : list.items) {
    text += std::to_string(static_cast<int>(status.number)) + " ";
  }
  return text;
}

std::string PartStatuses(std::string_view body) {
  constexpr std::string_view kLine = "\r\nHTTP/1.1 ";
  std::string text;
  for (std::size_t at = body.find(kLine); at != std::string_view::npos;
       at = body.find(kLine, at + 1)) {
    text.append(body.substr(at + kLine.size(), 3)).append(" ");
  }
  return text;
}

}  // namespace

std::optional<HttpResponse> FailedPart(const HttpResponse& answer) {
  if (answer.status >= 400) return answer;
  constexpr std::string_view kBodyStart = "\r\n\r\n";
  for (const char* line : {"\r\nHTTP/1.1 4", "\r\nHTTP/1.1 5"}) {
    const std::size_t at = answer.body.find(line);
    if (at == std::string::npos) continue;
    HttpResponse part = answer;
    part.body = Between(answer.body.substr(at + 2), kBodyStart, "\r\n--");
    return part;
  }
  return std::nullopt;
}

std::vector<std::string> Mismatches(const Observed& observed,
                                    const Json& expect,
                                    const Variables& variables) {
  Checker checker(variables);
  const HttpResponse& answer = observed.answer();
  if (const Json* status = expect.Find("status")) {
    checker.CheckStatus(*status, answer.status);
  }
  const auto failed = FailedPart(answer);
  if (failed) CheckError(*failed, expect, checker);
  if (const Json* parts = expect.Find("parts")) {
    checker.Compare("parts", StatusesIn(*parts), PartStatuses(answer.body));
  }
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
    std::string found;
    for (const Response& part : outcome->parts) {
      found += std::to_string(part.status) + " ";
    }
    checker.Compare("parts", StatusesIn(*parts), found);
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
