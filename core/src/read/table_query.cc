#include "read/table_query.h"

#include "read/query_support.h"

namespace entitable {

Poll<Response> TableQuery::Evaluate(const QueryContext& context) {
  // For another page, there might be no memory.
  if (ends_) return Answer(context);
  ENTITABLE_TRY(
      const Table* table,
      FindTable(query().table, ErrorCode::kTableNotFound, context, window()));
  if (table->id != table_ || IsStale(context.state, *table)) {
    tally_ = {};
    scan_.reset();
    reading_.End();
    Begin(context, *table);
    table_ = table->id;
  }
  const std::uint64_t examined = tally_.entities_examined;
  auto searched = Search(context);
  auto answer =
      searched ? Answer(context) : Poll<Response>(HandedUp{searched.error()});
  context.examined += tally_.entities_examined - examined;
  return answer;
}

void TableQuery::Interrupt() {
  if (scan_) scan_->Interrupt();
  index_.Interrupt();
}

std::vector<SortRange> TableQuery::Ranges() const {
  return SortRangesOf(table_, query().ranges);
}

PayloadContext TableQuery::PayloadOf(const QueryContext& context) const {
  return ContextOf(query().form, query().table, query().feed.projection,
                   context.options);
}

}  // namespace entitable
