// remote_answer.h - reads what the remote answers.
//
// Sources: payloads of the spec, sections 4.2, 4.5 and 4.8.2.

#ifndef ENTITABLE_SYNC_REMOTE_ANSWER_H_
#define ENTITABLE_SYNC_REMOTE_ANSWER_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/json_reader.h"
#include "sync/pull.h"
#include "sync/push.h"
#include "sync/refusal.h"

namespace entitable::sync {

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

#endif  // ENTITABLE_SYNC_REMOTE_ANSWER_H_
