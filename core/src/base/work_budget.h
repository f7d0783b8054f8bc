// work_budget.h - how much a read may still do before others get a turn.
//
// The core reads no clock.  So it counts units of work: a unit is what takes
// about 100 ns in the WebAssembly module on the benchmark machine.
//
//   1        a row of memory or of a page examined on its own, a key decoded
//            or looked for, a value compared with a set of literals, or with a
//            literal where no SIMD can do it
//   1 / 8    a condition of a filter evaluated for one row, a property passed
//   1 / 64   a value of a packed column compared with a literal
//   1 / 16   a byte of an answer written
//   50       a page opened
//
// Parts of units are added up where they arise and rounded up.

#ifndef ENTITABLE_BASE_WORK_BUDGET_H_
#define ENTITABLE_BASE_WORK_BUDGET_H_

#include <cstdint>

namespace entitable {

inline constexpr std::uint64_t kUnitsPerPage = 50;
inline constexpr std::uint64_t kConditionsPerUnit = 8;
inline constexpr std::uint64_t kPackedValuesPerUnit = 64;
inline constexpr std::uint64_t kBytesPerUnit = 16;

// Work spends it step by step, and stops after the step that spends the rest.
// So each call makes progress, however little is left.
class WorkBudget {
 public:
  void Refill(std::uint64_t units) { left_ = static_cast<std::int64_t>(units); }

  void Spend(std::uint64_t units) {
    left_ -= static_cast<std::int64_t>(units);
    spent_ += units;
  }

  bool is_spent() const { return left_ <= 0; }

  // Since it was made.
  std::uint64_t spent() const { return spent_; }

 private:
  std::int64_t left_ = 0;
  std::uint64_t spent_ = 0;
};

}  // namespace entitable

#endif  // ENTITABLE_BASE_WORK_BUDGET_H_
