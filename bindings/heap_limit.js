// heap_limit.js - the most memory that one instance may have. The module is linked for the most
// that any may; memory beyond the limit of the instance is not there, as if the system had none.

addToLibrary({
  $heapLimit: '{{{ Math.min(MAXIMUM_MEMORY, FOUR_GB - WASM_PAGE_SIZE) }}}',
  $getHeapMax__deps: ['$heapLimit'],
  $getHeapMax: () => heapLimit,

  // Returns the limit that counts from now on.
  entitable_limit_heap__sig: 'dd',
  entitable_limit_heap__deps: ['$heapLimit'],
  entitable_limit_heap: (bytes) => (heapLimit = Math.min(bytes, heapLimit)),
});
