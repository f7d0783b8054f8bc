// remote_messages.h - requests to the remote, and its answers.

#ifndef ENTITABLE_SYNC_REMOTE_MESSAGES_H_
#define ENTITABLE_SYNC_REMOTE_MESSAGES_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/json_reader.h"
#include "sync/pull.h"
#include "sync/push.h"
#include "sync/sync_rows.h"

namespace entitable::sync {

// ---------------------------------------------------------------- request body

// A push as the text of a batch.
//
// Source: payloads of the spec, sections 4.6 and 4.8.1.

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

// --------------------------------------------------------------- remote answer

// Reads what the remote answers.
//
// Sources: payloads of the spec, sections 4.2, 4.5 and 4.8.2.

// What a refusal says.
struct RemoteError {
  std::string code;
  std::string message;
};

// From the body of a refusal, in JSON.  Empty texts if it is something else.
RemoteError ReadError(std::string_view body);

// From an answer to a batch: one part of a failure, or one part of each
// operation.  An answer that is cut has fewer ETags than there are operations.
struct BatchAnswer {
  int status = 0;  // Of the failure, or of the last part; zero: of none.
  RemoteError error = {};
  std::vector<std::string> etags = {};  // Empty for a deletion.
};

BatchAnswer ReadBatchAnswer(std::string_view text);

// A page of entities in JSON with minimal metadata.
struct EntityPage {
  bool is_whole = false;  // The text is a page up to its end.
  std::vector<PulledRow> rows = {};
  std::vector<RefusedRow> refused = {};  // Rows that cannot be stored here.
};

EntityPage ReadEntityPage(JsonReader& reader, std::string_view text);

}  // namespace entitable::sync

#endif  // ENTITABLE_SYNC_REMOTE_MESSAGES_H_
