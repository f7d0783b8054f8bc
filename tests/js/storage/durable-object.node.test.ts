// Storages of Durable Objects in Cloudflare's runtime, with the limits of the platform.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { storageContract } from '../../../js/src/storage/contract.js';
import { durableObjectStorage } from '../../../js/src/storage/durable-object.js';
import { bundled, startWorker } from '../support/durable-object/workerd.js';
import { errorCode } from '../support/rejection.js';

const folder = mkdtempSync(join(tmpdir(), 'entitable-objects-'));
let script: string;
let worker: Miniflare;

const start = () =>
  startWorker(script, {
    durableObjectsPersist: folder,
    durableObjects: {
      SqlObject: { className: 'SqlObject', useSQLite: true },
      KeyValueObject: { className: 'KeyValueObject', useSQLite: false },
    },
  });

beforeAll(async () => {
  script = await bundled('tests/js/support/durable-object/worker.ts');
  worker = start();
  await worker.ready;
}, 60_000);

afterAll(async () => {
  await worker.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** What an object answers; `undefined`, if it died. */
async function ask(kind: string, name: string, work: string, number = 0): Promise<unknown> {
  const url = `http://localhost/${kind}/${name}/${work}?number=${number}`;
  const answer = await worker.dispatchFetch(url).catch(() => undefined);
  return answer?.ok ? answer.json() : undefined;
}

// How many calls write the values of the tests below.
const KINDS = [
  { kind: 'SqlObject', writes: 3 },
  { kind: 'KeyValueObject', writes: 2 },
];

describe.each(KINDS)('durableObjectStorage in $kind', ({ kind, writes }) => {
  it.each(storageContract.map(({ name }, number) => [name, number] as const))(
    '%s',
    { timeout: 60_000 },
    async (_name, number) => {
      expect(await ask(kind, `check-${number}`, 'check', number)).toBe('ok');
    },
  );

  it('keeps a batch whole or not at all if the object dies while it stores it', async () => {
    for (let number = 1; number <= writes; number++) {
      const name = `dies-${number}`;
      await ask(kind, name, 'put', 1);
      expect(await ask(kind, name, 'die', number)).toBeUndefined();

      expect(await ask(kind, name, 'read')).toEqual([1, 1, 3_000_000]);
    }
  });

  it('keeps nothing of a batch whose last write fails', async () => {
    await ask(kind, 'fails', 'put', 1);

    expect(await ask(kind, 'fails', 'fail', writes)).toEqual(['refused', 'Error: no']);
    expect(await ask(kind, 'fails', 'read')).toEqual([1, 1, 3_000_000]);
  });

  it('stores with strict durability', async () => {
    expect(await ask(kind, 'strict', 'strict')).toEqual({ outcome: 'ok' });
  });

  it('leaves other values of the object alone', async () => {
    expect(await ask(kind, 'others', 'others')).toEqual({ mine: 1 });
  });

  it('keeps an account that the object has lost from its memory', { timeout: 60_000 }, async () => {
    expect(await ask(kind, 'account', 'transaction')).toBe('ok');
    expect(await ask(kind, 'account', 'abort')).toBeUndefined();

    expect(await ask(kind, 'account', 'count')).toEqual([100, 12_500]);
  });

  it('keeps it over a restart of the platform', { timeout: 60_000 }, async () => {
    await ask(kind, 'restart', 'transaction');
    await worker.dispose();
    worker = start();

    expect(await ask(kind, 'restart', 'count')).toEqual([100, 12_500]);
  });
});

it('answers quota in a full database, and still takes deletions', async () => {
  expect(await ask('SqlObject', 'full', 'full')).toEqual(['quota', 10_000_000_000, 'ok', 'ok']);
});

it('creates its two tables once, and again if the app has dropped them', async () => {
  expect(await ask('SqlObject', 'tables', 'tables')).toEqual([2, 'ok', 1, 4]);
});

it('takes only the storage of a Durable Object', async () => {
  const call = Promise.resolve().then(() => durableObjectStorage({} as never));

  expect(await errorCode(call)).toBe('InvalidInput');
});

// The table of docs/guides/edge.md.
it('reads and writes as few rows, which are billed, as the guide says', async () => {
  const guide = readFileSync('docs/guides/edge.md', 'utf8');
  const [, table] = /\| operation \| rows read \| rows written \|\n.*\n([^]*?)\n\n/.exec(guide)!;
  const said = table!.split('\n').map((row) => row.split('|').slice(2, 4).map(Number));
  const { insert, batch, warm, open, inserts } = (await ask(
    'SqlObject',
    'billed',
    'billed',
  )) as Record<string, number[]>;

  expect(said).toEqual([insert, batch, warm, open]);
  // Of 3,000 inserts, with their flushes: about three and one for each, and more on a slow machine,
  // which rests between them and flushes in each rest.
  expect(inserts![0]).toBeLessThan(3000 * 5);
  expect(inserts![1]).toBeLessThan(3000 * 1.5);
}, 30_000);
