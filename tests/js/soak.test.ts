// Everything at once, again and again: what is held must not grow.  Three seconds in `npm test`,
// ten in `npm run test:all`, and an hour in `npm run test:long`.
//
// isolated: what other files hold would count, too.

import { describe, expect, inject, it, onTestFinished } from 'vitest';

import { Gauges, watchTurns, type Gauge } from './support/soak/gauges.js';
import { doRound, openAt, type Place } from './support/soak/work.js';
import { STORAGES } from './support/storages.js';
import { wasmBytes } from './support/wasm.js';

// The first rounds compile, load scripts and fill caches.
const WARM_UP_ROUNDS = 3;

// An account that was closed may be collected later than we measure.
const WASM_SLACK = 16 * 2 ** 20;
// A store listens to four events of its page while it is open; one may be open at either moment.
const LISTENER_SLACK = 4;

// A timer of the account may or may not wait at that moment.
const HANDLE_SLACK = 8;
const HEAP_SLACK = 16 * 2 ** 20;

const MS = inject('soakSeconds') * 1000;

const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

function expectNoMore(now: Gauge, first: Gauge): void {
  expect(now.listeners, 'listeners').toBeLessThanOrEqual(first.listeners + LISTENER_SLACK);
  expect(now.channels, 'channels').toBeLessThanOrEqual(first.channels);
  expect(now.handles, 'handles').toBeLessThanOrEqual(first.handles + HANDLE_SLACK);
  expect(now.wasmBytes, 'wasm memory').toBeLessThanOrEqual(first.wasmBytes + WASM_SLACK);
  expect(now.heapBytes, 'JavaScript heap').toBeLessThanOrEqual(first.heapBytes + HEAP_SLACK);
}

describe.each(STORAGES)('mixed work on the $adapter storage', ({ adapter, open }) => {
  it(
    'holds no more after many rounds than after the first ones',
    async () => {
      const gauges = new Gauges();
      onTestFinished(() => gauges.stop());
      const wasm = await WebAssembly.compile(await wasmBytes());
      const place: Place = { storage: open(), wasm, signal: gauges.signal };
      const account = await openAt(place);
      onTestFinished(async () => {
        await account.close();
        await place.storage.destroy();
      });

      let round = 0;
      while (round < WARM_UP_ROUNDS) await doRound(account, place, round++);
      const first = await gauges.read();
      let now = first;
      let longestMs = 0;
      for (const end = performance.now() + MS / STORAGES.length; performance.now() < end;) {
        const turns = watchTurns();
        await doRound(account, place, round++);
        longestMs = Math.max(longestMs, turns.longestMs());
        turns.stop();
        now = await gauges.read();
        expectNoMore(now, first);
      }
      console.log(
        `${adapter}: ${round} rounds, longest slice ${longestMs.toFixed(0)} ms, ` +
          `wasm ${megabytes(now.wasmBytes)} (${megabytes(first.wasmBytes)} at first), ` +
          `heap ${megabytes(now.heapBytes)} (${megabytes(first.heapBytes)}), ` +
          `${now.handles} handles, ${now.listeners} listeners, ${now.channels} channels`,
      );
    },
    MS + 60_000,
  );
});
