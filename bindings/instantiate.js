// instantiate.js - lets js/src/core/load-module.ts make the instance, and makes the promise of a
// module reject if that fails.  Emscripten's small runtime calls nothing else of `WebAssembly`, and
// handles no rejection.

const WebAssembly = {
  instantiate: (instantiate, imports) => ({
    then: (use) => instantiate(imports).then(use).catch(readyPromiseReject),
  }),
};
