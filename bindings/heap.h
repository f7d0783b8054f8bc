// heap.h - how much memory the module may have, and whether there is any left.

#ifndef ENTITABLE_BINDINGS_HEAP_H_
#define ENTITABLE_BINDINGS_HEAP_H_

#include <cstddef>

namespace entitable {

// From now on the memory of this instance does not grow beyond so many bytes,
// or beyond what the module was linked for.
void LimitHeap(double bytes);

// Whether so many bytes can be allocated, in blocks of up to 8 MiB; of the last
// kStepBytes of them, whether that is likely.  Without exceptions an allocation
// that fails ends the module, so this is asked before.
bool HasRoom(std::size_t bytes);

}  // namespace entitable

#endif  // ENTITABLE_BINDINGS_HEAP_H_
