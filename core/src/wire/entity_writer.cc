#include "wire/entity_writer.h"

#include <cmath>
#include <cstddef>
#include <vector>

#include "base/base64.h"
#include "base/json_writer.h"
#include "base/number.h"
#include "base/percent.h"
#include "base/text_buffer.h"
#include "model/etag.h"
#include "model/property_name.h"

namespace entitable {
namespace {

constexpr std::string_view kTables = "Tables";

bool HasAnnotations(const PayloadContext& context) {
  return context.level != MetadataLevel::kNone && !context.has_lines();
}

// ------------------------------------------------------------------- members

// Begins a member: a comma unless it is the first, then the name.  All names
// here are constants, or property names that need escaping.
void AppendName(std::string_view name, TextBuffer& out) {
  if (out.back() != '{') out += ',';
  AppendJsonString(name, out);
  out += ':';
}

void AppendMember(std::string_view name, std::string_view text,
                  TextBuffer& out) {
  AppendName(name, out);
  AppendJsonString(text, out);
}

void AppendDateTime(DateTime time, TextBuffer& out) {
  out += '"';
  time.AppendTo(out);
  out += '"';
}

void AppendTypeAnnotation(std::string_view name, EdmType type,
                          TextBuffer& out) {
  AppendName(name, out);
  // The suffix continues the name, so remove its closing quote and colon.
  out.RemoveLast(2);
  out += "@odata.type\":\"";
  out += EdmTypeName(type);
  out += '"';
}

bool IsIntegral(double value) { return std::trunc(value) == value; }

// Whether the JSON alone does not tell the type.
bool NeedsTypeAnnotation(const Value& value, MetadataLevel level) {
  switch (value.type()) {
    case EdmType::kString:
    case EdmType::kInt32:
    case EdmType::kBoolean:
      return false;
    case EdmType::kDouble:
      return !std::isfinite(value.real()) ||
             (level == MetadataLevel::kTyped && IsIntegral(value.real()));
    default:
      return true;
  }
}

void AppendDoubleJson(double value, TextBuffer& out) {
  if (std::isfinite(value)) return AppendDouble(value, out);
  out += '"';
  AppendDouble(value, out);
  out += '"';
}

void AppendValueJson(const Value& value, TextBuffer& out) {
  switch (value.type()) {
    case EdmType::kString:
      return AppendJsonString(value.string(), out);
    case EdmType::kInt32:
      return AppendDecimal(value.int32(), out);
    case EdmType::kInt64:
      out += '"';
      AppendDecimal(value.int64(), out);
      out += '"';
      return;
    case EdmType::kDouble:
      return AppendDoubleJson(value.real(), out);
    case EdmType::kBoolean:
      out += value.boolean() ? "true" : "false";
      return;
    case EdmType::kDateTime:
      return AppendDateTime(value.date_time(), out);
    case EdmType::kGuid:
      return AppendJsonString(value.guid().ToString(), out);
    case EdmType::kBinary:
      out += '"';
      AppendBase64(value.binary(), out);
      out += '"';
      return;
  }
}

void AppendProperty(const Property& property, MetadataLevel level,
                    TextBuffer& out) {
  if (level != MetadataLevel::kNone &&
      NeedsTypeAnnotation(property.value, level)) {
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
  if (context.raw_select) url.append("&$select=").append(*context.raw_select);
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

void AppendSystemProperties(const PayloadContext& context, EntityKeyView key,
                            const EntityView& entity, TextBuffer& out) {
  if (context.Selects("PartitionKey")) {
    AppendMember("PartitionKey", key.partition_key, out);
  }
  if (context.Selects("RowKey")) AppendMember("RowKey", key.row_key, out);
  if (context.Selects("Timestamp")) {
    if (context.level == MetadataLevel::kFull) {
      AppendTypeAnnotation("Timestamp", EdmType::kDateTime, out);
    }
    AppendName("Timestamp", out);
    AppendDateTime(entity.timestamp, out);
  }
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
  const std::string edit_link = context.level == MetadataLevel::kFull
                                    ? EntityEditLink(context.table, key)
                                    : std::string();
  AppendIdentity(context, context.table, edit_link, out);
  if (HasAnnotations(context)) {
    AppendMember("odata.etag", FormatEtag(entity.timestamp), out);
  }
  AppendEditLink(context, edit_link, out);
  AppendSystemProperties(context, key, entity, out);
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

}  // namespace

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
