#include "support/heap_meter.h"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

namespace entitable {
namespace {

std::atomic<std::ptrdiff_t> allocated{0};
std::atomic<std::ptrdiff_t> most_allocated{0};
std::atomic<std::size_t> all_calls{0};

std::ptrdiff_t SizeOf(void* block) {
  return static_cast<std::ptrdiff_t>(malloc_usable_size(block));
}

void* Allocate(std::size_t size) {
  void* const block = std::malloc(std::max<std::size_t>(size, 1));
  if (block == nullptr) std::abort();
  ++all_calls;
  const std::ptrdiff_t now = allocated += SizeOf(block);
  if (now > most_allocated) most_allocated = now;
  return block;
}

void Free(void* block) {
  if (block == nullptr) return;
  allocated -= SizeOf(block);
  std::free(block);
}

}  // namespace

void HeapMeter::Restart() {
  begin_ = allocated;
  most_allocated = begin_;
  first_call_ = all_calls;
}

std::ptrdiff_t HeapMeter::bytes() const { return allocated - begin_; }

std::ptrdiff_t HeapMeter::most_bytes() const { return most_allocated - begin_; }

std::size_t HeapMeter::calls() const { return all_calls - first_call_; }

}  // namespace entitable

// In place of those of the library, in the whole program.  All forms for one
// object are here: sanitizers add the missing ones, and those use another heap.

void* operator new(std::size_t size) { return entitable::Allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return entitable::Allocate(size);
}
void operator delete(void* block) noexcept { entitable::Free(block); }
void operator delete(void* block, std::size_t /*size*/) noexcept {
  entitable::Free(block);
}
void operator delete(void* block, const std::nothrow_t& /*tag*/) noexcept {
  entitable::Free(block);
}
