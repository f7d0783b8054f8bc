#include "store/manifest.h"

#include <gtest/gtest.h>

#include <random>

#include "store/envelope.h"
#include "support/random.h"

namespace entitable {
namespace {

constexpr EnvelopeKind kKind{"ETRT", 1};

PageEntry Entry(std::string first_key, PageId page) {
  return {std::move(first_key), page, {.rows = 300, .deleted = 2, .bytes = 5}};
}

Manifest Example() {
  Manifest manifest{.version = 0x0102030405060708,
                    .number = 9,
                    .crc = 0xA1B2C3D4,
                    .last_timestamp = DateTime{7},
                    .needs = 8,
                    .next_page = 300,
                    .next_table = 2,
                    .dropped = {5, 6},
                    .pending_drops = 1};
  for (std::size_t i = 0; i < manifest.store_id.size(); ++i) {
    manifest.store_id[i] = static_cast<std::uint8_t>('a' + i);
  }
  manifest.runs = {{.end = "l", .directories = {Entry("k", 1)}},
                   {.role = CompactionRole::kInput,
                    .begin = "b",
                    .end = "z",
                    .directories = {Entry("a", 2), Entry("m", 3)}},
                   {.role = CompactionRole::kOutput}};
  return manifest;
}

TEST(ManifestTest, ComesBackFromItsBytes) {
  for (const Manifest& manifest : {Manifest{}, Example()}) {
    const auto again = DecodeManifest(EncodeManifest(manifest));
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(*again, manifest);
  }
}

// The grammar in manifest.h, written out by hand.
TEST(ManifestTest, HasTheBytesOfItsGrammar) {
  using namespace std::string_literals;
  const Bytes value = EncodeManifest(Example());
  EXPECT_EQ(Unseal(kKind, value)->body,
            "abcdefghijklmnop"
            "\x08\x07\x06\x05\x04\x03\x02\x01"
            "\x09\0\0\0\0\0\0\0"
            "\xD4\xC3\xB2\xA1"
            "\x07\0\0\0\0\0\0\0"
            "\x08\0\0\0\0\0\0\0"
            "\xAC\x02\x02"
            "\x02\x05\x06\x01"
            "\x03"
            "\0\0\x01l\x01\x01k\x01\xAC\x02\x02\x05"
            "\x01\x01"
            "b\x01z\x02\x01"
            "a\x02\xAC\x02\x02\x05\x01m\x03\xAC\x02\x02\x05"
            "\x02\0\0\0"s);
}

TEST(ManifestTest, RefusesEveryCutAndEveryFlippedBit) {
  const Bytes value = EncodeManifest(Example());
  for (std::size_t size = 0; size < value.size(); ++size) {
    EXPECT_FALSE(DecodeManifest(value.substr(0, size)).has_value()) << size;
  }
  for (std::size_t i = 0; i < value.size() * 8; ++i) {
    Bytes flipped = value;
    flipped[i / 8] = static_cast<char>(flipped[i / 8] ^ (1 << (i % 8)));
    const auto manifest = DecodeManifest(flipped);
    ASSERT_FALSE(manifest.has_value()) << "bit " << i;
    // A version that has become greater looks like a newer one.
    const bool is_newer = static_cast<unsigned char>(flipped[4]) >
                          static_cast<unsigned char>(value[4]);
    EXPECT_EQ(manifest.error().code, is_newer ? ErrorCode::kStorageVersionNewer
                                              : ErrorCode::kStorageDamaged);
  }
}

TEST(ManifestTest, RefusesWhatNoCompactionLeavesBehind) {
  const auto with = [](auto change) {
    Manifest manifest = Example();
    change(manifest);
    return DecodeManifest(EncodeManifest(manifest)).has_value();
  };

  EXPECT_TRUE(with([](Manifest&) {}));
  EXPECT_FALSE(with([](Manifest& manifest) { manifest.pending_drops = 3; }));
  EXPECT_FALSE(with([](Manifest& manifest) {
    std::swap(manifest.runs[1], manifest.runs[2]);
  }));
  EXPECT_FALSE(with([](Manifest& manifest) {
    manifest.runs.erase(manifest.runs.begin() + 1);
  }));
  EXPECT_FALSE(with([](Manifest& manifest) {
    manifest.runs[1].directories[1].first_key = "a";
  }));
}

TEST(ManifestTest, SurvivesAnyBytes) {
  std::mt19937_64 random(TestSeed());
  SCOPED_TRACE(TestSeed());
  const Bytes value = EncodeManifest(Example());
  const Bytes sound(Unseal(kKind, value)->body);
  for (int i = 0; i < 20'000; ++i) {
    Bytes body = sound;
    for (std::size_t n = 1 + random() % 4; n > 0; --n) {
      body[random() % body.size()] = static_cast<char>(random());
    }
    const auto manifest = DecodeManifest(Seal(kKind, body));
    if (manifest) {
      EXPECT_EQ(*DecodeManifest(EncodeManifest(*manifest)), *manifest);
    }
  }
}

}  // namespace
}  // namespace entitable
