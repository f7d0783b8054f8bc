// Any bytes as the body of a leaf page: refused, or read without harm, and the
// same rows once they were made into pages again, or written as values.

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "fuzz/expect.h"
#include "store/envelope.h"
#include "store/leaf_builder.h"
#include "store/leaf_format.h"
#include "store/leaf_page.h"
#include "store/sort_key.h"
#include "wire/values_writer.h"

namespace entitable {
namespace {

void ExpectSameRow(const LeafPage& a, std::size_t row, const LeafPage& b,
                   std::size_t other) {
  Expect(a.is_tombstone(row) == b.is_tombstone(other), "a deletion stays one");
  if (a.is_tombstone(row)) return;
  Expect(a.TimestampOf(row) == b.TimestampOf(other), "the timestamp stays");
  Expect(a.PropertiesOf(row).bytes() == b.PropertiesOf(other).bytes(),
         "the properties stay");
}

// The rows from `first` on against the page that the builder makes of them.
void FinishPage(const LeafPage& page, std::size_t first, LeafBuilder& builder) {
  const auto again = LeafPage::Decode(builder.Finish());
  Expect(again.has_value(), "what is built can be read");
  for (std::size_t i = 0; i < again->row_count(); ++i) {
    ExpectSameRow(page, first + i, *again, i);
  }
}

// No builder takes such a list, yet a page may tell of one.
bool HasPropertyTwice(const PropertyList& list) {
  std::set<std::string> names;
  for (PropertyCursor cursor(list); auto property = cursor.Next();) {
    std::string name(property->name);
    name += static_cast<char>(property->value.type());
    if (!names.insert(std::move(name)).second) return true;
  }
  return false;
}

bool HasPropertyTwice(const LeafPage& page) {
  for (std::size_t row = 0; row < page.row_count(); ++row) {
    if (!page.is_tombstone(row) && HasPropertyTwice(page.PropertiesOf(row))) {
      return true;
    }
  }
  return false;
}

void BuildAgain(const LeafPage& page) {
  LeafBuilder builder;
  std::size_t first = 0;
  std::string key;
  for (std::size_t row = 0; row < page.row_count(); ++row) {
    page.KeyOf(row, key);
    Expect(page.LowerBound(key) == row, "a key is found");
    ParseSortKey(key);
    const auto add = [&] {
      return page.is_tombstone(row) ? builder.AddTombstone(key)
                                    : builder.Add(key, page.EntityOf(row));
    };
    if (add()) continue;
    FinishPage(page, first, builder);
    first = row;
    Expect(add(), "the first row always fits");
  }
  FinishPage(page, first, builder);
}

// Out of the columns the same as out of the entities.
void WriteValues(const LeafPage& page) {
  const PayloadContext context{MetadataLevel::kTyped, "a", "http://a", "T"};
  ValuesWriter of_page;
  ValuesWriter of_block;
  ValuesWriter of_entities;
  for (std::size_t row = 0; row < page.row_count(); ++row) {
    if (page.is_tombstone(row)) continue;
    PageRow place = page.RowAt(row);
    place.page = 1;
    of_page.Add(context, {"p", "r"}, place);
    of_block.AddToBlock(context, {"p", "r"}, place);
    of_entities.Add(context, {"p", "r"}, page.EntityOf(row));
  }
  of_block.EndBlock();
  Expect(of_page.Finish() == of_entities.Finish(), "values are those of rows");
  of_block.Finish();
}

}  // namespace

void Test(BytesView bytes) {
  Expect(!LeafPage::Decode(Bytes(bytes)) || bytes.starts_with("ETLF"),
         "a page begins as one");
  // Few bytes have the right checksum by chance, so they get it.
  const auto page = LeafPage::Decode(Seal(kLeafKind, bytes));
  if (page) {
    WriteValues(*page);
    if (!HasPropertyTwice(*page)) BuildAgain(*page);
  } else {
    ExpectDamaged(page.error());
  }
}

}  // namespace entitable
