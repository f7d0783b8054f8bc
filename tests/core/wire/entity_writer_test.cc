#include "wire/entity_writer.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "model/entity_reader.h"
#include "support/key_table_of.h"
#include "support/on_wire.h"
#include "support/print_properties.h"

namespace entitable {
namespace {

constexpr std::string_view kBaseUrl = "https://acct.table.core.windows.net";

// The request and the answers of payloads of the spec, 4.4, verbatim.
constexpr char kRex[] = R"json(
{"PartitionKey":"dogs","RowKey":"rex",
 "Name":"Rex",
 "Age":7,
 "Chip@odata.type":"Edm.Int64","Chip":"276098102345678",
 "WeightKg":31.0,
 "Vaccinated":true,
 "Born@odata.type":"Edm.DateTime","Born":"2017-03-05T00:00:00Z",
 "Tag@odata.type":"Edm.Guid","Tag":"7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001",
 "Photo@odata.type":"Edm.Binary","Photo":"iVBORw==",
 "Ratio@odata.type":"Edm.Double","Ratio":"NaN",
 "Nickname":null})json";

constexpr char kRexAtNone[] = R"json(
{"PartitionKey":"dogs","RowKey":"rex","Timestamp":"2024-01-02T03:04:05.6789Z",
 "Name":"Rex","Age":7,"Chip":"276098102345678","WeightKg":31.0,"Vaccinated":true,
 "Born":"2017-03-05T00:00:00Z","Tag":"7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001",
 "Photo":"iVBORw==","Ratio":"NaN"})json";

constexpr char kRexAtMinimal[] = R"json(
{"odata.metadata":"https://acct.table.core.windows.net/$metadata#Pets/@Element",
 "odata.etag":"W/\"datetime'2024-01-02T03%3A04%3A05.6789Z'\"",
 "PartitionKey":"dogs","RowKey":"rex","Timestamp":"2024-01-02T03:04:05.6789Z",
 "Name":"Rex","Age":7,
 "Chip@odata.type":"Edm.Int64","Chip":"276098102345678",
 "WeightKg":31.0,"Vaccinated":true,
 "Born@odata.type":"Edm.DateTime","Born":"2017-03-05T00:00:00Z",
 "Tag@odata.type":"Edm.Guid","Tag":"7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001",
 "Photo@odata.type":"Edm.Binary","Photo":"iVBORw==",
 "Ratio@odata.type":"Edm.Double","Ratio":"NaN"})json";

constexpr char kRexAtFull[] = R"json(
{"odata.metadata":"https://acct.table.core.windows.net/$metadata#Pets/@Element",
 "odata.type":"acct.Pets",
 "odata.id":"https://acct.table.core.windows.net/Pets(PartitionKey='dogs',RowKey='rex')",
 "odata.etag":"W/\"datetime'2024-01-02T03%3A04%3A05.6789Z'\"",
 "odata.editLink":"Pets(PartitionKey='dogs',RowKey='rex')",
 "PartitionKey":"dogs","RowKey":"rex",
 "Timestamp@odata.type":"Edm.DateTime","Timestamp":"2024-01-02T03:04:05.6789Z",
 "Name":"Rex"})json";

PayloadContext ContextAt(MetadataLevel level) {
  return {level, "acct", kBaseUrl, "Pets"};
}

Entity EntityOf(std::string_view body, std::string_view timestamp) {
  JsonReader reader;
  auto entity = ReadNewEntity(reader, {body});
  EXPECT_TRUE(entity.has_value()) << body;
  return {*DateTime::Parse(timestamp), std::move(entity->properties)};
}

Entity Rex() { return EntityOf(kRex, "2024-01-02T03:04:05.6789Z"); }

// An entity with a name only, whose etag ends in the seconds.
Entity Named(std::string_view name, std::string_view timestamp) {
  Entity entity{*DateTime::Parse(timestamp), {}};
  entity.properties.Append("Name", Value::String(name));
  return entity;
}

std::string Write(const PayloadContext& context, EntityKeyView key,
                  const Entity& entity) {
  std::string json;
  AppendEntity(context, key, entity, json);
  return json;
}

// The custom members of an entity with the one property X.
std::string WriteValue(const Value& value, MetadataLevel level) {
  Entity entity{kMinDateTime, {}};
  entity.properties.Append("X", value);
  const std::string json = Write(ContextAt(level), {"p", "r"}, entity);
  const std::string before = R"("Timestamp":"1601-01-01T00:00:00Z",)";
  const std::size_t at = json.find(before) + before.size();
  return json.substr(at, json.size() - 1 - at);
}

TEST(EntityWriterTest, WritesTheExamplesOfTheSpecByteForByte) {
  const EntityKeyView key{"dogs", "rex"};
  EXPECT_EQ(Write(ContextAt(MetadataLevel::kNone), key, Rex()),
            OnWire(kRexAtNone));
  EXPECT_EQ(Write(ContextAt(MetadataLevel::kMinimal), key, Rex()),
            OnWire(kRexAtMinimal));
  EXPECT_EQ(Write(ContextAt(MetadataLevel::kFull), key,
                  Named("Rex", "2024-01-02T03:04:05.6789Z")),
            OnWire(kRexAtFull));
}

// Source: payloads of the spec, 4.6, "Round trip".
TEST(EntityWriterTest, WritesWhatReadsBackAsTheSameProperties) {
  for (const auto level :
       {MetadataLevel::kMinimal, MetadataLevel::kFull, MetadataLevel::kTyped}) {
    const Entity again =
        EntityOf(Write(ContextAt(level), {"dogs", "rex"}, Rex()), "2024-01-01");
    EXPECT_EQ(Print(again.properties), Print(Rex().properties));
  }
  const Entity untyped =
      EntityOf(Write(ContextAt(MetadataLevel::kNone), {"dogs", "rex"}, Rex()),
               "2024-01-01");
  EXPECT_EQ(Print(untyped.properties),
            "Name:Edm.String=Rex Age:Edm.Int32=7 "
            "Chip:Edm.String=276098102345678 WeightKg:Edm.Double=31 "
            "Vaccinated:Edm.Boolean=true Born:Edm.String=2017-03-05T00:00:00Z "
            "Tag:Edm.String=7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001 "
            "Photo:Edm.String=iVBORw== Ratio:Edm.String=NaN");
}

// Source: payloads of the spec, 4.3; data model, 1.5; MetadataLevel::kTyped.
TEST(EntityWriterTest, AnnotatesWhatTheJsonDoesNotTell) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const struct {
    Value value;
    std::string_view json;
    std::string_view type;  // Written at the minimal level.
    bool is_typed_only = false;
  } kCases[] = {
      {Value::String("7"), R"("7")", ""},
      {Value::Int32(7), "7", ""},
      {Value::Int32(std::numeric_limits<int>::min()), "-2147483648", ""},
      {Value::Boolean(false), "false", ""},
      {Value::Double(0.5), "0.5", ""},
      {Value::Double(7), "7.0", "Edm.Double", true},
      {Value::Double(-0.0), "0.0", "Edm.Double", true},
      {Value::Double(1e15), "1E+15", "Edm.Double", true},
      {Value::Double(1.7976931348623157e308), "1.7976931348623157E+308",
       "Edm.Double", true},
      {Value::Double(kInfinity), R"("Infinity")", "Edm.Double"},
      {Value::Double(-kInfinity), R"("-Infinity")", "Edm.Double"},
      {Value::Double(std::numeric_limits<double>::quiet_NaN()), R"("NaN")",
       "Edm.Double"},
      {Value::Int64(7), R"("7")", "Edm.Int64"},
      {Value::Int64(std::numeric_limits<std::int64_t>::min()),
       R"("-9223372036854775808")", "Edm.Int64"},
      {Value::OfDateTime(kMaxDateTime), R"("9999-12-31T23:59:59.9999999Z")",
       "Edm.DateTime"},
      {Value::OfGuid({}), R"("00000000-0000-0000-0000-000000000000")",
       "Edm.Guid"},
      {Value::Binary(""), R"("")", "Edm.Binary"},
      {Value::Binary("\x01\x02\x03\x04"), R"("AQIDBA==")", "Edm.Binary"},
  };
  for (const auto& [value, json, type, is_typed_only] : kCases) {
    SCOPED_TRACE(json);
    const std::string plain = "\"X\":" + std::string(json);
    const std::string annotated =
        "\"X@odata.type\":\"" + std::string(type) + "\"," + plain;
    EXPECT_EQ(WriteValue(value, MetadataLevel::kNone), plain);
    EXPECT_EQ(WriteValue(value, MetadataLevel::kMinimal),
              type.empty() || is_typed_only ? plain : annotated);
    EXPECT_EQ(WriteValue(value, MetadataLevel::kFull),
              type.empty() || is_typed_only ? plain : annotated);
    EXPECT_EQ(WriteValue(value, MetadataLevel::kTyped),
              type.empty() ? plain : annotated);
  }
}

// Cases 154, 155, 81 and 82; payloads of the spec, 4.1.
TEST(EntityWriterTest, EscapesTextInNamesKeysAndValues) {
  Entity entity{kMinDateTime, {}};
  entity.properties.Append("\u00e9", Value::String("<&>'/\"\\\t\U0001F600"));

  EXPECT_EQ(
      Write(ContextAt(MetadataLevel::kNone), {"\u00f4", "\U0001F600"}, entity),
      OnWire(R"json(
{"PartitionKey":"\u00f4","RowKey":"\ud83d\ude00",
 "Timestamp":"1601-01-01T00:00:00Z",
 "\u00e9":"<&>'/\"\\\t\ud83d\ude00"})json"));
}

// Cases 77 to 81, 294 and 295; payloads of the spec, 4.3.
TEST(EntityWriterTest, EncodesKeysInLinks) {
  const struct {
    std::string_view key;
    std::string_view encoded;
  } kCases[] = {
      {"", ""},
      {"O'Neil", "O''Neil"},
      {"a b", "a%20b"},
      {"a:b", "a%3Ab"},
      {"a@b", "a%40b"},
      {"a+b", "a%2Bb"},
      {"a,b=c&d", "a%2Cb%3Dc%26d"},
      {"$", "%24"},
      {"\"", "%22"},
      {"100%", "100%25"},
      {"\u00f4", "%C3%B4"},
      {"a-b_c.d", "a-b_c.d"},
  };
  for (const auto& [key, encoded] : kCases) {
    EXPECT_EQ(EntityEditLink("T", {"p", key}),
              "T(PartitionKey='p',RowKey='" + std::string(encoded) + "')");
  }
}

// Source: payloads of the spec, 4.5.
TEST(EntityWriterTest, WritesFeedsAsTheSpecShowsThem) {
  const PayloadContext context = ContextAt(MetadataLevel::kMinimal);
  std::string feed;
  BeginEntityFeed(context, feed);
  AppendEntityElement(context, {"dogs", "rex"},
                      Named("Rex", "2024-01-02T03:04:05.6789Z"), feed);
  AppendEntityElement(context, {"dogs", "zoe"},
                      Named("Zoe", "2024-01-02T03:04:06Z"), feed);
  EndFeed(context, feed);

  EXPECT_EQ(feed, OnWire(R"json(
{"odata.metadata":"https://acct.table.core.windows.net/$metadata#Pets",
 "value":[
  {"odata.etag":"W/\"datetime'2024-01-02T03%3A04%3A05.6789Z'\"","PartitionKey":"dogs","RowKey":"rex","Timestamp":"2024-01-02T03:04:05.6789Z","Name":"Rex"},
  {"odata.etag":"W/\"datetime'2024-01-02T03%3A04%3A06Z'\"","PartitionKey":"dogs","RowKey":"zoe","Timestamp":"2024-01-02T03:04:06Z","Name":"Zoe"}]})json"));
}

TEST(EntityWriterTest, PutsTheMetadataOfAFeedOnItsOutsideOnly) {
  const auto feed_at = [](MetadataLevel level) {
    const PayloadContext context = ContextAt(level);
    std::string feed;
    BeginEntityFeed(context, feed);
    AppendEntityElement(context, {"p", "r"}, Entity{kMinDateTime, {}}, feed);
    EndFeed(context, feed);
    return feed;
  };

  EXPECT_EQ(feed_at(MetadataLevel::kNone), OnWire(R"json(
{"value":[{"PartitionKey":"p","RowKey":"r",
 "Timestamp":"1601-01-01T00:00:00Z"}]})json"));
  EXPECT_EQ(feed_at(MetadataLevel::kFull), OnWire(R"json(
{"odata.metadata":"https://acct.table.core.windows.net/$metadata#Pets",
 "value":[
  {"odata.type":"acct.Pets",
   "odata.id":"https://acct.table.core.windows.net/Pets(PartitionKey='p',RowKey='r')",
   "odata.etag":"W/\"datetime'1601-01-01T00%3A00%3A00Z'\"",
   "odata.editLink":"Pets(PartitionKey='p',RowKey='r')",
   "PartitionKey":"p","RowKey":"r",
   "Timestamp@odata.type":"Edm.DateTime","Timestamp":"1601-01-01T00:00:00Z"}]})json"));

  std::string empty;
  const PayloadContext context = ContextAt(MetadataLevel::kNone);
  BeginEntityFeed(context, empty);
  EndFeed(context, empty);
  EXPECT_EQ(empty, R"({"value":[]})");
}

// Source: payloads of the spec, 4.5, last example; query, 3.7.
TEST(EntityWriterTest, WritesNullForASelectedPropertyThatIsMissing) {
  const KeyTable select = KeyTableOf({"Name", "Nickname"});
  PayloadContext context = ContextAt(MetadataLevel::kMinimal);
  context.raw_select = "Name,Nickname";
  context.select = &select;
  std::string feed;
  BeginEntityFeed(context, feed);
  AppendEntityElement(context, {"dogs", "rex"}, Rex(), feed);
  EndFeed(context, feed);

  EXPECT_EQ(feed, OnWire(R"json(
{"odata.metadata":"https://acct.table.core.windows.net/$metadata#Pets&$select=Name,Nickname",
 "value":[{"odata.etag":"W/\"datetime'2024-01-02T03%3A04%3A05.6789Z'\"","Name":"Rex","Nickname":null}]})json"));
}

// Cases 399 to 409.
TEST(EntityWriterTest, ProjectsSystemPropertiesAndAnnotations) {
  const auto write = [](MetadataLevel level,
                        const std::vector<std::string>& names) {
    const KeyTable select = KeyTableOf(names);
    PayloadContext context = ContextAt(level);
    context.select = &select;
    return Write(context, {"dogs", "rex"}, Rex());
  };

  EXPECT_EQ(write(MetadataLevel::kNone, {"Zzz", "Age", "RowKey"}),
            R"({"RowKey":"rex","Age":7,"Zzz":null})");
  EXPECT_EQ(write(MetadataLevel::kNone, {"age"}), R"({"age":null})");
  EXPECT_EQ(write(MetadataLevel::kNone, {"Timestamp"}),
            R"({"Timestamp":"2024-01-02T03:04:05.6789Z"})");
  EXPECT_EQ(write(MetadataLevel::kMinimal, {"Chip"}), OnWire(R"json(
{"odata.metadata":"https://acct.table.core.windows.net/$metadata#Pets/@Element",
 "odata.etag":"W/\"datetime'2024-01-02T03%3A04%3A05.6789Z'\"",
 "Chip@odata.type":"Edm.Int64","Chip":"276098102345678"})json"));
}

TEST(EntityWriterTest, AppendsTheSelectOfTheClientEvenWhenItIsEmpty) {
  PayloadContext context = ContextAt(MetadataLevel::kMinimal);
  context.raw_select = "";

  const std::string json = Write(context, {"p", "r"}, {kMinDateTime, {}});

  EXPECT_NE(json.find("/$metadata#Pets/@Element&$select=\""), json.npos);
  EXPECT_NE(json.find("\"PartitionKey\":\"p\""), json.npos);
}

// Source: payloads of the spec, 4.2.
TEST(TableWriterTest, WritesFeedsAsTheSpecShowsThem) {
  const auto feed_of = [](MetadataLevel level,
                          std::initializer_list<std::string_view> names) {
    const PayloadContext context = ContextAt(level);
    std::string feed;
    BeginTableFeed(context, feed);
    for (const auto name : names) AppendTableElement(context, name, feed);
    EndFeed(context, feed);
    return feed;
  };

  EXPECT_EQ(feed_of(MetadataLevel::kNone, {"Pets", "Shops"}),
            R"({"value":[{"TableName":"Pets"},{"TableName":"Shops"}]})");
  EXPECT_EQ(feed_of(MetadataLevel::kMinimal, {"Pets", "Shops"}), OnWire(R"json(
{"odata.metadata":"https://acct.table.core.windows.net/$metadata#Tables",
 "value":[{"TableName":"Pets"},{"TableName":"Shops"}]})json"));
  EXPECT_EQ(feed_of(MetadataLevel::kFull, {"Pets"}), OnWire(R"json(
{"odata.metadata":"https://acct.table.core.windows.net/$metadata#Tables",
 "value":[{"odata.type":"acct.Tables",
           "odata.id":"https://acct.table.core.windows.net/Tables('Pets')",
           "odata.editLink":"Tables('Pets')",
           "TableName":"Pets"}]})json"));
  EXPECT_EQ(feed_of(MetadataLevel::kNone, {}), R"({"value":[]})");
}

TEST(TableWriterTest, WritesOneTableAsTheSpecShowsIt) {
  const auto write = [](MetadataLevel level) {
    std::string json;
    AppendTable(ContextAt(level), "Pets", json);
    return json;
  };

  EXPECT_EQ(write(MetadataLevel::kNone), R"({"TableName":"Pets"})");
  EXPECT_EQ(write(MetadataLevel::kMinimal), OnWire(R"json(
{"odata.metadata":"https://acct.table.core.windows.net/$metadata#Tables/@Element",
 "TableName":"Pets"})json"));
  EXPECT_EQ(write(MetadataLevel::kFull), OnWire(R"json(
{"odata.metadata":"https://acct.table.core.windows.net/$metadata#Tables/@Element",
 "odata.type":"acct.Tables",
 "odata.id":"https://acct.table.core.windows.net/Tables('Pets')",
 "odata.editLink":"Tables('Pets')",
 "TableName":"Pets"})json"));
}

}  // namespace
}  // namespace entitable
