// array_writer.h - writes numbers and bits into the arrays of a page.

#ifndef ENTITABLE_STORE_ARRAY_WRITER_H_
#define ENTITABLE_STORE_ARRAY_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/column.h"

namespace entitable {

// Every page builder collects numbers of all kinds in this one type, so that
// the module contains only one instance of the vector's code.
using Words = std::vector<std::uint64_t>;

// Sets bit `i`, which is behind the last bit.  Bits in between become zero.
void SetBit(std::size_t i, bool bit, Words& words);

// The functions below write into arrays of a page whose layout is known.

// Writes each number minus `base`, from element `first` of the array on.
void PutAll(const Words& numbers, const PackedArray& array,
            std::uint64_t base = 0, std::size_t first = 0);

// Writes the bytes from byte `first` of the array on.
void PutBytes(std::string_view bytes, const PackedArray& array,
              std::size_t first = 0);

}  // namespace entitable

#endif  // ENTITABLE_STORE_ARRAY_WRITER_H_
