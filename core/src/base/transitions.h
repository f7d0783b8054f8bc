// transitions.h - a state machine as the table of its transitions.
//
// A row says: this event, in any of these states, leads there.  A pair of state
// and event that no row has cannot happen; Next() ends the program then, since
// the caller would have to invent what follows.  Each table is checked when it
// is compiled (IsComplete()), and a page of the documentation has the same rows
// with their reasons.

#ifndef ENTITABLE_BASE_TRANSITIONS_H_
#define ENTITABLE_BASE_TRANSITIONS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <utility>

namespace entitable {

template <typename State>
class StateSet {
 public:
  // Not explicit: a row of a table lists its states.
  constexpr StateSet(std::initializer_list<State> states) {
    for (const State state : states) bits_ |= BitOf(state);
  }

  constexpr bool Has(State state) const { return (bits_ & BitOf(state)) != 0; }

  constexpr StateSet operator~() const {
    StateSet others{};
    others.bits_ = ~bits_;
    return others;
  }

 private:
  static constexpr std::uint32_t BitOf(State state) {
    return std::uint32_t{1} << std::to_underlying(state);
  }

  std::uint32_t bits_ = 0;
};

template <typename State>
constexpr StateSet<State> AllBut(std::initializer_list<State> states) {
  return ~StateSet<State>(states);
}

// In each of these states, the event leads to the same state, or to the same
// decision.
template <typename State, typename Event, typename To = State>
struct Transition {
  Event event;
  StateSet<State> from;
  To to;
};

template <typename State, typename Event, typename To, std::size_t kRows>
using TransitionTable = std::array<Transition<State, Event, To>, kRows>;

// Returns nothing if the event cannot happen in this state.
template <typename State, typename Event, typename To, std::size_t kRows>
constexpr std::optional<To> Find(
    const TransitionTable<State, Event, To, kRows>& table, State state,
    Event event) {
  for (const auto& row : table) {
    if (row.event == event && row.from.Has(state)) return row.to;
  }
  return std::nullopt;
}

// For an event that happens.  Anything else is a fault of the engine, which
// must not go on in a state that nobody has thought of.
template <typename State, typename Event, typename To, std::size_t kRows>
To Next(const TransitionTable<State, Event, To, kRows>& table, State state,
        Event event) {
  const auto next = Find(table, state, event);
  if (!next) std::abort();
  return *next;
}

// For a static_assert beside each table.  Every event can happen, and leads to
// one result at a time; something can happen in every state; and every result
// is reached.
template <typename State, typename Event, typename To, std::size_t kRows>
constexpr bool IsComplete(const TransitionTable<State, Event, To, kRows>& table,
                          State last_state, Event last_event, To last_to) {
  std::uint32_t happened = 0;
  std::uint32_t left = 0;
  std::uint32_t reached = 0;
  for (int s = 0; s <= std::to_underlying(last_state); ++s) {
    for (int e = 0; e <= std::to_underlying(last_event); ++e) {
      int rows = 0;
      for (const auto& row : table) {
        const bool has_state = row.from.Has(static_cast<State>(s));
        if (row.event != static_cast<Event>(e) || !has_state) continue;
        ++rows;
        happened |= std::uint32_t{1} << e;
        left |= std::uint32_t{1} << s;
        reached |= std::uint32_t{1} << std::to_underlying(row.to);
      }
      if (rows > 1) return false;
    }
  }
  const auto all = [](auto last) {
    return (std::uint32_t{2} << std::to_underlying(last)) - 1;
  };
  return happened == all(last_event) && left == all(last_state) &&
         reached == all(last_to);
}

}  // namespace entitable

#endif  // ENTITABLE_BASE_TRANSITIONS_H_
