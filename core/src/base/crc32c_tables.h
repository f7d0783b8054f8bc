// crc32c_tables.h - what eight bytes at a time do to the checksum.

#ifndef ENTITABLE_BASE_CRC32C_TABLES_H_
#define ENTITABLE_BASE_CRC32C_TABLES_H_

#include <array>
#include <cstdint>

namespace entitable {

// tables[k][b] is the checksum of byte b followed by k zero bytes: so eight
// bytes take eight independent look-ups ("slicing by eight").
using Crc32cTables = std::array<std::array<std::uint32_t, 256>, 8>;

// Made at the first use: 8 KiB that the module need not carry.
const Crc32cTables& GetCrc32cTables();

}  // namespace entitable

#endif  // ENTITABLE_BASE_CRC32C_TABLES_H_
