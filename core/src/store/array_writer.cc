#include "store/array_writer.h"

#include <algorithm>
#include <cstring>

#include "base/bits.h"

namespace entitable {
namespace {

// The view is of a page that is being written, so its bytes may be changed.
char* AddressOf(const PackedArray& array) {
  return const_cast<char*>(array.data);
}

// One loop for each width: this is the hot part of writing a page.
template <typename Unsigned>
void PutEach(const Words& numbers, std::uint64_t base, char* to) {
  for (const std::uint64_t number : numbers) {
    const auto element = static_cast<Unsigned>(number - base);
    std::memcpy(to, &element, sizeof element);
    to += sizeof element;
  }
}

}  // namespace

void SetBit(std::size_t i, bool bit, Words& words) {
  if (words.size() <= i / kWordBits) words.resize(i / kWordBits + 1);
  words.back() |= std::uint64_t{bit} << i % kWordBits;
}

void PutAll(const Words& numbers, const PackedArray& array, std::uint64_t base,
            std::size_t first) {
  char* const to = AddressOf(array) + first * array.width;
  switch (array.width) {
    case 1:
      return PutEach<std::uint8_t>(numbers, base, to);
    case 2:
      return PutEach<std::uint16_t>(numbers, base, to);
    case 4:
      return PutEach<std::uint32_t>(numbers, base, to);
    case 8:
      return PutEach<std::uint64_t>(numbers, base, to);
    default:
      return;
  }
}

void PutBytes(std::string_view bytes, const PackedArray& array,
              std::size_t first) {
  std::copy(bytes.begin(), bytes.end(), AddressOf(array) + first);
}

}  // namespace entitable
