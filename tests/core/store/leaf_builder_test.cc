#include "store/leaf_builder.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/date_time.h"
#include "model/limits.h"
#include "store/leaf_page.h"
#include "store/sort_key.h"
#include "support/heap_meter.h"
#include "support/random.h"

namespace entitable {
namespace {

std::string KeyOfNumber(std::size_t number) {
  return MakeSortKey(1, {"partition", std::to_string(10'000'000 + number)});
}

Entity EntityWith(std::string_view name, const Value& value) {
  Entity entity{kMinDateTime, {}};
  entity.properties.Append(name, value);
  return entity;
}

// Properties of entity `i`.  The texts need to live only during the call.
using Kind = void (*)(std::size_t i, std::mt19937_64& random,
                      PropertyList& list);

std::string RandomText(std::size_t length, std::mt19937_64& random) {
  std::string text(length, ' ');
  for (char& c : text) c = static_cast<char>(' ' + random() % 90);
  return text;
}

void Ordinary(std::size_t, std::mt19937_64& random, PropertyList& list) {
  list.Append("name", Value::String(RandomText(14, random)));
  list.Append("note", Value::String(RandomText(30 + random() % 50, random)));
  list.Append("age", Value::Int32(static_cast<std::int32_t>(random() % 80)));
  list.Append("score", Value::Double(static_cast<double>(random() % 999) / 7));
  list.Append("active", Value::Boolean(random() % 2 == 0));
  list.Append("balance", Value::Int64(static_cast<std::int64_t>(random())));
}

void FewWords(std::size_t, std::mt19937_64& random, PropertyList& list) {
  constexpr std::string_view kWords[] = {"open", "closed", "in progress",
                                         "waiting for customer"};
  list.Append("state", Value::String(kWords[random() % 4]));
  list.Append("country", Value::String(std::to_string(random() % 200)));
  list.Append("kind", Value::String("invoice"));
}

void Sensor(std::size_t i, std::mt19937_64& random, PropertyList& list) {
  list.Append("at",
              Value::OfDateTime({kMinDateTime.ticks +
                                 static_cast<std::int64_t>(i) * 10'000'000}));
  list.Append("celsius",
              Value::Double(20 + static_cast<double>(random() % 100) / 10));
  list.Append("count", Value::Double(static_cast<double>(i)));
}

void Optional(std::size_t, std::mt19937_64& random, PropertyList& list) {
  for (int n = 0; n < 20; ++n) {
    if (random() % 2 == 0) continue;
    list.Append("property" + std::to_string(n),
                Value::Int32(static_cast<std::int32_t>(random() % 1000)));
  }
}

void Sparse(std::size_t, std::mt19937_64& random, PropertyList& list) {
  const std::size_t first = random() % 3000;
  for (std::size_t n = first; n < first + 5; ++n) {
    list.Append("property" + std::to_string(n), Value::String("a value"));
  }
}

void Guids(std::size_t, std::mt19937_64& random, PropertyList& list) {
  Guid guid;
  for (std::uint8_t& byte : guid.bytes) {
    byte = static_cast<std::uint8_t>(random());
  }
  list.Append("id", Value::OfGuid(guid));
}

void Nothing(std::size_t, std::mt19937_64&, PropertyList&) {}

TEST(LeafBuilderTest, FillsPagesOfOrdinaryEntities) {
  const struct {
    std::string_view name;
    Kind append;
  } kKinds[] = {{"ordinary", Ordinary}, {"few words", FewWords},
                {"sensor", Sensor},     {"optional", Optional},
                {"sparse", Sparse},     {"guids", Guids},
                {"nothing", Nothing}};
  for (const auto& [name, append] : kKinds) {
    SCOPED_TRACE(name);
    std::mt19937_64 random(TestSeed());
    LeafBuilder builder;
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; sizes.size() < 5; ++i) {
      Entity entity{{kMinDateTime.ticks + static_cast<std::int64_t>(i)}, {}};
      append(i, random, entity.properties);
      if (builder.Add(KeyOfNumber(i), entity)) continue;
      sizes.push_back(builder.Finish().size());
      ASSERT_TRUE(builder.Add(KeyOfNumber(i), entity));
    }
    for (const std::size_t size : sizes) {
      EXPECT_LE(size, kMaxLeafBytes);
      EXPECT_GE(size, kMaxLeafBytes * 85 / 100);
    }
  }
}

void AllTypes(std::size_t i, std::mt19937_64& random, PropertyList& list) {
  Optional(i, random, list);
  const std::string text = RandomText(random() % 40, random);
  if (i % 2 == 0) list.Append("text", Value::String(text));
  list.Append("bytes", Value::Binary(text));
  list.Append("least", Value::Int32(INT32_MIN));
  list.Append("wide", Value::Int64(i % 5 == 0 ? INT64_MIN : INT64_MAX));
  list.Append("real", Value::Double(static_cast<double>(i) / 7));
  list.Append("yes", Value::Boolean(i % 3 == 0));
  list.Append("at", Value::OfDateTime(kMaxDateTime));
  Guids(i, random, list);
}

// Fills a page with entities, and two more with its rows: one has the rows in
// their order, and one begins with another row.
TEST(LeafBuilderTest, CopiesRowsOfPagesAsTheirEntities) {
  for (const Kind append : {AllTypes, FewWords, Sparse, Nothing}) {
    std::mt19937_64 random(TestSeed());
    LeafBuilder entities;
    LeafBuilder shifted;
    const Entity other = EntityWith("text", Value::Int32(1));
    ASSERT_TRUE(shifted.Add(MakeSortKey(0, {}), other));
    const auto add = [&](std::size_t i) {
      Entity entity{{kMinDateTime.ticks + static_cast<std::int64_t>(i)}, {}};
      append(i, random, entity.properties);
      return shifted.Add(KeyOfNumber(i), entity) &&
             entities.Add(KeyOfNumber(i), entity);
    };
    std::size_t count = 0;
    while (add(count)) ++count;
    ASSERT_GT(count, 20U);
    const Bytes whole = entities.Finish();
    const auto page = LeafPage::Decode(whole);
    ASSERT_TRUE(page.has_value());

    LeafBuilder copies;
    LeafBuilder shifted_copies;
    ASSERT_TRUE(shifted_copies.Add(MakeSortKey(0, {}), other));
    for (std::size_t row = 0; row < count; ++row) {
      const std::string key = KeyOfNumber(row);
      ASSERT_TRUE(copies.Add(key, page->RowAt(row)));
      ASSERT_TRUE(shifted_copies.Add(key, page->RowAt(row)));
    }
    EXPECT_EQ(copies.Finish(), whole);
    EXPECT_EQ(shifted_copies.Finish(), shifted.Finish());
  }
}

// Only a damaged row has a property twice.  The first one counts, as for reads
// of one property.
TEST(LeafBuilderTest, TakesARepeatedPropertyOnce) {
  Entity damaged = EntityWith("A", Value::Int64(1));
  damaged.properties.Append("S", Value::String("text"));
  const Entity sound = damaged;
  for (int i = 0; i < 100; ++i) {
    damaged.properties.Append("A", Value::Int64(INT64_MIN));
    damaged.properties.Append("S", Value::String(std::string(100, 'x')));
  }
  LeafBuilder builder;
  ASSERT_TRUE(builder.Add("a", damaged));
  ASSERT_TRUE(builder.Add("b", EntityWith("T", Value::Int32(2))));

  const auto page = LeafPage::Decode(builder.Finish());
  ASSERT_TRUE(page.has_value());
  EXPECT_EQ(page->PropertiesOf(0), sound.properties);
}

TEST(LeafBuilderTest, DoesNothingWhenARowDoesNotFit) {
  LeafBuilder with;
  LeafBuilder without;
  const Entity small = EntityWith("S", Value::String("small"));
  const std::string text(kMaxLeafBytes, 'x');
  ASSERT_TRUE(with.Add("a", small));
  ASSERT_TRUE(without.Add("a", small));

  EXPECT_FALSE(with.Add("b", EntityWith("S", Value::String(text))));
  EXPECT_FALSE(with.Add("b", EntityWith("New", Value::String(text))));

  ASSERT_TRUE(with.Add("b", EntityWith("New", Value::Boolean(true))));
  ASSERT_TRUE(without.Add("b", EntityWith("New", Value::Boolean(true))));
  EXPECT_EQ(with.Finish(), without.Finish());
}

TEST(LeafBuilderTest, GivesALongEntityAPageOfItsOwn) {
  Entity entity{kMinDateTime, {}};
  const std::string text(kMaxBinaryBytes, 'x');
  for (int i = 0; i < 15; ++i) {
    entity.properties.Append("B" + std::to_string(i), Value::Binary(text));
  }
  LeafBuilder builder;
  ASSERT_TRUE(builder.Add("a", entity));

  EXPECT_FALSE(builder.Add("b", EntityWith("S", Value::String(""))));
  EXPECT_FALSE(builder.AddTombstone("b"));

  EXPECT_EQ(builder.summary().row_count, 1U);
  const auto page = LeafPage::Decode(builder.Finish());
  ASSERT_TRUE(page.has_value());
  EXPECT_EQ(page->row_count(), 1U);
  EXPECT_EQ(page->PropertiesOf(0).bytes(), entity.properties.bytes());
  EXPECT_GT(page->memory_bytes(), 15 * kMaxBinaryBytes);
}

TEST(LeafBuilderTest, TakesAsManyPropertiesAsThereMayBe) {
  Entity entity{kMinDateTime, {}};
  for (std::size_t i = 0; i < kMaxCustomProperties; ++i) {
    entity.properties.Append("P" + std::to_string(i), Value::Int32(0));
  }
  LeafBuilder builder;
  for (const std::string_view key : {"a", "b", "c"}) {
    ASSERT_TRUE(builder.Add(key, entity));
  }

  const auto page = LeafPage::Decode(builder.Finish());

  ASSERT_TRUE(page.has_value());
  EXPECT_EQ(page->PropertiesOf(2).bytes(), entity.properties.bytes());
}

TEST(LeafBuilderTest, SumsUpThePage) {
  LeafBuilder builder;
  EXPECT_TRUE(builder.is_empty());
  builder.AddTombstone("a");
  builder.Add("b", EntityWith("S", Value::String("")));
  builder.AddTombstone("c");

  EXPECT_FALSE(builder.is_empty());
  EXPECT_EQ(builder.summary().first_key, "a");
  EXPECT_EQ(builder.summary().last_key, "c");
  EXPECT_EQ(builder.summary().row_count, 3U);
  EXPECT_EQ(builder.summary().tombstone_count, 2U);

  builder.Finish();
  EXPECT_TRUE(builder.is_empty());
  EXPECT_EQ(builder.summary().row_count, 3U);
  builder.AddTombstone("d");
  EXPECT_EQ(builder.summary().row_count, 1U);
}

// The rows of one page may have a thousand times its length.
TEST(LeafBuilderTest, TakesNoMemoryForTextsThatRepeat) {
  constexpr std::size_t kRows = 2'000;
  const Entity entity =
      EntityWith("S", Value::String(std::string(30'000, 'x')));
  const HeapMeter heap;
  LeafBuilder builder;

  for (std::size_t i = 0; i < kRows; ++i) {
    ASSERT_TRUE(builder.Add(KeyOfNumber(i), entity));
  }
  builder.Finish();

  EXPECT_LE(static_cast<std::size_t>(heap.most_bytes()), 8 * kMaxLeafBytes);
}

// As many as a dictionary may have, each several times, then one more.
TEST(LeafBuilderTest, KeepsTextsThatBecomeTooManyForADictionary) {
  constexpr std::size_t kTexts = 257;
  constexpr std::size_t kRows = 3 * kTexts;
  const auto text = [](std::size_t i) {
    return std::to_string(i < kRows - 1 ? i % (kTexts - 1) : kTexts);
  };
  LeafBuilder builder;
  for (std::size_t i = 0; i < kRows; ++i) {
    ASSERT_TRUE(
        builder.Add(KeyOfNumber(i), EntityWith("S", Value::String(text(i)))));
  }

  const auto page = LeafPage::Decode(builder.Finish());

  ASSERT_TRUE(page.has_value());
  for (std::size_t i = 0; i < kRows; ++i) {
    EXPECT_EQ(page->PropertiesOf(i).bytes(),
              EntityWith("S", Value::String(text(i))).properties.bytes());
  }
}

TEST(LeafBuilderTest, IsAsNewAfterAPage) {
  LeafBuilder used;
  used.Add("a", EntityWith("S", Value::Int32(1)));
  used.Add("b", EntityWith("T", Value::Int32(2)));
  used.AddTombstone("c");
  used.Finish();
  LeafBuilder fresh;
  for (LeafBuilder* const builder : {&used, &fresh}) {
    builder->Add("a", EntityWith("T", Value::String("text")));
  }

  EXPECT_EQ(used.Finish(), fresh.Finish());
}

// Nothing but keys, and hardly anything of these.
TEST(LeafBuilderTest, KeepsItsLimitWithTinyRows) {
  std::set<std::string> keys;
  for (int i = 0; i < 30'000; ++i) {
    keys.insert(MakeSortKey(1, {"p", std::to_string(i)}));
  }
  LeafBuilder builder;
  for (const std::string& key : keys) {
    if (builder.AddTombstone(key)) continue;
    EXPECT_LE(builder.Finish().size(), kMaxLeafBytes);
    ASSERT_TRUE(builder.AddTombstone(key));
  }
}

}  // namespace
}  // namespace entitable
