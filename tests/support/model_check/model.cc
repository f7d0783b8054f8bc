#include "support/model_check/model.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "support/model_check/reads.h"

namespace entitable::model_check {
namespace {

std::string OutcomeOf(const Write& write, const Entities& entities) {
  const auto stored = entities.find(write.key);
  const bool is_there = stored != entities.end();
  if (write.kind == OperationKind::kInsertEntity) {
    return is_there ? "409 EntityAlreadyExists" : "201";
  }
  if (write.if_match && !is_there) return "404 ResourceNotFound";
  if (write.if_match && *write.if_match != "*" &&
      *write.if_match != stored->second.etag) {
    return "412 UpdateConditionNotSatisfied";
  }
  return "204";
}

std::string OutcomeOfTransaction(const Request& request,
                                 const Entities& entities) {
  for (std::size_t i = 0; i < request.writes.size(); ++i) {
    const std::string outcome = OutcomeOf(request.writes[i], entities);
    if (!IsSuccess(outcome)) return outcome + " at " + std::to_string(i);
  }
  return "202";
}

// Of a step of a single entity.
std::string OutcomeOfImport(const Request& step, const Entities& entities) {
  const std::string outcome = OutcomeOf(step.writes.front(), entities);
  return IsSuccess(outcome) ? "202" : outcome;
}

void Apply(const Write& write, const std::string& etag, Entities& entities) {
  if (write.kind == OperationKind::kDeleteEntity) {
    entities.erase(write.key);
    return;
  }
  Entity& entity = entities[write.key];
  entity.etag = etag;
  std::map<std::string, std::string> properties(write.values.begin(),
                                                write.values.end());
  if (write.kind == OperationKind::kMergeEntity) {
    properties.insert(entity.properties.begin(), entity.properties.end());
  }
  entity.properties.assign(properties.begin(), properties.end());
}

// Of its writes, each on top of those before.
std::string OutcomeOfWrites(const Request& request, State state) {
  for (const Write& write : request.writes) {
    const auto table = state.find(write.table);
    if (table == state.end()) return "404 TableNotFound";
    const std::string outcome = OutcomeOf(write, table->second);
    if (!IsSuccess(outcome)) return outcome;
    Apply(write, NewEtag(request), table->second);
  }
  return "202";
}

// The value of an integer property.
std::optional<int> Find(const Properties& properties, std::string_view name) {
  for (const auto& [candidate, value] : properties) {
    if (candidate == name) return std::stoi(value);
  }
  return std::nullopt;
}

}  // namespace

std::string OutcomeOf(const Request& request, const State& state) {
  const auto table = state.find(request.table);
  const bool is_there = table != state.end();
  switch (request.kind) {
    case OperationKind::kCreateTable:
      return is_there ? "409 TableAlreadyExists" : "201";
    case OperationKind::kDeleteTable:
      return is_there ? "204" : "404 ResourceNotFound";
    case OperationKind::kGetTable:
      return is_there ? "200" : "404 ResourceNotFound";
    case OperationKind::kImportEntities:
      return is_there ? OutcomeOfImport(request, table->second)
                      : "404 TableNotFound";
    case OperationKind::kSetTableIndexes:
      return is_there ? "202" : "404 TableNotFound";
    case OperationKind::kAccountTransaction:
      return Agrees(*request.reads, state) ? OutcomeOfWrites(request, state)
                                           : kConflict;
    case OperationKind::kTransaction:
      return is_there ? OutcomeOfTransaction(request, table->second)
                      : "404 TableNotFound at 0";
    default:
      return is_there ? OutcomeOf(request.writes.front(), table->second)
                      : "404 TableNotFound";
  }
}

bool IsSuccess(const std::string& outcome) { return outcome.front() == '2'; }

void Apply(const Request& request, State& state) {
  if (request.kind == OperationKind::kCreateTable) {
    state[request.table];
  } else if (request.kind == OperationKind::kDeleteTable) {
    state.erase(request.table);
  } else {
    for (const Write& write : request.writes) {
      const std::string& own = write.table;
      Apply(write, NewEtag(request), state[own.empty() ? request.table : own]);
    }
  }
}

std::string NewEtag(const Request& request) {
  return "new " + std::to_string(request.number);
}

bool Selects(const Selection& selection, const Key& key, const Entity& entity) {
  if (selection.partition && key.first != *selection.partition) return false;
  if (selection.row_from && key.second < *selection.row_from) return false;
  if (!selection.least_a) return true;
  const auto a = Find(entity.properties, "A");
  return a && *a >= *selection.least_a;
}

std::string Describe(const State& state) {
  std::string text;
  for (const auto& [table, entities] : state) {
    text += "  " + table + "\n";
    for (const auto& [key, entity] : entities) {
      text += "    " + key.first + "/" + key.second + " {";
      for (const auto& [name, value] : entity.properties) {
        text += name + ":" + value + " ";
      }
      text += "} " + entity.etag + "\n";
    }
  }
  return text.empty() ? "  nothing\n" : text;
}

}  // namespace entitable::model_check
