#include "store/log_base.h"

#include <gtest/gtest.h>

#include <random>

#include "store/envelope.h"
#include "support/random.h"

namespace entitable {
namespace {

constexpr EnvelopeKind kKind{"ETLB", 2};

LogBase Example() {
  LogBase base{.number = 0x0102030405060708,
               .crc = 0xA1B2C3D4,
               .last_timestamp = kMaxDateTime};
  for (std::size_t i = 0; i < base.store_id.size(); ++i) {
    base.store_id[i] = static_cast<std::uint8_t>('a' + i);
  }
  base.first_record = 300;
  base.sessions.push_back({base.store_id, 5});
  return base;
}

TEST(LogBaseTest, ComesBackFromItsBytes) {
  for (const LogBase& base : {LogBase{}, Example()}) {
    const auto again = DecodeLogBase(EncodeLogBase(base));
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(*again, base);
  }
}

// The grammar in log_base.h, written out by hand.
TEST(LogBaseTest, HasTheBytesOfItsGrammar) {
  const Bytes value = EncodeLogBase(Example());

  const auto opened = Unseal(kKind, value);
  ASSERT_TRUE(opened.has_value());
  EXPECT_EQ(opened->body,
            "abcdefghijklmnop"
            "\x08\x07\x06\x05\x04\x03\x02\x01"
            "\xD4\xC3\xB2\xA1"
            "\xFF\x3F\x37\xF4\x75\x28\xCA\x2B"
            "\x2C\x01" +
                std::string(6, '\0') +
                "\x01"
                "abcdefghijklmnop"
                "\x05");
}

TEST(LogBaseTest, RefusesEveryCutAndEveryFlippedBit) {
  const Bytes value = EncodeLogBase(Example());
  for (std::size_t size = 0; size < value.size(); ++size) {
    EXPECT_FALSE(DecodeLogBase(value.substr(0, size)).has_value()) << size;
  }
  for (std::size_t i = 0; i < value.size() * 8; ++i) {
    Bytes flipped = value;
    flipped[i / 8] = static_cast<char>(flipped[i / 8] ^ (1 << (i % 8)));
    const auto base = DecodeLogBase(flipped);
    ASSERT_FALSE(base.has_value()) << "bit " << i;
    // Nobody can tell a version that has become greater from a greater one.
    const bool is_newer = static_cast<unsigned char>(flipped[4]) >
                          static_cast<unsigned char>(value[4]);
    EXPECT_EQ(base.error().code, is_newer ? ErrorCode::kStorageVersionNewer
                                          : ErrorCode::kStorageDamaged);
  }
}

TEST(LogBaseTest, RefusesALastTimestampThatNoneCanFollow) {
  LogBase base = Example();
  for (const std::int64_t ticks : {kMaxDateTime.ticks + 1, std::int64_t{-1}}) {
    base.last_timestamp = {ticks};
    EXPECT_FALSE(DecodeLogBase(EncodeLogBase(base)).has_value()) << ticks;
  }
}

TEST(LogBaseTest, RefusesABodyOfAnotherLength) {
  const Bytes value = EncodeLogBase(Example());
  const Bytes body(Unseal(kKind, value)->body);
  for (std::size_t size = 0; size < body.size(); ++size) {
    EXPECT_FALSE(DecodeLogBase(Seal(kKind, body.substr(0, size))).has_value());
  }
  EXPECT_FALSE(DecodeLogBase(Seal(kKind, body + "x")).has_value());
}

TEST(LogBaseTest, RemembersTheLastCommitOfEachOpener) {
  LogBase base;
  const auto session = [](std::uint8_t n) { return Random128{n}; };
  base.Remember({session(1), 4});
  base.Remember({session(2), 9});
  base.Remember({session(1), 6});

  EXPECT_EQ(base.Has({session(1), 6}), true);
  EXPECT_EQ(base.Has({session(1), 7}), false);
  EXPECT_EQ(base.Has({session(3), 1}), false);
}

TEST(LogBaseTest, SaysThatItMayHaveForgottenAnOpener) {
  LogBase base;
  for (std::size_t n = 0; n <= LogBase::kMaxSessions; ++n) {
    base.Remember({Random128{static_cast<std::uint8_t>(n)}, 1});
  }

  EXPECT_EQ(base.sessions.size(), LogBase::kMaxSessions);
  EXPECT_EQ(base.Has({Random128{0}, 1}), std::nullopt);
  EXPECT_EQ(base.Has({Random128{1}, 1}), true);
}

TEST(LogBaseTest, SurvivesAnyBytes) {
  std::mt19937_64 random(TestSeed());
  SCOPED_TRACE(TestSeed());
  for (int i = 0; i < 5'000; ++i) {
    Bytes bytes(random() % 64, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    EXPECT_FALSE(DecodeLogBase(bytes).has_value());
    const auto base = DecodeLogBase(Seal(kKind, bytes));
    if (base) {
      EXPECT_EQ(EncodeLogBase(*base), Seal(kKind, bytes));
    }
  }
}

}  // namespace
}  // namespace entitable
