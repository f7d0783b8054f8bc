#include "support/http_client.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "base/ascii.h"
#include "base/coding.h"
#include "support/operations.h"

namespace entitable {
namespace {

void AppendField(std::uint8_t tag, std::string_view bytes, Bytes& frame) {
  AppendU8(tag, frame);
  AppendU32(static_cast<std::uint32_t>(bytes.size()), frame);
  frame += bytes;
}

// Between the tags of an XML error; empty when there are none.
std::string XmlCode(std::string_view body) {
  const std::size_t start = body.find("<m:code>");
  if (start == std::string_view::npos) return {};
  body.remove_prefix(start + 8);
  return std::string(body.substr(0, body.find('<')));
}

}  // namespace

Bytes EncodeHttpRequest(const OwnedRequest& request) {
  Bytes frame;
  AppendField(1, request.method, frame);
  AppendField(2, request.target, frame);
  for (const auto& [name, value] : request.headers) {
    std::string header = name;
    AppendField(3, header.append(": ").append(value), frame);
  }
  AppendField(4, request.request_id, frame);
  if (request.account_in_host) AppendField(10, "", frame);
  if (!request.answered.empty()) AppendField(7, request.answered, frame);
  AppendField(5, request.body, frame);
  return frame;
}

HttpClient::HttpClient(MemoryHost& host, std::string base_url)
    : host_(host), front_end_(host.engine(), std::move(base_url)) {}

HttpResponse HttpClient::Send(const OwnedRequest& request) {
  return Await(Submit(request));
}

RequestId HttpClient::Submit(const OwnedRequest& request) {
  const Bytes frame = EncodeHttpRequest(request);
  return front_end_.SubmitFrame(frame, frame.size());
}

HttpResponse HttpClient::Await(RequestId request) {
  Answer answer{request, host_.Await(request)};
  return front_end_.Translate(std::move(answer), host_.clock())
      .value_or(HttpResponse{0});
}

void HttpClient::AddCorsHeaders(OwnedRequest request, HttpResponse& response) {
  const bool has_origin =
      std::ranges::any_of(request.headers, [](const auto& header) {
        return EqualsIgnoringAsciiCase(header.first, "Origin");
      });
  if (!has_origin || request.method == "OPTIONS") return;
  for (const auto& header : response.headers) {
    request.answered.append(request.answered.empty() ? "" : ",");
    request.answered.append(header.name);
  }
  HttpResponse told = Send(request);
  std::ranges::move(told.headers, std::back_inserter(response.headers));
}

std::optional<std::string> HeaderOf(const HttpResponse& response,
                                    std::string_view name) {
  for (const auto& header : response.headers) {
    if (EqualsIgnoringAsciiCase(header.name, name)) return header.value;
  }
  return std::nullopt;
}

std::string Outcome(const HttpResponse& response) {
  std::string text = std::to_string(response.status);
  if (response.status < 400) return text;
  const auto codes = TextsOf("code", response.body);
  return text.append(" ").append(codes.empty() ? XmlCode(response.body)
                                               : codes.front());
}

}  // namespace entitable
