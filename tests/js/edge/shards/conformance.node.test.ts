// The cases of the service again, over an account that is spread over several.

import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { isWhole } from '../../../../scripts/test/tier.mjs';
import { runConformanceCase, TO_THE_CORE } from '../../support/conformance/case-run.js';
import { readConformanceCases, type ConformanceCase } from '../../support/conformance/files.js';
import { shardedTransport } from '../../support/conformance/sharded.js';
import { SIGNED, SIGNER } from '../../support/conformance/signer.js';
import { wasmBytes } from '../../support/wasm.js';

// `transaction` steps use no HTTP; `batches.json` has the same as multipart bodies. A `Request`
// takes its host from its address.
const isHttp = ({ steps }: ConformanceCase) =>
  steps.every(({ transaction, send }) => !transaction && !send?.headers?.['Host']);

// Cases with a thousand tables or entities, of which others have more to say: 41 of pages of
// tables, 421 and 433 of pages of entities. And random bodies and filters of one request, which
// accounts judge as they do without a router: 549 and 550 have what the router divides.
const LONG = new Set(isWhole() ? [] : [42, 420, 434, 547, 548]);

// The cases of values, names and single entities (7.2 to 7.6) go to one account, and end there as
// they do without a router. So `npm test` has each fourth of them.
const isOfOneAccount = (number: number) => number >= 44 && number <= 278;
const isChosen = ({ case: number }: ConformanceCase) =>
  isWhole() || !isOfOneAccount(number) || number % 4 === 0;

const cases = (await readConformanceCases()).filter(
  (one) => isHttp(one) && !LONG.has(one.case) && isChosen(one),
);
const signed = (await readConformanceCases(['signatures'])).filter(isHttp);

let wasm: WebAssembly.Module;
let now: number;

beforeAll(async () => {
  wasm = await WebAssembly.compile(await wasmBytes());
});

beforeEach(() => {
  now = Date.UTC(2024, 0, 2, 3, 4, 5, 678);
  vi.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe.each([
  { group: 'what the service does', cases, transport: () => shardedTransport(wasm, TO_THE_CORE) },
  {
    group: 'what signatures decide',
    cases: signed,
    transport: () => shardedTransport(wasm, SIGNED, SIGNER),
  },
])('over several accounts: $group', { timeout: 60_000 }, ({ cases, transport }) => {
  const named = cases.map((one) => [`${one.case}: ${one.title} → ${one.expected}`, one] as const);

  it.each(named)('%s', async (_, one) => {
    const { failures } = await runConformanceCase(one, (by) => (now += by), transport());

    expect(failures).toEqual([]);
  });
});
