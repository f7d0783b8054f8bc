// Types and values, cases 146 to 218.

#include <gtest/gtest.h>

#include <string>

#include "base/text_encodings.h"
#include "model/entity_reader.h"
#include "support/operations.h"
#include "support/print_properties.h"
#include "support/read_entity.h"

namespace entitable {
namespace {

std::string MessageOfMembers(std::string_view members) {
  return MessageOf(EntityBody("p", "r", members));
}

// What becomes of the property X when annotated with the type.
std::string ReadAs(std::string_view type, std::string_view json) {
  std::string members = R"("X@odata.type":")";
  members.append(type).append(R"(","X":)").append(json);
  return ReadMembers(members);
}

std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  return quoted.append(text) + '"';
}

std::string Base64(std::size_t byte_count) {
  std::string text;
  AppendBase64(std::string(byte_count, 'x'), text);
  return text;
}

TEST(EntityValuesTest, InfersTheTypeFromTheJson) {
  const struct {
    const char* json;
    const char* property;
  } kCases[] = {
      {R"("abc")", "X:Edm.String=abc"},
      {R"("")", "X:Edm.String="},
      {R"("  a  ")", "X:Edm.String=  a  "},
      {R"("2020-01-01T00:00:00Z")", "X:Edm.String=2020-01-01T00:00:00Z"},
      {R"("<&>'/\"\\")", "X:Edm.String=<&>'/\"\\"},
      {R"("\u00e9\u4e2d")", "X:Edm.String=\u00e9\u4e2d"},
      {"\"\u00e9\u4e2d\"", "X:Edm.String=\u00e9\u4e2d"},
      {R"("NaN")", "X:Edm.String=NaN"},
      {"true", "X:Edm.Boolean=true"},
      {"false", "X:Edm.Boolean=false"},
      {"1", "X:Edm.Int32=1"},
      {"2147483647", "X:Edm.Int32=2147483647"},
      {"-2147483648", "X:Edm.Int32=-2147483648"},
      {"-0", "X:Edm.Int32=0"},
      {"2147483648", "X:Edm.Double=2147483648"},
      {"-2147483649", "X:Edm.Double=-2147483649"},
      {"1.0", "X:Edm.Double=1"},
      {"1e3", "X:Edm.Double=1000"},
      {"1E3", "X:Edm.Double=1000"},
      {"0.1", "X:Edm.Double=0.10000000000000001"},
      {"1e15", "X:Edm.Double=1000000000000000"},
      {"0.00001", "X:Edm.Double=1.0000000000000001e-05"},
      {"1.7976931348623157e308", "X:Edm.Double=1.7976931348623157e+308"},
      {"5e-324", "X:Edm.Double=4.9406564584124654e-324"},
      {"1e400", "400 InvalidInput"},
  };
  for (const auto& [json, property] : kCases) {
    EXPECT_EQ(ReadMembers("\"X\":" + std::string(json)), property) << json;
  }
}

TEST(EntityValuesTest, TakesTheTypeFromTheAnnotation) {
  const struct {
    const char* type;
    const char* json;
    const char* outcome;
  } kCases[] = {
      {"Edm.String", R"("5")", "X:Edm.String=5"},
      {"Edm.String", "5", "400 InvalidInput"},
      {"Edm.String", "true", "400 InvalidInput"},

      {"Edm.Int32", "5", "X:Edm.Int32=5"},
      {"Edm.Int32", R"("-31")", "X:Edm.Int32=-31"},
      {"Edm.Int32", R"("-3.1")", "400 InvalidInput"},
      {"Edm.Int32", "-3.1", "400 InvalidInput"},
      {"Edm.Int32", "5.0", "400 InvalidInput"},
      {"Edm.Int32", "2147483648", "400 InvalidInput"},
      {"Edm.Int32", R"("2147483648")", "400 InvalidInput"},
      {"Edm.Int32", R"("")", "400 InvalidInput"},
      {"Edm.Int32", R"(" 5")", "400 InvalidInput"},
      {"Edm.Int32", "true", "400 InvalidInput"},

      {"Edm.Int64", R"("9223372036854775807")",
       "X:Edm.Int64=9223372036854775807"},
      {"Edm.Int64", R"("-9223372036854775808")",
       "X:Edm.Int64=-9223372036854775808"},
      {"Edm.Int64", R"("9223372036854775808")", "400 InvalidInput"},
      {"Edm.Int64", R"("-9223372036854775809")", "400 InvalidInput"},
      {"Edm.Int64", "9223372036854775807", "X:Edm.Int64=9223372036854775807"},
      {"Edm.Int64", "5", "X:Edm.Int64=5"},
      {"Edm.Int64", "5.0", "400 InvalidInput"},
      {"Edm.Int64", R"("1.5")", "400 InvalidInput"},
      {"Edm.Int64", R"("")", "400 InvalidInput"},

      {"Edm.Double", "3", "X:Edm.Double=3"},
      {"Edm.Double", "1.5", "X:Edm.Double=1.5"},
      {"Edm.Double", R"("1.5")", "X:Edm.Double=1.5"},
      {"Edm.Double", R"("-2e3")", "X:Edm.Double=-2000"},
      {"Edm.Double", R"("NaN")", "X:Edm.Double=nan"},
      {"Edm.Double", R"("Infinity")", "X:Edm.Double=inf"},
      {"Edm.Double", R"("-Infinity")", "X:Edm.Double=-inf"},
      {"Edm.Double", R"("INF")", "X:Edm.Double=inf"},
      {"Edm.Double", R"("-INF")", "X:Edm.Double=-inf"},
      {"Edm.Double", "1.797693134862315e308",
       "X:Edm.Double=1.7976931348623149e+308"},
      {"Edm.Double", R"("1.797693134862316e308")", "400 InvalidInput"},
      {"Edm.Double", "1.797693134862316e308", "400 InvalidInput"},
      {"Edm.Double", R"("13e7705")", "400 InvalidInput"},
      {"Edm.Double", R"("x")", "400 InvalidInput"},
      {"Edm.Double", "true", "400 InvalidInput"},

      {"Edm.Boolean", "true", "X:Edm.Boolean=true"},
      {"Edm.Boolean", R"("true")", "X:Edm.Boolean=true"},
      {"Edm.Boolean", R"("false")", "X:Edm.Boolean=false"},
      {"Edm.Boolean", R"("yes")", "400 InvalidInput"},
      {"Edm.Boolean", R"("True")", "X:Edm.Boolean=true"},
      {"Edm.Boolean", R"("FALSE")", "X:Edm.Boolean=false"},
      {"Edm.Boolean", R"("True ")", "400 InvalidInput"},
      {"Edm.Boolean", R"("1")", "400 InvalidInput"},
      {"Edm.Boolean", "1", "400 InvalidInput"},

      {"Edm.DateTime", R"("2020-02-29T12:34:56.1234567Z")",
       "X:Edm.DateTime=2020-02-29T12:34:56.1234567Z"},
      {"Edm.DateTime", R"("2020-02-29T12:34:56.1200000Z")",
       "X:Edm.DateTime=2020-02-29T12:34:56.12Z"},
      {"Edm.DateTime", R"("2020-02-29T12:34:56.0000000Z")",
       "X:Edm.DateTime=2020-02-29T12:34:56Z"},
      {"Edm.DateTime", R"("2020-02-29T12:34:56")",
       "X:Edm.DateTime=2020-02-29T12:34:56Z"},
      {"Edm.DateTime", R"("2020-02-29T12:34:56+02:00")",
       "X:Edm.DateTime=2020-02-29T10:34:56Z"},
      {"Edm.DateTime", R"("1601-01-01T00:00:00Z")",
       "X:Edm.DateTime=1601-01-01T00:00:00Z"},
      {"Edm.DateTime", R"("9999-12-31T23:59:59.9999999Z")",
       "X:Edm.DateTime=9999-12-31T23:59:59.9999999Z"},
      {"Edm.DateTime", R"("1600-12-31T23:59:59.9999999Z")",
       "400 OutOfRangeInput"},
      {"Edm.DateTime", R"("0001-01-01T00:00:00Z")", "400 OutOfRangeInput"},
      {"Edm.DateTime", R"("2021-02-29T00:00:00Z")", "400 InvalidInput"},
      {"Edm.DateTime", R"("2020-01-01T24:00:00Z")", "400 InvalidInput"},
      {"Edm.DateTime", R"("2020-01-01T00:00:60Z")", "400 InvalidInput"},
      {"Edm.DateTime", R"("tomorrow")", "400 InvalidInput"},
      {"Edm.DateTime", R"("")", "400 InvalidInput"},
      {"Edm.DateTime", "2020", "400 InvalidInput"},

      {"Edm.Guid", R"("7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001")",
       "X:Edm.Guid=7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001"},
      {"Edm.Guid", R"("7B0B7A3E-52D7-4A43-9C1B-51E6F3F0C001")",
       "X:Edm.Guid=7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001"},
      {"Edm.Guid", R"("7b0b7a3e")", "400 InvalidInput"},
      {"Edm.Guid", R"("{7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001}")",
       "400 InvalidInput"},
      {"Edm.Guid", "5", "400 InvalidInput"},

      {"Edm.Binary", R"("AQIDBA==")", "X:Edm.Binary=01020304"},
      {"Edm.Binary", R"("")", "X:Edm.Binary="},
      {"Edm.Binary", R"("%%%")", "400 InvalidInput"},
      {"Edm.Binary", R"("AQIDBA")", "400 InvalidInput"},
      {"Edm.Binary", R"("AQID BA==")", "400 InvalidInput"},
      {"Edm.Binary", R"("_-8=")", "400 InvalidInput"},
      {"Edm.Binary", "1", "400 InvalidInput"},

      {"Edm.Decimal", R"("1")", "400 InvalidInput"},
      {"edm.int64", R"("1")", "400 InvalidInput"},
      {"", R"("1")", "400 InvalidInput"},
  };
  for (const auto& [type, json, outcome] : kCases) {
    EXPECT_EQ(ReadAs(type, json), outcome) << type << ' ' << json;
  }
}

TEST(EntityValuesTest, SaysWhatIsWrongInTheWordsOfTheService) {
  constexpr char kUnreadable[] =
      "An error occurred while processing this request.";
  EXPECT_EQ(MessageOfMembers(R"("X@odata.type":"Edm.Double","X":"13e7705")"),
            kUnreadable);
  EXPECT_EQ(MessageOfMembers(R"("X@odata.type":"Edm.DateTime","X":"tomorrow")"),
            kUnreadable);
  EXPECT_EQ(MessageOfMembers(R"("X":1e400)"), kUnreadable);
  EXPECT_EQ(
      MessageOfMembers(R"("X@odata.type":"Edm.DateTime",)"
                       R"("X":"1600-12-31T23:59:59.9999999Z")"),
      "The 'X' parameter of value '12/31/1600 23:59:59' is out of range.");
  EXPECT_EQ(MessageOfMembers(R"("Born@odata.type":"Edm.DateTime",)"
                             R"("Born":"0001-01-01T00:00:00Z")"),
            "The 'Born' parameter of value '01/01/0001 00:00:00' is out of "
            "range.");
}

// Cases 150 to 153, 208 and 209.
TEST(EntityValuesTest, LimitsTheSizeOfStringsAndBinaries) {
  const auto text = [](std::size_t units) {
    return ReadMembers("\"X\":" + Quoted(std::string(units, 's')));
  };
  EXPECT_EQ(text(32'768), "X:Edm.String=" + std::string(32'768, 's'));
  EXPECT_EQ(text(32'769), "400 PropertyValueTooLarge");
  EXPECT_EQ(text(65'536), "400 PropertyValueTooLarge");

  std::string emoji;
  for (int i = 0; i < 16'384; ++i) emoji += "\U0001F600";
  EXPECT_EQ(ReadMembers("\"X\":" + Quoted(emoji)), "X:Edm.String=" + emoji);
  EXPECT_EQ(ReadMembers("\"X\":" + Quoted(emoji + "s")),
            "400 PropertyValueTooLarge");

  EXPECT_EQ(ReadAs("Edm.Binary", Quoted(Base64(65'536))).size(),
            std::string_view("X:Edm.Binary=").size() + 2 * 65'536);
  EXPECT_EQ(ReadAs("Edm.Binary", Quoted(Base64(65'537))),
            "400 PropertyValueTooLarge");
  EXPECT_EQ(
      MessageOfMembers("\"X\":" + Quoted(std::string(65'536, 's'))),
      "The property value exceeds the maximum allowed size (64KB). If the "
      "property value is a string, it is UTF-16 encoded and the maximum "
      "number of characters should be 32K or less.");
}

// Cases 214 to 216.
TEST(EntityValuesTest, LimitsTheSizeOfTheEntity) {
  std::string fifteen;
  for (int i = 1; i <= 15; ++i) {
    const std::string name = (i < 10 ? "b0" : "b") + std::to_string(i);
    fifteen += Quoted(name + "@odata.type") + R"(:"Edm.Binary",)" +
               Quoted(name) + ":" + Quoted(Base64(65'536)) + ",";
  }
  const auto with_b16 = [&](std::size_t byte_count) {
    return fifteen + R"("b16@odata.type":"Edm.Binary","b16":)" +
           Quoted(Base64(byte_count));
  };
  EXPECT_EQ(MessageOfMembers(with_b16(65'240)), "accepted");
  EXPECT_EQ(ReadMembers(with_b16(65'241)), "400 EntityTooLarge");
  EXPECT_EQ(MessageOfMembers(with_b16(65'241)),
            "The entity is larger than the maximum allowed size (1MB).");

  std::string strings;
  for (int i = 0; i < 40; ++i) {
    if (i > 0) strings += ',';
    strings +=
        "\"s" + std::to_string(i) + "\":" + Quoted(std::string(32'768, 's'));
  }
  EXPECT_EQ(ReadMembers(strings), "400 EntityTooLarge");
}

}  // namespace
}  // namespace entitable
