// Values written out of the columns of pages, against those of the entities
// that the pages were made of.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/leaf_page.h"
#include "store/sort_key.h"
#include "support/key_table_of.h"
#include "support/random.h"
#include "support/random_rows.h"
#include "support/values_reader.h"
#include "wire/values_writer.h"

namespace entitable {
namespace {

// Names that entities may have, that none has, and those of the system.
std::vector<std::string> NextSelect(const RowTraits& traits,
                                    RandomRows& random) {
  std::vector<std::string> select;
  for (const std::string_view name :
       {"RowKey", "nobody", "Timestamp", "PartitionKey"}) {
    if (random.Below(2) == 0) select.emplace_back(name);
  }
  for (std::size_t left = random.Below(6); left > 0; --left) {
    std::string name = "name";
    name += std::to_string(random.Below(traits.names + 2));
    if (std::ranges::find(select, name) == select.end()) {
      select.push_back(std::move(name));
    }
  }
  return select;
}

// The same rows: out of the page, in blocks and one by one, and as they were.
struct Pair {
  ValuesWriter of_page;
  ValuesWriter one_by_one;
  ValuesWriter of_entities;
  std::size_t rows = 0;

  void Add(const PayloadContext& context, const Row& row,
           const PageRow* in_page) {
    const auto place = ParseSortKey(row.sort_key);
    const EntityKeyView key = place->key.view();
    of_entities.Add(context, key, *row.entity);
    if (in_page != nullptr) {
      of_page.AddToBlock(context, key, *in_page);
      one_by_one.Add(context, key, *in_page);
    } else {
      of_page.Add(context, key, *row.entity);
      one_by_one.Add(context, key, *row.entity);
    }
    ++rows;
  }

  void ExpectEqual() {
    const std::string bytes = of_entities.Finish();
    ASSERT_EQ(one_by_one.Finish(), bytes);
    const std::vector<ValuesRow> expected = ReadValues(bytes);
    EXPECT_EQ(expected.size(), rows);
    ASSERT_EQ(ReadValues(of_page.Finish()), expected);
  }
};

// Now and then an entity in memory comes between those of the page, or a block
// ends.  It has rows of one table.
void AddPage(const LeafPage& page, std::uint64_t number,
             const std::vector<Row>& rows, std::size_t first,
             const PayloadContext& context, RandomRows& random, Pair& pair) {
  TableId last_table{};
  for (std::size_t i = 0; i < page.row_count(); ++i) {
    const Row& row = rows[first + i];
    if (page.is_tombstone(i) || random.Below(4) == 0) continue;
    const TableId table = ParseSortKey(row.sort_key)->table;
    if (std::exchange(last_table, table) != table) pair.of_page.EndBlock();
    PageRow place = page.RowAt(i);
    place.page = number;
    pair.Add(context, row, random.Below(8) == 0 ? nullptr : &place);
    if (random.Below(16) == 0) pair.of_page.EndBlock();
  }
  pair.of_page.EndBlock();
}

TEST(PageValuesTest, AreThoseOfTheEntitiesThatThePageWasMadeOf) {
  RandomRows random(TestSeed());
  SCOPED_TRACE(TestSeed());
  std::size_t written = 0;
  for (int i = 0; i < 200; ++i) {
    const RowTraits traits = random.NextTraits();
    const std::vector<Row> rows =
        random.Next(1 + random.Below(i % 8 == 0 ? 2000 : 40), traits);
    const KeyTable select = KeyTableOf(NextSelect(traits, random));
    PayloadContext context{MetadataLevel::kTyped, "acct", "http://a", "Pets"};
    if (i % 2 == 0 && select.size() > 0) context.select = &select;

    Pair pair;
    std::size_t first = 0;
    std::uint64_t number = 0;
    for (const Bytes& value : PagesOf(rows)) {
      // One page after the other, maybe at the same place in memory.
      const auto page = LeafPage::Decode(value);
      ASSERT_TRUE(page.has_value());
      AddPage(*page, ++number, rows, first, context, random, pair);
      first += page->row_count();
    }
    written += pair.rows;
    pair.ExpectEqual();
  }
  EXPECT_GT(written, 5'000u);
}

// The other rows of a page as long as any.
TEST(PageValuesTest, HaveARowThatIsLongerThanAPage) {
  const std::string long_text(200'000, 'x');
  Entity entity{DateTime{700'000'000'000'000'000}, {}};
  for (const std::string_view name : {"A", "B", "C"}) {
    entity.properties.Append(name, Value::String(long_text));
    entity.properties.Append(std::string(name) + "b", Value::Binary(long_text));
  }
  const Row row{MakeSortKey(1, {"p", "r"}), entity};
  const auto page = LeafPage::Decode(PagesOf({row}).front());
  PageRow place = page->RowAt(0);
  place.page = 1;

  Pair pair;
  pair.Add({MetadataLevel::kTyped, "acct", "http://a", "Pets"}, row, &place);
  pair.of_page.EndBlock();

  pair.ExpectEqual();
}

}  // namespace
}  // namespace entitable
