#include "request/operation_fields.h"

namespace entitable {
namespace {

// Makes an operation in place, because each copy adds code.
class OperationMaker {
 public:
  explicit OperationMaker(const OperationFields& fields) : fields_(fields) {}

  // Each returns false if a field is missing, or must not be there.

  bool Make(std::span<const TransactionPart> parts, Operation& operation) {
    switch (fields_.kind) {
      case OperationKind::kTransaction:
        New<SubmitTransaction>(operation) = {parts, fields_.schema};
        return true;
      case OperationKind::kImportEntities:
        return MakeImport(operation.emplace<ImportEntities>());
      case OperationKind::kDeleteMatching:
      case OperationKind::kMergeMatching:
        return MakeChange(operation.emplace<ChangeEntities>());
      case OperationKind::kCreateTable:
      case OperationKind::kDeleteTable:
      case OperationKind::kSetPolicies:
      case OperationKind::kSetServiceProperties:
      case OperationKind::kSetTableSchema:
      case OperationKind::kSetTableIndexes:
      case OperationKind::kSyncTable:
        MakeWrite(operation.emplace<WriteOperation>());
        return true;
      case OperationKind::kInsertEntity:
      case OperationKind::kReplaceEntity:
      case OperationKind::kMergeEntity:
      case OperationKind::kDeleteEntity:
        return MakePart(New<TransactionPart>(operation));
      default:
        MakeRead(operation.emplace<ReadOperation>());
        return true;
    }
  }

  bool MakePart(TransactionPart& part) {
    switch (fields_.kind) {
      case OperationKind::kInsertEntity:
        MakeInsert(part.emplace<InsertEntity>());
        return true;
      case OperationKind::kReplaceEntity:
        return MakeUpdate(UpdateMode::kReplace, part.emplace<UpdateEntity>());
      case OperationKind::kMergeEntity:
      case OperationKind::kMergeMatching:
        return MakeUpdate(UpdateMode::kMerge, part.emplace<UpdateEntity>());
      case OperationKind::kDeleteEntity:
      case OperationKind::kDeleteMatching:
        return MakeDelete(part.emplace<DeleteEntity>());
      default:
        return false;
    }
  }

 private:
  template <typename T>
  static T& New(Operation& operation) {
    return operation.emplace<WriteOperation>().emplace<T>();
  }

  bool MakeImport(ImportEntities& import) {
    if (!fields_.import_part) return false;
    import = {table(),
              fields_.body,
              fields_.form.format,
              *fields_.import_part,
              fields_.keeps_doubles,
              fields_.schema};
    return true;
  }

  bool MakeChange(ChangeEntities& change) {
    MakeQuery(change.query);
    return fields_.if_match && MakePart(change.change);
  }

  void MakeWrite(WriteOperation& write) {
    switch (fields_.kind) {
      case OperationKind::kCreateTable:
        write = CreateTable{fields_.body, fields_.form.level, fields_.echo,
                            fields_.locate};
        break;
      case OperationKind::kDeleteTable:
        write = DeleteTable{table()};
        break;
      case OperationKind::kSetPolicies:
        write = SetPolicies{table(), fields_.body};
        break;
      case OperationKind::kSetTableSchema:
        write = SetTableSchema{table(), fields_.schema.value_or("")};
        break;
      case OperationKind::kSetTableIndexes:
        write = SetTableIndexes{table(), fields_.order_by.value_or(""),
                                fields_.if_match.has_value()};
        break;
      case OperationKind::kSyncTable:
        write = SyncTable{table(), fields_.sync, fields_.body.text};
        break;
      default:
        write = SetServiceProperties{fields_.body};
        break;
    }
  }

  void MakeInsert(InsertEntity& insert) {
    insert.table = table();
    insert.body = fields_.body;
    insert.schema = fields_.schema;
    insert.level = fields_.form.level;
    insert.echo = fields_.echo;
    insert.locate = fields_.locate;
    insert.scope = fields_.scope;
  }

  bool MakeUpdate(UpdateMode mode, UpdateEntity& update) {
    update.mode = mode;
    update.entity = fields_.address;
    update.body = fields_.body;
    update.schema = fields_.schema;
    update.if_match = fields_.if_match;
    update.merged = fields_.property;
    update.keeps_doubles = fields_.keeps_doubles;
    update.scope = fields_.scope;
    return !fields_.if_none_match;
  }

  // The condition is needed.  Source: operations, 2.11.5.
  bool MakeDelete(DeleteEntity& remove) {
    remove.entity = fields_.address;
    remove.if_match = fields_.if_match.value_or("");
    remove.scope = fields_.scope;
    return fields_.if_match && !fields_.if_none_match;
  }

  void MakeRead(ReadOperation& read) {
    const bool fresh = fields_.fresh;
    switch (fields_.kind) {
      case OperationKind::kGetTable:
        read = GetTable{table(), fields_.form.level, fresh};
        break;
      case OperationKind::kQueryTables:
        MakeQuery(read.emplace<QueryTables>());
        break;
      case OperationKind::kGetEntity:
        MakeGet(read.emplace<GetEntity>());
        break;
      case OperationKind::kCountEntities:
      case OperationKind::kQueryTypes:
        read = CountEntities{table(), fields_.options.filter,
                             fields_.options.dialect, fresh,
                             fields_.kind == OperationKind::kQueryTypes};
        break;
      case OperationKind::kAwaitChanges:
        read = AwaitChanges{table(),
                            fields_.options.filter,
                            fields_.position,
                            fields_.options.dialect,
                            fresh,
                            fields_.at_once};
        break;
      case OperationKind::kQueryOrdered:
        MakeQuery(read.emplace<QueryOrdered>());
        break;
      case OperationKind::kQuerySearch:
        MakeQuery(read.emplace<SearchEntities>());
        break;
      case OperationKind::kQueryGroups:
        read = QueryGroups{table(),
                           fields_.options.filter,
                           fields_.order_by.value_or(""),
                           fields_.aggregates.value_or(""),
                           fields_.options.dialect,
                           fresh};
        break;
      case OperationKind::kGetPolicies:
        read = GetPolicies{table(), fresh};
        break;
      case OperationKind::kGetServiceProperties:
        read = GetServiceProperties{fields_.form.format, fresh};
        break;
      case OperationKind::kGetTableSchema:
        read = GetTableSchema{table(), fresh};
        break;
      default:
        MakeQuery(read.emplace<QueryEntities>());
        break;
    }
  }

  void MakeGet(GetEntity& get) {
    get.entity = fields_.address;
    get.select = fields_.options.select;
    get.if_none_match = fields_.if_none_match;
    get.form = fields_.form;
    get.scope = fields_.scope;
    get.fresh = fields_.fresh;
  }

  void MakeQuery(QueryTables& query) {
    query.options = fields_.options;
    query.next_table_name = fields_.next_table_name;
    query.form = fields_.form;
    query.fresh = fields_.fresh;
  }

  void MakeQuery(QueryEntities& query) {
    query.table = table();
    query.options = fields_.options;
    query.next_partition_key = fields_.next_partition_key;
    query.next_row_key = fields_.next_row_key;
    query.form = fields_.form;
    query.scope = fields_.scope;
    query.fresh = fields_.fresh;
  }

  void MakeQuery(QueryOrdered& query) {
    MakeQuery(query.query);
    query.order_by = fields_.order_by.value_or("");
    query.skip = fields_.skip;
    query.most = fields_.most;
    query.fresh = fields_.fresh;
  }

  void MakeQuery(SearchEntities& search) {
    MakeQuery(search.query);
    search.property = fields_.property.value_or("");
    search.text = fields_.search.value_or("");
    search.any_word = fields_.any_word;
    search.fresh = fields_.fresh;
  }

  std::string_view table() const { return fields_.address.table; }

  const OperationFields& fields_;
};

}  // namespace

Result<Operation> MakeOperation(const OperationFields& fields,
                                std::span<const TransactionPart> parts) {
  Result<Operation> operation;
  if (!OperationMaker(fields).Make(parts, *operation)) {
    return Fail(ErrorCode::kInvalidInput);
  }
  return operation;
}

Result<void> AddPart(const OperationFields& fields,
                     std::vector<TransactionPart>& parts) {
  TransactionPart part;
  if (!OperationMaker(fields).MakePart(part)) {
    Error error(ErrorCode::kInvalidInput);
    error.operation = static_cast<std::uint32_t>(parts.size());
    return error;
  }
  parts.push_back(part);
  return {};
}

}  // namespace entitable
