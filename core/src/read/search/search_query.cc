#include "read/search/search_query.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/number.h"
#include "model/entity.h"
#include "model/index_entry.h"
#include "model/parts.h"
#include "read/query_support.h"
#include "store/lookup.h"

namespace entitable {
namespace {

constexpr std::size_t kAllBytes = std::numeric_limits<std::size_t>::max();

// Null if there is no complete one.
const TableIndex* IndexOfWords(const Table& table, const IndexTerm& text) {
  for (const TableIndex& index : table.indexes) {
    if (!index.build && index.terms.front() == text) return &index;
  }
  return nullptr;
}

// The rows whose PartitionKeys begin with this text.
SortRange PrefixRange(TableId table, std::string_view text) {
  std::string begin = MakeSortKey(table, {text, {}});
  begin.pop_back();  // The end of the PartitionKey.
  std::string end = begin + "\xFF\xFF";
  return {std::move(begin), std::move(end)};
}

}  // namespace

SearchQuery::SearchQuery(SearchRequest&& request, PageCache& cache)
    : TableQuery(cache), request_(std::move(request)) {}

// A search that had to rank all rows does so again when it begins anew, unless
// the table is another one.
void SearchQuery::Begin(const QueryContext& context, const Table& table) {
  if (table.id != table_) ranks_only_top_ = !request_.has_filter;
  head_ = context.state.head();
  texts_ = 0;
  ranks_ = ranks_only_top_ ? FirstRows(request_.query.feed.top, kAllBytes)
                           : FirstRows();
  values_.emplace();
  response_ = {};
  count_ = 0;
  matches_.emplace(request_.terms, request_.needs_all);
  table_key_ = WholeTable(table.id).begin;
  const TableIndex* index =
      reading_.may_begin() ? IndexOfWords(table, request_.text) : nullptr;
  index_ = index == nullptr ? kNoTable : index->id;
  if (index != nullptr) {
    reading_.Begin(context.state, table.id);
    reading_.Use(index_);
  }
  at_term_ = 0;
  const bool finds_nothing =
      request_.terms.empty() || request_.query.feed.top == 0;
  phase_ = finds_nothing ? Phase::kAnswer : Phase::kFind;
}

bool SearchQuery::IsStale(const AccountState& state, const Table& table) {
  return std::exchange(lacks_rows_, false) || TableQuery::IsStale(state, table);
}

Poll<void> SearchQuery::Search(const QueryContext& context) {
  if (phase_ == Phase::kFind) {
    ENTITABLE_TRY(index_ == kNoTable ? ReadTexts(context) : ReadIndex(context));
    window().ReleaseAll();
    reading_.End();
    phase_ = Phase::kRank;
  }
  if (phase_ == Phase::kRank) {
    if (!matches_->Rank(texts_, ranks_, context.work)) return Pending::kSlice;
    phase_ = Phase::kSort;
  }
  if (phase_ == Phase::kSort) {
    if (!ranks_.Sort(context.work)) return Pending::kSlice;
    phase_ = Phase::kAnswer;
  }
  return {};
}

// An index of words has its entries under the word, so each term is a range of
// keys.  All entries must be of one state of the table, as for other indexes.
Poll<void> SearchQuery::ReadIndex(const QueryContext& context) {
  for (; at_term_ < request_.terms.size(); ++at_term_) {
    if (!scan_) {
      const auto& [word, is_prefix] = request_.terms[at_term_];
      scan_.emplace(
          std::vector{PrefixRange(index_, is_prefix ? word : WordPrefix(word))},
          every_row_, tally_);
    }
    ENTITABLE_TRY(ReadEntries(context));
    scan_.reset();
    window().ReleaseAll();
  }
  // The number of rows.
  if (!scan_)
    scan_.emplace(std::vector{WholeTable(table_)}, every_row_, tally_);
  ENTITABLE_TRY(HasRow(
      scan_->GoTo(Scan::kAllMatches, context.state, window(), context.work)));
  texts_ = scan_->count();
  return {};
}

// Adds the entries of a term.
Poll<void> SearchQuery::ReadEntries(const QueryContext& context) {
  const std::size_t table_bytes = WholeTable(index_).begin.size();
  for (;;) {
    ENTITABLE_TRY(const bool has_entry,
                  HasRow(scan_->Next(context.state, window(), context.work)));
    if (!has_entry) return {};
    const auto entry = ReadWordEntry(scan_->key().substr(table_bytes));
    if (!entry) return DamagedRow();
    matches_->Add(at_term_, entry->row, entry->count, entry->length);
    context.work.Spend(1);
    ENTITABLE_TRY(CheckMemory(context));
    if (context.work.is_spent()) return Pending::kSlice;
  }
}

Poll<void> SearchQuery::ReadTexts(const QueryContext& context) {
  WorkBudget& work = context.work;
  if (!scan_)
    scan_.emplace(std::vector{WholeTable(table_)}, every_row_, tally_);
  for (;;) {
    ENTITABLE_TRY(const bool has_row,
                  HasRow(scan_->Next(context.state, window(), work)));
    if (!has_row) return {};
    AddText(TextAt(scan_->place()), work);
    ENTITABLE_TRY(CheckMemory(context));
    if (work.is_spent()) return Pending::kSlice;
  }
}

std::optional<std::string_view> SearchQuery::TextAt(const EntityPlace& place) {
  if (place.in_memory != nullptr) {
    return IndexedText(request_.text, place.in_memory->properties, room_);
  }
  columns_.Use(place.page, place.leaf->columns());
  const Column* column = columns_.Find(0, place.row);
  if (column == nullptr || column->type != EdmType::kString)
    return std::nullopt;
  const std::string_view text =
      column->ValueAt(column->IndexOf(place.row)).string();
  if (!request_.text.is_whole || !IsFullText(text)) return text;
  decoded_ = place.Decode();
  return IndexedText(request_.text, decoded_.properties.bytes(), room_);
}

// What was found cannot be left out, as rows of an order can: each row counts
// in the scores of all.
Result<void> SearchQuery::CheckMemory(const QueryContext& context) const {
  if (matches_->bytes() > MostQueryBytes(context.options.store.cache_bytes)) {
    return Fail(ErrorCode::kSearchTooLarge);
  }
  return {};
}

// Adds the text of the current row.
void SearchQuery::AddText(std::optional<std::string_view> text,
                          WorkBudget& work) {
  ++texts_;
  work.Spend(1);
  if (!text) return;
  matches_->AddText(RowPart(), *text);
  work.SpendOnLetters(*text, kPartsPerByteSplit);
}

Poll<Response> SearchQuery::Answer(const QueryContext& context) {
  const QueryEntitiesRequest& query = request_.query;
  const PayloadContext payload = PayloadOf(context);
  while (!ranks_.is_empty() && count_ < query.feed.top) {
    ENTITABLE_TRY(AddFirst(context, payload));
    if (context.work.is_spent()) return Pending::kSlice;
  }
  // Some were deleted or changed meanwhile, so others take their places.
  if (count_ < query.feed.top && ranks_.lacks_rows()) {
    ranks_only_top_ = false;
    lacks_rows_ = true;
    return Pending::kSlice;
  }
  response_.body = values_->Finish();
  return std::move(response_);
}

// Adds the first row to the answer, unless it does not match the filter, or was
// changed since it was found.
//
// Its score is that of the search, even if others have changed since: what was
// found decides the order.
Poll<void> SearchQuery::AddFirst(const QueryContext& context,
                                 const PayloadContext& payload) {
  const std::string_view rank = ranks_.front();
  const std::string sort_key = SortKeyOf(rank);
  EntityPlace place;
  ENTITABLE_TRY(
      const bool is_there,
      FindFirst(
          sort_key, std::min(ranks_.size(), query().feed.top - count_),
          [&](std::size_t i) { return SortKeyOf(ranks_[i]); }, context,
          window(), place));
  if (!sort_keys_.Parse(sort_key)) return DamagedRow();
  const EntityKeyView key = sort_keys_.parsed().key.view();
  if (is_there && Fits(context, key, place)) {
    const std::size_t bytes = values_->size();
    AddValues(payload, key, place, *values_);
    context.work.Spend((values_->size() - bytes) / kBytesPerUnit);
    if (count_++ > 0) response_.scores += ',';
    AppendDouble(ScoreOf(rank), response_.scores);
  }
  ranks_.Drop(1);
  return {};
}

// Whether the entity matches the filter, and still has the words.
bool SearchQuery::Fits(const QueryContext& context, EntityKeyView key,
                       const EntityPlace& place) {
  const bool is_unchanged = context.state.head() == head_;
  if (is_unchanged && !request_.has_filter) return true;
  const Entity entity = place.Decode();
  if (!filter_.MatchRow(EntityRow(key, entity), context.work)) return false;
  if (is_unchanged) return true;
  const auto text =
      IndexedText(request_.text, entity.properties.bytes(), room_);
  return text && matches_->Fits(*text);
}

// Of the current row: the sort key behind that of the table.
std::string_view SearchQuery::RowPart() const {
  return scan_->key().substr(table_key_.size());
}

std::string SearchQuery::SortKeyOf(std::string_view rank) const {
  return table_key_ + std::string(RowOf(rank));
}

}  // namespace entitable
