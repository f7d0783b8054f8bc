#include "base/crc32c.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <string>

#include "support/random.h"

namespace entitable {
namespace {

// One bit at a time, from the definition.
std::uint32_t SlowCrc32c(std::string_view bytes) {
  std::uint32_t crc = ~0u;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int i = 0; i < 8; ++i) crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78u : 0u);
  }
  return ~crc;
}

// Source: RFC 3720 appendix B.4; the last is the check value of the catalogues.
TEST(Crc32cTest, GivesThePublishedValues) {
  std::string ascending(32, '\0');
  std::iota(ascending.begin(), ascending.end(), '\0');
  const std::string descending(ascending.rbegin(), ascending.rend());

  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8A9136AAu);
  EXPECT_EQ(Crc32c(std::string(32, '\xFF')), 0x62A8AB43u);
  EXPECT_EQ(Crc32c(ascending), 0x46DD794Eu);
  EXPECT_EQ(Crc32c(descending), 0x113FDB5Cu);
  EXPECT_EQ(Crc32c("123456789"), 0xE3069283u);
  EXPECT_EQ(Crc32c(""), 0u);
}

TEST(Crc32cTest, AgreesWithTheDefinitionAtEveryLengthAndOffset) {
  SCOPED_TRACE(TestSeed());
  std::mt19937_64 random(TestSeed());
  std::string bytes(300, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  for (std::size_t offset = 0; offset < 8; ++offset) {
    for (std::size_t size = 0; size < 280; ++size) {
      const auto part = std::string_view(bytes).substr(offset, size);
      ASSERT_EQ(Crc32c(part), SlowCrc32c(part));
    }
  }
}

}  // namespace
}  // namespace entitable
