#include "protocol/request_route.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/json_reader.h"
#include "base/json_writer.h"
#include "base/text_buffer.h"
#include "model/entity_key.h"
#include "model/entity_reader.h"
#include "model/table_name.h"
#include "protocol/batch_request.h"
#include "protocol/parsed_request.h"
#include "read/read_request.h"
#include "request/operation_fields.h"
#include "wire/json_member.h"

namespace entitable {
namespace {

// The partition that has every entity in the ranges; nothing if there may be
// several.  Without ranges, no entity matches, so any partition will do.
std::optional<std::string_view> OnlyPartition(
    const std::vector<KeyRange>& ranges) {
  if (ranges.empty()) return "";
  const auto& lower = ranges.front().lower;
  const auto& upper = ranges.back().upper;
  if (!lower || !upper) return std::nullopt;
  const std::string& partition = lower->key.partition_key;
  if (*upper > EndOfPartition(partition)) return std::nullopt;
  return partition;
}

// Writes the members of a route.
class RouteWriter {
 public:
  RouteWriter(Profile profile, TextBuffer& out)
      : profile_(profile), out_(out) {}

  Result<void> Write(const HttpRequest& request, std::string_view base_path) {
    const std::string_view account_path = AccountPathOf(request, base_path);
    RequestContext context;
    ENTITABLE_TRY(const auto parsed,
                  ParseRequest(request, account_path, context));
    if (!parsed->is_batch()) return Write(*parsed, {});
    ENTITABLE_TRY(const ParsedBatch requests,
                  ParseBatch(request, account_path, context));
    if (requests.empty()) return {};
    // The store refuses a transaction of several partitions.
    const ParsedRequest& first = *requests.front();
    return Write(first, first.target);
  }

 private:
  // `part` is the address of a request in a batch.
  Result<void> Write(const ParsedRequest& request, std::string_view part) {
    const std::string& table = request.resource.table;
    switch (request.kind) {
      case OperationKind::kCreateTable: {
        ENTITABLE_TRY(const std::string name,
                      ReadTableName(json_, request.body));
        AddTable("defines", name);
        break;
      }
      case OperationKind::kDeleteTable:
      case OperationKind::kSetPolicies:
      case OperationKind::kSetServiceProperties:
        AddTable("defines", table);
        break;
      case OperationKind::kInsertEntity: {
        ENTITABLE_TRY(const NewEntity entity,
                      ReadNewEntity(json_, request.body, profile_));
        AddPartition(table, entity.key.partition_key);
        break;
      }
      case OperationKind::kGetEntity:
      case OperationKind::kReplaceEntity:
      case OperationKind::kMergeEntity:
      case OperationKind::kDeleteEntity:
        AddPartition(table, request.resource.partition_key);
        break;
      case OperationKind::kQueryEntities:
        return WriteQuery(request, part);
      default:
        break;
    }
    return {};
  }

  Result<void> WriteQuery(const ParsedRequest& request, std::string_view part) {
    ENTITABLE_TRY(const Operation operation, MakeOperation(request.fields()));
    const auto& read = *std::get_if<ReadOperation>(&operation);
    ENTITABLE_TRY(const QueryEntitiesRequest query,
                  ReadQuery(*std::get_if<QueryEntities>(&read), {}));
    if (const auto partition = OnlyPartition(query.ranges)) {
      AddPartition(query.table, *partition);
      return {};
    }
    AddTable("table", query.table);
    AppendName("top", out_);
    AppendDecimal(static_cast<std::int64_t>(query.feed.top), out_);
    const auto& select = request.options.select;
    if (select) AppendMember("select", *select, out_);
    if (!part.empty()) AppendMember("part", part, out_);
    return {};
  }

  void AddTable(std::string_view name, std::string_view table) {
    AppendMember(name, FoldTableName(table), out_);
  }

  void AddPartition(std::string_view table, std::string_view partition) {
    AddTable("table", table);
    AppendMember("partition", partition, out_);
  }

  Profile profile_;
  TextBuffer& out_;
  JsonReader json_;
};

}  // namespace

std::string RouteOf(const HttpRequest& request, std::string_view account_path,
                    Profile profile) {
  std::string text;
  {
    TextBuffer out(text);
    out += '{';
    // A request that cannot be read has no place: every store refuses it.
    static_cast<void>(RouteWriter(profile, out).Write(request, account_path));
    out += '}';
  }
  return text;
}

std::string RouteOf(BytesView frame, std::string_view account_path,
                    Profile profile) {
  const auto request = DecodeHttpRequest(frame, frame.size());
  return request ? RouteOf(*request, account_path, profile) : "{}";
}

}  // namespace entitable
