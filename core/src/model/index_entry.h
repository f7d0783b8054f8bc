// index_entry.h - what an index keeps of an entity.
//
// An index is a hidden table.  Each entry is a row of it, without properties
// unless the index is a covering one.  Its PartitionKey has the values that are
// indexed, so the order of the entries is the order of the values, and then
// that of the entities' keys.  Entities without a property come first, as in an
// ordered query.
//
//   PartitionKey = { value } 02 PartitionKey of the entity
//                | word 03 count length 02 PartitionKey of the entity
//   RowKey       = RowKey of the entity
//   value        = the first 256 bytes of a value (model/order_value.h),
//                  inverted if the term descends, as ASCII: 00 to 03 become 03
//                  and 04 to 07; 7E to BE become 7E and 04 to 44; BF to FF
//                  become 7F and 04 to 44
//
// An entry has only the beginning of a longer value, so a query must test the
// entity.
//
// A term may be the items of an array, which is stored as JSON in parts.  Then
// there is an entry for each distinct text, number and truth value in it, where
// `value` is that item.  An array with none of them, and whatever is no array,
// counts as a missing property.  An array with more than kMaxItems has one
// entry, with the bytes kManyItems as its value, so a query of items also reads
// these entries.
//
// An index of words has an entry for each different word (base/search_words.h)
// of a String: how often the text has it, and how many words the text has. Each
// number is three characters of six bits, 30 to 6F.
//
// A **covering** index is one by values whose entries also have properties of
// their entities (IndexCopies), in the same order, and their timestamps.  So a
// read that needs no other properties need not read the entities: the etag
// follows from the timestamp.  If these properties are long, the entry has none
// of them, and the timestamp kNoCopy, which no entity gets from a clock.

#ifndef ENTITABLE_MODEL_INDEX_ENTRY_H_
#define ENTITABLE_MODEL_INDEX_ENTRY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/date_time.h"
#include "model/entity.h"
#include "model/entity_key.h"
#include "model/value.h"

namespace entitable {

// Of one table, and of one index.
inline constexpr std::size_t kMaxIndexes = 16;
inline constexpr std::size_t kMaxIndexTerms = 8;

// Of a value.
inline constexpr std::size_t kMaxIndexedBytes = 256;

// Distinct ones of an array.
inline constexpr std::size_t kMaxItems = 1000;

// Of the properties of an entry, as bytes.
inline constexpr std::size_t kMaxCopiedBytes = 4096;
inline constexpr DateTime kNoCopy = kMinDateTime;

// Behind all values (OrderKind).
inline constexpr std::string_view kManyItems = "\x08";

struct IndexTerm {
  std::string name;  // Of a property, or of a key.
  bool descends = false;
  bool is_words = false;  // The words of the property: the only term.
  bool is_items = false;  // The items of the property: one term of an index.
  bool is_whole = false;  // Of words: also those of its further parts.

  bool operator==(const IndexTerm&) const = default;
};
using IndexTerms = std::vector<IndexTerm>;

// Which properties the entries have beside those of the terms.
struct IndexCopies {
  bool are_all = false;                 // Whatever their names are.
  std::vector<std::string> names = {};  // In the order of the declaration.

  bool is_empty() const { return !are_all && names.empty(); }
  bool operator==(const IndexCopies&) const = default;
};

// Whether each entry of a covering index has the property of its entity, if the
// entity has it.  Names of system properties count, too.
bool HasCopyOf(const IndexTerms& terms, const IndexCopies& copies,
               std::string_view name);

// What the entries of an entity have beside their keys.
Entity CopyOf(const IndexTerms& terms, const IndexCopies& copies,
              const EntityView& entity);

// The entries of an entity: their PartitionKeys.  `properties`: the bytes of a
// PropertyList.  An index by values has one entry for each entity; with items,
// one for each of them.  Here, and nowhere else, it is decided which entries
// there are.  They are in any order, and each is there once.
std::vector<std::string> IndexEntriesOf(const IndexTerms& terms,
                                        EntityKeyView key,
                                        std::string_view properties);

// The text whose words are indexed: a view of the properties or of `room`.
std::optional<std::string_view> IndexedText(const IndexTerm& term,
                                            std::string_view properties,
                                            std::string& room);

// The entity that an entry is about; nothing if it is no entry.
std::optional<EntityKeyView> IndexedKey(EntityKeyView entry);

// The beginning of all entries of a word.
std::string WordPrefix(std::string_view word);

// An entry of a word, read from its sort key behind the table
// (store/sort_key.h).  Nothing if it is no entry of a word.
struct WordEntry {
  // The sort key of the entity behind the table: a view.  The keys of an entry
  // end with those of the entity, so their sort texts do, too.
  std::string_view row;

  std::uint32_t count;   // How often the text has the word.
  std::uint32_t length;  // How many words the text has.
};
std::optional<WordEntry> ReadWordEntry(std::string_view sort_texts);

// The terms as in a declaration: "owner,created desc", "items(tags)" or
// "words(whole(text))".
std::string TextOfIndex(const IndexTerms& terms);

// The first bytes of a value in ascending order; and such bytes as an entry has
// them.
std::string IndexBytesOf(const Value* value);
void AppendIndexText(std::string_view bytes, bool descends, std::string& text);

}  // namespace entitable

#endif  // ENTITABLE_MODEL_INDEX_ENTRY_H_
