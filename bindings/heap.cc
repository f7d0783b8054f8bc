#include "heap.h"

#include <emscripten/heap.h>

#include <algorithm>

#include "entitable/engine.h"

// See heap_limit.js.
extern "C" double entitable_limit_heap(double bytes);

namespace entitable {
namespace {

// Only allocations for which HasRoom() was asked directly are larger than this:
// an answer grows by doubling.
constexpr std::size_t kBlockBytes = std::size_t{8} << 20;

// What a longer request needs is at least four times its longest text.
constexpr std::size_t kLongestPart = 4;

// Of what a longer request needs, all but the first step is also many shorter
// blocks, for example rows.
constexpr std::size_t kShortBlockBytes = std::size_t{1} << 20;

std::size_t limit = 0;  // 0: not known yet.

struct Block {
  Block* next;
};

// Allocates a block and frees it again.
//
// Memory that was freed may be in pieces, so the blocks are of the sizes that
// the engine will ask for.  A block that does not fit anywhere is tried again
// at half the size, down to the shortest that matters.
bool CanAllocate(std::size_t bytes) {
  std::size_t longest = std::max(kBlockBytes, bytes / kLongestPart);
  Block* blocks = nullptr;
  std::size_t rest = bytes;
  while (rest > 0) {
    const std::size_t size = std::clamp(rest, sizeof(Block), longest);
    auto* block = static_cast<Block*>(emscripten_builtin_malloc(size));
    if (block == nullptr) {
      if (bytes - rest < kStepBytes || longest <= kShortBlockBytes) break;
      longest /= 2;
      continue;
    }
    block->next = blocks;
    blocks = block;
    rest -= std::min(rest, size);
  }
  while (blocks != nullptr) {
    Block* const next = blocks->next;
    emscripten_builtin_free(blocks);
    blocks = next;
  }
  return rest == 0;
}

}  // namespace

std::size_t LimitHeap(double bytes) {
  limit = static_cast<std::size_t>(entitable_limit_heap(bytes));
  return limit;
}

// Room is looked for where it costs least: in memory that the module has but
// has not used yet, then in memory that it can still get, then in what was
// freed.
bool HasRoom(std::size_t bytes) {
  if (limit == 0) limit = emscripten_get_heap_max();
  const std::size_t end = *emscripten_get_sbrk_ptr();
  if (bytes <= limit - end) {
    // If the system refuses to grow the memory, it shows here.  But a small
    // module stays small, because few steps need as much as the limit allows.
    const std::size_t size = emscripten_get_heap_size();
    const std::size_t step = std::min(bytes, kStepBytes);
    const std::size_t ahead = bytes - step + std::min(step, size / 4);
    if (ahead <= size - end) return true;
    if (emscripten_resize_heap(end + ahead) != 0) return true;
  }
  // The memory cannot grow, so freed memory must be enough.
  return CanAllocate(bytes);
}

}  // namespace entitable
