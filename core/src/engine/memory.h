// memory.h - whether there is memory for the next piece of work.

#ifndef ENTITABLE_ENGINE_MEMORY_H_
#define ENTITABLE_ENGINE_MEMORY_H_

#include <cstddef>

#include "entitable/engine.h"
#include "store/store.h"

namespace entitable {

// Without exceptions an allocation that fails ends the program, so the engine
// asks its host before any work that may take much.
class Memory {
 public:
  Memory(const EngineOptions& options, Store& store)
      : has_room_(options.has_room), store_(store) {}

  // Whether this many bytes are available.
  bool HasRoom(std::size_t bytes) const {
    return has_room_ == nullptr || has_room_(bytes);
  }

  // The same; if necessary, pages leave the cache.
  bool MakeRoom(std::size_t bytes) const {
    if (HasRoom(bytes)) return true;
    store_.cache().Clear();
    return HasRoom(bytes);
  }

 private:
  bool (*has_room_)(std::size_t bytes);
  Store& store_;
};

// The memory that a commit group takes until it is stored: its changes, its
// record, what the host is handed, and the answers.  `bytes`: of the texts of
// its writes and of the rows that they change.
constexpr std::size_t GroupMemory(std::size_t bytes) {
  return kStepBytes + 4 * bytes;
}

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_MEMORY_H_
