#include "host/host_link.h"

#include <utility>
#include <variant>

namespace entitable {

Error ErrorFor(CommitOutcome outcome) {
  switch (outcome) {
    case CommitOutcome::kQuota:
      return Error(ErrorCode::kStorageQuotaExceeded);
    case CommitOutcome::kUnknown:
      return Error(ErrorCode::kStorageOutcomeUnknown);
    case CommitOutcome::kOk:
    case CommitOutcome::kMoved:
    case CommitOutcome::kRefused:
      break;
  }
  return Error(ErrorCode::kStorageUnavailable);
}

// Steps wait in a list.  The node of the step that was handed out last is kept
// and takes the next one, so steps that come one by one need no allocation.
std::optional<Step> HostLink::TakeStep() {
  if (steps_.empty()) return std::nullopt;
  taken_.clear();
  taken_.splice(taken_.begin(), steps_, steps_.begin());
  return std::move(taken_.front());
}

// `One` is a kind of step.
template <typename One>
void HostLink::Add(One&& step) {
  if (taken_.empty()) taken_.emplace_back();
  taken_.front().emplace<One>(std::forward<One>(step));
  steps_.splice(steps_.end(), taken_);
}

void HostLink::Reply(RequestId request, Result<Response>&& outcome) {
  Add(Answer{request, std::move(outcome)});
}

void HostLink::Refuse(RequestId request, const Error& reason) {
  Reply(request, reason);
}

void HostLink::ReadLog(std::vector<ValueKey> keys, std::uint64_t records_after,
                       bool is_exclusive) {
  is_log_read_exclusive_ = is_exclusive;
  log_read_ = ++last_io_;
  ++log_reads_begun_;
  Add(Read{log_read_, std::move(keys), records_after, is_exclusive});
}

void HostLink::CommitToLog(Batch batch) {
  log_commit_ = ++last_io_;
  Add(Commit{log_commit_, std::move(batch), is_held_});
}

bool HostLink::RecallCommit() {
  return std::erase_if(steps_, [this](const Step& step) {
           const Commit* const commit = std::get_if<Commit>(&step);
           return commit != nullptr && commit->id == log_commit_;
         }) > 0;
}

void HostLink::ReadPages(std::vector<ValueKey> keys) {
  page_read_ = ++last_io_;
  Add(Read{page_read_, std::move(keys), std::nullopt});
}

void HostLink::CommitInBackground(Batch batch) {
  background_commit_ = ++last_io_;
  Add(Commit{background_commit_, std::move(batch)});
}

void HostLink::NoteLogRead() {
  log_reads_done_ = log_reads_begun_;
  is_held_ = is_log_read_exclusive_;
}

bool HostLink::Release() { return std::exchange(is_held_, false); }

void HostLink::Reset() {
  std::erase_if(steps_, [](const Step& step) {
    return !std::holds_alternative<Answer>(step);
  });
  log_read_ = log_commit_ = page_read_ = background_commit_ = 0;
}

}  // namespace entitable
