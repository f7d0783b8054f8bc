// accept.h - content negotiation: the format of the answer.
//
// Source: operations of the spec, 2.3.1.

#ifndef ENTITABLE_PROTOCOL_ACCEPT_H_
#define ENTITABLE_PROTOCOL_ACCEPT_H_

#include <string_view>

#include "entitable/operation.h"
#include "entitable/result.h"

namespace entitable {

// Reads the header Accept, or the value of $format that replaces it.  Of the
// media ranges that the front end supports, the one with the highest q wins;
// among equals, the first.  Empty text means minimal metadata.  Fails with
// AtomFormatNotSupported if only XML would do, otherwise with
// MediaTypeNotSupported.
Result<MetadataLevel> NegotiateLevel(std::string_view accept);

// Whether the header names JSON itself: a wildcard would take anything.
bool AsksForJson(std::string_view accept);

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_ACCEPT_H_
