// entity_key.h - PartitionKey and RowKey, which name an entity in its table.

#ifndef ENTITABLE_MODEL_ENTITY_KEY_H_
#define ENTITABLE_MODEL_ENTITY_KEY_H_

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/utf.h"
#include "entitable/violation.h"
#include "model/report.h"

namespace entitable {

// In UTF-16 code units, the end included.  Source: data model, 1.3.4.
inline constexpr std::size_t kMaxKeyLength = 1024;

// The 1 KiB of older documentation, in UTF-16: what every service takes.
// Source: differences, 6.2.
inline constexpr std::size_t kMaxServiceKeyLength = 512;

// OutOfRangeInput for `/ \ # ?`, U+0000-U+001F and U+007F-U+009F.  The message
// names the member of the body, if `path` does; an address has none.
// Each check reports what it finds, and returns whether the checks go on.
// Source: data model, 1.3.4.
bool CheckKeyCharacters(Report::Path path, std::string_view utf8,
                        Report& report);

// PropertyValueTooLarge for a key that the profile finds too long, and a
// warning for one that only the stricter profile does.  Which operations check
// it differs: data model, 1.3.4, table "what happens with a bad key".
bool CheckKeyLength(Report::Path path, std::string_view utf8, Profile profile,
                    Report& report);

// Whether an address can name the key at all: no `/` and `\`, and none of the
// control characters that the service's HTTP layer refuses.  Not every such key
// can be stored.  Source: data model, 1.3.4, the rows on "any URL".
bool IsUrlKey(std::string_view utf8);

// A view of both keys, for look-ups that should copy nothing.
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
  bool may_insert = true;  // False where the entity must exist.
  Profile profile = Profile::kDefault;
};

// What IsUrlKey() leaves to be asked of them.  A key that no entity can have
// is, where one must exist, just the key of one that does not; but it must
// never be stored.  Source: data model, 1.3.4, the rows on keys in a URL.
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

}  // namespace entitable

#endif  // ENTITABLE_MODEL_ENTITY_KEY_H_
