#include "engine/entity_queries.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "engine/query_support.h"
#include "model/continuation_token.h"
#include "model/entity_writer.h"
#include "model/limits.h"
#include "query/page_evaluator.h"
#include "query/planner.h"
#include "store/scan.h"
#include "store/sort_key.h"

namespace entitable {
namespace {

std::vector<SortRange> SortRanges(TableId table,
                                  const std::vector<KeyRange>& ranges) {
  std::vector<SortRange> sorted;
  for (const KeyRange& range : ranges) {
    sorted.push_back(MakeSortRange(table, range));
  }
  return sorted;
}

// A scan of what was selected.
class ScanQuery : public Query {
 protected:
  ScanQuery(Selection selection, PageCache& cache)
      : Query(cache), selection_(std::move(selection)) {}

  const Selection& selection() const { return selection_; }
  const ScanTally& tally() const { return tally_; }

  // Goes through matches, or fails.
  virtual Result<Response> Read(const QueryContext& context, Scan& rows) = 0;

  // Forgets all that was read.
  virtual void Reset() {}

 private:
  Result<Response> Evaluate(const QueryContext& context) final {
    // It may have been dropped while pages were fetched, and made anew: then
    // what was found is gone.
    ENTITABLE_TRY(const Table table,
                  FindTable(selection_.table, ErrorCode::kTableNotFound,
                            context, window()));
    if (!rows_ || table.id != table_) {
      table_ = table.id;
      tally_ = {};
      rows_.emplace(SortRanges(table_, selection_.ranges), evaluator_, tally_);
      Reset();
    }
    const std::uint64_t examined = tally_.entities_examined;
    auto response = Read(context, *rows_);
    context.examined += tally_.entities_examined - examined;
    return response;
  }

  Selection selection_;
  PageEvaluator evaluator_{selection_.filter};
  ScanTally tally_;
  TableId table_{};
  std::optional<Scan> rows_;
};

class EntityQuery final : public ScanQuery {
 public:
  EntityQuery(QueryEntities request, PageCache& cache)
      : ScanQuery(std::move(request.selection), cache),
        top_(request.top),
        projection_(std::move(request.projection)),
        level_(request.level) {}

 private:
  Result<Response> Read(const QueryContext& context, Scan& rows) override {
    const PayloadContext payload =
        ContextOf(level_, selection().table, projection_, context.options);
    if (response_.body.empty()) BeginEntityFeed(payload, response_.body);
    // $top=0 asks for nothing, and the service then sends no token either.
    while (top_ > 0) {
      const Scan::Step step = rows.Next(context.state, window());
      if (step == Scan::Step::kWaiting) return Lacking();
      if (step == Scan::Step::kEnd) break;
      const auto place = ParseSortKey(rows.key());
      if (!place) return DamagedRow();
      if (!Add(place->key.view(), rows.entity(), payload)) break;
    }
    EndFeed(response_.body);
    return std::move(response_);
  }

  void Reset() override {
    response_ = {};
    count_ = 0;
  }

  // False when the page was full: then the next one begins with this entity,
  // and the token is sent only now that a further match is known.
  bool Add(EntityKeyView key, const Entity& entity,
           const PayloadContext& payload) {
    const bool is_full =
        count_ == top_ || (count_ > 0 && response_.body.size() > kMaxPageBytes);
    if (is_full) {
      response_.next_partition_key = EncodeToken(key.partition_key);
      response_.next_row_key = EncodeToken(key.row_key);
      return false;
    }
    AppendEntityElement(payload, key, entity, response_.body);
    ++count_;
    return true;
  }

  std::size_t top_;
  Projection projection_;
  MetadataLevel level_;
  Response response_;
  std::size_t count_ = 0;
};

void AppendMember(std::string_view name, std::uint64_t number,
                  std::string& json) {
  json += json.empty() ? '{' : ',';
  AppendJsonString(name, json);
  json += ':';
  AppendDecimal(static_cast<std::int64_t>(number), json);
}

class CountQuery final : public ScanQuery {
 public:
  CountQuery(CountEntities request, PageCache& cache)
      : ScanQuery(std::move(request.selection), cache) {}

 private:
  Result<Response> Read(const QueryContext& context, Scan& rows) override {
    if (rows.Count(context.state, window()) == Scan::Step::kWaiting) {
      return Lacking();
    }
    Response response;
    std::string& json = response.body;
    AppendMember("count", rows.count(), json);
    AppendMember("ranges", selection().ranges.size(), json);
    AppendMember("pagesRead", tally().pages_read, json);
    AppendMember("pagesSkipped", tally().pages_skipped, json);
    AppendMember("entitiesExamined", tally().entities_examined, json);
    json += R"(,"access":)";
    AppendJsonString(AccessPathName(ClassifyAccess(selection().ranges)), json);
    json += '}';
    return response;
  }
};

}  // namespace

std::unique_ptr<Query> MakeEntityQuery(QueryEntities request,
                                       PageCache& cache) {
  return std::make_unique<EntityQuery>(std::move(request), cache);
}

std::unique_ptr<Query> MakeCountQuery(CountEntities request, PageCache& cache) {
  return std::make_unique<CountQuery>(std::move(request), cache);
}

}  // namespace entitable
