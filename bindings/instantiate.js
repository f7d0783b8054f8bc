// instantiate.js - makes the promise of a module reject if the instance cannot be made.
// Emscripten's small runtime calls nothing else of `WebAssembly`, and handles no rejection.

const WebAssembly = {
  instantiate: (module, imports) => ({
    then: (use) =>
      globalThis.WebAssembly.instantiate(module, imports).then(use).catch(readyPromiseReject),
  }),
};
