// operations.h - operations in one line, and answers as one line.

#ifndef ENTITABLE_TESTS_SUPPORT_OPERATIONS_H_
#define ENTITABLE_TESTS_SUPPORT_OPERATIONS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "entitable/engine.h"
#include "request/operation_fields.h"

namespace entitable {

class MemoryHost;

// What may go with an operation.
struct With {
  MetadataLevel level = MetadataLevel::kMinimal;
  WireFormat format = WireFormat::kJson;
  bool echo = true;
  std::optional<std::string> if_match = std::nullopt;
  std::optional<std::string> if_none_match = std::nullopt;
  std::optional<std::string> filter = std::nullopt;
  std::optional<std::string> select = std::nullopt;
  std::optional<std::string> top = std::nullopt;
  std::optional<std::string> next_partition_key = std::nullopt;
  std::optional<std::string> next_row_key = std::nullopt;
  std::optional<std::string> next_table_name = std::nullopt;
  std::optional<std::string> order_by = std::nullopt;
  std::optional<std::string> skip = std::nullopt;
  std::optional<std::string> most = std::nullopt;
  std::optional<std::string> aggregates = std::nullopt;
  std::optional<std::string> property = std::nullopt;
  std::optional<std::string> search = std::nullopt;
  bool any_word = false;
  std::optional<std::uint64_t> position = std::nullopt;
  std::optional<std::string> ranges = std::nullopt;
  bool at_once = false;
  bool fresh = false;
  FilterDialect dialect = FilterDialect::kService;
};

// The fields of an operation together with the texts that they refer to.  It
// can be used as the operation that they make as long as it lives.
struct OwnedOperation {
  OperationKind kind;
  std::string table = {};
  std::string partition_key = {};
  std::string row_key = {};
  std::string body = {};
  With with = {};
  std::vector<OwnedOperation> parts = {};
  std::optional<ImportPart> import_part = {};
  std::optional<std::string> schema = {};
  bool keeps_doubles = false;
  std::string sync = {};  // The arguments of a step of sync.

  // The parts of the operation, which refers to them.
  mutable std::vector<TransactionPart> part_views = {};

  OperationFields fields() const;
  operator Result<Operation>() const;  // NOLINT: meant to be silent.
};

// A step of sync: its name and further members of its arguments, as JSON, and
// what the remote has answered.
OwnedOperation SyncStepOf(std::string table, std::string_view step,
                          std::string_view members = {},
                          const std::vector<std::string>& answers = {});

OwnedOperation NewTable(std::string_view name, With with = {});
OwnedOperation NewTableOf(std::string body, With with = {});
OwnedOperation DropTable(std::string name);
OwnedOperation FindTable(std::string name, With with = {});
OwnedOperation ListTables(With with = {});

OwnedOperation Insert(std::string table, std::string body, With with = {});
OwnedOperation Replace(std::string table, std::string partition_key,
                       std::string row_key, std::string body, With with = {});
OwnedOperation Merge(std::string table, std::string partition_key,
                     std::string row_key, std::string body, With with = {});
OwnedOperation Delete(std::string table, std::string partition_key,
                      std::string row_key, With with = {.if_match = "*"});
OwnedOperation Get(std::string table, std::string partition_key,
                   std::string row_key, With with = {});
OwnedOperation Query(std::string table, With with = {});
OwnedOperation Ordered(std::string table, std::string order_by, With with = {});
OwnedOperation Groups(std::string table, std::string group_by,
                      std::string aggregates, std::string filter = "");
OwnedOperation Search(std::string table, std::string property, std::string text,
                      With with = {});
// One step of the declaration and of the build.
OwnedOperation SetIndexes(std::string table, std::string indexes,
                          With with = {});
OwnedOperation Count(std::string table, std::string filter = "");
OwnedOperation DeleteMatching(std::string table, std::string filter);
OwnedOperation MergeMatching(std::string table, std::string body,
                             std::string filter);
OwnedOperation Transaction(std::vector<OwnedOperation> parts);
// What a transaction of the account has read, and its writes.
OwnedOperation AccountTransaction(std::vector<OwnedOperation> parts,
                                  std::optional<std::uint64_t> position = {},
                                  std::string ranges = {});
OwnedOperation Import(std::string table, std::string input,
                      ImportPart part = {.begins = true, .ends = true});

// Fields that make no operation are an error, as in a frame.
RequestId SubmitTo(Engine& engine, const Result<Operation>& operation);

// {"PartitionKey":...,"RowKey":...,<members>}; keys as in JSON.
std::string EntityBody(std::string_view partition_key, std::string_view row_key,
                       std::string_view members = "");

// "409 EntityAlreadyExists" or, in a transaction or an import, "409
// EntityAlreadyExists at 1".
std::string Refusal(const Error& error);

// The status, for example "201", or the refusal.
std::string Outcome(const Result<Response>& answer);

// The answer's body; without one, its outcome, so that a comparison shows it.
std::string Body(const Result<Response>& answer);

// The text of every string member with this name, as in the JSON.
std::vector<std::string> TextsOf(std::string_view name, std::string_view json);

// Every number member of this name, all of them integers.
std::vector<long long> NumbersOf(std::string_view name, std::string_view json);

// The RowKeys of all pages of a query, in order.
std::vector<std::string> RowKeysOf(MemoryHost& host, OwnedOperation query);

// Everything that the account says of itself.
std::string Contents(MemoryHost& host);

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_OPERATIONS_H_
