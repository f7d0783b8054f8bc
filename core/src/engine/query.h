// query.h - what the reading operations answer.
//
// Source: operations of the spec, sections 2.6, 2.7, 2.10, 2.13 and 2.15;
// query, 3.7, 3.8.

#ifndef ENTITABLE_ENGINE_QUERY_H_
#define ENTITABLE_ENGINE_QUERY_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/work_budget.h"
#include "engine/request.h"
#include "entitable/engine.h"
#include "entitable/result.h"
#include "store/account_state.h"
#include "store/page_cache.h"
#include "store/table_row.h"

namespace entitable {

// The table that was looked for last, so that a hot read need not look again.
// It belongs to one state, and counts as long as that has the same version.
struct LastTable {
  std::uint64_t version = 0;
  std::string name = {};  // As it was asked for.
  Table table = {};
};

// What a query is asked against.
struct QueryContext {
  const EngineOptions& options;
  const AccountState& state;
  LastTable& last_table;
  std::uint64_t& examined;  // How many entities were looked at.
  WorkBudget& work;         // What is left of the slice.
};

// A read under way.  It keeps its place while it waits for pages.
class Query {
 public:
  explicit Query(PageCache& cache) : window_(cache) {}
  virtual ~Query() = default;
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  // The answer; nothing when pages lack, and the window knows which, when there
  // is none before a table changes, or when it is paused.  Makes progress even
  // if the slice is spent, so that pages are used while they are there.
  std::optional<Result<Response>> Continue(const QueryContext& context);

  // Whether it stopped because the slice is spent.
  bool is_paused() const { return is_paused_; }

  // The table of which it waits for a change.
  std::optional<TableId> followed() const { return followed_; }

  // Of one that waited for that: nothing has changed up to this record.
  virtual void SkipTo(std::uint64_t /*number*/) {}

  // Lets go of all pages.  It goes on from where it is all the same.
  void LetGo();

  PageWindow& window() { return window_; }

 protected:
  // Fails, too, when pages lack; what it says then is of no interest.
  virtual Result<Response> Evaluate(const QueryContext& context) = 0;

  // The pages are gone.
  virtual void Interrupt() {}

  // In place of an answer, of one that waits for a change of the table.
  Failure WaitForChange(TableId table);

  // In place of an answer, of one that has spent the slice and has more to do.
  Failure Pause();

 private:
  PageWindow window_;
  bool is_paused_ = false;
  std::optional<TableId> followed_;
};

// Null when the operation is none that reads; fails as engine/request.h says.
Result<std::unique_ptr<Query>> MakeQuery(const Operation& operation,
                                         PageCache& cache);

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_QUERY_H_
