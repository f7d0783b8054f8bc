// array_writer.h - numbers into the arrays of a page.

#ifndef ENTITABLE_STORE_ARRAY_WRITER_H_
#define ENTITABLE_STORE_ARRAY_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "store/leaf_format.h"

namespace entitable {

// Each number less the base, in the width of the array; `page` begins with the
// envelope.
void PutAll(std::span<const std::uint64_t> numbers, std::uint64_t base,
            const StoredArray& array, char* page);
void PutAll(std::span<const std::uint16_t> numbers, const StoredArray& array,
            char* page);

// Element i.
void PutOne(std::uint64_t number, const StoredArray& array, std::size_t i,
            char* page);

}  // namespace entitable

#endif  // ENTITABLE_STORE_ARRAY_WRITER_H_
