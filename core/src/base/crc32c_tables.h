// crc32c_tables.h - tables that update the checksum by eight bytes at a time.

#ifndef ENTITABLE_BASE_CRC32C_TABLES_H_
#define ENTITABLE_BASE_CRC32C_TABLES_H_

#include <array>
#include <cstdint>

namespace entitable {

// tables[k][b] is the checksum of byte b followed by k zero bytes.  So eight
// bytes take eight independent lookups ("slicing by eight").
using Crc32cTables = std::array<std::array<std::uint32_t, 256>, 8>;

// Computed on first use, so that the module need not contain these 8 KiB.
const Crc32cTables& GetCrc32cTables();

}  // namespace entitable

#endif  // ENTITABLE_BASE_CRC32C_TABLES_H_
