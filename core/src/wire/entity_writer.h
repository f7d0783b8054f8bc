// entity_writer.h - writes entities and tables as the service's JSON.
//
// Sources: payloads of the spec, sections 4.2 to 4.5; query, 3.7.

#ifndef ENTITABLE_WIRE_ENTITY_WRITER_H_
#define ENTITABLE_WIRE_ENTITY_WRITER_H_

#include <optional>
#include <string>
#include <string_view>

#include "base/key_table.h"
#include "entitable/engine.h"
#include "model/entity.h"
#include "model/entity_key.h"

namespace entitable {

// What all annotations of an answer have in common.
struct PayloadContext {
  MetadataLevel level;
  std::string_view account;
  std::string_view base_url;
  std::string_view table;  // As in the URL of the request.

  // $select as the client sent it.  It is appended to odata.metadata, even if
  // it is empty.  Nothing if the client sent none.
  std::optional<std::string_view> raw_select = std::nullopt;

  // The names of the projection; null: all properties.
  const KeyTable* select = nullptr;

  WireFormat format = WireFormat::kJson;

  bool has_lines() const { return format == WireFormat::kLines; }
  bool Selects(std::string_view name) const {
    return select == nullptr || select->Find(name) != KeyTable::kNone;
  }
};

// For example "Pets(PartitionKey='dogs',RowKey='rex')", percent-encoded.
std::string EntityEditLink(std::string_view table, EntityKeyView key);

// For example "Tables('Pets')".
std::string TableEditLink(std::string_view name);

// Writes an entity as the whole answer.
void AppendEntity(const PayloadContext& context, EntityKeyView key,
                  const EntityView& entity, std::string& out);

// Writes an entity as the body of a request: without Timestamp and ETag, and
// with the type of every value that the JSON alone does not tell.
void AppendRequestEntity(EntityKeyView key, const PropertyList& properties,
                         std::string& out);

// A feed: the beginning, any number of elements, the end.  In the format
// kLines, only the elements, one per line.
void BeginEntityFeed(const PayloadContext& context, std::string& out);
void AppendEntityElement(const PayloadContext& context, EntityKeyView key,
                         const EntityView& entity, std::string& out);
void EndFeed(const PayloadContext& context, std::string& out);

// The same for tables.  They ignore `context.table`.
void AppendTable(const PayloadContext& context, std::string_view name,
                 std::string& out);
void BeginTableFeed(const PayloadContext& context, std::string& out);
void AppendTableElement(const PayloadContext& context, std::string_view name,
                        std::string& out);

}  // namespace entitable

#endif  // ENTITABLE_WIRE_ENTITY_WRITER_H_
