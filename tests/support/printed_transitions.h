// printed_transitions.h - a table of transitions as
// docs/internals/store-protocol.md prints it.

#ifndef ENTITABLE_TESTS_SUPPORT_PRINTED_TRANSITIONS_H_
#define ENTITABLE_TESTS_SUPPORT_PRINTED_TRANSITIONS_H_

#include <cstddef>
#include <fstream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/transitions.h"

namespace entitable {

using Names = std::span<const char* const>;

// For example "closed, ready" or "all but closed, ready".
template <typename State>
std::string Print(const StateSet<State>& states, Names names) {
  std::string has;
  std::string lacks;
  std::size_t count = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_in = states.Has(static_cast<State>(i));
    std::string& list = is_in ? has : lacks;
    list += (list.empty() ? "" : ", ") + std::string(names[i]);
    count += is_in;
  }
  const bool is_most = count > 3 && 2 * count > names.size();
  return is_most ? "all but " + lacks : has;
}

// A line for each row: event, states, result.
template <typename State, typename Event, typename To, std::size_t kRows>
std::vector<std::string> Print(
    const TransitionTable<State, Event, To, kRows>& table, Names states,
    Names events, Names results) {
  std::vector<std::string> lines;
  for (const auto& row : table) {
    lines.push_back("| " + std::string(events[std::to_underlying(row.event)]) +
                    " | " + Print(row.from, states) + " | " +
                    results[std::to_underlying(row.to)] + " |");
  }
  return lines;
}

// The first three columns of the table of four columns that comes first after
// this heading and has a column "leads to".
inline std::vector<std::string> DocumentedTransitions(
    const std::string& heading) {
  std::ifstream file("docs/internals/store-protocol.md");
  std::vector<std::string> lines;
  std::string line;
  while (std::getline(file, line) && line != heading) {
  }
  while (std::getline(file, line) && line.find("| leads to |") > line.size()) {
  }
  std::getline(file, line);
  while (std::getline(file, line) && line.starts_with("|")) {
    std::size_t end = 0;
    for (int bar = 0; bar < 3; ++bar) end = line.find('|', end + 1);
    lines.push_back(line.substr(0, end + 1));
  }
  return lines;
}

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_PRINTED_TRANSITIONS_H_
