// schedule.h - what happens, and in which order, as data.
//
// A schedule is a list of choices.  Run twice, it does the same twice; with
// some of its choices left out, it is a schedule still: a choice that has
// nothing to act on is passed over.

#ifndef ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_SCHEDULE_H_
#define ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_SCHEDULE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "entitable/engine.h"
#include "support/model_check/request.h"

namespace entitable::model_check {

// What a storage does wrong.
enum class Fault {
  kNone,
  kRefused,    // Does nothing and says so; the others are faults of commits.
  kQuota,      // The same, unless it frees room.
  kNoReserve,  // The same in any case.
  kStored,     // Stores it, and does not say so.
  kLost,       // Stores nothing, and does not say so.
  kLate,       // The same as yet: it may arrive any time.
};

struct Choice {
  enum class Kind {
    kOpen,      // The tab gets an engine, if it has none.
    kCrash,     // It loses it.
    kSubmit,    // It asks for something.
    kWithdraw,  // It withdraws one of its requests.
    kTurn,      // Its engine runs once.
    kWork,      // Its engine runs until it is idle.
    kPerform,   // The storage does one of the things the engine asked for.
    kDeliver,   // The engine is told of one of these.
    kArrive,    // A batch arrives that was late.  The tab does not matter.
    kSetClock,  // The tab's clock jumps.
    kFallBack,  // The storage forgets the last records; see slow_storage.h.
                // The tab does not matter.
  };

  Kind kind;
  std::size_t tab = 0;
  std::uint64_t time = 0;  // In milliseconds from the beginning.
  std::size_t pick = 0;    // Which one, modulo how many there are.
  Fault fault = Fault::kNone;
  int clock_minutes = 0;
  Request request = {};
};

struct Schedule {
  std::uint64_t seed = 0;
  EngineOptions options = {};  // Of every tab; identities aside.
  std::vector<Choice> choices = {};
};

Schedule RandomSchedule(std::uint64_t seed);

// "tab 2: submit #14 merge TabA/p1/r3 {A:5}"
std::string Describe(const Choice& choice);

}  // namespace entitable::model_check

#endif  // ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_SCHEDULE_H_
