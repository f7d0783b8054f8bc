#include "support/operations.h"

#include <cstdint>
#include <utility>

#include "base/coding.h"
#include "support/memory_host.h"

namespace entitable {

OperationFields OwnedOperation::fields() const {
  return {.kind = kind,
          .level = with.level,
          .format = with.format,
          .dialect = with.dialect,
          .echo = with.echo,
          .fresh = with.fresh,
          .keeps_doubles = keeps_doubles,
          .any_word = with.any_word,
          .at_once = with.at_once,
          .table = table,
          .partition_key = partition_key,
          .row_key = row_key,
          .if_match = with.if_match,
          .if_none_match = with.if_none_match,
          .filter = with.filter,
          .select = with.select,
          .top = with.top,
          .next_partition_key = with.next_partition_key,
          .next_row_key = with.next_row_key,
          .next_table_name = with.next_table_name,
          .body = {body},
          .import_part = import_part,
          .position = with.position,
          .schema = schema,
          .sync = {sync},
          .order_by = with.order_by,
          .skip = with.skip,
          .most = with.most,
          .aggregates = with.aggregates,
          .search = with.search,
          .property = with.property,
          .ranges = SentBytes(with.ranges)};
}

OwnedOperation::operator Result<Operation>() const {
  part_views.clear();
  for (const OwnedOperation& part : parts) {
    ENTITABLE_TRY(AddPart(part.fields(), part_views));
  }
  OperationFields all = fields();
  all.parts = part_views;
  return MakeOperation(all);
}

OwnedOperation SyncStepOf(std::string table, std::string_view step,
                          std::string_view members,
                          const std::vector<std::string>& answers) {
  OwnedOperation operation{.kind = OperationKind::kSyncTable,
                           .table = std::move(table)};
  operation.sync.append(R"({"step":")").append(step).append("\"");
  if (!members.empty()) operation.sync.append(",").append(members);
  operation.sync += '}';
  for (const std::string& answer : answers) {
    AppendU32(static_cast<std::uint32_t>(answer.size()), operation.body);
    operation.body += answer;
  }
  return operation;
}

OwnedOperation SetIndexes(std::string table, std::string indexes, With with) {
  with.order_by = std::move(indexes);
  return {.kind = OperationKind::kSetTableIndexes,
          .table = std::move(table),
          .with = std::move(with)};
}

OwnedOperation NewTable(std::string_view name, With with) {
  return NewTableOf("{\"TableName\":\"" + std::string(name) + "\"}",
                    std::move(with));
}

OwnedOperation NewTableOf(std::string body, With with) {
  return {.kind = OperationKind::kCreateTable,
          .body = std::move(body),
          .with = std::move(with)};
}

OwnedOperation DropTable(std::string name) {
  return {.kind = OperationKind::kDeleteTable, .table = std::move(name)};
}

OwnedOperation FindTable(std::string name, With with) {
  return {.kind = OperationKind::kGetTable,
          .table = std::move(name),
          .with = std::move(with)};
}

OwnedOperation ListTables(With with) {
  return {.kind = OperationKind::kQueryTables, .with = std::move(with)};
}

OwnedOperation Insert(std::string table, std::string body, With with) {
  return {.kind = OperationKind::kInsertEntity,
          .table = std::move(table),
          .body = std::move(body),
          .with = std::move(with)};
}

OwnedOperation Replace(std::string table, std::string partition_key,
                       std::string row_key, std::string body, With with) {
  return {OperationKind::kReplaceEntity,
          std::move(table),
          std::move(partition_key),
          std::move(row_key),
          std::move(body),
          std::move(with)};
}

OwnedOperation Merge(std::string table, std::string partition_key,
                     std::string row_key, std::string body, With with) {
  return {
      OperationKind::kMergeEntity, std::move(table), std::move(partition_key),
      std::move(row_key),          std::move(body),  std::move(with)};
}

OwnedOperation Delete(std::string table, std::string partition_key,
                      std::string row_key, With with) {
  return {.kind = OperationKind::kDeleteEntity,
          .table = std::move(table),
          .partition_key = std::move(partition_key),
          .row_key = std::move(row_key),
          .with = std::move(with)};
}

OwnedOperation Get(std::string table, std::string partition_key,
                   std::string row_key, With with) {
  return {.kind = OperationKind::kGetEntity,
          .table = std::move(table),
          .partition_key = std::move(partition_key),
          .row_key = std::move(row_key),
          .with = std::move(with)};
}

OwnedOperation Query(std::string table, With with) {
  return {.kind = OperationKind::kQueryEntities,
          .table = std::move(table),
          .with = std::move(with)};
}

OwnedOperation Ordered(std::string table, std::string order_by, With with) {
  with.order_by = std::move(order_by);
  return {.kind = OperationKind::kQueryOrdered,
          .table = std::move(table),
          .with = std::move(with)};
}

OwnedOperation Groups(std::string table, std::string group_by,
                      std::string aggregates, std::string filter) {
  return {.kind = OperationKind::kQueryGroups,
          .table = std::move(table),
          .with = {.filter = std::move(filter),
                   .order_by = std::move(group_by),
                   .aggregates = std::move(aggregates)}};
}

OwnedOperation Search(std::string table, std::string property, std::string text,
                      With with) {
  with.property = std::move(property);
  with.search = std::move(text);
  return {.kind = OperationKind::kQuerySearch,
          .table = std::move(table),
          .with = std::move(with)};
}

OwnedOperation Count(std::string table, std::string filter) {
  return {.kind = OperationKind::kCountEntities,
          .table = std::move(table),
          .with = {.filter = std::move(filter)}};
}

OwnedOperation DeleteMatching(std::string table, std::string filter) {
  return {.kind = OperationKind::kDeleteMatching,
          .table = std::move(table),
          .with = {.if_match = "*", .filter = std::move(filter)}};
}

OwnedOperation MergeMatching(std::string table, std::string body,
                             std::string filter) {
  return {.kind = OperationKind::kMergeMatching,
          .table = std::move(table),
          .body = std::move(body),
          .with = {.if_match = "*", .filter = std::move(filter)}};
}

OwnedOperation AccountTransaction(std::vector<OwnedOperation> parts,
                                  std::optional<std::uint64_t> position,
                                  std::string ranges) {
  return {.kind = OperationKind::kAccountTransaction,
          .with = {.position = position, .ranges = std::move(ranges)},
          .parts = std::move(parts)};
}

OwnedOperation Import(std::string table, std::string input, ImportPart part) {
  return {.kind = OperationKind::kImportEntities,
          .table = std::move(table),
          .body = std::move(input),
          .import_part = part};
}

OwnedOperation Transaction(std::vector<OwnedOperation> parts) {
  return {.kind = OperationKind::kTransaction, .parts = std::move(parts)};
}

RequestId SubmitTo(Engine& engine, const Result<Operation>& operation) {
  return operation ? engine.Submit(*operation)
                   : engine.Refuse(operation.error());
}

std::string EntityBody(std::string_view partition_key, std::string_view row_key,
                       std::string_view members) {
  std::string body = "{\"PartitionKey\":\"";
  body.append(partition_key).append("\",\"RowKey\":\"").append(row_key);
  body += '"';
  if (!members.empty()) body.append(",").append(members);
  return body + '}';
}

std::string Refusal(const Error& error) {
  std::string text = std::to_string(HttpStatus(error.code));
  text.append(" ").append(ErrorName(error.code));
  if (error.operation) text += " at " + std::to_string(*error.operation);
  return text;
}

std::string Outcome(const Result<Response>& answer) {
  return answer ? std::to_string(answer->status) : Refusal(answer.error());
}

std::string Body(const Result<Response>& answer) {
  return answer && !answer->body.empty() ? answer->body : Outcome(answer);
}

std::vector<std::string> TextsOf(std::string_view name, std::string_view json) {
  const std::string start = "\"" + std::string(name) + "\":\"";
  std::vector<std::string> texts;
  for (std::size_t at = json.find(start); at != std::string_view::npos;
       at = json.find(start, at)) {
    at += start.size();
    std::size_t end = at;
    while (json[end] != '"') end += json[end] == '\\' ? 2 : 1;
    texts.emplace_back(json.substr(at, end - at));
  }
  return texts;
}

std::vector<long long> NumbersOf(std::string_view name, std::string_view json) {
  const std::string start = "\"" + std::string(name) + "\":";
  std::vector<long long> numbers;
  for (std::size_t at = json.find(start); at != std::string_view::npos;
       at = json.find(start, at)) {
    at += start.size();
    numbers.push_back(std::stoll(std::string(json.substr(at, 20))));
  }
  return numbers;
}

std::vector<std::string> RowKeysOf(MemoryHost& host, OwnedOperation query) {
  std::vector<std::string> row_keys;
  for (;;) {
    const auto page = host.Do(query);
    if (!page) return {Outcome(page)};
    for (std::string& key : TextsOf("RowKey", page->body)) {
      row_keys.push_back(std::move(key));
    }
    if (!page->next_partition_key) return row_keys;
    query.with.next_partition_key = page->next_partition_key;
    query.with.next_row_key = page->next_row_key;
  }
}

std::string Contents(MemoryHost& host) {
  std::string contents = Body(host.Do(ListTables()));
  for (const std::string& table : TextsOf("TableName", contents)) {
    OwnedOperation query = Query(table);
    for (;;) {
      const auto page = host.Do(query);
      contents += '\n' + Body(page);
      if (!page || !page->next_partition_key) break;
      query.with.next_partition_key = page->next_partition_key;
      query.with.next_row_key = page->next_row_key;
    }
  }
  return contents;
}

}  // namespace entitable
