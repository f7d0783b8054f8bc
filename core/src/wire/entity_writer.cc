#include "wire/entity_writer.h"

#include <cstddef>
#include <vector>

#include "base/json_writer.h"
#include "base/text_buffer.h"
#include "base/text_encodings.h"
#include "model/etag.h"
#include "model/names.h"
#include "wire/json_member.h"

namespace entitable {
namespace {

constexpr std::string_view kTables = "Tables";

bool HasAnnotations(const PayloadContext& context) {
  return context.level != MetadataLevel::kNone && !context.has_lines();
}

void AppendProperty(const Property& property, MetadataLevel level,
                    TextBuffer& out) {
  if (NeedsTypeAnnotation(property.value, level)) {
    AppendTypeAnnotation(property.name, property.value.type(), out);
  }
  AppendName(property.name, out);
  AppendValueJson(property.value, out);
}

// --------------------------------------------------------------- annotations

void AppendMetadata(const PayloadContext& context, std::string_view set,
                    std::string_view suffix, TextBuffer& out) {
  if (!HasAnnotations(context)) return;
  std::string url(context.base_url);
  url.append("/$metadata#").append(set).append(suffix);
  if (context.raw_select) {
    url.append("&$select=");
    AppendPercentEncodedList(*context.raw_select, url);
  }
  AppendMember("odata.metadata", url, out);
}

// The type and id, which precede the ETag at the full level.
void AppendIdentity(const PayloadContext& context, std::string_view set,
                    std::string_view edit_link, TextBuffer& out) {
  if (context.level != MetadataLevel::kFull) return;
  std::string type(context.account);
  type.append(".").append(set);
  AppendMember("odata.type", type, out);
  std::string id(context.base_url);
  id.append("/").append(edit_link);
  AppendMember("odata.id", id, out);
}

void AppendEditLink(const PayloadContext& context, std::string_view edit_link,
                    TextBuffer& out) {
  if (context.level != MetadataLevel::kFull) return;
  AppendMember("odata.editLink", edit_link, out);
}

// ------------------------------------------------------------------ entities

void AppendText(std::string_view json, TextBuffer& out) {
  out += '"';
  out += json;
  out += '"';
}

void AppendSystemProperties(const PayloadContext& context, EntityKeyView key,
                            std::string_view time, TextBuffer& out) {
  if (context.Selects("PartitionKey")) {
    AppendMember("PartitionKey", key.partition_key, out);
  }
  if (context.Selects("RowKey")) AppendMember("RowKey", key.row_key, out);
  if (context.Selects("Timestamp")) {
    if (context.level == MetadataLevel::kFull) {
      AppendTypeAnnotation("Timestamp", EdmType::kDateTime, out);
    }
    AppendName("Timestamp", out);
    AppendText(time, out);
  }
}

// Everything but the custom properties.
void AppendSystemMembers(const PayloadContext& context, EntityKeyView key,
                         const TimestampTexts& texts, TextBuffer& out) {
  const std::string edit_link = context.level == MetadataLevel::kFull
                                    ? EntityEditLink(context.table, key)
                                    : std::string();
  AppendIdentity(context, context.table, edit_link, out);
  if (HasAnnotations(context)) {
    AppendName("odata.etag", out);
    out += texts.etag;
  }
  AppendEditLink(context, edit_link, out);
  AppendSystemProperties(context, key, texts.time.view(), out);
}

// A selected property that the entity does not have is null.  Source: query,
// 3.7.
void AppendMissingProperties(const KeyTable& select,
                             const std::vector<bool>& present,
                             TextBuffer& out) {
  for (std::size_t i = 0; i < select.size(); ++i) {
    if (present[i] || IsSystemName(select[i])) continue;
    AppendName(select[i], out);
    out += "null";
  }
}

void AppendCustomProperties(const PayloadContext& context,
                            std::string_view properties, TextBuffer& out) {
  for (PropertyCursor cursor(properties); auto property = cursor.Next();) {
    AppendProperty(*property, context.level, out);
  }
}

// Each name is looked up only once, so that many names cost no more than a few.
void AppendSelectedProperties(const PayloadContext& context,
                              std::string_view properties, TextBuffer& out) {
  std::vector<bool> present(context.select->size());
  for (PropertyCursor cursor(properties); auto property = cursor.Next();) {
    const std::size_t i = context.select->Find(property->name);
    if (i == KeyTable::kNone) continue;
    present[i] = true;
    AppendProperty(*property, context.level, out);
  }
  AppendMissingProperties(*context.select, present, out);
}

void AppendEntityMembers(const PayloadContext& context, EntityKeyView key,
                         const EntityView& entity, TextBuffer& out) {
  AppendSystemMembers(context, key, TimestampTexts(entity.timestamp), out);
  if (context.select == nullptr) {
    AppendCustomProperties(context, entity.properties, out);
  } else {
    AppendSelectedProperties(context, entity.properties, out);
  }
}

void BeginFeed(const PayloadContext& context, std::string_view set,
               TextBuffer& out) {
  if (context.has_lines()) return;
  out += '{';
  AppendMetadata(context, set, "", out);
  AppendName("value", out);
  out += '[';
}

void AppendTableMembers(const PayloadContext& context, std::string_view name,
                        TextBuffer& out) {
  const std::string edit_link = TableEditLink(name);
  AppendIdentity(context, kTables, edit_link, out);
  AppendEditLink(context, edit_link, out);
  AppendMember("TableName", name, out);
}

// Begins an element of a feed.  Lines have no separators.
void BeginElement(const PayloadContext& context, TextBuffer& out) {
  if (!context.has_lines() && out.back() != '[') out += ',';
  out += '{';
}

void EndElement(const PayloadContext& context, TextBuffer& out) {
  out += '}';
  if (context.has_lines()) out += '\n';
}

// The names of a schema follow a character that makes AppendName() write a
// comma.
constexpr std::size_t kBeforeNames = 1;

}  // namespace

TimestampTexts::TimestampTexts(DateTime at) : timestamp(at), time(at.ToText()) {
  std::string content;
  {
    TextBuffer out(content);
    AppendEtag(time.view(), out);
  }
  TextBuffer out(etag);
  AppendJsonString(content, out);
}

std::string EntityEditLink(std::string_view table, EntityKeyView key) {
  std::string link(table);
  link += "(PartitionKey=";
  AppendKeyLiteral(key.partition_key, link);
  link += ",RowKey=";
  AppendKeyLiteral(key.row_key, link);
  link += ')';
  return link;
}

std::string TableEditLink(std::string_view name) {
  std::string link(kTables);
  link += '(';
  AppendKeyLiteral(name, link);
  link += ')';
  return link;
}

void AppendEntity(const PayloadContext& context, EntityKeyView key,
                  const EntityView& entity, std::string& text) {
  TextBuffer out(text);
  out += '{';
  AppendMetadata(context, context.table, "/@Element", out);
  AppendEntityMembers(context, key, entity, out);
  out += '}';
}

void AppendRequestEntity(EntityKeyView key, const PropertyList& properties,
                         std::string& text) {
  TextBuffer out(text);
  out += '{';
  AppendMember("PartitionKey", key.partition_key, out);
  AppendMember("RowKey", key.row_key, out);
  for (PropertyCursor cursor(properties); auto property = cursor.Next();) {
    AppendProperty(*property, MetadataLevel::kTyped, out);
  }
  out += '}';
}

void BeginEntityFeed(const PayloadContext& context, std::string& text) {
  TextBuffer out(text);
  BeginFeed(context, context.table, out);
}

void AppendEntityElement(const PayloadContext& context, EntityKeyView key,
                         const EntityView& entity, std::string& text) {
  TextBuffer out(text);
  BeginElement(context, out);
  AppendEntityMembers(context, key, entity, out);
  EndElement(context, out);
}

void PageRowsWriter::Append(const PayloadContext& context, EntityKeyView key,
                            const PageRow& row, std::string& text) {
  if (!row.HasSchemaOf(schema_of_)) Prepare(context, row);
  if (!texts_ || texts_->timestamp != row.timestamp()) {
    texts_.emplace(row.timestamp());
  }
  TextBuffer out(text);
  BeginElement(context, out);
  AppendSystemMembers(context, key, *texts_, out);
  std::size_t begin = kBeforeNames;
  for (const auto& [column, end] : members_) {
    const Value value = column->ValueAt(column->IndexOf(row.row));
    if (value.type() == EdmType::kDouble &&
        NeedsTypeAnnotation(value, context.level)) {
      AppendTypeAnnotation(column->name, EdmType::kDouble, out);
    }
    AppendPrepared(begin, end, out);
    AppendValueJson(value, out);
    begin = end;
  }
  AppendPrepared(begin, names_.size(), out);
  EndElement(context, out);
}

void PageRowsWriter::Prepare(const PayloadContext& context,
                             const PageRow& row) {
  schema_of_ = row;
  members_.clear();
  names_.assign(kBeforeNames, ',');
  std::vector<bool> present(context.select ? context.select->size() : 0);
  TextBuffer out(names_);
  for (std::size_t i = 0; i < row.schema.count; ++i) {
    const Column& column = row.property(i);
    if (context.select != nullptr) {
      const std::size_t name = context.select->Find(column.name);
      if (name == KeyTable::kNone) continue;
      present[name] = true;
    }
    const Value value = column.ValueAt(column.IndexOf(row.row));
    if (value.type() != EdmType::kDouble &&
        NeedsTypeAnnotation(value, context.level)) {
      AppendTypeAnnotation(column.name, column.type, out);
    }
    AppendName(column.name, out);
    members_.push_back({&column, out.size()});
  }
  if (context.select != nullptr) {
    AppendMissingProperties(*context.select, present, out);
  }
}

// The first member of an element has no comma.
void PageRowsWriter::AppendPrepared(std::size_t begin, std::size_t end,
                                    TextBuffer& out) const {
  if (begin == end) return;
  if (out.back() == '{') ++begin;
  out += std::string_view(names_).substr(begin, end - begin);
}

void EndFeed(const PayloadContext& context, std::string& out) {
  if (!context.has_lines()) out += "]}";
}

void AppendTable(const PayloadContext& context, std::string_view name,
                 std::string& text) {
  TextBuffer out(text);
  out += '{';
  AppendMetadata(context, kTables, "/@Element", out);
  AppendTableMembers(context, name, out);
  out += '}';
}

void BeginTableFeed(const PayloadContext& context, std::string& text) {
  TextBuffer out(text);
  BeginFeed(context, kTables, out);
}

void AppendTableElement(const PayloadContext& context, std::string_view name,
                        std::string& text) {
  TextBuffer out(text);
  BeginElement(context, out);
  AppendTableMembers(context, name, out);
  EndElement(context, out);
}

}  // namespace entitable
