#include "support/conformance/case_runner.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <ostream>
#include <sstream>
#include <string_view>
#include <utility>
#include <variant>

#include "support/conformance/expectations.h"
#include "support/conformance/macros.h"
#include "support/http_client.h"
#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {
namespace {

// Tests run in the folder of the project.
constexpr std::string_view kFolder = "tests/conformance";

constexpr int kFirstFailure = 400;

// ------------------------------------------------------------------- reading

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string NameOf(int number, std::map<int, int>& seen) {
  const std::string digits = std::to_string(number);
  std::string name = "Case" + std::string(3 - digits.size(), '0') + digits;
  const int earlier = seen[number]++;
  return earlier == 0 ? name : name + "Row" + std::to_string(earlier + 1);
}

// Calls `work` for each combination of values; with none given, once.
void ForEach(const Json* loops, std::size_t from, Variables& variables,
             const std::function<void()>& work) {
  if (loops == nullptr || from == loops->items.size()) return work();
  const Json& loop = loops->items[from];
  const int last = static_cast<int>(loop.items[1].number);
  for (int i = static_cast<int>(loop.items[0].number); i <= last; ++i) {
    variables[loop.name] = std::to_string(i);
    ForEach(loops, from + 1, variables, work);
  }
}

// --------------------------------------------------------------- operations

OperationKind KindNamed(std::string_view name) {
  constexpr std::pair<std::string_view, OperationKind> kKinds[] = {
      {"insertEntity", OperationKind::kInsertEntity},
      {"replaceEntity", OperationKind::kReplaceEntity},
      {"mergeEntity", OperationKind::kMergeEntity},
      {"deleteEntity", OperationKind::kDeleteEntity},
      {"getEntity", OperationKind::kGetEntity},
  };
  return std::ranges::find(kKinds, name,
                           [](const auto& pair) { return pair.first; })
      ->second;
}

OwnedOperation PartOf(const Json& part, const Variables& variables) {
  const auto text = [&](const char* name) {
    return Expand(part.TextOf(name), variables);
  };
  OwnedOperation operation{.kind = KindNamed(part.TextOf("kind")),
                           .table = text("table"),
                           .partition_key = text("partitionKey"),
                           .row_key = text("rowKey"),
                           .body = text("body")};
  operation.with.echo = part.Find("echo") != nullptr;
  if (part.Find("ifMatch") != nullptr) {
    operation.with.if_match = text("ifMatch");
  }
  return operation;
}

// ------------------------------------------------------------------ requests

HeaderPairs DefaultHeaders(bool has_body) {
  HeaderPairs headers = {
      {"Accept", "application/json;odata=minimalmetadata"},
      {"x-ms-version", "2019-02-02"},
      {"DataServiceVersion", "3.0"},
  };
  if (has_body) headers.emplace_back("Content-Type", "application/json");
  return headers;
}

// A header of the case takes the place of the default one.
void SetHeader(const Json& header, const Variables& variables,
               HeaderPairs& headers) {
  std::erase_if(headers,
                [&](const auto& pair) { return pair.first == header.name; });
  if (header.kind == Json::Kind::kArray) {
    for (const Json& value : header.items) {
      headers.emplace_back(header.name, Expand(value.text, variables));
    }
  } else if (header.kind == Json::Kind::kString) {
    headers.emplace_back(header.name, Expand(header.text, variables));
  }
}

// A GUID that no other request has.
std::string NextRequestId(int& count) {
  std::string digits = std::to_string(++count);
  return "00000000-0000-4000-8000-" + std::string(12 - digits.size(), '0') +
         digits;
}

// ---------------------------------------------------------------------- case

class CaseRun {
 public:
  CaseRun() {
    variables_["base"] = "https://acct.table.core.windows.net";
    variables_["account"] = "acct";
  }

  void Run(const Json& step) {
    if (step.Find("send") != nullptr) {
      Send(step);
    } else if (step.Find("transaction") != nullptr) {
      ForEach(step.Find("for"), 0, variables_, [&] { Transact(step); });
    } else if (const Json* milliseconds = step.Find("clock")) {
      host_.set_clock(host_.clock() + milliseconds->number);
    } else if (step.Find("restart") != nullptr) {
      host_.Restart();
      client_ = std::make_unique<HttpClient>(host_);
    } else {
      Check(*step.Find("check"));
    }
  }

  CaseOutcome TakeOutcome() { return std::move(outcome_); }

 private:
  OwnedRequest RequestOf(const Json& send) {
    OwnedRequest request;
    request.method = send.TextOf("method");
    request.target = Expand(send.TextOf("target"), variables_);
    request.body = Expand(send.TextOf("body"), variables_);
    request.headers = DefaultHeaders(send.Find("body") != nullptr);
    if (const Json* headers = send.Find("headers")) {
      for (const Json& header : headers->items) {
        SetHeader(header, variables_, request.headers);
      }
    }
    request.request_id = NextRequestId(requests_);
    return request;
  }

  // Those of a loop wait together.
  void Send(const Json& step) {
    const bool may_fail = MayFail(step);
    const std::string before = may_fail ? Contents(host_) : "";
    const std::uint64_t examined = host_.engine().examined_entities();
    std::vector<std::pair<RequestId, OwnedRequest>> sent;
    ForEach(step.Find("for"), 0, variables_, [&] {
      OwnedRequest request = RequestOf(*step.Find("send"));
      const RequestId id = client_->Submit(request);
      sent.emplace_back(id, std::move(request));
    });
    for (auto& [id, request] : sent) {
      Observed observed;
      observed.answers.push_back(client_->Await(id));
      client_->AddCorsHeaders(request, observed.answers.front());
      if (step.Find("follow") != nullptr) Follow(request, observed);
      observed.examined = host_.engine().examined_entities() - examined;
      Capture(step, observed.answer());
      Judge(step, observed);
      if (FailedPart(observed.answer())) CheckUnchanged(before);
    }
  }

  void Follow(OwnedRequest& request, Observed& observed) {
    const std::string target = request.target;
    for (;;) {
      const HttpResponse& last = observed.answers.back();
      std::string next;
      for (const char* name : {"NextPartitionKey", "NextRowKey"}) {
        const auto token =
            HeaderOf(last, std::string("x-ms-continuation-") + name);
        if (!token) continue;
        const Variables token_only = {{"token", *token}};
        next.append("&").append(name).append("=");
        next += Expand("{{token|encode}}", token_only);
      }
      if (next.empty()) return;
      request.target = target + (target.contains('?') ? "" : "?") + next;
      request.request_id = NextRequestId(requests_);
      observed.answers.push_back(client_->Send(request));
    }
  }

  void Transact(const Json& step) {
    const bool may_fail = MayFail(step);
    const std::string before = may_fail ? Contents(host_) : "";
    std::vector<OwnedOperation> parts;
    for (const Json& part : step.Find("transaction")->items) {
      ForEach(part.Find("for"), 0, variables_,
              [&] { parts.push_back(PartOf(part, variables_)); });
    }
    const RequestId id = host_.Submit(Transaction(std::move(parts)));
    if (const Json* meanwhile = step.Find("meanwhile")) Watch(*meanwhile);
    const auto outcome = host_.Await(id);
    if (outcome) Capture(step, *outcome);
    Add(Mismatches(outcome, *step.Find("expect"), variables_),
        outcome_.failures);
    if (!outcome) CheckUnchanged(before);
  }

  // Sends the request before each thing that the engine asks of its host, and
  // when it asks for no more.
  void Watch(const Json& step) {
    std::vector<RequestId> sent;
    for (bool is_idle = false; !is_idle;) {
      sent.push_back(client_->Submit(RequestOf(*step.Find("send"))));
      const Step wish = host_.NextWish();
      if (const auto* read = std::get_if<Read>(&wish)) {
        host_.Fulfil(*read);
      } else if (const auto* commit = std::get_if<Commit>(&wish)) {
        host_.Fulfil(*commit);
      } else {
        is_idle = true;
      }
    }
    for (const RequestId id : sent) {
      Observed observed;
      observed.answers.push_back(client_->Await(id));
      Judge(step, observed);
    }
  }

  // A batch may fail in a part, whatever its status.
  static bool MayFail(const Json& step) {
    const Json* send = step.Find("send");
    if (send != nullptr && send->TextOf("target") == "/$batch") return true;
    const Json* expect = step.Find("expect");
    const Json* status = expect ? expect->Find("status") : nullptr;
    return status != nullptr && (status->kind != Json::Kind::kNumber ||
                                 status->number >= kFirstFailure);
  }

  void CheckUnchanged(const std::string& before) {
    if (before != Contents(host_)) {
      outcome_.failures.push_back("a request that failed changed something");
    }
  }

  void Capture(const Json& step, const Response& transaction) {
    const Json* capture = step.Find("capture");
    if (capture == nullptr) return;
    for (const Json& one : capture->items) {
      const std::size_t colon = std::min(one.text.find(':'), one.text.size());
      const int index = std::stoi(one.text.substr(colon + 1));
      const Response& part = transaction.parts[static_cast<std::size_t>(index)];
      const bool is_etag = one.text.substr(0, colon) == "part";
      variables_[one.name] = is_etag ? part.etag : part.body;
    }
  }

  void Capture(const Json& step, const HttpResponse& answer) {
    const Json* capture = step.Find("capture");
    if (capture == nullptr) return;
    for (const Json& one : capture->items) {
      const std::size_t colon = std::min(one.text.find(':'), one.text.size());
      const std::string from = one.text.substr(0, colon);
      std::string& variable = variables_[one.name];
      if (from == "body") {
        variable = answer.body;
      } else if (from == "header") {
        variable = HeaderOf(answer, one.text.substr(colon + 1)).value_or("");
      } else if (const auto body = ParseJson(answer.body)) {
        variable = body->TextOf(one.text.substr(colon + 1));
      }
    }
  }

  void Judge(const Json& step, const Observed& observed) {
    const Json* expect = step.Find("expect");
    if (expect == nullptr) {
      if (observed.answer().status >= kFirstFailure) {
        outcome_.failures.push_back("a step on the way failed: " +
                                    observed.answer().body);
      }
      return;
    }
    const std::size_t known = outcome_.failures.size();
    Add(Mismatches(observed, *expect, variables_), outcome_.failures);
    if (const Json* soft = expect->Find("soft")) {
      Add(Mismatches(observed, *soft, variables_), outcome_.soft);
    }
    for (std::size_t i = known; i < outcome_.failures.size(); ++i) {
      const Json& send = *step.Find("send");
      outcome_.failures[i] = send.TextOf("method") + " " +
                             send.TextOf("target").substr(0, 200) + ": " +
                             outcome_.failures[i];
    }
  }

  void Check(const Json& check) {
    const Json& pair = check.items.front();
    std::string first = variables_[pair.items[0].text];
    std::string second = variables_[pair.items[1].text];
    if (pair.name == "ascending") {
      // 05Z comes before 05.1Z, though '.' comes before 'Z'.
      std::erase(first, 'Z');
      std::erase(second, 'Z');
    }
    const bool holds = pair.name == "contains"
                           ? !second.empty() && first.contains(second)
                       : pair.name == "ascending" ? first < second
                                                  : first != second;
    if (!holds || first.empty()) {
      outcome_.failures.push_back(pair.name + ": " + first + " " + second);
    }
  }

  static void Add(std::vector<std::string> lines,
                  std::vector<std::string>& all) {
    std::ranges::move(lines, std::back_inserter(all));
  }

  MemoryHost host_;
  std::unique_ptr<HttpClient> client_ = std::make_unique<HttpClient>(host_);
  Variables variables_;
  CaseOutcome outcome_;
  int requests_ = 0;
};

}  // namespace

void PrintTo(const ConformanceCase& one, std::ostream* out) {
  *out << one.title << " => " << one.expected;
}

std::vector<ConformanceCase> LoadConformanceCases(bool is_choice) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    // Signatures are the business of the handler, and its suite's.
    const bool is_wanted = entry.path().extension() == ".json" &&
                           entry.path().stem() != "signatures";
    if (is_wanted) paths.push_back(entry.path());
  }
  std::ranges::sort(paths);

  std::vector<ConformanceCase> cases;
  std::map<int, int> seen;
  for (const auto& path : paths) {
    auto file = ParseJson(ReadFile(path));
    if (!file) continue;
    for (Json& one : file->items) {
      const int number = static_cast<int>(one.Find("case")->number);
      ConformanceCase made{number,
                           one.TextOf("mark"),
                           NameOf(number, seen),
                           one.TextOf("title"),
                           one.TextOf("expected"),
                           *one.Find("steps")};
      if ((made.mark == "C") == is_choice) cases.push_back(std::move(made));
    }
  }
  return cases;
}

CaseOutcome RunConformanceCase(const ConformanceCase& one) {
  CaseRun run;
  for (const Json& step : one.steps.items) run.Run(step);
  return run.TakeOutcome();
}

}  // namespace entitable
