// load_plan.h - where each entity of a step of an import is to be stored.
//
// Most entities go into pages.  Rows that the memtable also has go into the log
// record instead, because the memtable hides rows in pages.  If the step is too
// small to fill pages, all its rows go into the record.
//
// The plan goes through the rows in key order.  The rows of one key are applied
// to the stored entity one after another, in the order of the input, and only
// the last result is stored.  The plan keeps no entity that goes into a page,
// because all of them together may be too large for the memory: each is made
// once more when its page is written.

#ifndef ENTITABLE_LOAD_LOAD_PLAN_H_
#define ENTITABLE_LOAD_LOAD_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/date_time.h"
#include "base/work_budget.h"
#include "entitable/error.h"
#include "load/load_lookup.h"
#include "load/load_rows.h"
#include "load/load_target.h"
#include "model/entity.h"
#include "store/store.h"

namespace entitable {

// Plans the rows before the limit.  If a row fails, or the record becomes too
// long, the limit is lowered, and the plan is made again for the rows before
// it.  Rows are in key order but the limit is in the order of the input, so the
// rows of a key that is planned already may lie behind it.
class LoadPlan {
 public:
  // All must outlive this object.  `timestamp` is that of the step.
  LoadPlan(const LoadInput& input, LoadTarget& target, const LoadLookup& lookup,
           LoadCut& cut, DateTime timestamp)
      : input_(input),
        target_(target),
        lookup_(lookup),
        cut_(cut),
        timestamp_(timestamp) {
    Begin();
  }

  // Returns false if the work is spent before the plan is complete.
  bool Continue(bool is_small, const Memtable& memtable, WorkBudget& work);

  DateTime timestamp() const { return timestamp_; }

  // Of the record.
  const std::vector<Change>& changes() const { return changes_; }
  void Add(Change change) { changes_.push_back(std::move(change)); }

  // The rows of a key that go into the run: their first, and their end.
  struct Key {
    std::uint32_t begin;
    std::uint32_t end;
  };
  const std::vector<Key>& keys() const { return keys_; }

  // The entity of such a key, made once more: the plan keeps none.  The view is
  // valid until the next call.
  EntityView MakeAgain(const Key& key);

 private:
  void Begin();
  void PlanTable();
  bool PlanBeforeLimit(bool is_small, const Memtable& memtable,
                       WorkBudget& work);
  bool MakeEntity(std::size_t begin, std::size_t end, const MemRow* mem_row,
                  const Schemas& schemas);
  bool Apply(const LoadRow& row, bool exists);
  bool Check(const LoadRow& row, const Schemas& schemas);
  PropertyList ResultOn(std::string_view stored, const LoadRow& row) const;
  DateTime TimestampOf(const LoadRow& row) const {
    return input_.mode == ImportMode::kRestore ? row.timestamp : timestamp_;
  }
  void FailAt(const LoadRow& row, Error error);
  void LimitRecord();

  const LoadInput& input_;
  LoadTarget& target_;
  const LoadLookup& lookup_;
  LoadCut& cut_;
  DateTime timestamp_;

  std::vector<Change> changes_;
  std::vector<std::uint32_t> indices_;  // Of the rows that the last ones put.
  std::vector<Key> keys_;

  bool is_complete_ = false;
  std::size_t limit_ = 0;     // The cut when the plan was begun.
  std::size_t next_row_ = 0;  // The plan has come to this row.

  // The entity that was made last.
  PropertyList merged_;
  std::string_view made_;
};

}  // namespace entitable

#endif  // ENTITABLE_LOAD_LOAD_PLAN_H_
