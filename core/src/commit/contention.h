// contention.h - whether other engines write so often that this one must keep
// them out to commit.

#ifndef ENTITABLE_COMMIT_CONTENTION_H_
#define ENTITABLE_COMMIT_CONTENTION_H_

#include <cstdint>
#include <utility>

#include "base/date_time.h"

namespace entitable {

// Without this, an engine that needs more time than the others to evaluate its
// writes would lose every race.
class Contention {
 public:
  // Another engine has written a record.
  void Begin(DateTime now) { until_ = {now.ticks + kTicks}; }

  // The commit of a group that has met others is over.  The time that it took
  // does not count: another engine may be nearer to the storage.
  void Prolong() { is_prolonged_ = true; }

  void BeginTurn(DateTime now) {
    if (std::exchange(is_prolonged_, false)) Begin(now);
  }

  void End() { until_ = {}; }

  // The difference is checked on both sides, so that a clock that was set back
  // does not prolong the contention.
  bool IsOn(DateTime now) const {
    const std::int64_t left = until_.ticks - now.ticks;
    return left > 0 && left <= kTicks;
  }

 private:
  static constexpr std::int64_t kTicks = 500'000;  // 50 ms.

  DateTime until_{};
  bool is_prolonged_ = false;
};

}  // namespace entitable

#endif  // ENTITABLE_COMMIT_CONTENTION_H_
