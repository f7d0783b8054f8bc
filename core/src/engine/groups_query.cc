#include "engine/groups_query.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/json_writer.h"
#include "engine/query_support.h"
#include "model/schema_format.h"
#include "store/sort_key.h"

namespace entitable {
namespace {

// About what a group takes beside its texts.
constexpr std::size_t kGroupBytes = 128;

constexpr std::string_view kTimestamp = "Timestamp";

std::vector<std::string> NamesOf(const std::vector<AggregateTerm>& terms) {
  std::vector<std::string> names;
  names.reserve(terms.size());
  for (const AggregateTerm& term : terms) names.push_back(term.name);
  return names;
}

void AddName(char kind, std::size_t number, KeyTable& names) {
  std::string name(1, kind);
  AppendDecimal(static_cast<std::int64_t>(number), name);
  names.FindOrAdd(name);
}

// The value of a property that may be a key.
std::optional<Value> ValueOf(std::string_view name, std::string_view sort_key,
                             const EntityView& entity, std::string& room) {
  if (name == kTimestamp) return Value::OfDateTime(entity.timestamp);
  if (!IsKeyName(name)) return FindProperty(entity.properties, name);
  const SortTexts texts = TextsOf(sort_key);
  const auto text = ReadSortText(
      name == "RowKey" ? texts.row_key : texts.partition_key, room);
  return text.transform(&Value::String);
}

}  // namespace

Result<GroupsRequest> ReadQuery(const QueryGroups& operation) {
  ENTITABLE_TRY(QueryEntitiesRequest query,
                ReadQuery(
                    QueryEntities{
                        .table = operation.table,
                        .options = {.filter = operation.filter},
                    },
                    {}));
  ENTITABLE_TRY(std::vector<OrderTerm> group_by,
                ParseOrder(operation.group_by));
  ENTITABLE_TRY(std::vector<AggregateTerm> aggregates,
                ParseAggregates(operation.aggregates));
  return GroupsRequest{std::move(query), std::move(group_by),
                       std::move(aggregates)};
}

GroupsQuery::GroupsQuery(GroupsRequest&& request, PageCache& cache)
    : Query(cache),
      request_(std::move(request)),
      has_keys_(
          std::ranges::any_of(request_.group_by, IsKeyName, &OrderTerm::name) ||
          std::ranges::any_of(request_.aggregates, IsKeyName,
                              &AggregateTerm::name)),
      columns_(NamesOf(request_.aggregates)) {
  for (std::size_t i = 0; i < request_.group_by.size(); ++i) {
    AddName('g', i, names_);
  }
  for (std::size_t i = 0; i < request_.aggregates.size(); ++i) {
    AddName('a', i, names_);
  }
}

void GroupsQuery::Interrupt() {
  if (scan_) scan_->Interrupt();
}

Result<Response> GroupsQuery::Evaluate(const QueryContext& context) {
  ENTITABLE_TRY(const Table* table,
                FindTable(request_.query.table, ErrorCode::kTableNotFound,
                          context, window()));
  if (table->id != table_) Begin(table->id);
  const std::uint64_t examined = tally_.entities_examined;
  const auto searched = Search(context);
  context.examined += tally_.entities_examined - examined;
  if (!searched) return searched.error();
  return Answer(context);
}

void GroupsQuery::Begin(TableId table) {
  table_ = table;
  tally_ = {};
  keys_.Clear();
  groups_.clear();
  bytes_ = 0;
  order_ = {};
  values_.emplace();
  phase_ = Phase::kScan;
  std::vector<SortRange> ranges;
  ranges.reserve(request_.query.ranges.size());
  for (const KeyRange& range : request_.query.ranges) {
    ranges.push_back(MakeSortRange(table, range));
  }
  scan_.emplace(std::move(ranges), evaluator_, tally_);
  // Without properties, there is one group, even if it is empty.
  if (request_.group_by.empty()) {
    keys_.FindOrAdd({});
    AddGroup();
  }
}

// Also fails if it was interrupted.
Result<void> GroupsQuery::Search(const QueryContext& context) {
  WorkBudget& work = context.work;
  while (phase_ == Phase::kScan) {
    const Scan::Step step = scan_->NextRows(context.state, window(), work);
    if (step == Scan::Step::kWaiting) return PagesMissing();
    if (step == Scan::Step::kPaused) return Pause();
    if (step == Scan::Step::kEnd) {
      phase_ = Phase::kSort;
      window().ReleaseAll();
    } else if (scan_->place().in_memory != nullptr) {
      AddEntity(scan_->key(), *scan_->place().in_memory);
      work.Spend(1 + request_.aggregates.size());
    } else {
      AddRows(scan_->rows(), work);
    }
    if (bytes_ > MostQueryBytes(context.options.store.cache_bytes)) {
      return Fail(ErrorCode::kTooManyGroups);
    }
  }
  if (phase_ == Phase::kSort) {
    if (order_.size() == 0) {
      for (std::size_t i = 0; i < keys_.size(); ++i) order_.Add(keys_[i], work);
    }
    if (!order_.Sort(work)) return Pause();
    phase_ = Phase::kAnswer;
  }
  return {};
}

void GroupsQuery::AddRows(const MatchedRows& rows, WorkBudget& work) {
  const auto& aggregates = request_.aggregates;
  columns_.Use(rows.page, rows.leaf->columns());
  std::string room;
  for (std::size_t row = rows.Next(rows.begin); row < rows.end;
       row = rows.Next(row + 1)) {
    if (has_keys_) rows.leaf->KeyOf(row, sort_key_);
    Group& group =
        GroupOf(sort_key_, {.leaf = rows.leaf, .page = rows.page, .row = row});
    for (std::size_t i = 0; i < aggregates.size(); ++i) {
      Accumulator& aggregate = group.aggregates[i];
      const std::string& name = aggregates[i].name;
      if (name.empty()) {
        aggregate.Add(nullptr);
      } else if (IsKeyName(name)) {
        const auto value = ValueOf(name, sort_key_, {}, room);
        if (value) Add(aggregate, &*value);
      } else if (const Column* column = columns_.Find(i, row)) {
        const Value value = column->ValueAt(column->IndexOf(row));
        Add(aggregate, &value);
      }
    }
    work.SpendParts(kPartsPerValue * (1 + aggregates.size()) +
                    (has_keys_ ? kPartsPerKey : 0));
  }
}

void GroupsQuery::AddEntity(std::string_view sort_key,
                            const EntityView& entity) {
  Group& group = GroupOf(sort_key, {.in_memory = &entity});
  std::string room;
  for (std::size_t i = 0; i < request_.aggregates.size(); ++i) {
    const std::string& name = request_.aggregates[i].name;
    if (name.empty()) {
      group.aggregates[i].Add(nullptr);
    } else if (const auto value = ValueOf(name, sort_key, entity, room)) {
      Add(group.aggregates[i], &*value);
    }
  }
}

void GroupsQuery::Add(Accumulator& aggregate, const Value* value) {
  const std::size_t bytes = aggregate.bytes();
  aggregate.Add(value);
  bytes_ += aggregate.bytes() - bytes;
}

GroupsQuery::Group& GroupsQuery::GroupOf(std::string_view sort_key,
                                         const EntityPlace& place) {
  if (request_.group_by.empty()) return groups_.front();
  group_key_.clear();
  group_keys_.AppendValues(sort_key, place, group_key_);
  const std::size_t at = keys_.FindOrAdd(group_key_);
  if (at < groups_.size()) return groups_[at];

  Group& group = AddGroup();
  const Entity entity = place.Decode();
  std::string room;
  for (std::size_t i = 0; i < request_.group_by.size(); ++i) {
    const auto value =
        ValueOf(request_.group_by[i].name, sort_key, entity, room);
    if (value) group.values.Append(names_[i], *value);
  }
  bytes_ += group_key_.size() + group.values.bytes().size();
  return group;
}

GroupsQuery::Group& GroupsQuery::AddGroup() {
  Group& group = groups_.emplace_back();
  group.aggregates.reserve(request_.aggregates.size());
  for (const AggregateTerm& term : request_.aggregates) {
    group.aggregates.emplace_back(term.kind);
  }
  bytes_ += kGroupBytes + request_.aggregates.size() * sizeof(Accumulator);
  return group;
}

Result<Response> GroupsQuery::Answer(const QueryContext& context) {
  PayloadContext payload{};
  payload.select = &names_;
  for (; !order_.is_empty(); order_.Take(1)) {
    if (context.work.is_spent()) return Pause();
    Group& group = groups_[keys_.Find(order_.front())];
    for (std::size_t i = 0; i < group.aggregates.size(); ++i) {
      ENTITABLE_TRY(group.aggregates[i].AppendTo(
          group.values, names_[request_.group_by.size() + i]));
    }
    values_->Add(payload, {}, EntityView{{}, group.values.bytes()});
    context.work.Spend(1 + group.values.bytes().size() / kBytesPerUnit);
  }
  Response response;
  response.body = values_->Finish();
  return response;
}

}  // namespace entitable
