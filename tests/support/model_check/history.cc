#include "support/model_check/history.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace entitable::model_check {
namespace {

// Of the transactions that may be in one batch.
constexpr std::size_t kMostRefused = 10;

bool IsNew(const Entity& predicted) {
  return predicted.etag.starts_with("new ");
}

bool Fits(const Entity& predicted, const Entity& observed) {
  return predicted.properties == observed.properties &&
         (IsNew(predicted) || predicted.etag == observed.etag);
}

bool Fits(const Entities& predicted, const Entities& observed) {
  return std::equal(predicted.begin(), predicted.end(), observed.begin(),
                    observed.end(), [](const auto& a, const auto& b) {
                      return a.first == b.first && Fits(a.second, b.second);
                    });
}

bool Fits(const State& predicted, const State& observed) {
  return std::equal(predicted.begin(), predicted.end(), observed.begin(),
                    observed.end(), [](const auto& a, const auto& b) {
                      return a.first == b.first && Fits(a.second, b.second);
                    });
}

Violation Inexplicable(const State& before, const State& observed,
                       const std::vector<Ticket*>& writes) {
  std::string text = "before:\n" + Describe(before) + "after:\n" +
                     Describe(observed) + "writes that may be in the batch:\n";
  for (const Ticket* write : writes) {
    text += "  #" + std::to_string(write->request.number) + " " +
            Describe(write->request) +
            (write->effect ? " (was stored)\n" : "\n");
  }
  return {"a stored batch does what writes ask for, each once, in order", text};
}

}  // namespace

// The batch holds the first writes: at least `shortest`, at most all that have
// an outcome.  Those beyond the shortest leave no trace.
struct History::Explanation {
  std::vector<Ticket*> writes;
  std::vector<std::string> outcomes;
  std::optional<std::size_t> shortest;
  State predicted;  // With the shortest.
};

// Transactions of the account may be refused although nothing speaks against
// them: `refused` has a bit for each of the writes.
History::Explanation History::Explain(const State& observed,
                                      const std::vector<Ticket*>& writes,
                                      const State& before,
                                      std::uint64_t refused) {
  Explanation explanation;
  std::size_t longest = 0;
  State predicted = before;
  for (std::size_t count = 0;; ++count) {
    if (Fits(predicted, observed)) {
      longest = count;
      if (!explanation.shortest) {
        explanation.shortest = count;
        explanation.predicted = predicted;
      }
    }
    if (count == writes.size()) break;
    Ticket& write = *writes[count];
    const bool is_refused = (refused >> count & 1) != 0;
    explanation.writes.push_back(&write);
    explanation.outcomes.push_back(
        is_refused ? kConflict : OutcomeOf(write.request, predicted));
    if (IsSuccess(explanation.outcomes.back())) Apply(write.request, predicted);
  }
  explanation.outcomes.resize(longest);
  return explanation;
}

// As few of them as possible are refused.
History::Explanation History::Explain(
    const State& observed, const std::vector<Ticket*>& writes) const {
  std::vector<std::uint64_t> bits;
  for (std::size_t i = 0; i < writes.size() && i < 64; ++i) {
    const bool may_fail =
        writes[i]->request.kind == OperationKind::kAccountTransaction;
    if (may_fail && bits.size() < kMostRefused) {
      bits.push_back(std::uint64_t{1} << i);
    }
  }
  Explanation best = Explain(observed, writes, newest(), 0);
  for (std::uint64_t some = 1; !best.shortest && some >> bits.size() == 0;
       ++some) {
    std::uint64_t refused = 0;
    for (std::size_t i = 0; i < bits.size(); ++i) {
      if ((some >> i & 1) != 0) refused |= bits[i];
    }
    best = Explain(observed, writes, newest(), refused);
  }
  return best;
}

std::optional<Violation> History::Add(State observed,
                                      const std::vector<Ticket*>& writes) {
  // What was stored once must not be stored again.
  std::vector<Ticket*> candidates;
  for (Ticket* write : writes) {
    if (!write->effect && !IsImport(write->request))
      candidates.push_back(write);
  }
  const Explanation explanation = Explain(observed, candidates);
  if (!explanation.shortest) {
    for (Ticket* write : writes) {
      if (!IsImport(write->request)) continue;
      if (!ExplainsImport(observed, *write)) continue;
      states_.push_back(std::move(observed));
      return NoteStep(*write);
    }
    return Inexplicable(newest(), observed, writes);
  }

  states_.push_back(std::move(observed));
  for (std::size_t i = 0; i < explanation.outcomes.size(); ++i) {
    Ticket& write = *explanation.writes[i];
    const std::string& outcome = explanation.outcomes[i];
    write.possible_outcomes.insert(outcome);
    if (i >= *explanation.shortest || !IsSuccess(outcome)) continue;
    // It may have been refused, and nothing of it is left to see.
    const bool may_be_refused =
        write.request.kind == OperationKind::kAccountTransaction && i < 64 &&
        Explain(newest(), candidates, states_[now() - 1], std::uint64_t{1} << i)
            .shortest;
    if (may_be_refused) continue;
    write.effect = {now(), outcome};
    if (write.status == Ticket::Status::kFailed) {
      return Violation{
          "a write that was answered with an error changes nothing",
          "#" + std::to_string(write.request.number)};
    }
  }
  return NoteTimes(newest(), explanation);
}

// A batch that holds a step of an import holds nothing else: the next few of
// its entities.
bool History::ExplainsImport(const State& observed, Ticket& import) {
  Request step = import.request;
  State predicted = newest();
  if (!predicted.contains(step.table)) return false;
  for (std::size_t i = import.stored; i < import.sent; ++i) {
    step.writes = {import.request.writes[i]};
    if (!IsSuccess(OutcomeOf(step, predicted))) return false;
    Apply(step, predicted);
    if (!Fits(predicted, observed)) continue;
    import.stored = i + 1;
    return true;
  }
  return false;
}

// Its entities have one timestamp, the newest of all.
std::optional<Violation> History::NoteStep(Ticket& import) {
  import.effect = {now(), "202"};
  if (import.status == Ticket::Status::kFailed ||
      import.status == Ticket::Status::kDone) {
    return Violation{"an import that was answered stores nothing more",
                     "#" + std::to_string(import.request.number)};
  }
  std::int64_t ticks = 0;
  for (const auto& [key, entity] : newest().at(import.request.table)) {
    if (entity.ticks <= last_ticks_) continue;
    if (ticks != 0 && entity.ticks != ticks) {
      return Violation{"a step of an import has one timestamp", entity.etag};
    }
    ticks = entity.ticks;
  }
  if (ticks == 0) return Violation{"timestamps rise from write to write"};
  last_ticks_ = ticks;
  return std::nullopt;
}

std::optional<Violation> History::NoteTimes(const State& observed,
                                            const Explanation& explanation) {
  std::map<std::string, const Entity*> newcomers;  // By the stand-ins of etags.
  for (const auto& [table, entities] : explanation.predicted) {
    for (const auto& [key, predicted] : entities) {
      if (!IsNew(predicted)) continue;
      const Entity& entity = observed.at(table).at(key);
      const auto [at, is_first] = newcomers.emplace(predicted.etag, &entity);
      if (!is_first && at->second->etag != entity.etag) {
        return Violation{"a transaction has one etag", entity.etag};
      }
    }
  }
  for (Ticket* write : explanation.writes) {
    const auto newcomer = newcomers.find(NewEtag(write->request));
    if (newcomer == newcomers.end()) continue;
    const Entity& entity = *newcomer->second;
    write->effect->etag = entity.etag;
    if (entity.ticks <= last_ticks_) {
      return Violation{"timestamps rise from write to write", entity.etag};
    }
    last_ticks_ = entity.ticks;
  }
  return std::nullopt;
}

}  // namespace entitable::model_check
