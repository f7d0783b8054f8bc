// memory.cc - copying and filling memory by the instructions that WebAssembly
// has for it.
//
// The library that a build for size gets goes byte by byte, which is the better
// way for a few of them, and for nothing else.

#include <cstddef>

namespace {

// An instruction for a block costs as much as a loop over so many bytes.
constexpr std::size_t kBlockBytes = 32;

}  // namespace

extern "C" {

void* memcpy(void* to, const void* from, std::size_t size) {
  if (size >= kBlockBytes) return __builtin_memmove(to, from, size);
  auto* out = static_cast<char*>(to);
  const auto* in = static_cast<const char*>(from);
  for (std::size_t i = 0; i < size; ++i) out[i] = in[i];
  return to;
}

void* memmove(void* to, const void* from, std::size_t size) {
  auto* out = static_cast<char*>(to);
  const auto* in = static_cast<const char*>(from);
  // Upwards is right unless the target lies within what is still to be read.
  if (out - in >= static_cast<std::ptrdiff_t>(size) || out <= in) {
    return memcpy(to, from, size);
  }
  return __builtin_memmove(to, from, size);
}

void* memset(void* to, int byte, std::size_t size) {
  if (size >= kBlockBytes) return __builtin_memset(to, byte, size);
  auto* out = static_cast<char*>(to);
  for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<char>(byte);
  return to;
}

}  // extern "C"
