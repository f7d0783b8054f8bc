#include "base/crc32c.h"

#include <bit>
#include <cstring>

#include "base/crc32c_tables.h"

namespace entitable {

static_assert(std::endian::native == std::endian::little,
              "The first byte of a word is the lowest");

std::uint32_t Crc32c(std::string_view bytes) {
  const Crc32cTables& tables = GetCrc32cTables();
  std::uint32_t crc = 0xFFFFFFFF;
  for (std::uint64_t word; bytes.size() >= sizeof word;
       bytes.remove_prefix(sizeof word)) {
    std::memcpy(&word, bytes.data(), sizeof word);
    word ^= crc;
    crc = tables[7][word & 0xFF] ^ tables[6][word >> 8 & 0xFF] ^
          tables[5][word >> 16 & 0xFF] ^ tables[4][word >> 24 & 0xFF] ^
          tables[3][word >> 32 & 0xFF] ^ tables[2][word >> 40 & 0xFF] ^
          tables[1][word >> 48 & 0xFF] ^ tables[0][word >> 56];
  }
  for (const char c : bytes) {
    crc = crc >> 8 ^ tables[0][(crc ^ static_cast<unsigned char>(c)) & 0xFF];
  }
  return ~crc;
}

}  // namespace entitable
