#include "support/model_check/request.h"

#include <algorithm>
#include <string_view>

namespace entitable::model_check {
namespace {

std::string MembersOf(const Properties& values) {
  std::string members;
  for (const auto& [name, value] : values) {
    if (!members.empty()) members += ',';
    members += "\"" + name + "\":" + value;
  }
  return members;
}

// The same for people: without padding.
std::string BriefMembersOf(Properties values) {
  constexpr std::size_t kLong = 20;
  for (auto& [name, value] : values) {
    if (value.size() > kLong) value = std::to_string(value.size()) + " bytes";
  }
  return MembersOf(values);
}

OwnedOperation OperationOf(const std::string& table, const Write& write) {
  const std::string members = MembersOf(write.values);
  const auto& [partition_key, row_key] = write.key;
  const With with{.if_match = write.if_match};
  switch (write.kind) {
    case OperationKind::kInsertEntity:
      return Insert(table, EntityBody(partition_key, row_key, members));
    case OperationKind::kReplaceEntity:
      return Replace(table, partition_key, row_key, "{" + members + "}", with);
    case OperationKind::kMergeEntity:
      return Merge(table, partition_key, row_key, "{" + members + "}", with);
    default:
      return Delete(table, partition_key, row_key, with);
  }
}

OwnedOperation TransactionOf(const Request& request) {
  std::vector<OwnedOperation> parts;
  for (const Write& write : request.writes) {
    parts.push_back(OperationOf(request.table, write));
  }
  return Transaction(std::move(parts));
}

OwnedOperation AccountTransactionOf(const Request& request) {
  std::vector<OwnedOperation> parts;
  for (const Write& write : request.writes) {
    parts.push_back(OperationOf(write.table, write));
  }
  return AccountTransaction(std::move(parts), request.position, request.ranges);
}

std::optional<std::string> FilterOf(const Selection& selection) {
  std::string filter;
  const auto add = [&filter](const std::string& condition) {
    if (!filter.empty()) filter += " and ";
    filter += condition;
  };
  if (selection.partition) {
    add("PartitionKey eq '" + *selection.partition + "'");
  }
  if (selection.row_from) add("RowKey ge '" + *selection.row_from + "'");
  if (selection.least_a) add("A ge " + std::to_string(*selection.least_a));
  if (filter.empty()) return std::nullopt;
  return filter;
}

OwnedOperation QueryOf(const Request& request) {
  With with{.filter = FilterOf(request.selection)};
  if (request.selection.top) with.top = std::to_string(*request.selection.top);
  if (request.continuation) {
    with.next_partition_key = request.continuation->next_partition_key;
    with.next_row_key = request.continuation->next_row_key;
  }
  return Query(request.table, std::move(with));
}

std::string_view NameOf(OperationKind kind) {
  switch (kind) {
#define ENTITABLE_X(kind, number, operation) \
  case OperationKind::k##kind:               \
    return #kind;
    ENTITABLE_OPERATIONS(ENTITABLE_X)
#undef ENTITABLE_X
  }
  return "?";
}

std::string Describe(const std::string& table, const Write& write) {
  std::string text(NameOf(write.kind));
  text += " " + table + "/" + write.key.first + "/" + write.key.second;
  if (!write.values.empty()) text += " {" + BriefMembersOf(write.values) + "}";
  switch (write.condition) {
    case Condition::kNone:
      return text;
    case Condition::kAny:
      return text + " if there";
    case Condition::kRight:
      return text + " if etag is right";
    case Condition::kStale:
      return text + " if etag is stale";
  }
  return text;
}

OwnedOperation PlainOperationOf(const Request& request) {
  switch (request.kind) {
    case OperationKind::kCreateTable:
      return NewTable(request.table);
    case OperationKind::kDeleteTable:
      return DropTable(request.table);
    case OperationKind::kGetTable:
      return FindTable(request.table);
    case OperationKind::kQueryTables:
      return ListTables();
    case OperationKind::kGetEntity:
      return Get(request.table, request.key.first, request.key.second);
    case OperationKind::kQueryEntities:
      return QueryOf(request);
    case OperationKind::kCountEntities:
      return Count(request.table, FilterOf(request.selection).value_or(""));
    case OperationKind::kTransaction:
      return TransactionOf(request);
    case OperationKind::kAccountTransaction:
      return AccountTransactionOf(request);
    case OperationKind::kImportEntities:
      return PartOf(request, 0);
    case OperationKind::kSetTableIndexes:
      return SetIndexes(request.table, request.indexes);
    default:
      return OperationOf(request.table, request.writes.front());
  }
}

}  // namespace

bool IsWrite(const Request& request) {
  switch (request.kind) {
    case OperationKind::kGetTable:
    case OperationKind::kQueryTables:
    case OperationKind::kGetEntity:
    case OperationKind::kQueryEntities:
    case OperationKind::kCountEntities:
      return false;
    default:
      return true;
  }
}

bool IsDeletion(const Request& request) {
  if (request.writes.empty()) {
    return request.kind == OperationKind::kDeleteTable;
  }
  return std::ranges::all_of(request.writes, [](const Write& write) {
    return write.kind == OperationKind::kDeleteEntity;
  });
}

bool IsImport(const Request& request) {
  return request.kind == OperationKind::kImportEntities;
}

OwnedOperation PartOf(const Request& request, std::size_t first) {
  const std::size_t end =
      std::min(first + request.part_size, request.writes.size());
  std::string lines;
  for (std::size_t i = first; i < end; ++i) {
    const Write& write = request.writes[i];
    lines +=
        EntityBody(write.key.first, write.key.second, MembersOf(write.values)) +
        "\n";
  }
  ImportPart part{.import = static_cast<std::uint32_t>(request.number),
                  .begins = first == 0,
                  .ends = end == request.writes.size()};
  switch (request.writes.front().kind) {
    case OperationKind::kReplaceEntity:
      part.mode = ImportMode::kReplace;
      break;
    case OperationKind::kMergeEntity:
      part.mode = ImportMode::kMerge;
      break;
    default:
      part.mode = ImportMode::kInsert;
  }
  return Import(request.table, std::move(lines), part);
}

OwnedOperation AbandonmentOf(const Request& request) {
  return Import(
      request.table, "",
      {.import = static_cast<std::uint32_t>(request.number), .abandons = true});
}

OwnedOperation OperationOf(const Request& request) {
  OwnedOperation operation = PlainOperationOf(request);
  operation.with.fresh = request.is_fresh;
  if (request.is_of_transaction) {
    operation.with.position = request.position;
    operation.with.ranges = request.ranges;
  }
  return operation;
}

std::string Describe(const Request& request) {
  if (request.goes_on) return "next page";
  if (request.kind == OperationKind::kAccountTransaction) {
    std::string text = "end of transaction";
    for (const Write& write : request.writes) {
      text += " [" + Describe(write.table, write) + "]";
    }
    return text;
  }
  if (request.kind == OperationKind::kTransaction || IsImport(request)) {
    std::string text(NameOf(request.kind));
    if (IsImport(request)) text += " by " + std::to_string(request.part_size);
    for (const Write& write : request.writes) {
      text += " [" + Describe(request.table, write) + "]";
    }
    return text;
  }
  if (!request.writes.empty()) {
    return Describe(request.table, request.writes.front());
  }
  std::string text(request.is_of_transaction ? "in transaction: " : "");
  if (request.is_fresh) text += "fresh ";
  text += NameOf(request.kind);
  if (!request.table.empty()) text += " " + request.table;
  if (request.kind == OperationKind::kGetEntity) {
    text += "/" + request.key.first + "/" + request.key.second;
  }
  if (const auto filter = FilterOf(request.selection)) text += " " + *filter;
  if (!request.indexes.empty()) text += " " + request.indexes;
  if (request.selection.top) {
    text += " top " + std::to_string(*request.selection.top);
  }
  return text;
}

}  // namespace entitable::model_check
