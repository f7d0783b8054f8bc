// The grammar: values_writer.h.  Expected bytes are written out by hand.

#include "wire/values_writer.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/coding.h"
#include "support/key_table_of.h"

namespace entitable {
namespace {

constexpr std::string_view kTime = "2024-01-02T03:04:05.6789Z";
constexpr std::string_view kEtag =
    "W/\"datetime'2024-01-02T03%3A04%3A05.6789Z'\"";
constexpr EntityKeyView kRex{"dogs", "rex"};

// A value as it is expected: what is added to the numbers, what to the texts.
struct Expected {
  std::string numbers;
  std::string texts;

  Expected& U8(std::uint8_t number) {
    AppendU8(number, numbers);
    return *this;
  }
  Expected& U32(std::uint32_t number) {
    AppendU32(number, numbers);
    return *this;
  }
  Expected& U64(std::uint64_t number) {
    AppendU64(number, numbers);
    return *this;
  }
  Expected& F64(double number) {
    return U64(std::bit_cast<std::uint64_t>(number));
  }
  // Of ASCII, so that there are as many UTF-16 units as bytes.
  Expected& Text(std::string_view text) {
    return Text(text, static_cast<std::uint32_t>(text.size()));
  }
  Expected& Text(std::string_view text, std::uint32_t units) {
    texts += text;
    return U32(units);
  }
  Expected& Same() { return U32(0xFFFFFFFF); }
  // A system column of one value.
  Expected& One(std::string_view text) { return U32(1).Text(text); }
  Expected& OneSame() { return U32(1).Same(); }

  std::string Bytes() const {
    std::string bytes;
    AppendU32(static_cast<std::uint32_t>(numbers.size()), bytes);
    return bytes + numbers + texts;
  }
};

PayloadContext All() {
  return {MetadataLevel::kTyped, "acct", "http://a", "Pets"};
}

Entity EntityWith(std::string_view name, const Value& value) {
  Entity entity{*DateTime::Parse(kTime), {}};
  entity.properties.Append(name, value);
  return entity;
}

std::string Write(const Entity& entity) {
  ValuesWriter writer;
  writer.Add(All(), kRex, entity);
  return writer.Finish();
}

// Up to the property, whose kind is that digit and whose name is X.
Expected RexWith(char kind) {
  Expected expected;
  const std::string schema =
      std::string("0etag.0partitionKey.0rowKey.0timestamp.") + kind + "X";
  expected.Text(schema).U32(1).One(kEtag).One("dogs").One("rex").One(kTime);
  return expected;
}

TEST(ValuesWriterTest, WritesEveryTypeInItsOwnForm) {
  const Guid guid = *Guid::Parse("7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001");
  const struct {
    std::string what;
    Value value;
    Expected expected;
  } kCases[] = {
      {"a String", Value::String("Rex"), RexWith('1').Text("Rex")},
      {"an empty String", Value::String(""), RexWith('1').Text("")},
      {"a String of two bytes a unit", Value::String("\xC3\xA9\xC3\xA9"),
       RexWith('1').Text("\xC3\xA9\xC3\xA9", 2)},
      {"a String with a surrogate pair",
       Value::String("long enough for words: \xF0\x9F\x98\x80"),
       RexWith('1').Text("long enough for words: \xF0\x9F\x98\x80", 25)},
      {"an Int32", Value::Int32(-2), RexWith('2').U32(0xFFFFFFFE)},
      {"an Int64", Value::Int64(-2), RexWith('3').U64(0xFFFFFFFFFFFFFFFE)},
      {"a Double", Value::Double(0.5), RexWith('4').F64(0.5)},
      {"minus zero, which the service writes as zero", Value::Double(-0.0),
       RexWith('4').U64(0)},
      {"a Boolean", Value::Boolean(true), RexWith('5').U8(1)},
      {"a DateTime of milliseconds",
       Value::OfDateTime(*DateTime::Parse("1970-01-01T00:00:01.234Z")),
       RexWith('6').F64(1234)},
      {"a DateTime before 1970",
       Value::OfDateTime(*DateTime::Parse("1969-12-31T23:59:59.999Z")),
       RexWith('6').F64(-1)},
      {"a DateTime between milliseconds",
       Value::OfDateTime(*DateTime::Parse("2020-01-01T00:00:00.1234567Z")),
       RexWith('6')
           .F64(std::numeric_limits<double>::quiet_NaN())
           .Text("2020-01-01T00:00:00.1234567Z")},
      {"a Guid", Value::OfGuid(guid),
       RexWith('7').Text("7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001")},
      {"a Binary", Value::Binary("\xFF\x01"),
       RexWith('8').U32(2).U8(0xFF).U8(1)},
  };
  for (const auto& [what, value, expected] : kCases) {
    SCOPED_TRACE(what);
    EXPECT_EQ(Write(EntityWith("X", value)), expected.Bytes());
  }
}

TEST(ValuesWriterTest, LeavesOutWhatTheRowBeforeHas) {
  ValuesWriter writer;
  writer.Add(All(), kRex, EntityWith("X", Value::Int32(1)));
  writer.Add(All(), {"dogs", "zoe"}, EntityWith("X", Value::Int32(2)));
  Entity later = EntityWith("X", Value::Int32(3));
  later.timestamp = *DateTime::Parse("2025-01-02T03:04:05Z");
  writer.Add(All(), {"cats", "zoe"}, later);

  Expected expected = RexWith('2').U32(1);
  expected.U32(0).U32(1).OneSame().OneSame().One("zoe").OneSame().U32(2);
  expected.U32(0).U32(1).One("W/\"datetime'2025-01-02T03%3A04%3A05Z'\"");
  expected.One("cats").One("zoe").One("2025-01-02T03:04:05Z").U32(3);
  EXPECT_EQ(writer.Finish(), expected.Bytes());
}

TEST(ValuesWriterTest, WritesARowOfAnotherSchemaInFull) {
  ValuesWriter writer;
  writer.Add(All(), kRex, EntityWith("X", Value::Int32(1)));
  writer.Add(All(), kRex, EntityWith("X", Value::Boolean(false)));

  Expected expected = RexWith('2').U32(1);
  const Expected second = RexWith('5').U8(0);
  expected.numbers += second.numbers;
  expected.texts += second.texts;
  EXPECT_EQ(writer.Finish(), expected.Bytes());
}

TEST(ValuesWriterTest, WritesWhatIsSelected) {
  const KeyTable select = KeyTableOf({"Nickname", "RowKey", "X"});
  PayloadContext context = All();
  context.select = &select;
  Entity entity = EntityWith("A", Value::Int32(1));
  entity.properties.Append("X", Value::Int32(2));
  ValuesWriter writer;
  writer.Add(context, kRex, entity);

  Expected expected;
  expected.Text("0etag.0rowKey.2X.9Nickname").U32(1);
  expected.One(kEtag).One("rex").U32(2);
  EXPECT_EQ(writer.Finish(), expected.Bytes());
}

TEST(ValuesWriterTest, WritesNothingOfNoEntities) {
  EXPECT_EQ(ValuesWriter().Finish(), std::string(4, '\0'));
}

}  // namespace
}  // namespace entitable
