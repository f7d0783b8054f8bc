#include "support/model_check/slow_storage.h"

#include <algorithm>

#include "support/model_check/storage_rules.h"
#include "support/model_check/trace.h"

namespace entitable::model_check {

std::string SlowStorage::Perform(Flight& flight, Fault fault) {
  flight.is_performed = true;
  const auto* read = std::get_if<Read>(&flight.wish);
  if (read == nullptr) {
    PerformCommit(flight, fault);
    return "a commit: " + Describe(flight.outcome);
  }
  if (fault == Fault::kRefused) return "a read: fails";
  flight.snapshot = memory_.Load(*read);
  return "a read";
}

void SlowStorage::PerformCommit(Flight& flight, Fault fault) {
  const Batch& batch = std::get<Commit>(flight.wish).batch;
  flight.outcome = CommitOutcome::kUnknown;
  switch (fault) {
    case Fault::kQuota:
      flight.outcome =
          batch.frees ? Store(batch, flight.writes) : CommitOutcome::kQuota;
      break;
    case Fault::kNoReserve:
      flight.outcome = CommitOutcome::kQuota;
      break;
    case Fault::kRefused:
      flight.outcome = CommitOutcome::kRefused;
      break;
    case Fault::kLost:
      break;
    case Fault::kLate:
      MakeLate(flight);
      break;
    case Fault::kStored:
      Store(batch, flight.writes);
      break;
    case Fault::kNone:
      flight.outcome = Store(batch, flight.writes);
      break;
  }
}

void SlowStorage::MakeLate(Flight flight) {
  late_.push_back({std::move(std::get<Commit>(flight.wish).batch),
                   std::move(flight.writes)});
}

bool SlowStorage::Arrive(std::size_t pick) {
  if (late_.empty()) return false;
  const auto at =
      late_.begin() + static_cast<std::ptrdiff_t>(pick % late_.size());
  const Late late = std::move(*at);
  late_.erase(at);
  Store(late.batch, late.writes);
  return true;
}

std::uint64_t SlowStorage::last_record() const {
  const auto& values = memory_.values();
  auto end = values.upper_bound(ValueKey::Record(~std::uint64_t{0}));
  const bool is_record =
      end != values.begin() && (--end)->first.kind == ValueKey::Kind::kRecord;
  return is_record ? end->first.number : 0;
}

bool SlowStorage::FallBack(std::size_t pick) {
  const std::uint64_t last = last_record();
  const std::uint64_t kept = RecordsInPages(memory_);
  if (has_forgotten() || last <= kept) return false;
  const std::uint64_t count = 1 + pick % (last - kept);
  for (std::uint64_t n = last - count + 1; n <= last; ++n) {
    memory_.values().erase(ValueKey::Record(n));
  }
  forgotten_up_to_ = last;
  late_.clear();
  return true;
}

bool SlowStorage::has_forgotten() const {
  return std::max(last_record(), RecordsInPages(memory_)) < forgotten_up_to_;
}

CommitOutcome SlowStorage::Store(const Batch& batch,
                                 const std::vector<Ticket*>& writes) {
  const CommitOutcome outcome = memory_.StoreOptimistically(batch);
  if (outcome == CommitOutcome::kMoved) return outcome;
  if (IsOrphan(batch, memory_)) {
    ++orphans_;
  } else if (has_forgotten() && !PutsRecord(batch)) {
    // It moves things about; the rest of them is not back yet.
  } else {
    stored_(batch, writes);
  }
  return outcome;
}

}  // namespace entitable::model_check
