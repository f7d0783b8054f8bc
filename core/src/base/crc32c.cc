// A CRC is the rest of a division of polynomials.  Without the inversions at
// its beginning and its end, it is linear: the CRC of two texts of one length
// combined by `xor` is the `xor` of their CRCs.  So eight bytes can be looked
// up one by one, each in the table for a byte that is followed by as many zero
// bytes, and the results are combined.  The lookups do not depend on each
// other, unlike those of a loop over bytes.

#include "base/crc32c.h"

#include <bit>
#include <cstddef>
#include <cstring>

namespace entitable {
namespace {

// The Castagnoli polynomial, bits reversed.
constexpr std::uint32_t kPolynomial = 0x82F63B78;

Crc32cTables MakeTables() {
  Crc32cTables tables;
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

}  // namespace

const Crc32cTables& GetCrc32cTables() {
  static const Crc32cTables kTables = MakeTables();
  return kTables;
}

// ---------------------------------------------------------------------- crc32c

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
