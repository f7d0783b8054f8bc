#include "read/groups/groups_query.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/coding.h"
#include "base/json_writer.h"
#include "model/schema_format.h"
#include "read/groups/distribution.h"
#include "read/query_support.h"
#include "store/sort_key.h"

namespace entitable {
namespace {

// About what a group takes beside its texts, and a distinct value beside its
// bytes.
constexpr std::size_t kGroupBytes = 128;
constexpr std::size_t kDistinctBytes = 32;

constexpr std::string_view kTimestamp = "Timestamp";

std::vector<std::string> NamesOf(const std::vector<AggregateTerm>& terms) {
  std::vector<std::string> names;
  names.reserve(terms.size());
  for (const AggregateTerm& term : terms) names.push_back(term.name);
  return names;
}

std::uint64_t RowPartsOf(const std::vector<AggregateTerm>& terms,
                         bool has_keys) {
  const auto distinct =
      std::ranges::count(terms, AggregateKind::kDistinct, &AggregateTerm::kind);
  return kPartsPerValue * (1 + terms.size()) +
         kPartsPerKey * (static_cast<std::uint64_t>(distinct) + has_keys);
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

GroupsQuery::GroupsQuery(GroupsRequest&& request, PageCache& cache)
    : TableQuery(cache),
      request_(std::move(request)),
      has_key_groups_(
          std::ranges::any_of(request_.group_by, IsKeyName, &OrderTerm::name)),
      has_keys_(has_key_groups_ ||
                std::ranges::any_of(request_.aggregates, IsKeyName,
                                    &AggregateTerm::name)),
      may_take_pages_(request_.MayTakePages()),
      columns_(NamesOf(request_.aggregates)),
      row_parts_(RowPartsOf(request_.aggregates, has_keys_)) {
  for (std::size_t i = 0; i < request_.group_by.size(); ++i) {
    AddName('g', i, names_);
  }
  for (std::size_t i = 0; i < request_.aggregates.size(); ++i) {
    AddName('a', i, names_);
  }
}

void GroupsQuery::Begin(const QueryContext& context, const Table& table) {
  keys_.Clear();
  groups_.clear();
  distinct_.Clear();
  bytes_ = 0;
  sorted_ = 0;
  bounds_.clear();
  order_ = {};
  values_.emplace();
  phase_ = Phase::kScan;
  const QueryEntitiesRequest& query = request_.query;
  index_.Begin(SortRangesOf(table.id, query.ranges));
  index_.Choose(context.state, table, query.feed.filter, query.ranges);
  // Without properties, there is one group, even if it is empty.
  if (request_.group_by.empty()) {
    keys_.FindOrAdd({});
    AddGroup();
  }
}

Poll<void> GroupsQuery::Search(const QueryContext& context) {
  WorkBudget& work = context.work;
  if (phase_ == Phase::kScan) {
    ENTITABLE_TRY(Read(context));
    window().ReleaseAll();
    reading_.End();
    phase_ = Phase::kSortGroups;
  }
  if (phase_ == Phase::kSortGroups) {
    if (!SortGroups(work)) return Pending::kSlice;
    phase_ = Phase::kSortNumbers;
  }
  if (phase_ == Phase::kSortNumbers) {
    if (!SortNumbers(work)) return Pending::kSlice;
    FindBounds();
    phase_ = Phase::kAnswer;
  }
  return {};
}

// Reads all entities.
Poll<void> GroupsQuery::Read(const QueryContext& context) {
  WorkBudget& work = context.work;
  if (!scan_) {
    ENTITABLE_TRY(std::vector<SortRange> ranges,
                  index_.Find(context, window()));
    scan_.emplace(std::move(ranges), evaluator_, tally_);
    if (index_.is_used()) scan_->FetchTogether(kMaxIndexRows);
  }
  for (;;) {
    ENTITABLE_TRY(
        const bool has_rows,
        HasRow(scan_->NextRows(context.state, window(), work, Scan::kAllMatches,
                               may_take_pages_ ? this : nullptr)));
    if (!has_rows) return {};
    if (scan_->place().in_memory != nullptr) {
      AddEntity(scan_->key(), *scan_->place().in_memory);
      work.Spend(1 + request_.aggregates.size());
    } else {
      AddRows(scan_->rows(), work);
    }
    if (bytes_ > MostQueryBytes(context.options.store.cache_bytes)) {
      return Fail(ErrorCode::kAggregateTooLarge);
    }
  }
}

// Returns false if the work budget is spent.
bool GroupsQuery::SortGroups(WorkBudget& work) {
  if (order_.size() == 0) {
    for (std::size_t i = 0; i < keys_.size(); ++i) order_.Add(keys_[i], work);
  }
  return order_.Sort(work);
}

// Goes through all accumulators, of which most have nothing to sort.
bool GroupsQuery::SortNumbers(WorkBudget& work) {
  const std::size_t count = request_.aggregates.size();
  for (; sorted_ < groups_.size() * count; ++sorted_) {
    Group& group = groups_[sorted_ / count];
    if (!group.aggregates[sorted_ % count].SortNumbers(work)) return false;
  }
  return true;
}

// Bins of equal width reach over the numbers of all groups, so that the groups
// can be compared.
void GroupsQuery::FindBounds() {
  for (std::size_t i = 0; i < request_.aggregates.size(); ++i) {
    const AggregateTerm& term = request_.aggregates[i];
    bounds_.push_back(term.numbers);
    if (term.kind != AggregateKind::kHistogram || !term.needs_numbers()) {
      continue;
    }
    std::optional<std::pair<double, double>> range;
    for (const Group& group : groups_) {
      const auto own =
          FiniteRange(group.aggregates[request_.sources[i]].numbers());
      if (own && range) {
        range = {std::min(range->first, own->first),
                 std::max(range->second, own->second)};
      } else if (own) {
        range = own;
      }
    }
    bounds_.back().clear();
    if (!range) continue;
    bounds_.back() = EqualBounds(range->first, range->second,
                                 static_cast<std::size_t>(term.numbers[0]));
  }
}

void GroupsQuery::AddKeys(const MatchedRows& rows, std::size_t aggregate) {
  std::string room;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    rows.leaf->KeyOf(rows_[i], sort_key_);
    const auto value =
        ValueOf(request_.aggregates[aggregate].name, sort_key_, {}, room);
    if (value) Add(GroupOfRow(i), aggregate, &*value);
  }
}

void GroupsQuery::AddEntity(std::string_view sort_key,
                            const EntityView& entity) {
  Group& group = groups_[FindGroup(sort_key, {.in_memory = &entity})];
  std::string room;
  for (std::size_t i = 0; i < request_.aggregates.size(); ++i) {
    const std::string& name = request_.aggregates[i].name;
    if (name.empty()) {
      Add(group, i, nullptr);
    } else if (const auto value = ValueOf(name, sort_key, entity, room)) {
      Add(group, i, &*value);
    }
  }
}

void GroupsQuery::Add(Group& group, std::size_t i, const Value* value) {
  if (request_.sources[i] != i) return;
  const AggregateKind kind = request_.aggregates[i].kind;
  if (kind == AggregateKind::kDistinct && !IsNewValue(group, i, *value)) return;
  Accumulator& aggregate = group.aggregates[i];
  const std::size_t bytes = aggregate.bytes();
  aggregate.Add(value);
  bytes_ += aggregate.bytes() - bytes;
}

// Whether the group did not have the value yet.
//
// One table has the values of all groups and aggregates, which takes less
// memory than many.
bool GroupsQuery::IsNewValue(const Group& group, std::size_t i,
                             const Value& value) {
  distinct_value_.clear();
  AppendU32(static_cast<std::uint32_t>(&group - groups_.data()),
            distinct_value_);
  AppendU8(static_cast<std::uint8_t>(i), distinct_value_);
  AppendOrderValue(&value, false, distinct_value_);
  const std::size_t known = distinct_.size();
  if (distinct_.FindOrAdd(distinct_value_) < known) return false;
  bytes_ += kDistinctBytes + distinct_value_.size();
  return true;
}

// A group is known by the order key of its values, so numbers that are equal in
// different types are one group.  Its first row says which of them the answer
// shows.
std::size_t GroupsQuery::FindGroup(std::string_view sort_key,
                                   const EntityPlace& place) {
  if (request_.group_by.empty()) return 0;
  group_key_.clear();
  group_keys_.AppendValues(sort_key, place, group_key_);
  const std::size_t at = keys_.FindOrAdd(group_key_);
  if (at < groups_.size()) return at;

  Group& group = AddGroup();
  const Entity entity = place.Decode();
  std::string room;
  for (std::size_t i = 0; i < request_.group_by.size(); ++i) {
    const OrderTerm& term = request_.group_by[i];
    const auto stored = ValueOf(term.name, sort_key, entity, room);
    const auto value = term.ValueOf(stored ? &*stored : nullptr);
    if (value) group.values.Append(names_[i], *value);
  }
  bytes_ += group_key_.size() + group.values.bytes().size();
  return at;
}

GroupsQuery::Group& GroupsQuery::AddGroup() {
  Group& group = groups_.emplace_back();
  group.aggregates.reserve(request_.aggregates.size());
  for (const AggregateTerm& term : request_.aggregates) {
    bytes_ += sizeof(Accumulator) + group.aggregates.emplace_back(term).bytes();
    if (term.kind == AggregateKind::kHistogram)
      bytes_ += HistogramSize(term.bins());
  }
  bytes_ += kGroupBytes;
  return group;
}

Result<void> GroupsQuery::AppendResult(std::size_t i, Group& group) {
  const AggregateTerm& term = request_.aggregates[i];
  const std::string_view name = names_[request_.group_by.size() + i];
  const Accumulator& source = group.aggregates[request_.sources[i]];
  if (term.kind == AggregateKind::kQuantile) {
    const auto number = QuantileOf(source.numbers(), term.numbers[0]);
    if (number) group.values.Append(name, Value::Double(*number));
  } else if (term.kind == AggregateKind::kHistogram) {
    const std::string bytes =
        term.needs_numbers()
            ? HistogramBytes(bounds_[i],
                             CountBins(source.numbers(), bounds_[i]))
            : HistogramBytes(bounds_[i], source.numbers());
    group.values.Append(name, Value::Binary(bytes));
  } else {
    return source.AppendTo(group.values, name);
  }
  return {};
}

// Groups are found by their keys, in the order of these.  The values that made
// a group were kept as they are, since order keys cannot be made back into all
// of them.
Poll<Response> GroupsQuery::Answer(const QueryContext& context) {
  PayloadContext payload{};
  payload.select = &names_;
  for (; !order_.is_empty(); order_.Drop(1)) {
    if (context.work.is_spent()) return Pending::kSlice;
    Group& group = groups_[keys_.Find(order_.front())];
    for (std::size_t i = 0; i < group.aggregates.size(); ++i) {
      ENTITABLE_TRY(AppendResult(i, group));
    }
    values_->Add(payload, {}, EntityView{{}, group.values.bytes()});
    context.work.Spend(1 + group.values.bytes().size() / kBytesPerUnit);
  }
  Response response;
  response.body = values_->Finish();
  return response;
}

}  // namespace entitable
