#include "store/envelope.h"

#include <gtest/gtest.h>

#include "base/crc32c.h"

namespace entitable {
namespace {

constexpr EnvelopeKind kKind{"TEST", 2};

std::string MessageOf(const Result<OpenedEnvelope>& opened) {
  return opened ? "opened" : opened.error().message;
}

TEST(EnvelopeTest, GivesBackWhatWasSealed) {
  for (const std::string& body :
       {std::string(), std::string("body"), std::string(1000, '\0')}) {
    const Bytes value = Seal(kKind, body);
    const auto opened = Unseal(kKind, value);

    ASSERT_TRUE(opened.has_value());
    EXPECT_EQ(opened->body, body);
    EXPECT_EQ(opened->crc, Crc32c(body));
    EXPECT_EQ(EnvelopeCrc(value), Crc32c(body));
  }
}

// The grammar at the top of envelope.h.  The checksum is the usual check value
// of CRC-32C, E3069283, the lowest byte first.
TEST(EnvelopeTest, HasTheBytesOfItsGrammar) {
  EXPECT_EQ(Seal(kKind, "123456789"),
            "TEST\x02\x83\x92\x06\xE3"
            "123456789");
}

TEST(EnvelopeTest, RefusesAnotherKind) {
  const Bytes value = Seal({"ELSE", 2}, "body");

  EXPECT_EQ(MessageOf(Unseal(kKind, value)),
            "A stored value of kind TEST does not begin with its magic.");
}

TEST(EnvelopeTest, SaysSoWhenANewerVersionWroteIt) {
  const Bytes value = Seal({"TEST", 3}, "body");

  const auto opened = Unseal(kKind, value);

  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().code, ErrorCode::kStorageVersionNewer);
  EXPECT_EQ(opened.error().message,
            "The store was written by a newer version.");
}

TEST(EnvelopeTest, RefusesAVersionThatNeverWas) {
  EXPECT_FALSE(Unseal(kKind, Seal({"TEST", 1}, "body")).has_value());
}

TEST(EnvelopeTest, RefusesEveryCutAndEveryFlippedBit) {
  const Bytes value = Seal(kKind, "body");
  for (std::size_t size = 0; size < value.size(); ++size) {
    EXPECT_FALSE(Unseal(kKind, value.substr(0, size)).has_value()) << size;
  }
  EXPECT_FALSE(Unseal(kKind, value + "x").has_value());
  for (std::size_t i = 0; i < value.size() * 8; ++i) {
    Bytes flipped = value;
    flipped[i / 8] = static_cast<char>(flipped[i / 8] ^ (1 << (i % 8)));
    const auto opened = Unseal(kKind, flipped);
    ASSERT_FALSE(opened.has_value()) << "bit " << i;
    // A version that has become greater looks like a newer one.
    const bool is_newer = static_cast<unsigned char>(flipped[4]) >
                          static_cast<unsigned char>(value[4]);
    EXPECT_EQ(opened.error().code, is_newer ? ErrorCode::kStorageVersionNewer
                                            : ErrorCode::kStorageDamaged);
  }
}

}  // namespace
}  // namespace entitable
