#include "write/index_request.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "base/http_status.h"
#include "base/json_writer.h"
#include "model/names.h"
#include "query/order.h"
#include "store/sort_key.h"
#include "store/table_row.h"
#include "write/indexed_rows.h"

namespace entitable {
namespace {

// How much of a table a step of a build takes, so that its rows and their
// entries fit into memory beside each other.  A text has many words, and an
// array many items.
constexpr RangeLimit kStep{.rows = 500, .bytes = std::size_t{1} << 20};
constexpr RangeLimit kStepOfMany{.rows = 500, .bytes = std::size_t{64} << 10};

// After so many entries, a step takes no further row.
constexpr std::size_t kEntriesOfStep = 4'000;

// Makes the indexes of the table those that are declared, and goes on with the
// build of those that are new.
class IndexBuildStep {
 public:
  IndexBuildStep(const SetIndexesRequest& request, const Table& table,
                 DateTime timestamp, Staging& staging)
      : request_(request),
        table_(table),
        timestamp_(timestamp),
        staging_(staging) {}

  Poll<Response> Run() {
    const EntityKey key = TableRowEntityKey(table_.name);
    ENTITABLE_TRY(const auto stored,
                  staging_.FindEntity(kCatalogue, key.view(),
                                      StoredRows::Part::kProperties));
    // A table that was created in this commit has a row without settings.
    const PropertyList row = stored
                                 ? *PropertyList::FromBytes(stored->properties)
                                 : MakeTableRow(table_).properties;
    Declare();
    // A step that goes on must find the indexes that it knows.  Otherwise two
    // declarations would make and drop one another's indexes for ever.
    if (is_changed_ && request_.continues) {
      return Fail(ErrorCode::kUpdateConditionNotSatisfied,
                  "Other indexes were declared meanwhile.");
    }
    ENTITABLE_TRY(Build());
    if (is_changed_) {
      const PropertyList changed = WithIndexes(row.bytes(), indexes_);
      staging_.Put(kCatalogue, key.view(), {timestamp_, changed.bytes()});
    }
    staging_.End(timestamp_);
    return Answer();
  }

 private:
  // Indexes with the same terms and copies stay.  A repair may have left
  // entries that are not those of the entities, so indexes from before it are
  // made anew (Checkpoint::IsSound()).
  void Declare() {
    const Checkpoint& checkpoint = staging_.state().checkpoint();
    std::vector<TableIndex> old = table_.indexes;
    for (const auto& [terms, copies] : request_.indexes) {
      const auto is_it = [&](const TableIndex& index) {
        return index.terms == terms && index.copies == copies;
      };
      const auto known = std::ranges::find_if(old, is_it);
      if (known != old.end() && checkpoint.IsSound(known->id)) {
        indexes_.push_back(std::move(*known));
        old.erase(known);
        continue;
      }
      const TableId id = staging_.next_table_id();
      staging_.Add(TableCreated{id, IndexTableName(table_.name, id)});
      indexes_.push_back({id, terms, IndexBuild(), copies});
      is_changed_ = true;
    }
    for (const TableIndex& index : old) {
      staging_.Add(
          TableDropped{index.id, IndexTableName(table_.name, index.id)});
      is_changed_ = true;
    }
  }

  // Continues the builds with the least progress, all in one pass.
  //
  // Indexes that were declared at different times meet on the way: those that
  // are behind go on alone until they reach the others, so most rows are read
  // once for all of them.
  Poll<void> Build() {
    std::vector<TableIndex*> built;
    for (TableIndex& index : indexes_) {
      if (!index.build) continue;
      if (!built.empty() && index.build->last < built.front()->build->last) {
        built.clear();
      }
      if (built.empty() || index.build->last == built.front()->build->last) {
        built.push_back(&index);
      }
    }
    if (built.empty()) return {};
    is_changed_ = true;
    SortRange range = WholeTable(table_.id);
    if (const auto& last = built.front()->build->last) {
      range.begin = MakeSortKey(table_.id, last->view()) + '\0';
    }
    const bool has_many = std::ranges::any_of(
        built, [](const TableIndex* index) { return index->has_many(); });
    ENTITABLE_TRY(const FoundRange found,
                  staging_.FindRange(range, has_many ? kStepOfMany : kStep,
                                     StoredRows::Part::kProperties));
    std::size_t entries = 0;
    for (const auto& [sort_key, row] : found.rows) {
      if (entries >= kEntriesOfStep) return {};
      auto place = ParseSortKey(sort_key);
      if (!place) return Fail(ErrorCode::kStorageDamaged);
      for (TableIndex* index : built) {
        entries += PutEntries(staging_, *index, place->key.view(), row);
        index->build->last = place->key;
      }
      ++entities_;
    }
    if (!found.is_whole) return {};
    for (TableIndex* index : built) index->build.reset();
    return {};
  }

  Response Answer() const {
    const bool is_complete = std::ranges::none_of(
        indexes_, [](const TableIndex& index) { return !!index.build; });
    Response response{.status = kAccepted};
    response.body = R"({"entities":)";
    AppendDecimal(static_cast<std::int64_t>(entities_), response.body);
    response.body +=
        is_complete ? R"(,"complete":true})" : R"(,"complete":false})";
    return response;
  }

  const SetIndexesRequest& request_;
  const Table& table_;
  DateTime timestamp_;
  Staging& staging_;
  std::vector<TableIndex> indexes_;
  bool is_changed_ = false;
  std::size_t entities_ = 0;
};

Failure TooMany() {
  return Fail(ErrorCode::kInvalidInput,
              "A table has at most 16 indexes, and an index has at most 8 "
              "properties.");
}
static_assert(kMaxIndexes == 16 && kMaxIndexTerms == 8);

Failure NoTimestamp() {
  return Fail(ErrorCode::kInvalidInput,
              "The Timestamp changes with every write, so no index has it.");
}

Failure NoText() {
  return Fail(
      ErrorCode::kInvalidInput,
      "An index of words has one property; that and items are of no system "
      "property.");
}

Error Twice(const IndexTerms& terms) {
  return Fail(ErrorCode::kInvalidInput,
              "The index " + TextOfIndex(terms) + " is declared twice.");
}

constexpr std::string_view kWordsOf = "words(";
constexpr std::string_view kWholeOf = "whole(";

// Removes a function, which must be around the whole text.
bool TakeFunction(std::string_view function, std::string_view& text) {
  if (!text.starts_with(function) || !text.ends_with(')')) return false;
  text.remove_prefix(function.size());
  text.remove_suffix(1);
  return true;
}

//   index = "words(" name ")" | "words(whole(" name "))"
//         | terms [ "|" ( "*" | names ) ]
//
// The terms are those of query/order.h.  Behind them are the properties that a
// covering index has, with commas between them.
//
// Keys may be terms; the Timestamp may not, because it changes with every
// write.
Result<IndexTerms> ReadTerms(std::string_view text) {
  const bool is_words = TakeFunction(kWordsOf, text);
  const bool is_whole = is_words && TakeFunction(kWholeOf, text);
  ENTITABLE_TRY(const std::vector<OrderTerm> read, ParseIndex(text));
  if (read.empty()) {
    return Fail(ErrorCode::kInvalidInput, "An index has no property.");
  }
  if (read.size() > kMaxIndexTerms) return TooMany();
  const bool is_one = read.size() == 1 && read.front().name == text;
  if (is_words && (!is_one || IsSystemName(text))) return NoText();
  IndexTerms terms;
  for (const OrderTerm& term : read) {
    if (term.name == "Timestamp") return NoTimestamp();
    if (term.is_items && IsSystemName(term.name)) return NoText();
    terms.push_back(
        {term.name, term.descends, is_words, term.is_items, is_whole});
  }
  return terms;
}

// Takes the part behind the bar from the text.
Result<IndexCopies> TakeCopies(std::string_view& text) {
  IndexCopies copies;
  const std::size_t bar = text.find('|');
  if (bar == std::string_view::npos) return copies;
  std::optional<std::string_view> rest = text.substr(bar + 1);
  text = text.substr(0, bar);
  copies.are_all = *rest == "*";
  if (copies.are_all) return copies;
  while (const auto name = ReadTerm(rest)) {
    if (!CheckPropertyName(*name)) {
      return Fail(ErrorCode::kInvalidInput,
                  "A property that an index includes has an invalid name.");
    }
    copies.names.emplace_back(*name);
  }
  return copies;
}

// Words and items have many entries, so they have no copies.
Result<DeclaredIndex> ReadIndex(std::string_view text) {
  ENTITABLE_TRY(IndexCopies copies, TakeCopies(text));
  ENTITABLE_TRY(IndexTerms terms, ReadTerms(text));
  const bool has_many = std::ranges::any_of(terms, [](const IndexTerm& term) {
    return term.is_words || term.is_items;
  });
  if (has_many && !copies.is_empty()) {
    return Fail(ErrorCode::kInvalidInput,
                "An index of words or of items includes no properties.");
  }
  return DeclaredIndex{std::move(terms), std::move(copies)};
}

}  // namespace

// The indexes are separated by semicolons; no text: there are none.
Result<SetIndexesRequest> ReadSetIndexes(const SetTableIndexes& set) {
  SetIndexesRequest request{std::string(set.table), {}, set.continues};
  std::string_view rest = set.indexes;
  for (bool is_last = rest.empty(); !is_last;) {
    const std::size_t end = rest.find(';');
    is_last = end == std::string_view::npos;
    ENTITABLE_TRY(DeclaredIndex index, ReadIndex(rest.substr(0, end)));
    if (!is_last) rest.remove_prefix(end + 1);
    auto& indexes = request.indexes;
    const auto same =
        std::ranges::find(indexes, index.terms, &DeclaredIndex::terms);
    if (same != indexes.end()) return Twice(index.terms);
    if (indexes.size() == kMaxIndexes) return TooMany();
    indexes.push_back(std::move(index));
  }
  return request;
}

Poll<Response> Execute(const SetIndexesRequest& request, DateTime now,
                       Staging& staging) {
  ENTITABLE_TRY(const Table* found, staging.FindTable(request.table));
  if (found == nullptr) return Fail(ErrorCode::kTableNotFound);
  const Table table = *found;
  ENTITABLE_TRY(const DateTime timestamp, staging.NextTimestamp(now));
  auto answer = IndexBuildStep(request, table, timestamp, staging).Run();
  if (!answer) staging.Undo();
  return answer;
}

}  // namespace entitable
