#include "base/crc32c.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace entitable {
namespace {

// The Castagnoli polynomial, bits reversed.
constexpr std::uint32_t kPolynomial = 0x82F63B78;

// tables[k][b] is the checksum of byte b followed by k zero bytes: so eight
// bytes take eight independent look-ups ("slicing by eight").
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

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

static_assert(std::endian::native == std::endian::little,
              "The first byte of a word is the lowest");

}  // namespace

std::uint32_t Crc32c(std::string_view bytes) {
  // Made at the first use: 8 KiB that the module need not carry.
  static const Tables kTables = MakeTables();

  std::uint32_t crc = 0xFFFFFFFF;
  for (std::uint64_t word; bytes.size() >= sizeof word;
       bytes.remove_prefix(sizeof word)) {
    std::memcpy(&word, bytes.data(), sizeof word);
    word ^= crc;
    crc = kTables[7][word & 0xFF] ^ kTables[6][word >> 8 & 0xFF] ^
          kTables[5][word >> 16 & 0xFF] ^ kTables[4][word >> 24 & 0xFF] ^
          kTables[3][word >> 32 & 0xFF] ^ kTables[2][word >> 40 & 0xFF] ^
          kTables[1][word >> 48 & 0xFF] ^ kTables[0][word >> 56];
  }
  for (const char c : bytes) {
    crc = crc >> 8 ^ kTables[0][(crc ^ static_cast<unsigned char>(c)) & 0xFF];
  }
  return ~crc;
}

}  // namespace entitable
