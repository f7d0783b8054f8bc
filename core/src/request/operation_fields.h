// operation_fields.h - the fields of a request as they were sent, and the
// operation that they make.

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

// Operation frames contain these numbers: never change one.
enum class OperationKind : std::uint8_t {
  kCreateTable = 1,
  kDeleteTable = 2,
  kGetTable = 3,
  kQueryTables = 4,
  kInsertEntity = 5,
  kGetEntity = 6,
  kQueryEntities = 7,
  kReplaceEntity = 8,
  kMergeEntity = 9,
  kDeleteEntity = 10,
  kTransaction = 11,
  kCountEntities = 12,
  kImportEntities = 13,
  kAwaitChanges = 14,
  kGetPolicies = 15,
  kSetPolicies = 16,
  kGetServiceProperties = 17,
  kSetServiceProperties = 18,
  kGetTableSchema = 19,
  kSetTableSchema = 20,
  kQueryTypes = 21,
  kSyncTable = 22,
  kQueryOrdered = 23,
  kQueryGroups = 24,
  kQuerySearch = 25,
  kSetTableIndexes = 26,
  kDeleteMatching = 27,
  kMergeMatching = 28,
};

// A view of the sender's bytes.  A frame or an HTTP request may have any field,
// whatever its kind is.
struct OperationFields {
  OperationKind kind{};
  AnswerForm form = {};
  bool echo = true;
  bool locate = false;
  bool fresh = false;
  bool keeps_doubles = false;
  bool any_word = false;
  bool at_once = false;

  EntityAddress address = {};  // Of a table, only the table's name.
  std::optional<std::string_view> if_match = {};
  std::optional<std::string_view> if_none_match = {};
  FeedOptions options = {};
  std::optional<std::string_view> next_partition_key = {};
  std::optional<std::string_view> next_row_key = {};
  std::optional<std::string_view> next_table_name = {};
  std::optional<std::string_view> order_by = {};
  std::optional<std::string_view> skip = {};
  std::optional<std::string_view> most = {};
  std::optional<std::string_view> aggregates = {};
  std::optional<std::string_view> search = {};
  std::optional<std::string_view> property = {};
  std::optional<std::uint64_t> position = {};
  JsonText body = {};
  std::optional<std::string_view> schema = {};
  JsonText sync = {};
  std::optional<KeyScope> scope = {};
  std::optional<ImportPart> import_part = {};
};

// Takes the fields that the kind has, and ignores all others.  A transaction is
// a view of `parts`.  Fails with InvalidInput if a field is missing, or if a
// write has If-None-Match (operations, 2.11.4).
Result<Operation> MakeOperation(const OperationFields& fields,
                                std::span<const TransactionPart> parts = {});

// Also fails with InvalidInput if the fields do not write an entity.  The error
// has the index of the part.
Result<void> AddPart(const OperationFields& fields,
                     std::vector<TransactionPart>& parts);

}  // namespace entitable

#endif  // ENTITABLE_REQUEST_OPERATION_FIELDS_H_
