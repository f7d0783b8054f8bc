#include "store/array_writer.h"

#include <cstring>

namespace entitable {
namespace {

// A loop for each width, because this is where a page is made.
template <typename Unsigned>
void PutEach(std::span<const std::uint64_t> numbers, std::uint64_t base,
             char* to) {
  for (const std::uint64_t number : numbers) {
    const auto element = static_cast<Unsigned>(number - base);
    std::memcpy(to, &element, sizeof element);
    to += sizeof element;
  }
}

}  // namespace

void PutAll(std::span<const std::uint64_t> numbers, std::uint64_t base,
            const StoredArray& array, char* page) {
  char* const to = page + array.at;
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

void PutAll(std::span<const std::uint16_t> numbers, const StoredArray& array,
            char* page) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    PutOne(numbers[i], array, i, page);
  }
}

void PutOne(std::uint64_t number, const StoredArray& array, std::size_t i,
            char* page) {
  std::memcpy(page + array.at + i * array.width, &number, array.width);
}

}  // namespace entitable
