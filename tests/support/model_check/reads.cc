#include "support/model_check/reads.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "wire/continuation_token.h"

namespace entitable::model_check {
namespace {

// The service's largest page.
constexpr std::size_t kMaxTop = 1000;

std::optional<Key> NextKey(const Response& response) {
  if (!response.next_partition_key || !response.next_row_key) {
    return std::nullopt;
  }
  const auto partition_key = DecodeToken(*response.next_partition_key);
  const auto row_key = DecodeToken(*response.next_row_key);
  if (!partition_key || !row_key) return std::nullopt;
  return Key{*partition_key, *row_key};
}

Key FirstKey(const Request& request) {
  return request.continuation ? request.continuation->first : Key();
}

std::size_t TopOf(const Request& request) {
  return request.selection.top.value_or(kMaxTop);
}

bool AgreesOnEntity(const Request& request, const Seen& seen,
                    const State& state) {
  const auto table = state.find(request.table);
  if (table == state.end()) return seen.outcome == "404 TableNotFound";
  const auto entity = table->second.find(request.key);
  if (entity == table->second.end()) {
    return seen.outcome == "404 ResourceNotFound";
  }
  return seen.outcome == "200" && seen.feed.size() == 1 &&
         seen.feed.front().first == entity->first &&
         seen.feed.front().second == entity->second;
}

bool AgreesOnPage(const Request& request, const Seen& seen,
                  const State& state) {
  const auto table = state.find(request.table);
  if (table == state.end()) return seen.outcome == "404 TableNotFound";
  if (seen.outcome != "200") return false;
  const std::size_t top = TopOf(request);
  std::size_t count = 0;
  const Entities& entities = table->second;
  for (auto at = entities.lower_bound(FirstKey(request)); at != entities.end();
       ++at) {
    const auto& [key, entity] = *at;
    // The page may have ended early.
    if (request.is_of_transaction && seen.next && key >= *seen.next) break;
    if (!Selects(request.selection, key, entity)) continue;
    if (count == top) return count == seen.feed.size() && seen.next == key;
    if (count == seen.feed.size() || seen.feed[count].first != key ||
        seen.feed[count].second != entity) {
      return false;
    }
    ++count;
  }
  return count == seen.feed.size() && (!seen.next || request.is_of_transaction);
}

bool AgreesOnCount(const Request& request, const Seen& seen,
                   const State& state) {
  const auto table = state.find(request.table);
  if (table == state.end()) return seen.outcome == "404 TableNotFound";
  const auto count = std::ranges::count_if(table->second, [&](const auto& row) {
    return Selects(request.selection, row.first, row.second);
  });
  return seen.outcome == "200" && seen.count == static_cast<std::size_t>(count);
}

bool Agrees(const Request& request, const Seen& seen, const State& state) {
  switch (request.kind) {
    case OperationKind::kQueryTables:
      return seen.outcome == "200" &&
             std::ranges::equal(seen.tables, state, {}, {},
                                [](const auto& one) { return one.first; });
    case OperationKind::kGetEntity:
      return AgreesOnEntity(request, seen, state);
    case OperationKind::kQueryEntities:
      return AgreesOnPage(request, seen, state);
    case OperationKind::kCountEntities:
      return AgreesOnCount(request, seen, state);
    default:
      return seen.outcome == OutcomeOf(request, state);
  }
}

// Null where there is none that the query wants.
const Entity* FindSelected(const Request& request, const Key& key,
                           const State& state) {
  const auto table = state.find(request.table);
  if (table == state.end()) return nullptr;
  const auto entity = table->second.find(key);
  if (entity == table->second.end()) return nullptr;
  if (!Selects(request.selection, key, entity->second)) return nullptr;
  return &entity->second;
}

// The keys, of all times from `from` on, that the page says something about.
std::set<Key> KeysOf(const Request& request, const Seen& seen,
                     const History& history, Moment from) {
  std::set<Key> keys;
  for (const auto& [key, entity] : seen.feed) keys.insert(key);
  for (Moment moment = from; moment <= history.now(); ++moment) {
    const auto table = history.at(moment).find(request.table);
    if (table == history.at(moment).end()) continue;
    for (const auto& [key, entity] : table->second) {
      const bool is_in_page =
          key >= FirstKey(request) && (!seen.next || key <= *seen.next);
      if (is_in_page) keys.insert(key);
    }
  }
  return keys;
}

bool IsWellFormed(const Request& request, const Seen& seen) {
  const auto is_not_before = [](const auto& a, const auto& b) {
    return a.first >= b.first;
  };
  return std::ranges::adjacent_find(seen.feed, is_not_before) ==
             seen.feed.end() &&
         seen.feed.size() <= TopOf(request) &&
         (seen.feed.empty() || seen.feed.front().first >= FirstKey(request)) &&
         (seen.feed.empty() || !seen.next ||
          seen.feed.back().first < *seen.next);
}

// For each moment from `from` on, which counts can come out when no key is seen
// later than then.
std::optional<Moment> FindMomentsOfCount(const Request& request,
                                         const Seen& seen,
                                         const History& history, Moment from) {
  const std::size_t moments = history.now() + 1 - from;
  std::vector<std::set<std::size_t>> counts(moments, {0});
  for (const Key& key : KeysOf(request, seen, history, from)) {
    std::set<std::size_t> before;
    for (std::size_t i = 0; i < moments; ++i) {
      before.merge(counts[i]);
      const bool is_counted =
          FindSelected(request, key, history.at(from + i)) != nullptr;
      counts[i].clear();
      for (const std::size_t count : before) {
        counts[i].insert(count + (is_counted ? 1 : 0));
      }
    }
  }
  for (std::size_t i = 0; i < moments; ++i) {
    if (counts[i].contains(seen.count)) return from + i;
  }
  return std::nullopt;
}

// Each name of a table, in their order, as of a moment that is right for it.
std::optional<Moment> FindMomentsByTable(const Seen& seen,
                                         const History& history, Moment from) {
  std::set<std::string> names(seen.tables.begin(), seen.tables.end());
  if (!std::ranges::equal(seen.tables, names)) return std::nullopt;
  for (Moment moment = from; moment <= history.now(); ++moment) {
    for (const auto& [name, entities] : history.at(moment)) names.insert(name);
  }
  Moment moment = from;
  for (const std::string& name : names) {
    const bool is_listed = std::ranges::binary_search(seen.tables, name);
    while (history.at(moment).contains(name) != is_listed) {
      if (++moment > history.now()) return std::nullopt;
    }
  }
  return moment;
}

}  // namespace

Seen SeenIn(const Result<Response>& answer) {
  Seen seen{.outcome = Outcome(answer)};
  // Within a transaction, that an entity is missing is an answer.
  if (seen.outcome == "404") seen.outcome = "404 ResourceNotFound";
  if (!answer) return seen;
  seen.tables = TextsOf("TableName", answer->body);
  seen.feed = EntitiesIn(answer->body);
  seen.next = NextKey(*answer);
  for (const long long count : NumbersOf("count", answer->body)) {
    seen.count = static_cast<std::size_t>(count);
  }
  return seen;
}

bool Agrees(const TransactionReads& reads, const State& state) {
  return std::ranges::all_of(reads.all, [&state](const auto& read) {
    return Agrees(read.first, read.second, state);
  });
}

std::optional<Moment> FindMoment(const Request& request, const Seen& seen,
                                 const History& history, Moment from) {
  for (Moment moment = from; moment <= history.now(); ++moment) {
    const State& state = history.at(moment);
    if (request.reads && !Agrees(*request.reads, state)) continue;
    if (Agrees(request, seen, state)) return moment;
  }
  return std::nullopt;
}

std::optional<Moment> FindMomentsByKey(const Request& request, const Seen& seen,
                                       const History& history, Moment from) {
  if (seen.outcome != "200") return FindMoment(request, seen, history, from);
  if (request.kind == OperationKind::kQueryTables) {
    return FindMomentsByTable(seen, history, from);
  }
  if (request.kind == OperationKind::kCountEntities) {
    return FindMomentsOfCount(request, seen, history, from);
  }
  if (!IsWellFormed(request, seen)) return std::nullopt;
  const std::map<Key, Entity> returned(seen.feed.begin(), seen.feed.end());
  Moment moment = from;
  for (const Key& key : KeysOf(request, seen, history, from)) {
    const auto entity = returned.find(key);
    const auto is_so = [&](const State& state) {
      const Entity* stored = FindSelected(request, key, state);
      if (seen.next == key) return stored != nullptr;
      return entity == returned.end()
                 ? stored == nullptr
                 : stored != nullptr && *stored == entity->second;
    };
    while (!is_so(history.at(moment))) {
      if (++moment > history.now()) return std::nullopt;
    }
  }
  return moment;
}

}  // namespace entitable::model_check
