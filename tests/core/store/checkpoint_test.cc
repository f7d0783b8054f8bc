#include "store/checkpoint.h"

#include <gtest/gtest.h>

#include <random>

#include "store/envelope.h"
#include "support/random.h"

namespace entitable {
namespace {

constexpr EnvelopeKind kKind{"ETLB", 2};

Checkpoint Example() {
  Checkpoint checkpoint{.number = 0x0102030405060708,
                        .crc = 0xA1B2C3D4,
                        .last_timestamp = kMaxDateTime};
  for (std::size_t i = 0; i < checkpoint.store_id.size(); ++i) {
    checkpoint.store_id[i] = static_cast<std::uint8_t>('a' + i);
  }
  checkpoint.first_record = 300;
  checkpoint.sessions.push_back({checkpoint.store_id, 5});
  return checkpoint;
}

TEST(CheckpointTest, ComesBackFromItsBytes) {
  for (const Checkpoint& checkpoint : {Checkpoint{}, Example()}) {
    const auto again = DecodeCheckpoint(EncodeCheckpoint(checkpoint));
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(*again, checkpoint);
  }
}

// The grammar in checkpoint.h, written out by hand.
TEST(CheckpointTest, HasTheBytesOfItsGrammar) {
  const Bytes value = EncodeCheckpoint(Example());

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

TEST(CheckpointTest, RefusesEveryCutAndEveryFlippedBit) {
  const Bytes value = EncodeCheckpoint(Example());
  for (std::size_t size = 0; size < value.size(); ++size) {
    EXPECT_FALSE(DecodeCheckpoint(value.substr(0, size)).has_value()) << size;
  }
  for (std::size_t i = 0; i < value.size() * 8; ++i) {
    Bytes flipped = value;
    flipped[i / 8] = static_cast<char>(flipped[i / 8] ^ (1 << (i % 8)));
    const auto checkpoint = DecodeCheckpoint(flipped);
    ASSERT_FALSE(checkpoint.has_value()) << "bit " << i;
    // A version that has become greater looks like a newer one.
    const bool is_newer = static_cast<unsigned char>(flipped[4]) >
                          static_cast<unsigned char>(value[4]);
    EXPECT_EQ(checkpoint.error().code, is_newer
                                           ? ErrorCode::kStorageVersionNewer
                                           : ErrorCode::kStorageDamaged);
  }
}

TEST(CheckpointTest, RefusesALastTimestampThatNoneCanFollow) {
  Checkpoint checkpoint = Example();
  for (const std::int64_t ticks : {kMaxDateTime.ticks + 1, std::int64_t{-1}}) {
    checkpoint.last_timestamp = {ticks};
    EXPECT_FALSE(DecodeCheckpoint(EncodeCheckpoint(checkpoint)).has_value())
        << ticks;
  }
}

TEST(CheckpointTest, RefusesABodyOfAnotherLength) {
  const Bytes value = EncodeCheckpoint(Example());
  const Bytes body(Unseal(kKind, value)->body);
  for (std::size_t size = 0; size < body.size(); ++size) {
    EXPECT_FALSE(
        DecodeCheckpoint(Seal(kKind, body.substr(0, size))).has_value());
  }
  // One number may follow.
  EXPECT_FALSE(DecodeCheckpoint(Seal(kKind, body + "xx")).has_value());
  EXPECT_FALSE(DecodeCheckpoint(Seal(kKind, body + '\0')).has_value());
  EXPECT_FALSE(DecodeCheckpoint(Seal(kKind, body + '\xFF')).has_value());
}

TEST(CheckpointTest, KeepsWhichIndexesAreSound) {
  Checkpoint checkpoint = Example();
  checkpoint.first_sound_index = 300;
  EXPECT_EQ(DecodeCheckpoint(EncodeCheckpoint(checkpoint)), checkpoint);
}

TEST(CheckpointTest, RemembersTheLastCommitOfEachOpener) {
  Checkpoint checkpoint;
  const auto session = [](std::uint8_t n) { return Random128{n}; };
  checkpoint.Remember({session(1), 4});
  checkpoint.Remember({session(2), 9});
  checkpoint.Remember({session(1), 6});

  EXPECT_EQ(checkpoint.Has({session(1), 6}), true);
  EXPECT_EQ(checkpoint.Has({session(1), 7}), false);
  EXPECT_EQ(checkpoint.Has({session(3), 1}), false);
}

TEST(CheckpointTest, SaysThatItMayHaveForgottenAnOpener) {
  Checkpoint checkpoint;
  for (std::size_t n = 0; n <= Checkpoint::kMaxSessions; ++n) {
    checkpoint.Remember({Random128{static_cast<std::uint8_t>(n)}, 1});
  }

  EXPECT_EQ(checkpoint.sessions.size(), Checkpoint::kMaxSessions);
  EXPECT_EQ(checkpoint.Has({Random128{0}, 1}), std::nullopt);
  EXPECT_EQ(checkpoint.Has({Random128{1}, 1}), true);
}

TEST(CheckpointTest, SurvivesAnyBytes) {
  std::mt19937_64 random(TestSeed());
  SCOPED_TRACE(TestSeed());
  for (int i = 0; i < 5'000; ++i) {
    Bytes bytes(random() % 64, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    EXPECT_FALSE(DecodeCheckpoint(bytes).has_value());
    const auto checkpoint = DecodeCheckpoint(Seal(kKind, bytes));
    if (checkpoint) {
      EXPECT_EQ(EncodeCheckpoint(*checkpoint), Seal(kKind, bytes));
    }
  }
}

}  // namespace
}  // namespace entitable
