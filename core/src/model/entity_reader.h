// entity_reader.h - entities and table names from the bodies of requests.
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

// What the body of an Insert says.
struct NewEntity {
  EntityKey key;
  PropertyList properties;  // In the order of the body.
  std::vector<Violation> warnings = {};

  // Set by who reads an archive: the body tells the Timestamp, too, and
  // InvalidInput is reported where it does not.
  bool is_archived = false;
  DateTime timestamp = {};
};

// All rules that need no stored data are checked in this order: JSON, names
// twice, names, count, keys, values, their sizes, the size of the entity.
// Source: data model, 1.4, last paragraph.  Ours: with more than
// kMaxValidatedProperties custom properties, the count comes before the names.

// Every check goes to the report; false once that is full, or when there is
// nothing to check.  The entity is sound only if the report stays empty.
bool ReadNewEntity(JsonReader& reader, JsonText body, Profile profile,
                   Report& report, NewEntity& entity);

// The same for values: "Entities" in docs/internals/frames.md.
//   packed = partition_key:text row_key:text list       list: model/entity.h
bool ReadPackedEntity(JsonReader& reader, std::string_view packed,
                      Profile profile, Report& report, NewEntity& entity);

// Fails with the first broken rule.
Result<NewEntity> ReadNewEntity(JsonReader& reader, JsonText body,
                                Profile profile = Profile::kDefault);

// What the body of an update, a merge or an upsert says.
struct Update {
  PropertyList properties;  // In the order of the body.
  std::vector<Violation> warnings = {};
};

// The same for these: the keys are those of the URL, and what the body says of
// them is passed over.
Result<Update> ReadUpdate(JsonReader& reader, JsonText body,
                          const WrittenKey& written);

// The body of Create Table.  The name is not checked.
Result<std::string> ReadTableName(JsonReader& reader, JsonText body);

}  // namespace entitable

#endif  // ENTITABLE_MODEL_ENTITY_READER_H_
