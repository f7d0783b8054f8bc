#include <algorithm>
#include <list>
#include <utility>

#include "base/date_time.h"
#include "entitable/http.h"
#include "protocol/answer.h"
#include "protocol/call.h"
#include "protocol/path.h"

namespace entitable {

class HttpDoor::Impl {
 public:
  Impl(Engine& engine, std::string base_url)
      : engine_(engine), base_url_(std::move(base_url)) {}

  RequestId Submit(const HttpRequest& request) {
    Exchange exchange;
    Call call;
    auto read = call.Read(request, PathOfUrl(base_url_), exchange);
    const RequestId id = read ? engine_.Submit(call.operation())
                              : engine_.Refuse(std::move(read).error());
    exchanges_.push_back({id, std::move(exchange)});
    return id;
  }

  RequestId Refuse(Error reason) {
    const RequestId id = engine_.Refuse(std::move(reason));
    exchanges_.push_back({id, {}});
    return id;
  }

  bool Cancel(RequestId request) {
    const bool is_withdrawn = engine_.Cancel(request);
    const auto exchange = Find(request);
    if (is_withdrawn && exchange != exchanges_.end()) {
      exchanges_.erase(exchange);
    }
    return is_withdrawn;
  }

  std::optional<HttpResponse> Translate(const Answer& answer, DateTime now) {
    const auto exchange = Find(answer.request);
    if (exchange == exchanges_.end()) return std::nullopt;
    auto response = MakeAnswer(exchange->exchange, answer.outcome, now);
    exchanges_.erase(exchange);
    return response;
  }

 private:
  struct Pending {
    RequestId id;
    Exchange exchange;
  };
  using List = std::list<Pending>;

  // Most are answered in the order in which they came.
  List::iterator Find(RequestId id) {
    return std::find_if(exchanges_.begin(), exchanges_.end(),
                        [id](const Pending& one) { return one.id == id; });
  }

  Engine& engine_;
  std::string base_url_;
  List exchanges_;
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
