#include "read/entities_query.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/coding.h"
#include "base/json_writer.h"
#include "model/entity.h"
#include "model/limits.h"
#include "read/index/index_lookup.h"
#include "read/query_support.h"
#include "store/lookup.h"
#include "store/sort_key.h"
#include "wire/continuation_token.h"

namespace entitable {
namespace {

// At most so many rows are added to an answer before the work is compared with
// the budget.  They make a block of values, whose readers expect no more
// (docs/internals/frames.md).
constexpr std::size_t kMostRowsAtOnce = 64;

// How many changed rows are asked for at once.
constexpr std::size_t kMaxAhead = 32;

// After so many changes while others are read, the reader must read the whole
// table.
constexpr std::size_t kMaxInterruptions = 8;

// How many rows a step of a change writes: those of entities and of indexes, or
// entities of a table that is synced, which have marks.
constexpr std::size_t kMostRowsOfStep = 1000;
constexpr std::size_t kMostMarkedRows = 100;

// How many bytes of entities it may change, and how many if each word has an
// entry.
constexpr std::size_t kMostBytesOfStep = std::size_t{1} << 20;
constexpr std::size_t kMostBytesOfMany = std::size_t{64} << 10;

}  // namespace

EntitiesQuery::EntitiesQuery(QueryEntitiesRequest&& request, PageCache& cache)
    : TableQuery(cache), request_(std::move(request)) {}

// Only lists have pages.
bool EntitiesQuery::EndEarly() {
  if (index_.is_covered()) return false;
  const bool is_list = request_.purpose == QueryPurpose::kReturn ||
                       request_.purpose == QueryPurpose::kFind;
  return ends_ = is_list && count_ > 0 && SetNextPage();
}

void EntitiesQuery::SkipTo(std::uint64_t number) {
  request_.after = std::max(request_.after.value_or(0), number);
}

// A read that begins again drops what it has made so far.  Only a census of
// types cannot: see Search().
void EntitiesQuery::Begin(const QueryContext& context, const Table& table) {
  const AccountState& state = context.state;
  is_replaced_ = table_ != kNoTable && table.id != table_;
  is_enforced_ = !table.schema.empty();
  response_ = {};
  values_.reset();
  covered_.clear();
  next_covered_ = 0;
  count_ = 0;
  spent_units_ = 0;
  std::vector<SortRange> ranges = SortRangesOf(table.id, request_.ranges);
  if (request_.census) ranges.assign(1, WholeTable(table.id));
  index_.Begin(std::move(ranges));
  switch (request_.purpose) {
    case QueryPurpose::kFind:
      BeginStep(table);
      index_.Choose(state, table, request_.feed.filter, request_.ranges);
      return;
    case QueryPurpose::kReturn:
    case QueryPurpose::kCount: {
      const NeededNames needed = NamesNeeded();
      index_.Choose(state, table, request_.feed.filter, request_.ranges,
                    &needed);
      return;
    }
    case QueryPurpose::kAwait:
      awaited_ = {state.head(), state.recent().EndOf(table.id)};
      return;
    case QueryPurpose::kTypes:
      return;
  }
}

// A count returns no properties.
NeededNames EntitiesQuery::NamesNeeded() const {
  const Select& select = request_.feed.projection.select;
  const bool returns_all =
      select.is_all() && request_.purpose == QueryPurpose::kReturn;
  return {evaluator_.names(), returns_all ? nullptr : &select.names()};
}

// Its writes are evaluated in one call of the engine.
void EntitiesQuery::BeginStep(const Table& table) {
  const auto& indexes = table.indexes;
  is_weighed_ = request_.change_bytes > 0 || !indexes.empty();
  request_.feed.top = table.sync != kNoTable
                          ? kMostMarkedRows
                          : kMostRowsOfStep / (1 + indexes.size());
  const bool has_many = std::ranges::any_of(indexes, &TableIndex::has_many);
  step_bytes_ = has_many ? kMostBytesOfStep - kMostBytesOfMany : 0;
}

// For changes: another change of the table may concern a row that was read
// already.
bool EntitiesQuery::IsStale(const AccountState& state, const Table& table) {
  if (request_.purpose != QueryPurpose::kAwait) {
    return TableQuery::IsStale(state, table);
  }
  if (!awaited_) return true;
  if (state.recent().HasChanged(table_, awaited_->head)) {
    ++interruptions_;
    return true;
  }
  awaited_->head = state.head();
  return false;
}

// The scan is part of the answer.
Poll<void> EntitiesQuery::Search(const QueryContext& context) {
  // Its types would mix with those of the table before.
  if (is_replaced_ && request_.census) return Fail(ErrorCode::kTableNotFound);
  if (scan_) return {};
  ENTITABLE_TRY(std::vector<SortRange> ranges, index_.Find(context, window()));
  begin_ = ranges.empty() ? std::string() : ranges.front().begin;
  scan_.emplace(std::move(ranges), evaluator_, tally_);
  if (index_.is_used()) scan_->FetchTogether(MostRows());
  if (index_.is_covered()) covered_ = index_.TakeRows();
  return {};
}

// How many rows the answer can need.
std::size_t EntitiesQuery::MostRows() const {
  const bool has_pages = request_.purpose == QueryPurpose::kReturn;
  return has_pages ? std::max<std::size_t>(request_.feed.top, 1)
                   : kMaxIndexRows;
}

Poll<Response> EntitiesQuery::Answer(const QueryContext& context) {
  switch (request_.purpose) {
    case QueryPurpose::kReturn:
    case QueryPurpose::kFind:
      break;
    case QueryPurpose::kCount:
      return Count(context);
    case QueryPurpose::kTypes:
      return Types(context);
    case QueryPurpose::kAwait:
      return Await(context);
  }
  return Return(context);
}

Poll<Response> EntitiesQuery::Return(const QueryContext& context) {
  TakeWriter(context);
  const PayloadContext payload = PayloadOf(context);
  const bool is_json = request_.form.format != WireFormat::kValues;
  if (is_json && response_.body.empty()) {
    BeginEntityFeed(payload, response_.body);
  }
  if (index_.is_covered()) {
    ENTITABLE_TRY(AddCovered(context, payload));
  } else {
    ENTITABLE_TRY(AddScanned(context, payload));
  }
  // Also gives back the writer.  In JSON, it has written nothing.
  std::string values = context.buffers.Finish(std::move(values_));
  if (is_json) {
    EndFeed(payload, response_.body);
  } else {
    response_.body = std::move(values);
  }
  return std::move(response_);
}

// Finds the next match among the rows of a covering index.
Poll<bool> EntitiesQuery::FindCovered(const QueryContext& context) {
  while (next_covered_ < covered_.size()) {
    const auto& [sort_key, entity] = covered_[next_covered_];
    if (!keys_.Parse(sort_key)) return DamagedRow();
    ++tally_.entities_examined;
    const EntityRow row(keys_.parsed().key.view(), entity);
    context.work.Spend(1);
    if (evaluator_.MatchRow(row, context.work)) return true;
    ++next_covered_;
    if (context.work.is_spent()) return Pending::kSlice;
  }
  return false;
}

Poll<void> EntitiesQuery::AddCovered(const QueryContext& context,
                                     const PayloadContext& payload) {
  while (request_.feed.top > 0) {
    ENTITABLE_TRY(const bool has_row, FindCovered(context));
    if (!has_row) return {};
    if (IsFull(context.options.work.list_bytes)) {
      EndPage();
      return {};
    }
    const std::size_t bytes = answer_bytes();
    const EntityView entity = covered_[next_covered_].entity;
    Add(payload, {.in_memory = &entity});
    context.work.Spend((answer_bytes() - bytes) / kBytesPerUnit);
    ++next_covered_;
    if (context.work.is_spent()) return Pending::kSlice;
  }
  return {};
}

// $top=0 returns nothing, and the service then sends no continuation token.
Poll<void> EntitiesQuery::AddScanned(const QueryContext& context,
                                     const PayloadContext& payload) {
  const std::uint64_t begun_at = context.work.spent() - spent_units_;
  while (request_.feed.top > 0 && !ends_) {
    // Behind the last row of the page, only the next row shows that there is
    // another page.
    const std::size_t most =
        std::clamp<std::size_t>(request_.feed.top - count_, 1, kMostRowsAtOnce);
    const Scan::Step step =
        scan_->NextRows(context.state, window(), context.work, most);
    if (step == Scan::Step::kRow) {
      const std::size_t count = count_;
      const std::size_t bytes = answer_bytes();
      ENTITABLE_TRY(const bool is_added, AddRows(context, payload));
      if (!is_added) break;
      context.work.Spend(count_ - count +
                         (answer_bytes() - bytes) / kBytesPerUnit);
    }
    spent_units_ = context.work.spent() - begun_at;
    if (step == Scan::Step::kWaiting) return Pending::kPages;
    if (step == Scan::Step::kEnd) break;
    if (spent_units_ >= context.options.work.page_units && SetNextPage()) break;
    if (context.work.is_spent()) return Pending::kSlice;
  }
  return {};
}

// A read that waits for changes has none: it may wait for long.
void EntitiesQuery::TakeWriter(const QueryContext& context) {
  if (values_ == nullptr) values_ = context.buffers.TakeWriter();
}

// Adds the current rows of the scan.  Returns false if the page is full: the
// next page begins with the first row that is left.  The rows of a page of the
// store are one block of values, which is written column after column.
Result<bool> EntitiesQuery::AddRows(const QueryContext& context,
                                    const PayloadContext& payload) {
  const std::size_t most_bytes = context.options.work.list_bytes;
  if (scan_->place().in_memory != nullptr) {
    if (!keys_.Parse(scan_->key())) return DamagedRow();
    if (IsFull(most_bytes)) return EndPage();
    Add(payload, scan_->place());
    return true;
  }
  const MatchedRows& rows = scan_->rows();
  for (std::size_t row = rows.Next(rows.begin); row < rows.end;
       row = rows.Next(row + 1)) {
    if (!keys_.Parse(scan_->KeyOf(row))) return DamagedRow();
    if (IsFull(most_bytes)) return EndPage();
    Add(payload, {.leaf = rows.leaf, .page = rows.page, .row = row});
  }
  values_->EndBlock();
  return true;
}

// Ends the block if only then its size is known well enough.
bool EntitiesQuery::IsFull(std::size_t most_bytes) {
  if (count_ == request_.feed.top) return true;
  if (step_bytes_ > kMostBytesOfStep) return true;
  const std::size_t bytes = answer_bytes() + values_->bytes_of_block();
  if (count_ == 0 || bytes <= most_bytes) return false;
  values_->EndBlock();
  return answer_bytes() > most_bytes;
}

// The next page begins with the entity whose key was parsed last.  Returns
// false.
bool EntitiesQuery::EndPage() {
  const EntityKeyView key = keys_.parsed().key.view();
  response_.next_partition_key = EncodeToken(key.partition_key);
  response_.next_row_key = EncodeToken(key.row_key);
  return false;
}

// Adds the entity whose key was parsed last.
void EntitiesQuery::Add(const PayloadContext& payload,
                        const EntityPlace& place) {
  const EntityKeyView key = keys_.parsed().key.view();
  ++count_;
  if (request_.purpose == QueryPurpose::kFind) {
    AddFound(key, place);
  } else if (request_.form.format != WireFormat::kValues) {
    AddJson(payload, key, place, page_rows_, response_.body);
  } else if (place.in_memory != nullptr) {
    values_->Add(payload, key, *place.in_memory);
  } else {
    values_->AddToBlock(payload, key, place.page_row());
  }
}

void EntitiesQuery::AddFound(EntityKeyView key, const EntityPlace& place) {
  AppendText(key.partition_key, response_.body);
  AppendText(key.row_key, response_.body);
  AppendU64(static_cast<std::uint64_t>(place.timestamp().ticks),
            response_.body);
  if (!is_weighed_) return;
  step_bytes_ += request_.change_bytes +
                 (place.in_memory != nullptr
                      ? place.in_memory->properties.size()
                      : place.leaf->memory_bytes() / place.leaf->row_count());
}

// Ends a page that has cost too much work; the next page continues from the
// same position.  Returns false if there was no progress, or if no key
// describes the position.
bool EntitiesQuery::SetNextPage() {
  const std::string place = scan_->Position();
  if (place == begin_) return false;
  const auto next = KeyAt(place);
  if (!next) return false;
  response_.next_partition_key = EncodeToken(next->partition_key);
  response_.next_row_key = EncodeToken(next->row_key);
  return true;
}

Poll<Response> EntitiesQuery::Count(const QueryContext& context) {
  if (index_.is_covered()) {
    for (;;) {
      ENTITABLE_TRY(const bool has_row, FindCovered(context));
      if (!has_row) return Plan(count_);
      ++next_covered_;
      ++count_;
      if (context.work.is_spent()) return Pending::kSlice;
    }
  }
  ENTITABLE_TRY(HasRow(
      scan_->GoTo(Scan::kAllMatches, context.state, window(), context.work)));
  return Plan(scan_->count());
}

// Ends early if nothing more could be learned from further entities.
Poll<Response> EntitiesQuery::Types(const QueryContext& context) {
  while (!request_.census->is_decided()) {
    const Scan::Step step = scan_->Next(context.state, window(), context.work);
    if (step == Scan::Step::kWaiting) return Pending::kPages;
    if (step == Scan::Step::kEnd) break;
    if (step == Scan::Step::kRow) AddTypes(scan_->place(), context.work);
    if (context.work.is_spent()) return Pending::kSlice;
  }
  return Plan(count_);
}

// Most rows of a page have the schema of the row before, and tell nothing new.
void EntitiesQuery::AddTypes(const EntityPlace& place, WorkBudget& work) {
  ++count_;
  TypeCensus& census = *request_.census;
  if (place.in_memory != nullptr) {
    PropertyCursor properties(place.in_memory->properties);
    while (const auto property = properties.NextPacked()) {
      census.Add(property->name, property->type);
      work.SpendParts(kPartsPerProperty);
    }
    return;
  }
  const PageRow row = place.page_row();
  if (row.HasSchemaOf(last_row_)) return;
  last_row_ = row;
  for (std::size_t i = 0; i < row.schema.count; ++i) {
    const Column& column = row.property(i);
    census.Add(column.name, column.type);
  }
  work.SpendParts(row.schema.count * kPartsPerProperty);
}

// Describes how the entities were found, so that an app can see which access
// path its query takes.  docs/internals/frames.md has the members.
Response EntitiesQuery::Plan(std::uint64_t count) {
  const struct {
    std::string_view name;
    std::uint64_t number;
  } numbers[] = {{"count", count},
                 {"ranges", request_.ranges.size()},
                 {"pagesRead", tally_.pages_read},
                 {"pagesSkipped", tally_.pages_skipped},
                 {"entitiesExamined", tally_.entities_examined}};
  std::string json = "{";
  for (const auto& [name, number] : numbers) {
    AppendJsonString(name, json);
    json += ':';
    AppendDecimal(static_cast<std::int64_t>(number), json);
    json += ',';
  }
  json += R"("access":)";
  AppendJsonString(index_.is_used()
                       ? "index"
                       : AccessPathName(ClassifyAccess(request_.ranges)),
                   json);
  if (index_.is_used()) {
    json += R"(,"index":)";
    AppendJsonString(TextOfIndex(index_.index().terms), json);
    AppendIncluded(json);
  }
  json += is_enforced_ ? R"(,"enforced":true)" : R"(,"enforced":false)";
  if (request_.census) {
    json += R"(,"properties":)";
    request_.census->AppendJson(json);
  }
  json += '}';
  response_.body = std::move(json);
  return std::move(response_);
}

// Which properties a list can have that reads only the index: `*`, or names
// with commas between them.  Nothing if the filter needs others.
void EntitiesQuery::AppendIncluded(std::string& json) const {
  const TableIndex& index = index_.index();
  if (!Covers(index, NamesNeeded())) return;
  std::string names = "*";
  if (!index.copies.are_all) {
    names.clear();
    for (const IndexTerm& term : index.terms) names += term.name + ',';
    for (const std::string& name : index.copies.names) names += name + ',';
    names.pop_back();
  }
  json += R"(,"included":)";
  AppendJsonString(names, json);
}

// The answer covers all changes up to the head, even if there are none.  So a
// reader that waits for long need not know about changes of other tables.
Poll<Response> EntitiesQuery::Await(const QueryContext& context) {
  ENTITABLE_TRY(const bool is_reset, ReadChanges(context));
  const std::uint64_t head = awaited_->head;
  awaited_.reset();
  interruptions_ = 0;
  request_.after = head;
  const bool is_changed = is_reset || tally_.entities_examined > 0;
  if (!is_changed && !request_.at_once) return WaitForChange(table_);
  std::string& origins = response_.origins;
  const bool are_local = origins.find('r') == std::string::npos;
  if (is_reset || are_local) origins.clear();
  if (is_reset) {
    response_.status = kReset;
  } else {
    TakeWriter(context);
    response_.body = context.buffers.Finish(std::move(values_));
  }
  response_.position = head;
  return std::move(response_);
}

// Returns true if the changes are not known one by one, or come faster than
// they can be read: the reader must then read the whole table.
Poll<bool> EntitiesQuery::ReadChanges(const QueryContext& context) {
  const AccountState& state = context.state;
  const RecentChanges& recent = state.recent();
  const std::uint64_t after = request_.after.value_or(awaited_->head + 1);
  const std::string whole_table = WholeTable(table_).begin;
  if (after > awaited_->head || !recent.IsKnownSince(table_, after) ||
      interruptions_ > kMaxInterruptions) {
    return true;
  }
  std::string_view rest = recent.ChangesBefore(table_, awaited_->place);
  while (!rest.empty()) {
    const std::size_t unread = rest.size();
    const RecentChanges::Change change = RecentChanges::TakeLast(rest);
    if (change.number <= after) break;
    if (change.sort_key == whole_table) return true;
    // A later change has already reported the row.
    const MemRow* row = state.memtable().Find(change.sort_key);
    const bool is_last = row == nullptr || row->number == change.number;
    context.work.SpendParts(kPartsPerKeyOrder);
    if (is_last && scan_->Covers(change.sort_key)) {
      ENTITABLE_TRY(AddChange(context, change));
    }
    awaited_->place -= unread - rest.size();
    if (context.work.is_spent()) return Pending::kSlice;
  }
  return false;
}

// Adds the state of a row that was changed.
//
// What is reported is the newest state, not that of the record: a follower
// wants to know how the entity is now.  If it does not match, or is gone, its
// keys are enough.
Poll<void> EntitiesQuery::AddChange(const QueryContext& context,
                                    const RecentChanges::Change& change) {
  const std::string_view sort_key = change.sort_key;
  if (!keys_.Parse(sort_key)) return DamagedRow();
  const EntityKeyView key = keys_.parsed().key.view();
  EntityPlace found;
  window().MakeRoom();
  const Presence presence = FindRow(context.state, sort_key, window(), found);
  if (presence == Presence::kUnknown) {
    AskForChanges(context);
    return Pending::kPages;
  }
  context.work.Spend(kUnitsPerKeySearch);
  const bool is_there = presence == Presence::kThere;
  const Entity entity = is_there ? found.Decode() : Entity{};
  const bool fits =
      is_there && evaluator_.MatchRow(EntityRow(key, entity), context.work);
  PayloadContext payload{};
  payload.select = fits ? nullptr : &request_.feed.projection.select.names();
  TakeWriter(context);
  const std::size_t bytes = values_->size();
  values_->Add(payload, key, entity);
  context.work.Spend((values_->size() - bytes) / kBytesPerUnit);
  response_.origins += change.origin == Origin::kRemote ? 'r' : 'l';
  ++tally_.entities_examined;
  return {};
}

// Asks for the pages of the changed rows that are still unread, so that they
// are fetched together.
void EntitiesQuery::AskForChanges(const QueryContext& context) {
  std::vector<std::string_view> keys;
  std::string_view rest =
      context.state.recent().ChangesBefore(table_, awaited_->place);
  while (!rest.empty() && keys.size() < kMaxAhead) {
    const RecentChanges::Change change = RecentChanges::TakeLast(rest);
    if (change.number <= request_.after.value_or(0)) break;
    if (scan_->Covers(change.sort_key)) keys.push_back(change.sort_key);
  }
  AskForOthers(
      keys.size(), [&](std::size_t i) { return keys[i]; }, context, window());
}

}  // namespace entitable
