// array_writer.h - numbers and bits into the arrays of a page.

#ifndef ENTITABLE_STORE_ARRAY_WRITER_H_
#define ENTITABLE_STORE_ARRAY_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/column.h"

namespace entitable {

// All that a page's builder gathers, so that the module holds one kind of it.
using Words = std::vector<std::uint64_t>;

// A bit after the last one, or further on: those between are zero.
void SetBit(std::size_t i, bool bit, Words& words);

// Into arrays of a page that is being written, where a layout placed them.

// Each number less the base, from element `first` of the array on.
void PutAll(const Words& numbers, const PackedArray& array,
            std::uint64_t base = 0, std::size_t first = 0);

// From byte `first` on.
void PutBytes(std::string_view bytes, const PackedArray& array,
              std::size_t first = 0);

}  // namespace entitable

#endif  // ENTITABLE_STORE_ARRAY_WRITER_H_
