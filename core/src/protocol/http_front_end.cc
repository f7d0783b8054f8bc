// The way of a request through the front end:
//
//   Submit()     read the request; submit its operation, or refuse it
//                keep the context under the id that the engine has given
//   engine       answers ids in any order, also those that were refused
//   Translate()  take the context of the id, and make the answer
//
// A request that is refused here goes through the engine as well, so that every
// request is answered in the same way, by a step.  An answer without a context
// is one to a request that did not come over HTTP.

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/date_time.h"
#include "entitable/http.h"
#include "protocol/address.h"
#include "protocol/answer.h"
#include "protocol/batch_answer.h"
#include "protocol/batch_request.h"
#include "protocol/headers.h"
#include "protocol/parsed_request.h"
#include "protocol/settings_xml.h"

namespace entitable {

class HttpFrontEnd::Impl {
 public:
  Impl(Engine& engine, std::string base_url)
      : engine_(engine), base_url_(std::move(base_url)) {}

  RequestId Submit(const HttpRequest& request) {
    auto context = std::make_unique<RequestContext>();
    auto submitted = Execute(request, *context);
    const RequestId id =
        submitted ? *submitted : engine_.Refuse(std::move(submitted).error());
    contexts_.insert_or_assign(id, std::move(context));
    return id;
  }

  RequestId Refuse(Error reason) {
    const RequestId id = engine_.Refuse(std::move(reason));
    contexts_.insert_or_assign(id, std::make_unique<RequestContext>());
    return id;
  }

  bool Cancel(RequestId request) {
    const bool is_withdrawn = engine_.Cancel(request);
    if (is_withdrawn) contexts_.erase(request);
    return is_withdrawn;
  }

  std::optional<HttpResponse> Translate(Answer&& answer, DateTime now) {
    auto context = contexts_.extract(answer.request);
    if (context.empty()) return std::nullopt;
    return Translate(*context.mapped(), std::move(answer.outcome), now);
  }

 private:
  // Submits the operation that the request asks for.
  Result<RequestId> Execute(const HttpRequest& request,
                            RequestContext& context) {
    const std::string_view account_path =
        AccountPathOf(request, PathOfUrl(base_url_));
    ENTITABLE_TRY(const auto parsed,
                  ParseRequest(request, account_path, context));
    ParsedBatch requests;
    std::vector<TransactionPart> parts;
    if (parsed->is_batch()) {
      ENTITABLE_TRY(requests, ParseBatch(request, account_path, context));
    }
    ENTITABLE_TRY(const std::string base_url, PublicUrl(request));
    ENTITABLE_TRY(const Operation operation,
                  parsed->is_batch()
                      ? MakeOperation(context.batch, requests, parts)
                      : MakeOperation(parsed->fields()));
    return engine_.Submit(operation, base_url);
  }

  // The account's address with the host that the client called, which may be
  // that of a proxy.  Empty if it is the address in base_url.
  Result<std::string> PublicUrl(const HttpRequest& request) const {
    std::string_view root = RootOfUrl(request.target);
    std::string host(HostOfUrl(request.target));
    if (root.empty()) {
      host = HeaderList(request.headers).TextOf("Host");
      root = RootOfUrl(base_url_);
    }
    if (host.empty()) return std::string();
    if (!IsHost(host)) return Fail(ErrorCode::kInvalidHeaderValue);
    std::string url(root.substr(0, root.find("://") + 3));
    url.append(host).append(AccountPathOf(request, PathOfUrl(base_url_)));
    return url == base_url_ ? std::string() : url;
  }

  static HttpResponse Translate(RequestContext& context,
                                Result<Response>&& outcome, DateTime now) {
    if (context.refusal) return MakeRefusal(context, now);
    if (context.batch != BatchKind::kNone) {
      return MakeBatchAnswer(context, std::move(outcome), now);
    }
    if (outcome && context.document != Document::kNone) {
      return MakeSettingsAnswer(context, *outcome, now);
    }
    return outcome ? MakeAnswer(context, *std::move(outcome), &now)
                   : MakeAnswer(context, outcome.error(), now);
  }

  Engine& engine_;
  std::string base_url_;
  // Of requests without an answer.
  std::map<RequestId, std::unique_ptr<RequestContext>> contexts_;
};

HttpFrontEnd::HttpFrontEnd(Engine& engine, std::string base_url)
    : impl_(std::make_unique<Impl>(engine, std::move(base_url))) {}
HttpFrontEnd::~HttpFrontEnd() = default;
HttpFrontEnd::HttpFrontEnd(HttpFrontEnd&&) noexcept = default;
HttpFrontEnd& HttpFrontEnd::operator=(HttpFrontEnd&&) noexcept = default;

RequestId HttpFrontEnd::Submit(const HttpRequest& request) {
  return impl_->Submit(request);
}

RequestId HttpFrontEnd::SubmitFrame(BytesView frame, std::size_t capacity) {
  auto request = DecodeHttpRequest(frame, capacity);
  return request ? impl_->Submit(*request)
                 : impl_->Refuse(std::move(request).error());
}

bool HttpFrontEnd::Cancel(RequestId request) { return impl_->Cancel(request); }

std::optional<HttpResponse> HttpFrontEnd::Translate(Answer&& answer,
                                                    double unix_milliseconds) {
  return impl_->Translate(std::move(answer),
                          DateTime::FromUnixMilliseconds(unix_milliseconds));
}

}  // namespace entitable
