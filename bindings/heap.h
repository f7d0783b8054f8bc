// heap.h - the memory limit of the module, and whether memory is available.

#ifndef ENTITABLE_BINDINGS_HEAP_H_
#define ENTITABLE_BINDINGS_HEAP_H_

#include <cstddef>

namespace entitable {

// From now on, the memory of this instance does not grow beyond this size, nor
// beyond the size that the module was linked for.  Returns the lower of both.
std::size_t LimitHeap(double bytes);

// Whether this many bytes can be allocated: kStepBytes in blocks of 8 MiB, or
// of a quarter if that is more, and the others in blocks of at least 512 KiB.
// For the last kStepBytes of them, only whether it is likely.  Exceptions are
// disabled, so a failed allocation ends the module; therefore the engine asks
// first.
bool HasRoom(std::size_t bytes);

}  // namespace entitable

#endif  // ENTITABLE_BINDINGS_HEAP_H_
