#include "base/crc32c.h"

#include <array>
#include <cstddef>

namespace entitable {
namespace {

// The Castagnoli polynomial, bits reversed.
constexpr std::uint32_t kPolynomial = 0x82F63B78;

// tables[k][b] is the checksum of byte b followed by k zero bytes: so four
// bytes take four independent look-ups ("slicing by four").
using Tables = std::array<std::array<std::uint32_t, 256>, 4>;

Tables MakeTables() {
  Tables tables;
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t crc = b;
    for (int bit = 0; bit < 8; ++bit) {
      crc = crc >> 1 ^ (crc & 1 ? kPolynomial : 0);
    }
    tables[0][b] = crc;
  }
  for (std::size_t k = 1; k < tables.size(); ++k) {
    for (std::size_t b = 0; b < 256; ++b) {
      const std::uint32_t crc = tables[k - 1][b];
      tables[k][b] = crc >> 8 ^ tables[0][crc & 0xFF];
    }
  }
  return tables;
}

std::uint32_t LoadLittleEndian(const char* bytes) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    value |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  return value;
}

}  // namespace

std::uint32_t Crc32c(std::string_view bytes) {
  // Made at the first use: 4 KiB that the module need not carry.
  static const Tables kTables = MakeTables();

  std::uint32_t crc = 0xFFFFFFFF;
  while (bytes.size() >= 4) {
    crc ^= LoadLittleEndian(bytes.data());
    crc = kTables[3][crc & 0xFF] ^ kTables[2][crc >> 8 & 0xFF] ^
          kTables[1][crc >> 16 & 0xFF] ^ kTables[0][crc >> 24];
    bytes.remove_prefix(4);
  }
  for (const char c : bytes) {
    crc = crc >> 8 ^ kTables[0][(crc ^ static_cast<unsigned char>(c)) & 0xFF];
  }
  return ~crc;
}

}  // namespace entitable
