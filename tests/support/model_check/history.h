// history.h - every state of a storage, and which tab stored it.

#ifndef ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_HISTORY_H_
#define ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_HISTORY_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "support/model_check/model.h"
#include "support/model_check/ticket.h"

namespace entitable::model_check {

class History {
 public:
  // Begins with nothing.
  History() : states_(1) {}

  Moment now() const { return states_.size() - 1; }
  const State& at(Moment moment) const { return states_[moment]; }
  const State& newest() const { return states_.back(); }

  // Adds what an observer saw after a batch was stored.  `writes` are those
  // that may be in the batch, in the order of their submission: the state must
  // be what the first few of them make of the one before.  Notes in the tickets
  // what became of them.
  std::optional<Violation> Add(State observed,
                               const std::vector<Ticket*>& writes);

 private:
  struct Explanation;

  bool ExplainsImport(const State& observed, Ticket& import);
  std::optional<Violation> NoteStep(Ticket& import);

  static Explanation Explain(const State& observed,
                             const std::vector<Ticket*>& writes,
                             const State& before, std::uint64_t refused);
  Explanation Explain(const State& observed,
                      const std::vector<Ticket*>& writes) const;
  std::optional<Violation> NoteTimes(const State& observed,
                                     const Explanation& explanation);

  std::vector<State> states_;
  std::int64_t last_ticks_ = 0;  // The greatest that was ever seen.
};

}  // namespace entitable::model_check

#endif  // ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_HISTORY_H_
