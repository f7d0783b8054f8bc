// heap_sort.h - sorts with little code.

#ifndef ENTITABLE_BASE_HEAP_SORT_H_
#define ENTITABLE_BASE_HEAP_SORT_H_

#include <algorithm>
#include <functional>

namespace entitable {

// Not stable.  std::sort would add 2 KB of wasm for each type of element.
template <typename Container, typename Less = std::less<>>
void HeapSort(Container& elements, Less is_less = {}) {
  std::make_heap(elements.begin(), elements.end(), is_less);
  std::sort_heap(elements.begin(), elements.end(), is_less);
}

}  // namespace entitable

#endif  // ENTITABLE_BASE_HEAP_SORT_H_
