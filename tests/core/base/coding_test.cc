#include "base/coding.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "support/random.h"

namespace entitable {
namespace {

using namespace std::string_view_literals;

std::string Varint(std::uint64_t value) {
  std::string out;
  AppendVarint(value, out);
  return out;
}

TEST(CodingTest, WritesFixedIntegersLittleEndian) {
  std::string out;

  AppendU8(0xF1, out);
  AppendU16(0xF1F2, out);
  AppendU32(0xF1F2F3F4, out);
  AppendU64(0xF1F2F3F4F5F6F7F8, out);

  EXPECT_EQ(out,
            "\xF1"
            "\xF2\xF1"
            "\xF4\xF3\xF2\xF1"
            "\xF8\xF7\xF6\xF5\xF4\xF3\xF2\xF1");
}

TEST(CodingTest, WritesVarintsOfSevenBitsLowestFirst) {
  EXPECT_EQ(Varint(0), "\0"sv);
  EXPECT_EQ(Varint(127), "\x7F");
  EXPECT_EQ(Varint(128), "\x80\x01");
  EXPECT_EQ(Varint(300), "\xAC\x02");
  EXPECT_EQ(Varint(std::numeric_limits<std::uint64_t>::max()),
            "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01");
}

TEST(CodingTest, ReadsBackWhatItWrote) {
  std::string out;
  AppendU8(200, out);
  AppendU16(60'000, out);
  AppendU32(4'000'000'000, out);
  AppendU64(1ull << 63, out);
  AppendVarint(1'000'000, out);
  AppendText("text", out);
  AppendText("", out);
  out.append("rest");

  Decoder decoder(out);
  EXPECT_EQ(decoder.ReadU8(), 200);
  EXPECT_EQ(decoder.ReadBytes(2), "\x60\xEA");
  EXPECT_EQ(decoder.ReadU32(), 4'000'000'000);
  EXPECT_EQ(decoder.ReadU64(), 1ull << 63);
  EXPECT_EQ(decoder.ReadVarint(), 1'000'000u);
  EXPECT_EQ(decoder.ReadText(), "text");
  EXPECT_EQ(decoder.ReadText(), "");
  EXPECT_EQ(decoder.rest(), "rest");
  EXPECT_EQ(decoder.ReadBytes(3), "res");
  EXPECT_FALSE(decoder.at_end());
  EXPECT_EQ(decoder.ReadBytes(1), "t");
  EXPECT_TRUE(decoder.at_end());
  EXPECT_FALSE(decoder.failed());
}

TEST(CodingTest, ReadsBackAnyVarint) {
  SCOPED_TRACE(TestSeed());
  std::mt19937_64 random(TestSeed());
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t value = random() >> random() % 64;
    const std::string bytes = Varint(value);
    Decoder decoder(bytes);
    ASSERT_EQ(decoder.ReadVarint(), value);
    ASSERT_TRUE(decoder.at_end());
    ASSERT_FALSE(decoder.failed());
  }
}

TEST(CodingTest, RefusesVarintsOfAnotherForm) {
  const std::string_view kBytes[] = {
      "",
      "\x80",                                      // cut
      "\x80\x00"sv,                                // zero, one byte too long
      "\xFF\x80\x00"sv,                            // 127, likewise
      "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02",  // bit 64
      "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x81\x00"sv,
      "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01",
  };
  for (const std::string_view bytes : kBytes) {
    SCOPED_TRACE(testing::PrintToString(bytes));
    Decoder decoder(bytes);
    EXPECT_EQ(decoder.ReadVarint(), 0u);
    EXPECT_TRUE(decoder.failed());
  }
}

TEST(CodingTest, StaysFailedAfterAReadPastTheEnd) {
  Decoder decoder("\x01\x02\x03");

  EXPECT_EQ(decoder.ReadU32(), 0u);
  EXPECT_TRUE(decoder.failed());
  EXPECT_EQ(decoder.ReadU8(), 0);
  EXPECT_EQ(decoder.ReadVarint(), 0u);
  EXPECT_EQ(decoder.ReadText(), "");
  EXPECT_EQ(decoder.ReadBytes(1), "");
  EXPECT_EQ(decoder.ReadBytes(0), "");
  EXPECT_TRUE(decoder.failed());
}

TEST(CodingTest, RefusesATextLongerThanTheBytes) {
  Decoder short_text(
      "\x04"
      "abc");
  EXPECT_EQ(short_text.ReadText(), "");
  EXPECT_TRUE(short_text.failed());

  // A length that does not fit into 32 bits must not wrap in wasm.
  Decoder huge_text(
      "\x81\x80\x80\x80\x10"
      "a");
  EXPECT_EQ(huge_text.ReadText(), "");
  EXPECT_TRUE(huge_text.failed());
}

TEST(CodingTest, FailsWhenTheCallerSaysSo) {
  Decoder decoder("ab");

  decoder.Fail();

  EXPECT_TRUE(decoder.failed());
  EXPECT_EQ(decoder.ReadU8(), 0);
}

}  // namespace
}  // namespace entitable
