// entity_reader.h - entities and table names from the bodies of requests.
//
// Sources: payloads of the spec, section 4.6; data model, 1.3 to 1.5.

#ifndef ENTITABLE_MODEL_ENTITY_READER_H_
#define ENTITABLE_MODEL_ENTITY_READER_H_

#include <string>

#include "base/json_reader.h"
#include "entitable/result.h"
#include "model/entity.h"
#include "model/entity_key.h"

namespace entitable {

// What the body of an Insert says.
struct NewEntity {
  EntityKey key;
  PropertyList properties;  // In the order of the body.
};

// Both check all rules that need no stored data, and report the first broken
// one in this order: JSON, names twice, names, count, keys, values, their
// sizes, the size of the entity.  Source: data model, 1.4, last paragraph.
Result<NewEntity> ReadNewEntity(JsonReader& reader, JsonText body);

// The body of an update, a merge or an upsert: the keys are those of the URL,
// and what the body says of them is passed over.
Result<PropertyList> ReadUpdate(JsonReader& reader, JsonText body,
                                EntityKeyView key);

// The body of Create Table.  The name is not checked.
Result<std::string> ReadTableName(JsonReader& reader, JsonText body);

}  // namespace entitable

#endif  // ENTITABLE_MODEL_ENTITY_READER_H_
