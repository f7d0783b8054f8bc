// Imports of values: docs/internals/frames.md, "Entities".

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {
namespace {

using namespace std::string_literals;

std::string Number(std::size_t value, int bytes) {
  std::string out;
  for (; bytes > 0; --bytes, value >>= 8) {
    out += static_cast<char>(value & 0xFF);
  }
  return out;
}

std::string Text(std::string_view text) {
  std::string out;
  std::size_t size = text.size();
  for (; size > 0x7F; size >>= 7)
    out += static_cast<char>((size & 0x7F) | 0x80);
  out += static_cast<char>(size);
  return out.append(text);
}

std::string Property(char type, std::string_view name, std::string value) {
  return type + Text(name) + value;
}
std::string Int32(std::string_view name, std::size_t value) {
  return Property(2, name, Number(value, 4));
}
std::string String(std::string_view name, std::string_view value) {
  return Property(1, name, Text(value));
}

std::string OfForm(char form, const std::string& entity) {
  return form + Number(entity.size(), 4) + entity;
}
std::string Packed(const std::string& properties, std::string_view row = "r",
                   std::string_view partition = "p") {
  return OfForm(1, Text(partition) + Text(row) + properties);
}
std::string Json(const std::string& json) { return OfForm(0, json); }

class PackedImportTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(Outcome(host_.Do(NewTable("Tab"))), "201");
  }

  static std::string DoImport(MemoryHost& host, const std::string& part) {
    OwnedOperation import = Import("Tab", part);
    import.with.format = WireFormat::kValues;
    const auto answer = host.Do(import);
    return answer ? answer->body : Outcome(answer);
  }
  std::string DoImport(const std::string& part) {
    return DoImport(host_, part);
  }

  // The custom members, as they stand in JSON.
  std::string Stored(const std::string& row_key) {
    const std::string body = Body(
        host_.Do(Get("Tab", "p", row_key, {.level = MetadataLevel::kTyped})));
    const std::string kTime = "\"Timestamp\":\"";
    const std::size_t time = body.find(kTime);
    if (time == std::string::npos) return body;
    const std::size_t end = body.find('"', time + kTime.size()) + 1;
    return body[end] == ',' ? body.substr(end + 1, body.size() - end - 2) : "";
  }

  MemoryHost host_;
};

// The grammar, written out by hand; the values are those of the data model's
// examples, 2014-02-03T04:05:06.789Z being 635,269,971,067,890,000 ticks.
TEST_F(PackedImportTest, LoadsValuesOfEveryType) {
  const std::string all =
      String("S", "a\"\xC3\xA9") + Int32("I", 0xFFFFFFFE) +
      Property(3, "L", "\0\0\0\0\0\0\0\x80"s) +
      Property(4, "D", "\0\0\0\0\0\0\xF8\x3F"s) +
      Property(4, "E", "\0\0\0\0\0\0\x08\x40"s) + Property(5, "B", "\x01") +
      Property(6, "T", Number(635'269'971'067'890'000, 8)) +
      Property(7, "G", "0123456789abcdef") + Property(8, "X", Text("\0\xFF"s));

  EXPECT_EQ(DoImport(Packed(all)), "{\"read\":1,\"stored\":1}");

  EXPECT_EQ(Stored("r"),
            "\"S\":\"a\\\"\\u00e9\",\"I\":-2,"
            "\"L@odata.type\":\"Edm.Int64\",\"L\":\"-9223372036854775808\","
            "\"D\":1.5,\"E@odata.type\":\"Edm.Double\",\"E\":3.0,\"B\":true,"
            "\"T@odata.type\":\"Edm.DateTime\","
            "\"T\":\"2014-02-03T04:05:06.789Z\","
            "\"G@odata.type\":\"Edm.Guid\","
            "\"G\":\"30313233-3435-3637-3839-616263646566\","
            "\"X@odata.type\":\"Edm.Binary\",\"X\":\"AP8=\"");
}

TEST_F(PackedImportTest, TakesJsonBetweenPackedEntities) {
  EXPECT_EQ(DoImport(Packed(Int32("A", 1), "1") +
                     Json(EntityBody("p", "2", "\"A\":\"x\"")) +
                     Packed(Int32("A", 3), "3") + Packed("", "4")),
            "{\"read\":4,\"stored\":4}");

  EXPECT_EQ(Stored("1"), "\"A\":1");
  EXPECT_EQ(Stored("2"), "\"A\":\"x\"");
  EXPECT_EQ(Stored("3"), "\"A\":3");
  EXPECT_EQ(Stored("4"), "");
}

TEST_F(PackedImportTest, TakesPartsOfAnyNumberOfEntities) {
  const auto part = [this](const std::string& body, ImportPart of) {
    OwnedOperation import = Import("Tab", body, of);
    import.with.format = WireFormat::kValues;
    return Body(host_.Do(import));
  };

  EXPECT_EQ(part("", {.begins = true}), "{\"read\":0,\"stored\":0}");
  EXPECT_EQ(part(Packed("", "1"), {}), "{\"read\":1,\"stored\":0}");
  EXPECT_EQ(part("", {.ends = true}), "{\"read\":1,\"stored\":1}");
}

TEST_F(PackedImportTest, HasTheRulesOfAnInsert) {
  std::string many;
  std::string large;
  for (int i = 0; i < 253; ++i) many += Int32("A" + std::to_string(i), 0);
  for (int i = 0; i < 40; ++i) {
    large += String("A" + std::to_string(i), std::string(30'000, 'a'));
  }
  const struct {
    std::string entity;
    std::string outcome;
  } kCases[] = {
      {Packed(Int32("A", 1) + Int32("A", 2)),
       "400 DuplicatePropertiesSpecified at 1"},
      {Packed(Int32("a-b", 1)), "400 PropertyNameInvalid at 1"},
      {Packed(Int32("", 1)), "400 PropertyNameInvalid at 1"},
      {Packed(Int32(std::string(256, 'a'), 1)), "400 PropertyNameTooLong at 1"},
      {Packed(many), "400 TooManyProperties at 1"},
      {Packed("", "a/b"), "400 OutOfRangeInput at 1"},
      {Packed("", "r", "a#b"), "400 OutOfRangeInput at 1"},
      {Packed("", std::string(1025, 'a')), "400 PropertyValueTooLarge at 1"},
      {Packed(String("A", std::string(32'769, 'a'))),
       "400 PropertyValueTooLarge at 1"},
      {Packed(Property(8, "A", Text(std::string(65'537, 'a')))),
       "400 PropertyValueTooLarge at 1"},
      {Packed(large), "400 EntityTooLarge at 1"},
      {Packed("", "0"), "409 EntityAlreadyExists at 1"},
  };
  for (const auto& [entity, outcome] : kCases) {
    SCOPED_TRACE(entity.substr(0, 100));
    MemoryHost host;
    ASSERT_EQ(Outcome(host.Do(NewTable("Tab"))), "201");
    EXPECT_EQ(DoImport(host, Packed("", "0") + entity + Packed("", "2")),
              outcome);
    EXPECT_EQ(RowKeysOf(host, Query("Tab")), std::vector<std::string>({"0"}));
  }
}

TEST_F(PackedImportTest, RefusesWhatIsNoEntity) {
  const std::string kInvalid[] = {
      Packed(Property(5, "A", "\x02")),
      Packed(Property(0, "A", "")),
      Packed(Property(9, "A", "")),
      Packed(String("A", "\xFF")),
      Packed(Int32("\xFF", 1)),
      Packed("", "\xFF"),
      Packed("", "r", "\xED\xA0\x80"),
      Packed(Property(6, "A", Number(504'911'231'999'999'999, 8))),  // 1600
      Packed(Int32("PartitionKey", 1)),
      Packed(String("RowKey", "r")),
      Packed(Int32("Timestamp", 1)),
      Packed(Int32("odata.etag", 1)),
      Packed(String("A@odata.type", "Edm.Int32")),
      OfForm(2, Text("p") + Text("r")),
      Json("{"),
      Json("5"),
      Json(""),
  };
  for (const std::string& entity : kInvalid) {
    SCOPED_TRACE(entity);
    EXPECT_EQ(DoImport(entity), "400 InvalidInput at 0");
  }
}

// Names that are good in JSON are remembered; not all are in a packed entity.
TEST_F(PackedImportTest, ChecksNamesThatWereGoodInJson) {
  EXPECT_EQ(DoImport(Json(EntityBody("p", "0")) +
                     Packed(String("PartitionKey", "p") + String("RowKey", "x"),
                            "1")),
            "400 InvalidInput at 1");
}

TEST_F(PackedImportTest, RefusesAPartThatIsCut) {
  const std::string one = Packed(String("A", "text") + Int32("B", 1), "1");
  for (std::size_t size = 1; size < one.size(); ++size) {
    SCOPED_TRACE(size);
    MemoryHost host;
    ASSERT_EQ(Outcome(host.Do(NewTable("Tab"))), "201");
    EXPECT_EQ(DoImport(host, Packed("", "0") + one.substr(0, size)),
              "400 InvalidInput at 1");
  }
  for (std::size_t size = 0; size + 5 < one.size(); ++size) {
    SCOPED_TRACE(size);
    const std::string entity = one.substr(5, size);
    MemoryHost host;
    ASSERT_EQ(Outcome(host.Do(NewTable("Tab"))), "201");
    const std::string outcome = DoImport(host, OfForm(1, entity));
    const bool is_whole = entity == Text("p") + Text("1") ||
                          entity == Text("p") + Text("1") + String("A", "text");
    EXPECT_EQ(outcome,
              is_whole ? "{\"read\":1,\"stored\":1}" : "400 InvalidInput at 0");
  }
}

}  // namespace
}  // namespace entitable
