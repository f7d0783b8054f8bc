// request_body.h - a push as the text of a batch.
//
// Source: payloads of the spec, sections 4.6 and 4.8.1.

#ifndef ENTITABLE_SYNC_REQUEST_BODY_H_
#define ENTITABLE_SYNC_REQUEST_BODY_H_

#include <string>
#include <string_view>

#include "sync/push.h"

namespace entitable::sync {

struct BatchTarget {
  std::string_view base_url;  // "scheme://host/path", without a slash behind.
  std::string_view table;
};

struct BatchBody {
  std::string content_type;  // The header of the request to `$batch`.
  std::string text = {};
};

// The operations as one entity group transaction.  The same request always has
// the same text.
BatchBody MakeBatch(const BatchTarget& target, const PushRequest& request);

}  // namespace entitable::sync

#endif  // ENTITABLE_SYNC_REQUEST_BODY_H_
