#include "support/heap_meter.h"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

namespace entitable {
namespace {

std::atomic<std::size_t> bytes{0};
std::atomic<std::size_t> most_bytes{0};

}  // namespace

void* AllocateMetered(std::size_t size) {
  void* const block = std::malloc(std::max<std::size_t>(size, 1));
  if (block == nullptr) std::abort();
  const std::size_t now = bytes += malloc_usable_size(block);
  if (now > most_bytes) most_bytes = now;
  return block;
}

void FreeMetered(void* block) {
  if (block == nullptr) return;
  bytes -= malloc_usable_size(block);
  std::free(block);
}

HeapMeter::HeapMeter() : begin_(entitable::bytes) {
  entitable::most_bytes = begin_;
}

std::size_t HeapMeter::bytes() const {
  const std::size_t now = entitable::bytes;
  return now - std::min(now, begin_);
}

std::size_t HeapMeter::most_bytes() const {
  return entitable::most_bytes - begin_;
}

}  // namespace entitable

// In place of the library's, for the whole program.  All forms for one object
// are here, because sanitizers bring those that are missing, and these use
// another heap.

void* operator new(std::size_t size) {
  return entitable::AllocateMetered(size);
}
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return entitable::AllocateMetered(size);
}
void operator delete(void* block) noexcept { entitable::FreeMetered(block); }
void operator delete(void* block, std::size_t /*size*/) noexcept {
  entitable::FreeMetered(block);
}
void operator delete(void* block, const std::nothrow_t& /*tag*/) noexcept {
  entitable::FreeMetered(block);
}
