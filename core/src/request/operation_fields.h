// operation_fields.h - the kinds of operations, and the fields that they take.
//
// Each operation is described once, by its struct in entitable/operation.h: a
// member is set from the field of its name.  CONTRIBUTING.md says how to add an
// operation.

#ifndef ENTITABLE_REQUEST_OPERATION_FIELDS_H_
#define ENTITABLE_REQUEST_OPERATION_FIELDS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "entitable/operation.h"
#include "entitable/result.h"

namespace entitable {

// X(kind, number, operation): what a frame may ask for, and what this makes.
// Never change a number, and leave none out.  js/src/core/operation.ts has the
// same kinds.
#define ENTITABLE_OPERATIONS(X)                     \
  X(CreateTable, 1, CreateTable)                    \
  X(DeleteTable, 2, DeleteTable)                    \
  X(GetTable, 3, GetTable)                          \
  X(QueryTables, 4, QueryTables)                    \
  X(InsertEntity, 5, InsertEntity)                  \
  X(GetEntity, 6, GetEntity)                        \
  X(QueryEntities, 7, QueryEntities)                \
  X(ReplaceEntity, 8, UpdateEntity)                 \
  X(MergeEntity, 9, UpdateEntity)                   \
  X(DeleteEntity, 10, DeleteEntity)                 \
  X(Transaction, 11, SubmitTransaction)             \
  X(CountEntities, 12, CountEntities)               \
  X(ImportEntities, 13, ImportEntities)             \
  X(AwaitChanges, 14, AwaitChanges)                 \
  X(GetPolicies, 15, GetPolicies)                   \
  X(SetPolicies, 16, SetPolicies)                   \
  X(GetServiceProperties, 17, GetServiceProperties) \
  X(SetServiceProperties, 18, SetServiceProperties) \
  X(GetTableSchema, 19, GetTableSchema)             \
  X(SetTableSchema, 20, SetTableSchema)             \
  X(QueryTypes, 21, CountEntities)                  \
  X(SyncTable, 22, SyncTable)                       \
  X(QueryOrdered, 23, QueryOrdered)                 \
  X(QueryGroups, 24, QueryGroups)                   \
  X(QuerySearch, 25, SearchEntities)                \
  X(SetTableIndexes, 26, SetTableIndexes)           \
  X(DeleteMatching, 27, ChangeEntities)             \
  X(MergeMatching, 28, ChangeEntities)              \
  X(AccountTransaction, 29, SubmitAccountTransaction)

enum class OperationKind : std::uint8_t {
#define ENTITABLE_X(kind, number, operation) k##kind = number,
  ENTITABLE_OPERATIONS(ENTITABLE_X)
#undef ENTITABLE_X
};

// A text that was perhaps not sent.  Bytes need not be UTF-8.
using SentText = std::optional<std::string_view>;
struct SentBytes : SentText {
  using SentText::SentText;
  using SentText::operator=;
};

// X(tag, type, name): the fields of a frame by their tags.  Never change a tag.
// js/src/core/operation.ts has the same ones.  13 is a part of a transaction.
#define ENTITABLE_FIELDS(X)                     \
  X(1, SentText, table)                         \
  X(2, SentText, partition_key)                 \
  X(3, SentText, row_key)                       \
  X(4, SentText, if_match)                      \
  X(5, SentText, if_none_match)                 \
  X(6, SentText, filter)                        \
  X(7, SentText, select)                        \
  X(8, SentText, top)                           \
  X(9, SentText, next_partition_key)            \
  X(10, SentText, next_row_key)                 \
  X(11, SentText, next_table_name)              \
  X(12, JsonText, body)                         \
  X(14, std::optional<ImportPart>, import_part) \
  X(15, std::optional<std::uint64_t>, position) \
  X(16, SentBytes, schema)                      \
  X(17, JsonText, sync)                         \
  X(18, SentText, order_by)                     \
  X(19, SentText, skip)                         \
  X(20, SentText, most)                         \
  X(21, SentText, aggregates)                   \
  X(22, SentText, search)                       \
  X(23, SentText, property)                     \
  X(24, SentBytes, ranges)

// X(type, name, value if not sent): what the head of a frame says, what only
// HTTP says, and the parts of a transaction.
#define ENTITABLE_HEAD_FIELDS(X)                     \
  X(MetadataLevel, level, MetadataLevel::kMinimal)   \
  X(WireFormat, format, WireFormat::kJson)           \
  X(FilterDialect, dialect, FilterDialect::kService) \
  X(bool, echo, true)                                \
  X(bool, locate, false)                             \
  X(bool, fresh, false)                              \
  X(bool, keeps_doubles, false)                      \
  X(bool, any_word, false)                           \
  X(bool, at_once, false)                            \
  X(std::optional<KeyScope>, scope, std::nullopt)    \
  X(std::span<const TransactionPart>, parts, {})

// X(member, field): members that are set from a field of another name.
#define ENTITABLE_RENAMED_FIELDS(X) \
  X(input, body)                    \
  X(lines, body)                    \
  X(answer, body)                   \
  X(arguments, sync)                \
  X(part, import_part)              \
  X(group_by, order_by)             \
  X(indexes, order_by)              \
  X(continues, if_match)            \
  X(merged, property)               \
  X(text, search)

// A view of the sender's bytes.  A frame or an HTTP request may have any field,
// whatever its kind is.
struct OperationFields {
  OperationKind kind{};
#define ENTITABLE_X(type, name, value) type name = value;
  ENTITABLE_HEAD_FIELDS(ENTITABLE_X)
#undef ENTITABLE_X
#define ENTITABLE_X(tag, type, name) type name = {};
  ENTITABLE_FIELDS(ENTITABLE_X)
#undef ENTITABLE_X
};

// Calls `take(member, field)` for each member of an operation that has a field,
// also for those within other members.
template <typename Operation, typename Take>
void EachField(Operation& operation, Take& take) {
#define ENTITABLE_WITHIN(member)                  \
  if constexpr (requires { operation.member; }) { \
    EachField(operation.member, take);            \
  }
  ENTITABLE_WITHIN(query)
  ENTITABLE_WITHIN(entity)
  ENTITABLE_WITHIN(options)
  ENTITABLE_WITHIN(form)
  ENTITABLE_WITHIN(so_far)
#undef ENTITABLE_WITHIN

#define ENTITABLE_FROM(member, field)                \
  if constexpr (requires { operation.member; }) {    \
    take(operation.member, &OperationFields::field); \
  }
#define ENTITABLE_NAMED(type, name, value) ENTITABLE_FROM(name, name)
#define ENTITABLE_TAGGED(tag, type, name) ENTITABLE_FROM(name, name)
  ENTITABLE_FIELDS(ENTITABLE_TAGGED)
  ENTITABLE_HEAD_FIELDS(ENTITABLE_NAMED)
  ENTITABLE_RENAMED_FIELDS(ENTITABLE_FROM)
#undef ENTITABLE_TAGGED
#undef ENTITABLE_NAMED
#undef ENTITABLE_FROM
}

// Takes the fields that the kind has, and ignores all others.  Fails with
// InvalidInput if a field is missing, or if a write has If-None-Match
// (operations, 2.11.4).
Result<Operation> MakeOperation(const OperationFields& fields);

// Also fails with InvalidInput if the fields do not write an entity.  The error
// has the index of the part.
Result<void> AddPart(const OperationFields& fields,
                     std::vector<TransactionPart>& parts);

}  // namespace entitable

#endif  // ENTITABLE_REQUEST_OPERATION_FIELDS_H_
