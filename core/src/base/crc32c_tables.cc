#include "base/crc32c_tables.h"

#include <cstddef>

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

}  // namespace entitable
