#include <gtest/gtest.h>

#include "base/text_encodings.h"

namespace entitable {
namespace {

using std::string_literals::operator""s;

TEST(HexTest, WritesTwoDigitsForEachByte) {
  EXPECT_EQ(HexOf(""), "");
  EXPECT_EQ(HexOf("\x00\x0f\xa9\xff"s), "000fa9ff");
}

TEST(HexTest, ReadsWhatItWrites) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_EQ(BytesOfHex(HexOf(all)), all);
}

}  // namespace
}  // namespace entitable
