// heap_meter.h - how many bytes the program has allocated, and how often.

#ifndef ENTITABLE_TESTS_SUPPORT_HEAP_METER_H_
#define ENTITABLE_TESTS_SUPPORT_HEAP_METER_H_

#include <cstddef>

namespace entitable {

// Measures from when it is made, or from the last Restart().  One at a time.
class HeapMeter {
 public:
  HeapMeter() { Restart(); }

  void Restart();

  // How many bytes more are allocated now than at the beginning, or less; and
  // how many more were at the most.
  std::ptrdiff_t bytes() const;
  std::ptrdiff_t most_bytes() const;

  // How many blocks were allocated since the beginning, freed or not.
  std::size_t calls() const;

 private:
  std::ptrdiff_t begin_ = 0;
  std::size_t first_call_ = 0;
};

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_HEAP_METER_H_
