#include "base/guid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "support/random.h"

namespace entitable {
namespace {

TEST(GuidTest, ReadsBothCasesAndWritesLowerCase) {
  const auto guid = Guid::Parse("7B0B7a3e-52D7-4a43-9C1B-51e6f3f0C001");

  ASSERT_TRUE(guid.has_value());
  EXPECT_EQ(guid->ToString(), "7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001");
}

TEST(GuidTest, KeepsTheBytesInTheOrderOfTheText) {
  const auto guid = Guid::Parse("00010203-0405-0607-0809-0a0b0c0d0e0f");

  ASSERT_TRUE(guid.has_value());
  for (std::uint8_t i = 0; i < 16; ++i) EXPECT_EQ(guid->bytes[i], i);
}

TEST(GuidTest, RefusesAnyOtherForm) {
  const std::string_view kTexts[] = {
      "",
      "7b0b7a3e",
      "7b0b7a3e52d74a439c1b51e6f3f0c001",
      "{7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001}",
      "(7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001)",
      "7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c00",
      "7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c0011",
      "7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c00g",
      "7b0b7a3e052d7-4a43-9c1b-51e6f3f0c001",
      "7b0b7a3-e52d7-4a43-9c1b-51e6f3f0c001",
      " 7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c00",
  };
  for (const std::string_view text : kTexts) {
    EXPECT_FALSE(Guid::Parse(text).has_value()) << text;
  }
}

// Source: data model, 1.5.8.
TEST(GuidTest, OrdersAsTheTextsDo) {
  SCOPED_TRACE(TestSeed());
  std::mt19937_64 random(TestSeed());
  for (int i = 0; i < 10'000; ++i) {
    Guid a;
    for (auto& byte : a.bytes) byte = static_cast<std::uint8_t>(random());
    Guid b = a;
    b.bytes[random() % 16] = static_cast<std::uint8_t>(random());

    ASSERT_EQ(a <=> b, a.ToString() <=> b.ToString());
    ASSERT_EQ(Guid::Parse(a.ToString()), a);
  }
}

}  // namespace
}  // namespace entitable
