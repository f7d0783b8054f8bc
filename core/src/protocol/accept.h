// accept.h - which form of answer a client takes.
//
// Source: operations of the spec, 2.3.1.

#ifndef ENTITABLE_PROTOCOL_ACCEPT_H_
#define ENTITABLE_PROTOCOL_ACCEPT_H_

#include <string_view>

#include "entitable/engine.h"
#include "entitable/result.h"

namespace entitable {

// Reads the header Accept, or what $format says in its place: of the media
// ranges that we can serve, the one with the highest q counts, of equals the
// first.  Nothing said at all is minimal metadata.  Fails with
// AtomFormatNotSupported where XML would have served, else with
// MediaTypeNotSupported.
Result<MetadataLevel> NegotiateLevel(std::string_view accept);

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_ACCEPT_H_
