#include "store/directory_page.h"

#include <gtest/gtest.h>

#include <random>

#include "store/envelope.h"
#include "support/random.h"

namespace entitable {
namespace {

constexpr EnvelopeKind kKind{"ETDP", 1};

// One property that is 3 in all rows.
PropertyList ExampleZoneMap() {
  PropertyList zone_map;
  zone_map.Append("N", Value::Int32(3));
  zone_map.Append("", Value::Int32(3));
  return zone_map;
}

DirectoryPage Example() {
  return {{{"b", 7, {.rows = 300, .deleted = 2, .bytes = 61'000}},
           {"d", 8, {.rows = 1, .deleted = 0, .bytes = 40}, ExampleZoneMap()},
           {"f", 5, {.rows = 2, .deleted = 2, .bytes = 50}}}};
}

TEST(DirectoryPageTest, ComesBackFromItsBytes) {
  const auto again = DirectoryPage::Decode(Example().Encode());

  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->leaves, Example().leaves);
  EXPECT_TRUE(IsDirectoryPage(Example().Encode()));
  EXPECT_FALSE(IsDirectoryPage("ETLF"));
}

// The grammar in directory_page.h, written out by hand.
TEST(DirectoryPageTest, HasTheBytesOfItsGrammar) {
  using namespace std::string_literals;
  const Bytes value = Example().Encode();

  EXPECT_EQ(Unseal(kKind, value)->body,
            "\x01"
            "b\x07\xAC\x02\x02\xC8\xDC\x03\0"
            "\x01"
            "d\x08\x01\0\x28\x0D\x02\x01N\x03\0\0\0\x02\0\x03\0\0\0"
            "\x01"
            "f\x05\x02\x02\x32\0"s);
}

TEST(DirectoryPageTest, FindsThePageThatMayHoldAKey) {
  const auto page_for = [leaves = Example().leaves](std::string_view key) {
    return leaves[FindPageEntry(leaves, key)].first_key;
  };

  EXPECT_EQ(page_for("a"), "b");
  EXPECT_EQ(page_for("b"), "b");
  EXPECT_EQ(page_for("c"), "b");
  EXPECT_EQ(page_for("d"), "d");
  EXPECT_EQ(page_for("z"), "f");
}

TEST(DirectoryPageTest, RefusesPagesOutOfOrderAndAnEmptyOne) {
  DirectoryPage unordered = Example();
  std::swap(unordered.leaves[0], unordered.leaves[1]);
  DirectoryPage doubled = Example();
  doubled.leaves[1].first_key = "b";

  EXPECT_FALSE(DirectoryPage::Decode(unordered.Encode()).has_value());
  EXPECT_FALSE(DirectoryPage::Decode(doubled.Encode()).has_value());
  EXPECT_FALSE(DirectoryPage::Decode(DirectoryPage{}.Encode()).has_value());
}

TEST(DirectoryPageTest, RefusesAZoneMapThatIsNoPropertyList) {
  using namespace std::string_literals;
  const auto decode = [](const std::string& zone_map) {
    return DirectoryPage::Decode(Seal(kKind,
                                      "\x01"
                                      "b\x07\x01\0\x28"s +
                                          zone_map));
  };

  EXPECT_TRUE(decode("\0"s).has_value());
  EXPECT_FALSE(decode("").has_value());
  EXPECT_FALSE(decode("\x01\x02").has_value());
  EXPECT_FALSE(decode("\x03\x09\0\0"s).has_value());
}

TEST(DirectoryPageTest, SurvivesAnyBytes) {
  std::mt19937_64 random(TestSeed());
  SCOPED_TRACE(TestSeed());
  for (int i = 0; i < 5'000; ++i) {
    Bytes bytes(random() % 64, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    EXPECT_FALSE(DirectoryPage::Decode(bytes).has_value());
    const auto page = DirectoryPage::Decode(Seal(kKind, bytes));
    if (page) {
      EXPECT_EQ(page->Encode(), Seal(kKind, bytes));
    }
  }
}

}  // namespace
}  // namespace entitable
