// work_budget.h - how much work a read or an import may do before others get a
// turn.
//
// The core reads no clock, so it counts units of work.  One unit takes about
// 100 ns in the WebAssembly module on the benchmark machine.
//
//   1        a row of memory or of a page examined on its own; a key decoded; a
//            condition evaluated over the columns of a page, beside its values
//   1 / 8    a condition evaluated for one row; a property passed; two keys
//            compared
//   1 / 4    a value compared with a literal without SIMD
//   1 / 64   a value of a packed column compared with a literal
//   2        a value or key looked up in a set of literals
//   8        a key looked up in a page
//   1 / 64   a byte of a text compared or searched
//   1 / 16   a byte of an answer written, or of a text put into another case
//   1 / 8    a byte of a text split into words
//   1 / 4    a byte of a letter beyond ASCII that is put into another case
//   1 / 2    a byte of a letter beyond ASCII that is split into words
//   50       a page opened
//
// Fractions of units are added up, and rounded up when they are reported.

#ifndef ENTITABLE_BASE_WORK_BUDGET_H_
#define ENTITABLE_BASE_WORK_BUDGET_H_

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace entitable {

inline constexpr std::uint64_t kUnitsPerPage = 50;
inline constexpr std::uint64_t kBytesPerUnit = 16;

// The smallest fraction of a unit that is counted is 1/64.
inline constexpr std::uint64_t kPartsPerUnit = 64;
inline constexpr std::uint64_t kPartsPerCondition = 8;
inline constexpr std::uint64_t kPartsPerProperty = 8;
inline constexpr std::uint64_t kPartsPerColumnCondition = 64;
inline constexpr std::uint64_t kPartsPerPackedValue = 1;
inline constexpr std::uint64_t kPartsPerTextByte = 1;
inline constexpr std::uint64_t kPartsPerByteMade =
    kPartsPerUnit / kBytesPerUnit;
inline constexpr std::uint64_t kPartsPerByteSplit = 8;
// Letters beyond ASCII are looked up one by one, so each of their bytes costs
// this many times as much.
inline constexpr std::uint64_t kTimesBeyondAscii = 4;
inline constexpr std::uint64_t kPartsPerValue = 16;
inline constexpr std::uint64_t kPartsPerKey = 64;
inline constexpr std::uint64_t kPartsPerKeyOrder = 8;
inline constexpr std::uint64_t kPartsPerSetSearch = 128;
inline constexpr std::uint64_t kUnitsPerKeySearch = 8;

// Work is spent step by step.  A read stops after the step that spends the
// rest, so each call makes progress, however little is left.
class WorkBudget {
 public:
  void Refill(std::uint64_t units) {
    left_ = static_cast<std::int64_t>(units * kPartsPerUnit);
  }

  void Spend(std::uint64_t units) { SpendParts(units * kPartsPerUnit); }

  void SpendParts(std::uint64_t parts) {
    left_ -= static_cast<std::int64_t>(parts);
    spent_ += parts;
  }

  // The letters of a text are changed or tested.
  void SpendOnLetters(std::string_view text, std::uint64_t parts_per_byte) {
    const auto others = static_cast<std::uint64_t>(std::ranges::count_if(
        text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }));
    SpendParts((text.size() + others * (kTimesBeyondAscii - 1)) *
               parts_per_byte);
  }

  // Ends the slice.  The rest does not count as spent.
  void EndSlice() { left_ = 0; }

  bool is_spent() const { return left_ <= 0; }

  // In units, since the budget was made.
  std::uint64_t spent() const {
    return (spent_ + kPartsPerUnit - 1) / kPartsPerUnit;
  }

 private:
  std::int64_t left_ = 0;  // In fractions of units.
  std::uint64_t spent_ = 0;
};

}  // namespace entitable

#endif  // ENTITABLE_BASE_WORK_BUDGET_H_
