// heap_meter.h - how many bytes the program has allocated.

#ifndef ENTITABLE_TESTS_SUPPORT_HEAP_METER_H_
#define ENTITABLE_TESTS_SUPPORT_HEAP_METER_H_

#include <cstddef>

namespace entitable {

// Measures from when it is made.  One at a time.
class HeapMeter {
 public:
  HeapMeter();

  // How many bytes more are allocated now than at the beginning, and how many
  // more were at the most.
  std::size_t bytes() const;
  std::size_t most_bytes() const;

 private:
  std::size_t begin_;
};

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_HEAP_METER_H_
