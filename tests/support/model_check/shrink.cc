#include "support/model_check/shrink.h"

#include <algorithm>
#include <utility>

#include "support/model_check/ticket.h"

namespace entitable::model_check {
namespace {

using Failing = std::function<bool(const Schedule&)>;

class Shrinker {
 public:
  Shrinker(Schedule schedule, const Failing& fails)
      : schedule_(std::move(schedule)), fails_(fails) {}

  Schedule Run() && {
    for (bool has_shrunk = true; has_shrunk;) {
      has_shrunk = LeaveOutTabs();
      for (std::size_t run = schedule_.choices.size() / 2; run > 0; run /= 2) {
        has_shrunk |= LeaveOutRuns(run);
      }
      has_shrunk |= Simplify();
    }
    return std::move(schedule_);
  }

 private:
  // Keeps the choices if it still fails with them.
  bool Try(std::vector<Choice> choices) {
    Schedule candidate = schedule_;
    candidate.choices = std::move(choices);
    if (!fails_(candidate)) return false;
    schedule_ = std::move(candidate);
    return true;
  }

  bool LeaveOutTabs() {
    bool has_shrunk = false;
    for (std::size_t tab = 0; tab < kMaxTabs; ++tab) {
      std::vector<Choice> choices = schedule_.choices;
      const auto count = std::erase_if(
          choices, [tab](const Choice& one) { return one.tab == tab; });
      has_shrunk |= count > 0 && Try(std::move(choices));
    }
    return has_shrunk;
  }

  bool LeaveOutRuns(std::size_t length) {
    bool has_shrunk = false;
    for (std::size_t at = 0; at < schedule_.choices.size();) {
      std::vector<Choice> choices = schedule_.choices;
      const auto begin = choices.begin() + static_cast<std::ptrdiff_t>(at);
      const std::size_t count = std::min(length, choices.size() - at);
      choices.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
      if (Try(std::move(choices))) {
        has_shrunk = true;
      } else {
        at += length;
      }
    }
    return has_shrunk;
  }

  bool Simplify() {
    bool has_shrunk = false;
    for (std::size_t i = 0; i < schedule_.choices.size(); ++i) {
      const Choice& choice = schedule_.choices[i];
      if (choice.fault != Fault::kNone) {
        std::vector<Choice> choices = schedule_.choices;
        choices[i].fault = Fault::kNone;
        has_shrunk |= Try(std::move(choices));
      }
      for (std::size_t part = choice.request.writes.size();
           part-- > 0 && schedule_.choices[i].request.writes.size() > 1;) {
        std::vector<Choice> choices = schedule_.choices;
        auto& writes = choices[i].request.writes;
        writes.erase(writes.begin() + static_cast<std::ptrdiff_t>(part));
        has_shrunk |= Try(std::move(choices));
      }
    }
    return has_shrunk;
  }

  Schedule schedule_;
  const Failing& fails_;
};

}  // namespace

Schedule Shrink(Schedule schedule,
                const std::function<bool(const Schedule&)>& fails) {
  return Shrinker(std::move(schedule), fails).Run();
}

}  // namespace entitable::model_check
