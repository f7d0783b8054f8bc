// memory.h - whether there is memory for the next piece of work.

#ifndef ENTITABLE_HOST_MEMORY_H_
#define ENTITABLE_HOST_MEMORY_H_

#include <cstddef>
#include <utility>

#include "entitable/engine.h"
#include "entitable/result.h"
#include "store/store.h"

namespace entitable {

// The memory that a commit group takes until it is stored: its changes, its
// record, what the host is handed, and the answers.  `bytes`: of the texts of
// its writes and of the rows that they change.
constexpr std::size_t GroupMemory(std::size_t bytes) {
  return kStepBytes + 4 * bytes;
}

// For a write that is refused however often it is repeated.
inline Failure TooLarge() {
  return Fail(ErrorCode::kRequestBodyTooLarge,
              "The request needs more memory than there is: --max-memory, "
              "maxMemoryBytes.");
}

// Without exceptions an allocation that fails ends the program, so the engine
// asks its host before any work that may take much.
class HostMemory {
 public:
  HostMemory(const EngineOptions& options, Store& store)
      : has_room_(options.has_room),
        max_group_(options.max_group_memory),
        store_(store) {}

  // Whether there can be enough memory for such a commit group.
  bool CanFit(std::size_t group_bytes) const {
    return GroupMemory(group_bytes) <= max_group_;
  }

  // Whether this many bytes are available.
  bool HasRoom(std::size_t bytes) const {
    return has_room_ == nullptr || has_room_(bytes);
  }

  // The same; if necessary, pages leave the cache.
  bool MakeRoom(std::size_t bytes) const {
    if (HasRoom(bytes)) return true;
    store_.cache().Clear();
    return HasRoom(bytes) || NoteShortage();
  }

  // A request is going to fail.  The engine then makes room for its repetition.
  bool NoteShortage() const {
    is_short_ = true;
    return false;
  }
  bool TakeShortage() const { return std::exchange(is_short_, false); }

 private:
  bool (*has_room_)(std::size_t bytes);
  std::size_t max_group_;
  Store& store_;
  mutable bool is_short_ = false;
};

// ---------------------------------------------------------------------- charge

// Adds an amount to a sum for the lifetime of an object.

class Charge {
 public:
  // The sum must outlive the charge.
  Charge(std::size_t& sum, std::size_t bytes) : sum_(&sum), bytes_(bytes) {
    sum += bytes;
  }
  ~Charge() { *sum_ -= bytes_; }
  Charge(Charge&& other) noexcept
      : sum_(other.sum_), bytes_(std::exchange(other.bytes_, 0)) {}
  Charge& operator=(Charge&& other) noexcept {
    std::swap(sum_, other.sum_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }

 private:
  std::size_t* sum_;
  std::size_t bytes_;
};

}  // namespace entitable

#endif  // ENTITABLE_HOST_MEMORY_H_
