#include <map>
#include <utility>

#include "base/date_time.h"
#include "entitable/http.h"
#include "protocol/answer.h"
#include "protocol/batch_answer.h"
#include "protocol/batch_call.h"
#include "protocol/call.h"
#include "protocol/headers.h"
#include "protocol/path.h"
#include "protocol/settings_answer.h"

namespace entitable {

class HttpDoor::Impl {
 public:
  Impl(Engine& engine, std::string base_url)
      : engine_(engine), base_url_(std::move(base_url)) {}

  RequestId Submit(const HttpRequest& request) {
    Exchange exchange;
    Call call;
    BatchCall batch;
    auto read = call.Read(request, PathOfUrl(base_url_), exchange);
    const bool is_batch = call.is_batch();
    if (read && is_batch) {
      read = batch.Read(request, PathOfUrl(base_url_), exchange);
    }
    auto base_url = PublicUrl(request);
    if (read && !base_url) read = base_url.error();
    const RequestId id =
        read ? Carry(call, is_batch ? &batch : nullptr, *base_url, exchange)
             : engine_.Refuse(std::move(read).error());
    exchanges_.insert_or_assign(id, std::move(exchange));
    return id;
  }

  RequestId Refuse(Error reason) {
    const RequestId id = engine_.Refuse(std::move(reason));
    exchanges_.insert_or_assign(id, Exchange{});
    return id;
  }

  bool Cancel(RequestId request) {
    const bool is_withdrawn = engine_.Cancel(request);
    if (is_withdrawn) exchanges_.erase(request);
    return is_withdrawn;
  }

  std::optional<HttpResponse> Translate(const Answer& answer, DateTime now) {
    auto exchange = exchanges_.extract(answer.request);
    if (exchange.empty()) return std::nullopt;
    return Translate(exchange.mapped(), answer.outcome, now);
  }

 private:
  RequestId Carry(const Call& call, const BatchCall* batch,
                  std::string_view base_url, const Exchange& exchange) {
    Operation operation =
        batch == nullptr ? call.operation() : batch->operation(exchange);
    operation.base_url = base_url;
    return engine_.Submit(operation);
  }

  // The account's address with the host that the client has called, which is
  // another behind a proxy; empty if it is our own.
  Result<std::string> PublicUrl(const HttpRequest& request) const {
    const std::string_view own = HostOfUrl(base_url_);
    std::string_view root = RootOfUrl(request.target);
    std::string host(HostOfUrl(request.target));
    if (root.empty()) {
      host = HeaderList(request.headers).TextOf("Host");
      root = RootOfUrl(base_url_);
    }
    if (host.empty()) return std::string();
    if (!IsHost(host)) return Fail(ErrorCode::kInvalidHeaderValue);
    std::string url(root.substr(0, root.find("://") + 3));
    url.append(host).append(PathOfUrl(base_url_));
    return host == own && base_url_.starts_with(url) ? std::string() : url;
  }

  static HttpResponse Translate(Exchange& exchange,
                                const Result<Response>& outcome, DateTime now) {
    if (exchange.refusal) return MakeRefusal(exchange, now);
    if (exchange.batch != BatchKind::kNone) {
      return MakeBatchAnswer(exchange, outcome, now);
    }
    if (outcome && exchange.document != Document::kNone) {
      return MakeSettingsAnswer(exchange, *outcome, now);
    }
    return outcome ? MakeAnswer(exchange, *outcome, &now)
                   : MakeAnswer(exchange, outcome.error(), now);
  }

  Engine& engine_;
  std::string base_url_;
  std::map<RequestId, Exchange> exchanges_;  // Of requests without an answer.
};

HttpDoor::HttpDoor(Engine& engine, std::string base_url)
    : impl_(std::make_unique<Impl>(engine, std::move(base_url))) {}
HttpDoor::~HttpDoor() = default;
HttpDoor::HttpDoor(HttpDoor&&) noexcept = default;
HttpDoor& HttpDoor::operator=(HttpDoor&&) noexcept = default;

RequestId HttpDoor::Submit(const HttpRequest& request) {
  return impl_->Submit(request);
}

RequestId HttpDoor::SubmitFrame(BytesView frame, std::size_t capacity) {
  auto request = DecodeHttpRequest(frame, capacity);
  return request ? impl_->Submit(*request)
                 : impl_->Refuse(std::move(request).error());
}

bool HttpDoor::Cancel(RequestId request) { return impl_->Cancel(request); }

std::optional<HttpResponse> HttpDoor::Translate(const Answer& answer,
                                                double unix_milliseconds) {
  return impl_->Translate(answer,
                          DateTime::FromUnixMilliseconds(unix_milliseconds));
}

}  // namespace entitable
