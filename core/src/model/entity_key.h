// entity_key.h - the keys of an entity, and ranges of keys.

#ifndef ENTITABLE_MODEL_ENTITY_KEY_H_
#define ENTITABLE_MODEL_ENTITY_KEY_H_

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/utf.h"
#include "entitable/result.h"
#include "entitable/violation.h"
#include "model/report.h"

namespace entitable {

// In UTF-16 code units; this length is still allowed.  Source: data model,
// 1.3.4.
inline constexpr std::size_t kMaxKeyLength = 1024;

// The 1 KiB of older documentation in UTF-16 units, which every service
// accepts.  Source: differences, 6.2.
inline constexpr std::size_t kMaxServiceKeyLength = 512;

// Reports OutOfRangeInput for `/ \ # ?`, U+0000-U+001F and U+007F-U+009F.  If
// `path` is set, the message names the member of the body.  All checks here
// report what they find and return whether further checks should run.  Source:
// data model, 1.3.4.
bool CheckKeyCharacters(Report::Path path, std::string_view utf8,
                        Report& report);

// Reports PropertyValueTooLarge if the key is too long for the profile, and a
// warning if it is only too long for the stricter profile.  The table "what
// happens with a bad key" (data model, 1.3.4) tells which operations check
// this.
bool CheckKeyLength(Report::Path path, std::string_view utf8, Profile profile,
                    Report& report);

// A view of both keys, for lookups without copies.
struct EntityKeyView {
  std::string_view partition_key;
  std::string_view row_key;

  // PartitionKey first, then RowKey, both by UTF-16 code units.
  std::strong_ordering operator<=>(const EntityKeyView& other) const {
    const auto order = CompareUtf16(partition_key, other.partition_key);
    return order != 0 ? order : CompareUtf16(row_key, other.row_key);
  }
  bool operator==(const EntityKeyView& other) const = default;
};

// The keys in the URL of a write.
struct WrittenKey {
  EntityKeyView key;
  bool may_insert = true;  // False if the entity must exist.
  Profile profile = Profile::kDefault;
};

// The checks of a written key beyond ReadUrlKey().  If the entity must exist,
// an invalid key just means that there is no such entity.  Otherwise the key
// must be valid, because it may be stored.  Source: data model, 1.3.4, the rows
// on keys in a URL.
bool CheckWrittenKey(const WrittenKey& written, Report& report);

struct EntityKey {
  std::string partition_key;
  std::string row_key;

  EntityKeyView view() const { return {partition_key, row_key}; }

  std::strong_ordering operator<=>(const EntityKey& other) const {
    return view() <=> other.view();
  }
  bool operator==(const EntityKey& other) const = default;
};

// A key in an address.  Fails with InvalidInput if no address can name it: it
// has a `/` or `\`, or a control character that the service's HTTP layer
// rejects.  Some of the other keys still cannot be stored.  Source: data model,
// 1.3.4, the rows on "any URL".
Result<EntityKey> ReadUrlKey(EntityKeyView key);

// ------------------------------------------------------------------- key range

// A contiguous range of entities in key order.

// A position between two entities.
struct KeyBound {
  EntityKey key;
  bool after;  // True: directly after the key.  False: directly before it.

  std::strong_ordering operator<=>(const KeyBound& other) const;
  bool operator==(const KeyBound& other) const = default;
};

KeyBound StartOfPartition(std::string_view partition);

// The position before (p + U+0000, ""): no string lies between p and p +
// U+0000, and no key contains U+0000.
KeyBound EndOfPartition(std::string_view partition);

// All entities between two positions.  Without a lower bound, from the first
// entity on; without an upper bound, up to the last.
struct KeyRange {
  std::optional<KeyBound> lower;
  std::optional<KeyBound> upper;

  bool is_empty() const { return lower && upper && *lower >= *upper; }
};

}  // namespace entitable

#endif  // ENTITABLE_MODEL_ENTITY_KEY_H_
