#include "read/ordered/ordered_query.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "model/entity.h"
#include "read/query_support.h"
#include "store/lookup.h"

namespace entitable {
namespace {

constexpr std::size_t kAllRows = std::numeric_limits<std::size_t>::max();

}  // namespace

OrderedQuery::OrderedQuery(OrderedRequest&& request, PageCache& cache)
    : TableQuery(cache), request_(std::move(request)) {}

bool OrderedQuery::EndEarly() { return ends_ = count_ > 0; }

void OrderedQuery::Interrupt() {
  TableQuery::Interrupt();
  if (walk_) walk_->Interrupt();
}

// What another query has found is dropped even if it does not fit: there is
// room for one.
void OrderedQuery::Begin(const QueryContext& context, const Table& table) {
  response_ = {};
  values_.emplace();
  page_rows_ = {};
  covered_.clear();
  count_ = 0;
  position_ = request_.position;
  std::unique_ptr<OrderedRest> known = std::move(context.ordered_rest);
  if (position_.most == 0) {
    phase_ = Phase::kAnswer;
    return;
  }
  const bool is_known = known && known->subject == request_.subject &&
                        known->after == position_.after &&
                        known->head == context.state.head();
  if (is_known) {
    found_ = *std::move(known);
    phase_ = Phase::kAnswer;
  } else {
    BeginScan(context, table);
  }
}

// An order by keys alone is that of the scan, so the scan begins behind the
// last row and ends when enough rows were found.
void OrderedQuery::BeginScan(const QueryContext& context, const Table& table) {
  ResetFound(context);
  const QueryEntitiesRequest& query = request_.query;
  std::vector<SortRange> ranges = SortRangesOf(table.id, query.ranges);
  for (SortRange& range : ranges) {
    // The order of keys is that of the scan.
    if (!request_.terms.empty() || position_.after.empty()) continue;
    range.begin =
        std::max(range.begin, SortKeyOf(table.id, position_.after) + '\0');
  }
  index_.Begin(std::move(ranges));
  const std::vector<PlannedIndex> planned =
      index_.Choose(context.state, table, query.feed.filter, query.ranges);
  walk_.reset();
  if (!request_.terms.empty() && MostRows() <= kMaxIndexRows) {
    const Select& select = query.feed.projection.select;
    walk_ = IndexWalk::Through(
        table.id, planned, request_.terms, index_.worth(),
        {evaluator_.names(), select.is_all() ? nullptr : &select.names()});
  }
  if (walk_) reading_.Use(walk_->index());
  phase_ = Phase::kScan;
}

void OrderedQuery::ResetFound(const QueryContext& context) {
  found_ = {
      request_.subject, position_.after, context.state.head(),
      FirstRows(MostRows(), MostQueryBytes(context.options.store.cache_bytes))};
}

// How many rows the query can need.  A scan in the order of keys goes to the
// first of them, and is not worth more than one page.
std::size_t OrderedQuery::MostRows() const {
  const auto& [after, skip, most] = position_;
  if (request_.terms.empty()) {
    return static_cast<std::size_t>(
        std::min<std::uint64_t>(most, request_.query.feed.top));
  }
  return most < kAllRows - std::min<std::uint64_t>(skip, kAllRows)
             ? static_cast<std::size_t>(skip + most)
             : kAllRows;
}

// Until the rows are sorted.
Poll<void> OrderedQuery::Search(const QueryContext& context) {
  WorkBudget& work = context.work;
  if (phase_ == Phase::kScan && walk_) ENTITABLE_TRY(Walk(context));
  if (phase_ == Phase::kScan && !scan_) {
    ENTITABLE_TRY(auto ranges, index_.Find(context, window()));
    scan_.emplace(std::move(ranges), filter_, tally_);
    if (index_.is_used()) {
      scan_->FetchTogether(request_.terms.empty() ? MostRows() : kMaxIndexRows);
    }
  }
  while (phase_ == Phase::kScan) {
    const Scan::Step step = NextRow(context);
    if (step == Scan::Step::kWaiting) return Pending::kPages;
    const bool is_done =
        step == Scan::Step::kEnd || (step == Scan::Step::kRow && !AddRow(work));
    if (is_done) EndScan();
    if (work.is_spent()) return Pending::kSlice;
  }
  if (phase_ == Phase::kSort) {
    if (!found_.rows.Sort(work)) return Pending::kSlice;
    phase_ = Phase::kAnswer;
  }
  return {};
}

void OrderedQuery::EndScan() {
  if (walk_) covered_ = walk_->TakeRows();
  scan_.reset();
  walk_.reset();
  window().ReleaseAll();
  reading_.End();
  phase_ = Phase::kSort;
}

// In the order of keys, rows to skip need only be counted.
Scan::Step OrderedQuery::NextRow(const QueryContext& context) {
  const bool skips = request_.terms.empty() && position_.skip > 0;
  if (skips) {
    const Scan::Step step =
        scan_->GoTo(position_.skip, context.state, window(), context.work);
    if (step != Scan::Step::kRow) return step;
    position_ = {.most = position_.most};
    keys_.Append(scan_->key(), scan_->place(), position_.after);
    found_.after = position_.after;
  }
  return scan_->Next(context.state, window(), context.work);
}

// Takes rows in the order of an index, until no row behind them can be among
// the first.  If that takes too many, the query scans.
Poll<void> OrderedQuery::Walk(const QueryContext& context) {
  for (;;) {
    ENTITABLE_TRY(const IndexWalk::Found found,
                  walk_->Next(context, index_.ranges(), MostRows(), window()));
    if (found == IndexWalk::Found::kTooMany) {
      ResetFound(context);
      walk_.reset();
      window().ReleaseAll();
      return {};
    }
    if (found == IndexWalk::Found::kEnd) break;
    ++tally_.entities_examined;
    const std::string& key = walk_->key();
    const EntityPlace& place = walk_->place();
    if (!sort_keys_.Parse(key)) return DamagedRow();
    const Entity entity = place.Decode();
    const EntityRow row(sort_keys_.parsed().key.view(), entity);
    if (evaluator_.MatchRow(row, context.work)) {
      order_key_.clear();
      keys_.Append(key, place, order_key_);
      const bool is_new = order_key_ > found_.after;
      if (is_new) found_.rows.Add(order_key_, context.work);
      if (is_new && IsBehindAll(order_key_)) break;
    }
    if (context.work.is_spent()) return Pending::kSlice;
  }
  EndScan();
  return {};
}

// Whether all rows that follow in the index come behind the rows that are kept.
// The index has the beginnings of values only, and rows with equal ones are in
// any order.
bool OrderedQuery::IsBehindAll(const std::string& order_key) const {
  const auto last = found_.rows.last();
  if (!last || order_key <= *last) return false;
  const auto values = FindKeysIn(order_key, request_.terms);
  const std::size_t end = std::min(values.value_or(0), kMaxIndexedBytes);
  return order_key.compare(0, end, *last, 0, end) > 0;
}

// Returns false if no further row is needed.
bool OrderedQuery::AddRow(WorkBudget& work) {
  order_key_.clear();
  keys_.Append(scan_->key(), scan_->place(), order_key_);
  work.SpendParts(request_.terms.size() * kPartsPerValue +
                  order_key_.size() * kPartsPerTextByte);
  if (order_key_ > found_.after) found_.rows.Add(order_key_, work);
  return !request_.terms.empty() || !found_.rows.lacks_rows();
}

// Rows to skip are the first of the kept ones, and are never read.  In the
// order of keys, NextRow() has passed them already.
Poll<Response> OrderedQuery::Answer(const QueryContext& context) {
  const QueryEntitiesRequest& query = request_.query;
  const PayloadContext payload = PayloadOf(context);
  const bool is_json = query.form.format != WireFormat::kValues;
  if (is_json && response_.body.empty()) {
    BeginEntityFeed(payload, response_.body);
  }
  FirstRows& rows = found_.rows;
  const auto skipped = static_cast<std::size_t>(
      std::min<std::uint64_t>(position_.skip, rows.size()));
  if (skipped > 0) {
    position_.after = rows[skipped - 1];
    position_.skip -= skipped;
    rows.Drop(skipped);
  }
  while (!ends_ && !rows.is_empty() && position_.most > 0 &&
         count_ < query.feed.top) {
    const bool is_long =
        count_ > 0 && answer_bytes() > context.options.work.list_bytes;
    if (is_long) break;
    ENTITABLE_TRY(AddFirst(context, payload));
    if (context.work.is_spent()) return Pending::kSlice;
  }
  return Finish(context, payload);
}

// Adds the first row to the answer, unless it was changed since it was found.
//
// The pages of the rows behind it are asked for if its own are missing.  They
// lie anywhere, so this makes one fetch of many.
Poll<void> OrderedQuery::AddFirst(const QueryContext& context,
                                  const PayloadContext& payload) {
  const FirstRows& rows = found_.rows;
  const std::string_view order_key = rows.front();
  const std::string sort_key = SortKeyOf(table_, order_key);
  EntityPlace place;
  EntityView copy;
  bool is_there = true;
  if (const CoveredRow* row = FindCovered(context, sort_key)) {
    copy = row->entity;
    place = {.in_memory = &copy};
  } else {
    ENTITABLE_TRY(
        is_there,
        FindFirst(
            sort_key, std::min(rows.size(), query().feed.top - count_),
            [&](std::size_t i) { return SortKeyOf(table_, rows[i]); }, context,
            window(), place));
  }
  if (!sort_keys_.Parse(sort_key)) return DamagedRow();
  const EntityKeyView key = sort_keys_.parsed().key.view();
  if (is_there && IsStill(context, order_key, key, place)) {
    const std::size_t bytes = answer_bytes();
    if (request_.query.form.format == WireFormat::kValues) {
      AddValues(payload, key, place, *values_);
    } else {
      AddJson(payload, key, place, page_rows_, response_.body);
    }
    context.work.Spend((answer_bytes() - bytes) / kBytesPerUnit);
    ++count_;
    --position_.most;
  }
  position_.after = order_key;
  found_.rows.Drop(1);
  return {};
}

// Null if the row must be read.
const CoveredRow* OrderedQuery::FindCovered(const QueryContext& context,
                                            const std::string& sort_key) const {
  if (context.state.head() != found_.head) return nullptr;
  const auto row =
      std::ranges::lower_bound(covered_, sort_key, {}, &CoveredRow::key);
  return row != covered_.end() && row->key == sort_key ? &*row : nullptr;
}

// Whether the entity still matches and has the same place in the order.
//
// If nothing was written since the search began, the row cannot have changed.
bool OrderedQuery::IsStill(const QueryContext& context,
                           std::string_view order_key, EntityKeyView key,
                           const EntityPlace& place) {
  if (context.state.head() == found_.head) return true;
  order_key_.clear();
  keys_.Append(MakeSortKey(table_, key), place, order_key_);
  return order_key_ == order_key &&
         evaluator_.MatchRow(EntityRow(key, place.Decode()), context.work);
}

std::string OrderedQuery::SortKeyOf(TableId table,
                                    std::string_view order_key) const {
  const auto keys = FindKeysIn(order_key, request_.terms);
  std::string sort_key = WholeTable(table).begin;
  return sort_key += order_key.substr(keys.value_or(order_key.size()));
}

Response OrderedQuery::Finish(const QueryContext& context,
                              const PayloadContext& payload) {
  FirstRows& rows = found_.rows;
  const bool has_more = !rows.is_empty() || rows.lacks_rows();
  if (has_more && position_.most > 0) {
    response_.next_partition_key = EncodePosition(position_, request_.terms);
  }
  if (!rows.is_empty() && position_.most > 0) {
    found_.after = position_.after;
    context.ordered_rest = std::make_unique<OrderedRest>(std::move(found_));
  }
  if (request_.query.form.format == WireFormat::kValues) {
    response_.body = values_->Finish();
  } else {
    EndFeed(payload, response_.body);
  }
  return std::move(response_);
}

}  // namespace entitable
