// poll.h - a value, the error that prevented it, or what it waits for.
//
// The core never waits.  A function that lacks pages, or that has used up its
// slice, returns what it waits for.  Its caller hands that up to the scheduler
// of reads or writes, and the whole call is repeated once the wait is over.  So
// nobody can use a value before it is there.  The name is that of futures: one
// polls them until they are ready.

#ifndef ENTITABLE_BASE_POLL_H_
#define ENTITABLE_BASE_POLL_H_

#include <cstdint>
#include <expected>
#include <optional>
#include <type_traits>
#include <utility>

#include "entitable/result.h"

namespace entitable {

enum class Pending : std::uint8_t {
  kPages,   // Pages are missing.  The window that looked for them knows which.
  kSlice,   // The work budget is spent, and there is more to do.
  kChange,  // A table must change first.
};

// Why there is no value.  The special members are defined in poll.cc, as those
// of Error are.
struct Stop {
  Stop(Pending reason);
  Stop(Error&& reason);
  Stop(Stop&& other) noexcept;
  Stop& operator=(Stop&& other) noexcept;
  ~Stop();

  std::optional<Error> error;  // Nothing: the value is pending.
  Pending pending = {};
};

// ENTITABLE_TRY hands up errors and waits alike.
template <typename T>
struct [[nodiscard]] Poll : std::expected<T, Stop> {
  using std::expected<T, Stop>::expected;
  Poll(Pending reason) : std::expected<T, Stop>(std::unexpect, reason) {}
  Poll(HandedUp<Stop> stop)
      : std::expected<T, Stop>(std::unexpect, std::move(stop.error)) {}
  Poll(HandedUp<Error> failure)
      : std::expected<T, Stop>(std::unexpect, std::move(failure.error)) {}
  Poll(Failure failure)
      : std::expected<T, Stop>(std::unexpect, Error(failure)) {}
  Poll(Error&& error)
      : std::expected<T, Stop>(std::unexpect, std::move(error)) {}
  Poll(const Error& error)
      : std::expected<T, Stop>(std::unexpect, Error(error)) {}
  Poll(Result<T>&& result)
      : std::expected<T, Stop>(
            std::move(static_cast<std::expected<T, Error>&>(result))) {}

  bool is_pending() const { return !*this && !this->error().error; }
  bool is_pending(Pending reason) const {
    return is_pending() && this->error().pending == reason;
  }
  bool has_failed() const { return !*this && this->error().error; }

  // What is not pending.
  Result<T> Take() && {
    if (!*this) return *std::move(this->error().error);
    if constexpr (std::is_void_v<T>) {
      return {};
    } else {
      return std::move(**this);
    }
  }
};

}  // namespace entitable

#endif  // ENTITABLE_BASE_POLL_H_
