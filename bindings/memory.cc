// memory.cc - copies, fills and compares memory.
//
// The library of a build for size works byte by byte.  Here, long blocks go by
// WebAssembly's bulk instructions, and short ones by words.

#include <cstddef>
#include <cstdint>

namespace {

// A bulk instruction costs as much as a loop over this many bytes.
constexpr std::size_t kBlockBytes = 32;

template <typename Word>
Word Load(const void* from) {
  Word word;
  __builtin_memcpy(&word, from, sizeof word);
  return word;
}

template <typename Word>
void Store(Word word, char* to) {
  __builtin_memcpy(to, &word, sizeof word);
}

// Copies the words at both ends of a block, which together are the block.  The
// source and the target may overlap, because every word is read before any is
// written.
template <typename Word>
void CopyEnds(const char* from, std::size_t size, char* to) {
  const std::size_t last = size - sizeof(Word);
  const auto at_begin = Load<Word>(from);
  const auto at_end = Load<Word>(from + last);
  Store(at_begin, to);
  Store(at_end, to + last);
}

// The same for two words at each end.
void CopyLongEnds(const char* from, std::size_t size, char* to) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  const std::size_t last = size - 2 * kWord;
  const auto first = Load<std::uint64_t>(from);
  const auto second = Load<std::uint64_t>(from + kWord);
  const auto third = Load<std::uint64_t>(from + last);
  const auto fourth = Load<std::uint64_t>(from + last + kWord);
  Store(first, to);
  Store(second, to + kWord);
  Store(third, to + last);
  Store(fourth, to + last + kWord);
}

// Compares two words as bytes.  WebAssembly is little-endian, so the first byte
// that differs is the lowest one.
template <typename Word>
int OrderOf(Word left, Word right) {
  if (left == right) return 0;
  const int at = __builtin_ctzll(left ^ right) / 8 * 8;
  return static_cast<int>(left >> at & 0xFF) -
         static_cast<int>(right >> at & 0xFF);
}

// Compares word by word; the last word may contain bytes of the one before.
//
// The words at the end overlap.  That does no harm, because the bytes that are
// compared twice were equal the first time.
template <typename Word>
int CompareWords(const unsigned char* left, const unsigned char* right,
                 std::size_t size) {
  const std::size_t last = size - sizeof(Word);
  for (std::size_t i = 0; i < last; i += sizeof(Word)) {
    const auto l = Load<Word>(left + i);
    const auto r = Load<Word>(right + i);
    if (l != r) return OrderOf(l, r);
  }
  return OrderOf(Load<Word>(left + last), Load<Word>(right + last));
}

}  // namespace

extern "C" {

void* memcpy(void* to, const void* from, std::size_t size) {
  if (size >= kBlockBytes) return __builtin_memmove(to, from, size);
  auto* out = static_cast<char*>(to);
  const auto* in = static_cast<const char*>(from);
  if (size >= 2 * sizeof(std::uint64_t)) {
    CopyLongEnds(in, size, out);
  } else if (size >= sizeof(std::uint64_t)) {
    CopyEnds<std::uint64_t>(in, size, out);
  } else if (size >= sizeof(std::uint32_t)) {
    CopyEnds<std::uint32_t>(in, size, out);
  } else {
    for (std::size_t i = 0; i < size; ++i) out[i] = in[i];
  }
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

int memcmp(const void* a, const void* b, std::size_t size) {
  const auto* left = static_cast<const unsigned char*>(a);
  const auto* right = static_cast<const unsigned char*>(b);
  if (size >= sizeof(std::uint64_t)) {
    return CompareWords<std::uint64_t>(left, right, size);
  }
  if (size >= sizeof(std::uint32_t)) {
    return CompareWords<std::uint32_t>(left, right, size);
  }
  for (std::size_t i = 0; i < size; ++i) {
    if (left[i] != right[i]) return left[i] - right[i];
  }
  return 0;
}

}  // extern "C"
