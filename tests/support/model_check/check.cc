#include "support/model_check/check.h"

#include <sstream>

#include "support/model_check/apart.h"
#include "support/model_check/shrink.h"

namespace entitable::model_check {

Findings Check(std::uint64_t first_seed, std::size_t count) {
  // Says the index of each schedule as it begins, and in the end the counts.
  const Apart apart = RunApart([=](const Say& say) {
    Counts total;
    for (std::size_t i = 0; i < count; ++i) {
      say(std::to_string(i) + "\n");
      const Report report = Simulate(RandomSchedule(first_seed + i));
      if (report.violation) return;
      total += report.counts;
    }
    say("ok " + std::to_string(total.choices) + " " +
        std::to_string(total.batches) + " " + std::to_string(total.moves) +
        " " + std::to_string(total.orphans) + " " +
        std::to_string(total.falls) + " " + std::to_string(total.requests) +
        " " + std::to_string(total.transactions) + " " +
        std::to_string(total.conflicts) + "\n");
  });
  std::istringstream lines(apart.said);
  std::string line;
  std::uint64_t index = 0;
  while (std::getline(lines, line) && !line.starts_with("ok ")) {
    index = std::stoull(line);
  }
  if (!apart.has_ended || !lines) return {{}, first_seed + index};
  Findings findings;
  Counts& counts = findings.counts;
  std::istringstream(line.substr(3)) >> counts.choices >> counts.batches >>
      counts.moves >> counts.orphans >> counts.falls >> counts.requests >>
      counts.transactions >> counts.conflicts;
  return findings;
}

std::optional<std::string> BrokenRule(const Schedule& schedule) {
  // Shrinking asks this some hundred times.
  const Apart apart = RunApart(
      [&schedule](const Say& say) {
        const Report report = Simulate(schedule);
        if (report.violation) say(report.violation->rule);
      },
      Errors::kHidden);
  if (!apart.has_ended) return "an engine does not stop the program";
  if (apart.said.empty()) return std::nullopt;
  return apart.said;
}

std::string ShortestWay(const Schedule& schedule) {
  const auto rule = BrokenRule(schedule);
  if (!rule) return "The schedule breaks no rule when it runs alone.";
  const Schedule shrunk = Shrink(schedule, [&rule](const Schedule& candidate) {
    return BrokenRule(candidate) == rule;
  });
  const Apart apart = RunApart([&shrunk](const Say& say) {
    const Report report = Simulate(shrunk, [&say](std::string_view line) {
      say(std::string(line) + "\n");
    });
    if (report.violation) say(report.violation->what + "\n");
  });
  return apart.said + "broken: " + *rule + "\n";
}

}  // namespace entitable::model_check
