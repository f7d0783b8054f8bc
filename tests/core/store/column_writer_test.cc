// Columns read back, against the list of their values.

#include "store/column_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "store/leaf_format.h"
#include "store/leaf_page.h"
#include "support/random.h"
#include "support/random_rows.h"

namespace entitable {
namespace {

constexpr EdmType kTypes[] = {
    EdmType::kString,  EdmType::kInt32,    EdmType::kInt64, EdmType::kDouble,
    EdmType::kBoolean, EdmType::kDateTime, EdmType::kGuid,  EdmType::kBinary};

// By row: the packed value, or none.
using Values = std::vector<std::optional<std::string>>;

std::string PackedOf(const Value& value) {
  PackingRoom room;
  return std::string(Pack(value, room));
}

std::string NextPacked(EdmType type, const RowTraits& traits,
                       RandomRows& random) {
  PropertyList list;
  random.AppendValue("", type, traits, list);
  return std::string(PropertyCursor(list).NextPacked()->value);
}

std::uint32_t CountIn(const Values& values) {
  return static_cast<std::uint32_t>(std::ranges::count_if(
      values, [](const auto& value) { return value.has_value(); }));
}

// A page with this one column, all of whose rows are entities.
struct ColumnPage {
  LeafLayout layout;
  Bytes bytes;
  std::size_t directory_bytes = 0;

  const Column& column() const { return layout.columns.front(); }
};

ColumnPage PageOf(const ColumnWriter& writer, std::size_t rows) {
  ColumnPage page;
  page.layout.rows = page.layout.live = static_cast<std::uint32_t>(rows);
  page.layout.schema_starts.count = 1;
  std::string before;
  AppendDirectory(page.layout, before);
  page.layout.columns.push_back(writer.Describe());
  SizeArrays(page.layout);
  std::string directory;
  AppendDirectory(page.layout, directory);
  page.directory_bytes = directory.size() - before.size();
  page.bytes.resize(PlaceArrays(0, nullptr, page.layout));
  PlaceArrays(0, page.bytes.data(), page.layout);
  writer.Write(page.column());
  return page;
}

// In the directory and in all arrays but `presence`.
std::size_t MeasuredBytes(const ColumnPage& page) {
  std::size_t bytes = page.directory_bytes;
  const Column& column = page.column();
  for (const PackedArray& array :
       {column.numbers, column.starts, column.bytes}) {
    bytes += std::size_t{array.count} * array.width;
  }
  return bytes;
}

void ExpectColumn(const ColumnWriter& writer, EdmType type,
                  const Values& values) {
  const ColumnPage page = PageOf(writer, values.size());
  const Column& column = page.column();
  EXPECT_EQ(writer.bytes(), MeasuredBytes(page));
  EXPECT_EQ(column.name, "name");
  EXPECT_EQ(column.type, type);
  ASSERT_EQ(column.value_count, CountIn(values));
  EXPECT_TRUE(IsSoundColumn(column, values.size()));
  for (std::size_t row = 0; row < values.size(); ++row) {
    ASSERT_EQ(column.Has(row), values[row].has_value()) << row;
    if (!values[row]) continue;
    ASSERT_EQ(PackedOf(column.ValueAt(column.IndexOf(row))), *values[row])
        << row;
  }
}

// Some values are tried but not added, as those of a row that does not fit.
Values Fill(ColumnWriter& writer, EdmType type, const RowTraits& traits,
            RandomRows& random) {
  const std::size_t rows = 1 + random.Below(random.Below(8) == 0 ? 700 : 80);
  const std::size_t absent = random.Below(2) == 0 ? 0 : random.Below(100);
  Values values(rows);
  std::size_t added = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    if (random.Below(100) < absent && (added > 0 || row + 1 < rows)) continue;
    if (random.Below(8) == 0) writer.Try(NextPacked(type, traits, random));
    std::string packed = NextPacked(type, traits, random);
    writer.Try(packed);
    EXPECT_EQ(writer.tried_values(), ++added);
    const std::size_t tried = writer.tried_bytes();
    writer.Add(row);
    EXPECT_EQ(writer.bytes(), tried);
    values[row] = std::move(packed);
  }
  return values;
}

TEST(ColumnWriterTest, WritesTheValuesInAsManyBytesAsItSays) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  RandomRows random(TestSeed());
  std::set<ColumnForm> forms;
  std::set<std::uint8_t> widths;
  // One writer for all, because a builder uses it again.
  ColumnWriter writer;
  const std::size_t wanted = WantedRuns("ENTITABLE_RANDOM_COLUMNS", 600);
  const auto has_seen_enough = [&] {
    return forms.size() == 6 && widths.size() == 5;
  };
  for (std::size_t i = 0;
       TriesAgain(i, wanted, has_seen_enough()) && !HasFailure(); ++i) {
    const EdmType type = kTypes[random.Below(std::size(kTypes))];
    writer.Reset("name", type);
    EXPECT_TRUE(writer.Is("name", type));
    EXPECT_EQ(writer.bytes(), 0U);
    const Values values = Fill(writer, type, random.NextTraits(), random);
    ExpectColumn(writer, type, values);
    const Column column = writer.Describe();
    forms.insert(column.form);
    if (column.form == ColumnForm::kIntegers) {
      widths.insert(column.numbers.width);
    }
  }
  EXPECT_TRUE(has_seen_enough());
}

// ---------------------------------------------------------------- a few cases

class Integers {
 public:
  Integers() { writer_.Reset("name", EdmType::kInt64); }

  // The bytes of each element with this value added.
  std::size_t WidthWith(std::int64_t number) {
    values_.push_back(PackedOf(Value::Int64(number)));
    writer_.Try(*values_.back());
    writer_.Add(values_.size() - 1);
    ExpectColumn(writer_, EdmType::kInt64, values_);
    return writer_.Describe().numbers.width;
  }

 private:
  ColumnWriter writer_;
  Values values_;
};

// Numbers are stored as their distance from the least one.
TEST(ColumnWriterTest, NeedsAsManyBytesAsTheNumbersLieApart) {
  Integers integers;
  EXPECT_EQ(integers.WidthWith(-7), 0U);
  EXPECT_EQ(integers.WidthWith(-7), 0U);
  EXPECT_EQ(integers.WidthWith(248), 1U);
  EXPECT_EQ(integers.WidthWith(249), 2U);
  EXPECT_EQ(integers.WidthWith(-7 + 0xFFFF), 2U);
  EXPECT_EQ(integers.WidthWith(-8), 4U);
  EXPECT_EQ(integers.WidthWith(INT64_MAX), 8U);
  EXPECT_EQ(integers.WidthWith(INT64_MIN), 8U);
}

// A dictionary has at most 256 entries, and pays only for texts that repeat.
TEST(ColumnWriterTest, WritesTextsOnceWhileTheyAreFew) {
  ColumnWriter writer;
  writer.Reset("name", EdmType::kString);
  Values values;
  const auto add = [&](std::size_t number) {
    values.push_back("text " + std::to_string(number));
    writer.Try(*values.back());
    writer.Add(values.size() - 1);
    return writer.Describe().form;
  };
  for (std::size_t i = 0; i < 256; ++i) {
    EXPECT_EQ(add(i), ColumnForm::kTexts) << i;
  }
  ColumnForm form{};
  for (std::size_t i = 0; i < 256; ++i) form = add(i);
  EXPECT_EQ(form, ColumnForm::kDictionary);
  ExpectColumn(writer, EdmType::kString, values);

  EXPECT_EQ(add(256), ColumnForm::kTexts);
  EXPECT_EQ(add(1), ColumnForm::kTexts);
  ExpectColumn(writer, EdmType::kString, values);
}

}  // namespace
}  // namespace entitable
