// crc32c.h - the Castagnoli checksum (RFC 3720 appendix B.4) of stored values.

#ifndef ENTITABLE_BASE_CRC32C_H_
#define ENTITABLE_BASE_CRC32C_H_

#include <cstdint>
#include <string_view>

namespace entitable {

std::uint32_t Crc32c(std::string_view bytes);

}  // namespace entitable

#endif  // ENTITABLE_BASE_CRC32C_H_
