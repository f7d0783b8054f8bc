// memory.cc - copies and fills memory with WebAssembly's bulk instructions.
//
// The library of a build for size works byte by byte, which is only faster for
// a few bytes.

#include <cstddef>

namespace {

// A bulk instruction costs as much as a loop over this many bytes.
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
  // Copying upwards is correct unless the target begins within the source.
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
