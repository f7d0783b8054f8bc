// types.test-d.ts - checked by the compiler alone: a Worker whose bindings have a type.

import { tableWorker, type ObjectNamespaceLike } from '../../../js/src/edge.js';

interface Env {
  readonly TABLES: ObjectNamespaceLike;
  readonly TOKEN: string;
}

declare const wasm: WebAssembly.Module;
declare const env: Env;
declare const request: Request;

const { worker } = tableWorker<Env>({
  wasm,
  authorize: (request, { account, env }) => request.headers.get('Token') === env.TOKEN + account,
});
void worker.fetch(request, env);
// @ts-expect-error: TOKEN is missing.
void worker.fetch(request, { TABLES: env.TABLES });

const plain = tableWorker({
  wasm,
  keys: (account, { KEY }) => (account === 'pets' ? [`${KEY}`] : []),
});
void plain.worker.fetch(request, { KEY: 'a' });
tableWorker({ wasm, shards: 4 });
// @ts-expect-error: shards is a number.
tableWorker({ wasm, shards: '4' });
// @ts-expect-error: keys are texts.
tableWorker({ wasm, keys: () => [1] });
