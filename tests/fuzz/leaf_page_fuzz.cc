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

// Only a damaged page has a row with the same property twice.
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

// Makes pages of the rows of a page: out of its columns, and out of entities.
class Builders {
 public:
  explicit Builders(const LeafPage& page)
      : page_(page), has_all_(!HasPropertyTwice(page)) {}

  void Add(std::size_t row, const std::string& key) {
    if (TryToAdd(row, key)) return;
    Finish();
    first_ = row;
    Expect(TryToAdd(row, key), "the first row always fits");
  }

  void Finish() {
    Bytes bytes = of_rows_.Finish();
    Expect(bytes == of_entities_.Finish(), "rows are their entities");
    const auto again = LeafPage::Decode(std::move(bytes));
    Expect(again.has_value(), "what is built can be read");
    for (std::size_t i = 0; has_all_ && i < again->row_count(); ++i) {
      ExpectSameRow(page_, first_ + i, *again, i);
    }
  }

 private:
  bool TryToAdd(std::size_t row, const std::string& key) {
    const bool is_deleted = page_.is_tombstone(row);
    const bool fits = is_deleted ? of_rows_.AddTombstone(key)
                                 : of_rows_.Add(key, page_.RowAt(row));
    const bool same_fits = is_deleted
                               ? of_entities_.AddTombstone(key)
                               : of_entities_.Add(key, page_.EntityOf(row));
    Expect(fits == same_fits, "rows have the size of their entities");
    return fits;
  }

  const LeafPage& page_;
  bool has_all_;  // A builder leaves out what a row has twice.
  std::size_t first_ = 0;
  LeafBuilder of_rows_;
  LeafBuilder of_entities_;
};

void BuildAgain(const LeafPage& page) {
  Builders builders(page);
  std::string key;
  for (std::size_t row = 0; row < page.row_count(); ++row) {
    page.KeyOf(row, key);
    Expect(page.LowerBound(key) == row, "a key is found");
    ParseSortKey(key);
    builders.Add(row, key);
  }
  builders.Finish();
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
    BuildAgain(*page);
  } else {
    ExpectDamaged(page.error());
  }
}

}  // namespace entitable
