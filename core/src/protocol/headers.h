// headers.h - reads and checks the headers of a request.
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
#include "entitable/operation.h"
#include "entitable/result.h"

namespace entitable {

// The version that the specification assumes if a request names none.
inline constexpr std::string_view kBaselineVersion = "2019-02-02";

// Whether the text is a version of the protocol that supports JSON.
bool IsVersion(std::string_view text);

// Whether a header may have this value: it has no control characters except
// tabs.
bool IsHeaderValue(std::string_view text);

// Without blanks and line ends at both ends.
//
// Header values and lines of a batch come with blanks that have no meaning.
std::string_view Trimmed(std::string_view text);

class HeaderList {
 public:
  // The headers must outlive the list.
  explicit HeaderList(const std::vector<HttpRequest::Header>& headers)
      : headers_(headers) {}

  // The value without blanks around it.  If the header was sent more than once,
  // all values separated by commas, which is equivalent in HTTP.
  std::optional<std::string> Find(std::string_view name) const;

  // Like Find(), but empty if the header is missing.
  std::string TextOf(std::string_view name) const {
    return Find(name).value_or("");
  }

 private:
  const std::vector<HttpRequest::Header>& headers_;
};

// Fails with InvalidHeaderValue for control characters, for an unknown version
// of the protocol or of OData, and for a client request id over 1 KiB.
Result<void> CheckHeaders(const std::vector<HttpRequest::Header>& headers);

// The method that the client means: X-HTTP-Method if it was sent.  Fails with
// XMethodNotUsingPost, XMethodIncorrectCount or XMethodIncorrectValue.
//
// Source: operations of the spec, 2.3.2.
Result<std::string> EffectiveMethod(std::string_view method,
                                    const HeaderList& headers);

// Checks that the body is JSON.  Fails with AtomFormatNotSupported or
// MediaTypeNotSupported.
Result<void> CheckContentType(const HeaderList& headers);

// The preference of the header Prefer for the answer to an insert.
enum class Preference : std::uint8_t { kNone, kContent, kNoContent };

Preference ReadPreference(const HeaderList& headers);

// ---------------------------------------------------------------------- accept

// Content negotiation: the format of the answer.
//
// Source: operations of the spec, 2.3.1.

// Reads the header Accept, or the value of $format that replaces it.  Of the
// media ranges that the front end supports, the one with the highest q wins;
// among equals, the first.  Empty text means minimal metadata.  Fails with
// AtomFormatNotSupported if only XML would do, otherwise with
// MediaTypeNotSupported.
Result<MetadataLevel> NegotiateLevel(std::string_view accept);

// Whether the header names JSON itself: a wildcard would take anything.
bool AsksForJson(std::string_view accept);

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_HEADERS_H_
