#include "request/operation_fields.h"

#include <variant>

namespace entitable {
namespace {

// Sets a member.
struct FieldTaker {
  const OperationFields& sent;

  // Empty if it was not sent.
  template <typename Text>
  void operator()(std::string_view& text, Text OperationFields::*field) const {
    text = (sent.*field).value_or("");
  }
  void operator()(std::string_view& bytes,
                  JsonText OperationFields::*field) const {
    bytes = (sent.*field).text;
  }
  void operator()(bool& is_there, SentText OperationFields::*field) const {
    is_there = (sent.*field).has_value();
  }
  void operator()(ImportPart& part,
                  std::optional<ImportPart> OperationFields::*field) const {
    part = (sent.*field).value_or(ImportPart());
  }
  template <typename Member, typename Field>
  void operator()(Member& member, Field OperationFields::*field) const {
    member = sent.*field;
  }
};

template <typename T>
bool Make(const OperationFields& sent, T& operation);

// Sets what no field has.  Returns false if a field is missing, or must not be
// there.
bool Complete(const OperationFields& /*sent*/, auto& /*operation*/) {
  return true;
}
bool Complete(const OperationFields& sent, CountEntities& count) {
  count.reports_types = sent.kind == OperationKind::kQueryTypes;
  return true;
}
bool Complete(const OperationFields& sent, UpdateEntity& update) {
  const bool is_replace = sent.kind == OperationKind::kReplaceEntity;
  update.mode = is_replace ? UpdateMode::kReplace : UpdateMode::kMerge;
  return !sent.if_none_match;
}
// The condition is needed.  Source: operations, 2.11.5.
bool Complete(const OperationFields& sent, DeleteEntity& /*remove*/) {
  return sent.if_match && !sent.if_none_match;
}
bool Complete(const OperationFields& sent, ChangeEntities& step) {
  if (!sent.if_match) return false;
  return sent.kind == OperationKind::kMergeMatching
             ? Make(sent, step.change.emplace<UpdateEntity>())
             : Make(sent, step.change.emplace<DeleteEntity>());
}
bool Complete(const OperationFields& sent, ImportEntities& /*import*/) {
  return sent.import_part.has_value();
}

template <typename T, typename Variant>
concept IsOneOf = requires(Variant& place) {
  place.template emplace<T>();
};

// Makes an operation in place, because each copy adds code.
template <typename T>
bool Make(const OperationFields& sent, T& operation) {
  const FieldTaker take{sent};
  EachField(operation, take);
  return Complete(sent, operation);
}

// These return false if the fields make no operation.

bool MakePart(const OperationFields& sent, TransactionPart& part) {
  switch (sent.kind) {
    case OperationKind::kInsertEntity:
      return Make(sent, part.emplace<InsertEntity>());
    case OperationKind::kReplaceEntity:
    case OperationKind::kMergeEntity:
      return Make(sent, part.emplace<UpdateEntity>());
    case OperationKind::kDeleteEntity:
      return Make(sent, part.emplace<DeleteEntity>());
    default:
      return false;
  }
}

template <typename T>
bool MakeOne(const OperationFields& sent, Operation& operation) {
  if constexpr (IsOneOf<T, ReadOperation>) {
    return Make(sent, operation.emplace<ReadOperation>().emplace<T>());
  } else if constexpr (IsOneOf<T, TransactionPart>) {
    WriteOperation& write = operation.emplace<WriteOperation>();
    return MakePart(sent, write.emplace<TransactionPart>());
  } else if constexpr (IsOneOf<T, WriteOperation>) {
    return Make(sent, operation.emplace<WriteOperation>().emplace<T>());
  } else {
    return Make(sent, operation.emplace<T>());
  }
}

bool MakeKind(const OperationFields& sent, Operation& operation) {
  switch (sent.kind) {
#define ENTITABLE_X(kind, number, type) \
  case OperationKind::k##kind:          \
    return MakeOne<type>(sent, operation);
    // Two kinds make an update, and two a change.
    ENTITABLE_OPERATIONS(ENTITABLE_X)  // NOLINT(bugprone-branch-clone)
#undef ENTITABLE_X
  }
  return false;
}

}  // namespace

Result<Operation> MakeOperation(const OperationFields& fields) {
  Result<Operation> operation;
  if (!MakeKind(fields, *operation)) {
    return Fail(ErrorCode::kInvalidInput);
  }
  return operation;
}

Result<void> AddPart(const OperationFields& fields,
                     std::vector<TransactionPart>& parts) {
  TransactionPart part;
  if (!MakePart(fields, part)) {
    Error error(ErrorCode::kInvalidInput);
    error.operation = static_cast<std::uint32_t>(parts.size());
    return error;
  }
  parts.push_back(part);
  return {};
}

}  // namespace entitable
