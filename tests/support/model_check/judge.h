// judge.h - decides whether what engines do is what engine.h promises.
//
// The truth is the history of the storage (history.h): after each batch that
// was stored, by any engine, an engine made for this alone reads all of
// it.  So no tab's memory is trusted, and no knowledge of formats is needed.
// Each step of the history must be what the first few writes that the batch can
// hold make of the state before, by the model (model.h), which is a few maps.
// Every write has a value that no other has, and every entity an etag, so a
// write that is lost, stored twice or in part, put before another, or stored
// under a condition that did not hold leaves a step without explanation.
//
// By then it is known of each write at which moment it took effect, if it did,
// and the answers are held against that:
//
// - success: it took effect, with this status and this etag;
// - an error: it did not, and will not, however late a batch may arrive;
// - 404, 409, 412: that was true at some moment after the submission, and after
//   the writes of the same tab that were answered before;
// - a transaction of the account: it took effect on a state that gives the
//   answers that it was given, and they are those of one moment, together with
//   each further one.  So the order of the history is one that all transactions
//   fit.  It may also be refused for a conflict that there is not;
// - an import: what is stored is always the first few of its entities, step by
//   step, each with one timestamp; its answer says how many, and why not more;
// - an unknown outcome: either, but only where a storage kept silent;
// - an error of storage: there was such an error; that a deletion finds no room
//   only if a batch that frees some found none;
// - a read: the state at one moment, not before what its tab knew when it was
//   submitted (the records it was given, the writes it was answered, the reads
//   before); not before its submission, if it was to be fresh.  A page of
//   results for which pages were fetched more than once may change from one
//   moment to a later one as its keys go up.

#ifndef ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_JUDGE_H_
#define ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_JUDGE_H_

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "support/memory_storage.h"
#include "support/model_check/history.h"
#include "support/model_check/storage_rules.h"
#include "support/model_check/ticket.h"

namespace entitable::model_check {

// What happened to a tab and may appear in its answers.
enum class Trouble {
  kQuota,
  kNoReserve,  // No room for what frees some.
  kRefused,
  kUnknown,
  kReadFailed,
};
inline constexpr std::size_t kTroubles = 5;

class Judge {
 public:
  const History& history() const { return history_; }

  // The first rule that was broken.
  const std::optional<Violation>& violation() const { return violation_; }
  void Accuse(Violation violation);

  // What happens to a tab.
  void Opened(std::size_t tab);
  void Crashed(std::size_t tab);
  void Befell(std::size_t tab, Trouble trouble);
  void Supplied(std::size_t tab, const Read& read, Moment read_at);

  // Reads of the tab have used up a slice.
  void Yielded(std::size_t tab);

  // What happens to a request; the ticket lives as long as the judge.
  Ticket* Submitted(std::size_t tab, Request request);
  void Withdrawn(Ticket& ticket);
  void Answered(Ticket& ticket, const Result<Response>& answer);

  // The answer to what abandoned the import, which comes after all others.
  void Abandoned(Ticket& ticket, const Result<Response>& answer);

  // The writes that a batch may hold which the tab asks for now.
  std::vector<Ticket*> WaitingWrites(std::size_t tab) const;

  // After the batch was stored.
  void Stored(const Batch& batch, const std::vector<Ticket*>& writes,
              const MemoryStorage& storage);

  // When nothing more happens.
  void Finish(const MemoryStorage& storage);

 private:
  struct Tab {
    Moment known = 0;
    Moment acknowledged = 0;  // The last effect that it was told of.
    std::size_t page_reads = 0;
    // The serial of the last ticket when each trouble came.
    std::array<std::uint64_t, kTroubles> troubles{};
    std::vector<Ticket*> waiting;
  };

  void JudgeFailure(Ticket& ticket, ErrorCode code, const std::string& outcome);
  void JudgeConflict(Ticket& ticket);
  void JudgeSuccess(Ticket& ticket, const Response& response);
  void JudgeImport(Ticket& ticket, const Result<Response>& answer);
  bool MayBeDropped(const Ticket& ticket) const;
  bool MayStop(const Ticket& ticket, const Error& error) const;
  void JudgeRefusal(Ticket& ticket, const std::string& outcome);
  // At this moment or later.
  bool WasTrue(const Ticket& ticket, const std::string& outcome,
               Moment from) const;
  void JudgeRead(Ticket& ticket, const Result<Response>& answer);
  bool MaySay(const Ticket& ticket, ErrorCode code) const;
  void Accuse(const std::string& rule, const Ticket& ticket,
              const std::string& what);

  History history_;
  StorageRules rules_;
  std::array<Tab, kMaxTabs> tabs_;
  std::deque<Ticket> tickets_;
  std::optional<Violation> violation_;
};

}  // namespace entitable::model_check

#endif  // ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_JUDGE_H_
