// frame.h - operations, answers and snapshots as bytes.
//
// For hosts that cannot use C++ objects, such as the WebAssembly binding or a
// socket.  docs/internals/frames.md has the grammar.

#ifndef ENTITABLE_FRAME_H_
#define ENTITABLE_FRAME_H_

#include <cstddef>
#include <vector>

#include "entitable/operation.h"
#include "entitable/result.h"
#include "entitable/storage.h"

namespace entitable {

// Returns a view of the frame, and of `parts` for a transaction.  `capacity`
// bytes are readable from the start of the frame.  Fails with InvalidInput if
// the frame does not follow the grammar.
Result<Operation> DecodeOperation(BytesView frame, std::size_t capacity,
                                  std::vector<TransactionPart>& parts);

// Replaces what `frame` holds, and reuses its memory.
void EncodeResponse(const Response& response, Bytes& frame);

// Fails with InvalidInput if the frame does not follow the grammar.
Result<Snapshot> DecodeSnapshot(BytesView frame);

}  // namespace entitable

#endif  // ENTITABLE_FRAME_H_
