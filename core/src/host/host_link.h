// host_link.h - what the engine says to its host, and how the host answers.

#ifndef ENTITABLE_HOST_HOST_LINK_H_
#define ENTITABLE_HOST_HOST_LINK_H_

#include <cstdint>
#include <list>
#include <optional>
#include <vector>

#include "base/date_time.h"
#include "entitable/operation.h"
#include "entitable/result.h"
#include "entitable/steps.h"
#include "entitable/storage.h"

namespace entitable {

// The error for requests whose commit failed.
Error ErrorFor(CommitOutcome outcome);

// The queue of steps for the host.
//
// Invariant: on each of three channels, at most one read or commit is in
// progress.  The log channel opens the store, reads the log and commits groups;
// the page channel fetches pages; the background channel commits flushes and
// compactions.  Each channel knows the id of what is in progress, so that any
// other answer can be ignored.
class HostLink {
 public:
  // The time that the host told last.
  DateTime now() const { return now_; }
  void set_now(DateTime now) { now_ = now; }

  // The next step for the host, if any waits.
  std::optional<Step> TakeStep();

  void Reply(RequestId request, Result<Response>&& outcome);
  void Refuse(RequestId request, const Error& reason);

  // Reads these values and the records after this number.
  void ReadLog(std::vector<ValueKey> keys, std::uint64_t records_after,
               bool is_exclusive);
  void CommitToLog(Batch batch);

  // Takes back the commit of the log channel.  Returns false if the host has
  // received it already, and may store it.
  bool RecallCommit();

  void ReadPages(std::vector<ValueKey> keys);
  void CommitInBackground(Batch batch);

  // The host has answered.  Each returns false if that is not in progress.
  bool EndLogRead(ReadId id) { return End(log_read_, id); }
  bool EndLogCommit(CommitId id) { return End(log_commit_, id); }
  bool EndPageRead(ReadId id) { return End(page_read_, id); }
  bool EndBackgroundCommit(CommitId id) { return End(background_commit_, id); }

  // How many reads of the log have begun, and the number of the last one that
  // succeeded.
  std::uint64_t log_reads_begun() const { return log_reads_begun_; }
  std::uint64_t log_reads_done() const { return log_reads_done_; }

  // The read of the log has succeeded.  If it is exclusive, the host keeps all
  // other writers out until Release().
  void NoteLogRead();

  bool is_held() const { return is_held_; }

  // Returns whether the host has kept other writers out.
  bool Release();

  // Takes back all steps but the answers, and forgets what is in progress.
  void Reset();

 private:
  template <typename One>
  void Add(One&& step);

  static bool End(std::uint32_t& in_progress, std::uint32_t id) {
    if (id != in_progress || id == 0) return false;
    in_progress = 0;
    return true;
  }

  DateTime now_{};
  std::list<Step> steps_;
  std::list<Step> taken_;  // Memory of the last step, which the next one uses.
  std::uint32_t last_io_ = 0;
  // What is in progress; 0 if nothing is.
  ReadId log_read_ = 0;
  CommitId log_commit_ = 0;
  ReadId page_read_ = 0;
  CommitId background_commit_ = 0;
  std::uint64_t log_reads_begun_ = 0;
  std::uint64_t log_reads_done_ = 0;
  bool is_log_read_exclusive_ = false;
  bool is_held_ = false;
};

}  // namespace entitable

#endif  // ENTITABLE_HOST_HOST_LINK_H_
