// headers.h - what the headers of a request say.
//
// Source: operations of the spec, 2.3.

#ifndef ENTITABLE_PROTOCOL_HEADERS_H_
#define ENTITABLE_PROTOCOL_HEADERS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "entitable/http.h"
#include "entitable/result.h"

namespace entitable {

// What the specification takes for granted where a request names no version.
inline constexpr std::string_view kBaselineVersion = "2019-02-02";

// Whether it is a version of the protocol, and not one from before JSON.
bool IsVersion(std::string_view text);

// Whether a header may have this value: it has no control characters except
// tabs.
bool IsHeaderValue(std::string_view text);

// Without the blanks and line ends around it.
std::string_view Trimmed(std::string_view text);

class HeaderList {
 public:
  // The headers must outlive it.
  explicit HeaderList(const std::vector<HttpRequest::Header>& headers)
      : headers_(headers) {}

  // Without the blanks around it.  Of a header sent more than once, all values
  // with commas between, which HTTP says is the same.
  std::optional<std::string> Find(std::string_view name) const;

  // The same; empty text where there is none.
  std::string TextOf(std::string_view name) const {
    return Find(name).value_or("");
  }

 private:
  const std::vector<HttpRequest::Header>& headers_;
};

// Fails with InvalidHeaderValue: a control character anywhere, a version of the
// protocol or of OData that there is not, a client's request id over 1 KiB.
Result<void> CheckHeaders(const std::vector<HttpRequest::Header>& headers);

// The method that the client means: X-HTTP-Method, if it is there.  Fails with
// XMethodNotUsingPost, XMethodIncorrectCount or XMethodIncorrectValue.
Result<std::string> EffectiveMethod(std::string_view method,
                                    const HeaderList& headers);

// Whether the body is JSON.  Fails with AtomFormatNotSupported or
// MediaTypeNotSupported.
Result<void> CheckContentType(const HeaderList& headers);

// What Prefer says of the answer to an insert.
enum class Preference : std::uint8_t { kNone, kContent, kNoContent };

Preference ReadPreference(const HeaderList& headers);

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_HEADERS_H_
