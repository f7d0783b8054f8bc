// prepack.mjs - `npm pack` and `npm publish` run it first. It refuses a dist/ that is not what the
// present sources make.

import { JS_STEP } from './build-js.mjs';
import { WASM_STEP } from './build-wasm.mjs';
import { isFresh } from './lib/fresh.mjs';
import { enterProject } from './lib/project.mjs';
import { Problem, main } from './lib/terminal.mjs';

enterProject();
await main(async () => {
  if (isFresh(WASM_STEP) && isFresh(JS_STEP)) return;
  throw new Problem('dist/ is not what the present sources make', 'run npm run build -- package');
});
