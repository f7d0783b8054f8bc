// entity_reader.h - reads entities and table names from request bodies.
//
// Sources: payloads of the spec, section 4.6; data model, 1.3 to 1.5.

#ifndef ENTITABLE_MODEL_ENTITY_READER_H_
#define ENTITABLE_MODEL_ENTITY_READER_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/json_reader.h"
#include "entitable/result.h"
#include "model/entity.h"
#include "model/entity_key.h"
#include "model/report.h"

namespace entitable {

// The content of the body of an Insert.
struct NewEntity {
  EntityKey key;
  PropertyList properties;   // In the order of the body.
  std::string typed = {};    // As in model/entity.h.
  std::string removed = {};  // As in model/parts.h; an import may merge it.
  std::vector<Violation> warnings = {};

  // Whether `key` holds both keys, though something else may be wrong.
  bool has_key = false;

  // Set by readers of an archive: the body must also have the Timestamp;
  // otherwise InvalidInput is reported.
  bool is_archived = false;
  DateTime timestamp = {};
};

// Checks all rules that need no stored data, in this order: JSON, duplicate
// names, names, count, keys, values, their sizes, the size of the entity.
// Source: data model, 1.4, last paragraph.  Our addition: if there are more
// than kMaxValidatedProperties custom properties, the count comes before the
// names.

// Reports what every check finds.  Returns false if the report is full or
// nothing is left to check.  The entity is valid only if the report stays
// empty.
bool ReadNewEntity(JsonReader& reader, JsonText body, Profile profile,
                   Report& report, NewEntity& entity);

// The same for values: "Entities" in docs/internals/frames.md.
//   packed = partition_key:text row_key:text list       list: model/entity.h
bool ReadPackedEntity(JsonReader& reader, std::string_view packed,
                      Profile profile, Report& report, NewEntity& entity);

// Fails with the first broken rule.
Result<NewEntity> ReadNewEntity(JsonReader& reader, JsonText body,
                                Profile profile = Profile::kDefault);

// The content of the body of an update, a merge or an upsert.
struct Update {
  PropertyList properties;   // In the order of the body.
  std::string typed = {};    // As in model/entity.h.
  std::string removed = {};  // As in model/parts.h.
  std::vector<Violation> warnings = {};
};

// The same for these operations.  The keys are those of the URL; keys in the
// body are ignored.
Result<Update> ReadUpdate(JsonReader& reader, JsonText body,
                          const WrittenKey& written);

// Reads the body of Create Table.  Does not check the name.
Result<std::string> ReadTableName(JsonReader& reader, JsonText body);

}  // namespace entitable

#endif  // ENTITABLE_MODEL_ENTITY_READER_H_
