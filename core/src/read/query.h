// query.h - the operations that read.
//
// Source: operations of the spec, sections 2.6, 2.7, 2.10, 2.13 and 2.15;
// query, 3.7, 3.8.

#ifndef ENTITABLE_READ_QUERY_H_
#define ENTITABLE_READ_QUERY_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/poll.h"
#include "base/work_budget.h"
#include "entitable/engine.h"
#include "entitable/operation.h"
#include "entitable/result.h"
#include "read/first_rows.h"
#include "store/store.h"
#include "store/table_row.h"
#include "wire/values_writer.h"

namespace entitable {

// The table that was looked up last, so that frequent reads need not look it up
// again.  Valid as long as the state has this version: any commit, flush or
// compaction ends it.
struct LastTable {
  std::uint64_t version = 0;
  std::string name = {};  // As in the request.
  Table table = {};
};

// Memory that reads use again, one after another.
//
// A read by key is so short that its allocations would count.
class ReadBuffers {
 public:
  std::string sort_key;

  // Returns a writer that has written nothing.
  std::unique_ptr<ValuesWriter> TakeWriter();

  // Returns what the writer has written, and keeps the writer for the next
  // read, unless it has written much.
  std::string Finish(std::unique_ptr<ValuesWriter> writer);

 private:
  std::unique_ptr<ValuesWriter> writer_;  // Null: the next read makes one.
};

// The environment of a query.
//
// It is made anew for each call, since the state and the slice are others by
// then.
struct QueryContext {
  const EngineOptions& options;
  const AccountState& state;
  LastTable& last_table;
  ReadBuffers& buffers;
  std::unique_ptr<OrderedRest>& ordered_rest;  // By the last ordered query.
  std::uint64_t& examined;  // How many entities were examined.
  WorkBudget& work;         // What is left of the slice.
};

// A read in progress.  It keeps its position while it waits for pages.
//
// Continue() is called until it has an answer.  It returns early when pages are
// missing or the slice is spent; then the query has kept its position in its
// members, and the next call goes on from there.  In between, commits, flushes
// and compactions change the state.  A query must therefore look up again
// whatever it has taken from the state, and may keep only keys, copies, and
// pages of its window, which never change.
class Query {
 public:
  explicit Query(PageCache& cache) : window_(cache) {}
  virtual ~Query() = default;
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  // Returns the answer.  The query makes progress even if the slice is spent,
  // so that fetched pages are used while they are in memory.
  Poll<Response> Continue(const QueryContext& context);

  // The table whose changes the query waits for.
  std::optional<TableId> followed() const { return followed_; }

  // For a query that waits for changes: there are none up to this record.
  virtual void SkipTo(std::uint64_t /*number*/) {}

  // Ends a page of a list if it has something already: Continue() then returns
  // it.  The next page continues behind it.
  //
  // It is asked for when there is too little memory, and a shorter page is
  // better than an error.
  virtual bool EndEarly() { return false; }

  // What a read of a transaction has read, once it has an answer: the places of
  // all rows on which the answer depends.  The rows of a later page may be left
  // out, because those of the first page are.
  virtual std::vector<SortRange> Ranges() const { return {}; }

  // Releases all pages.  The query continues from its position all the same.
  void LetGo();

  // The one that misses pages, if the query has several.
  virtual PageWindow& window() { return window_; }

 protected:
  virtual Poll<Response> Evaluate(const QueryContext& context) = 0;

  // The pages are gone.
  virtual void Interrupt() {}

  // The query waits for a change of the table.
  Pending WaitForChange(TableId table);

 private:
  PageWindow window_;
  std::optional<TableId> followed_;
};

// Fails as described in read/read_request.h.
Result<std::unique_ptr<Query>> MakeQuery(const ReadOperation& operation,
                                         std::string_view base_url,
                                         PageCache& cache);

// The read of a step of a change.  The body of its answer has for each entity
// the texts of its keys and the ticks of its timestamp (a U64).  `change_bytes`
// are added to each.
Result<std::unique_ptr<Query>> MakeSearchOfStep(const QueryEntities& operation,
                                                std::size_t change_bytes,
                                                PageCache& cache);

}  // namespace entitable

#endif  // ENTITABLE_READ_QUERY_H_
