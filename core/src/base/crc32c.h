// crc32c.h - the Castagnoli checksum (RFC 3720 appendix B.4) of stored values.

#ifndef ENTITABLE_BASE_CRC32C_H_
#define ENTITABLE_BASE_CRC32C_H_

#include <array>
#include <cstdint>
#include <string_view>

namespace entitable {

// Tables that update the checksum by eight bytes at a time.

// tables[k][b] is the checksum of byte b followed by k zero bytes.  So eight
// bytes take eight independent lookups ("slicing by eight").
using Crc32cTables = std::array<std::array<std::uint32_t, 256>, 8>;

// Computed on first use, so that the module need not contain these 8 KiB.
const Crc32cTables& GetCrc32cTables();

// ---------------------------------------------------------------------- crc32c

std::uint32_t Crc32c(std::string_view bytes);

}  // namespace entitable

#endif  // ENTITABLE_BASE_CRC32C_H_
