// frame.h - operations, answers and snapshots as bytes.
//
// For hosts to whom C++ objects are out of reach: the wasm binding, a socket.
// docs/internals/frames.md has the grammar.

#ifndef ENTITABLE_FRAME_H_
#define ENTITABLE_FRAME_H_

#include <cstddef>

#include "entitable/engine.h"
#include "entitable/page.h"
#include "entitable/result.h"

namespace entitable {

// A view of the frame.  `capacity`: how many bytes can be read from its start.
// Fails with InvalidInput when the frame does not follow the grammar.
Result<Operation> DecodeOperation(BytesView frame, std::size_t capacity);

Bytes EncodeResponse(const Response& response);

// Fails with InvalidInput when the frame does not follow the grammar.
Result<Snapshot> DecodeSnapshot(BytesView frame);

}  // namespace entitable

#endif  // ENTITABLE_FRAME_H_
