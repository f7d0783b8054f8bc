// entity_writer.h - writes entities and tables as the service's JSON.
//
// Sources: payloads of the spec, sections 4.2 to 4.5; query, 3.7.

#ifndef ENTITABLE_WIRE_ENTITY_WRITER_H_
#define ENTITABLE_WIRE_ENTITY_WRITER_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/date_time.h"
#include "base/key_table.h"
#include "base/text_buffer.h"
#include "entitable/operation.h"
#include "model/column_source.h"
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

// A timestamp as the service writes it.
struct TimestampTexts {
  explicit TimestampTexts(DateTime at);

  DateTime timestamp;
  DateTimeText time;
  std::string etag;  // As JSON.
};

// Writes elements of a feed like AppendEntityElement(), but directly from the
// columns of pages.  Consecutive rows share the names of their properties if
// they are in the same page and have the same schema, and the texts of an equal
// timestamp.
class PageRowsWriter {
 public:
  // The context must be the same for all rows.
  void Append(const PayloadContext& context, EntityKeyView key,
              const PageRow& row, std::string& out);

 private:
  struct Member {
    const Column* column;
    std::size_t names_end;  // The end of its text in names_.
  };
  void Prepare(const PayloadContext& context, const PageRow& row);
  void AppendPrepared(std::size_t begin, std::size_t end,
                      TextBuffer& out) const;

  PageRow schema_of_;  // The row that the members come from.
  std::vector<Member> members_;
  // What precedes the value of each member: a comma, the annotation unless it
  // depends on the value, and the name.  The selected properties that are
  // missing follow.
  std::string names_;
  std::optional<TimestampTexts> texts_;  // Of the last row.
};

// The same for tables.  They ignore `context.table`.
void AppendTable(const PayloadContext& context, std::string_view name,
                 std::string& out);
void BeginTableFeed(const PayloadContext& context, std::string& out);
void AppendTableElement(const PayloadContext& context, std::string_view name,
                        std::string& out);

}  // namespace entitable

#endif  // ENTITABLE_WIRE_ENTITY_WRITER_H_
