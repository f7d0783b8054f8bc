// A server with the least memory that it may have takes large batches one after another. And how a
// server ends if its module aborts again and again.

import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { isWhole, roundsOf } from '../../scripts/test/tier.mjs';
import { newFolder, serve, serveBehind, type Server } from '../package/support/serve.js';
import { batch, pipeline, request, type Reply } from './support/flood.js';

const MEMORY = 64 * 2 ** 20;
// Together more than the memory.
const BATCHES = roundsOf('ENTITABLE_MEMORY_BATCHES', { usual: 16, whole: 30 });
const BATCH_BYTES = 3_900_000;
// Together more than it, too, even without what the module adds to each.
const LONG_ENTITIES = isWhole() ? 160 : 130;
// How often each of eight clients lists.
const LISTS = isWhole() ? 5 : 2;
// As often as the official clients do.
const ATTEMPTS = 20;

const ACCOUNT = '/devstoreaccount1';

const ask = async (server: Server, one: Buffer): Promise<Reply> => {
  const [reply] = await pipeline(server.url, [one]);
  return reply ?? { status: 0, text: 'the server has ended the connection' };
};

function entity(rowKey: string, bytes: number): string {
  const text = () => randomBytes(15_000).toString('hex');
  const count = Math.ceil(bytes / 30_000);
  const texts = Array.from({ length: count }, (_, i) => [
    `Text${i}`,
    text().slice(0, Math.min(30_000, bytes - 30_000 * i)),
  ]);
  return JSON.stringify({ PartitionKey: 'p', RowKey: rowKey, ...Object.fromEntries(texts) });
}

const rowKey = (number: number, i: number) => `${number}-${String(i).padStart(3, '0')}`;

// Does the work with the numbers below `count`, so many at a time.
async function inParallel(workers: number, count: number, work: (i: number) => Promise<void>) {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

function batchOf(number: number, entities: number): Buffer {
  const bytes = Math.floor(BATCH_BYTES / entities);
  const all = Array.from({ length: entities }, (_, i) => entity(rowKey(number, i), bytes));
  return batch(ACCOUNT, 'Large', all);
}

// The keys of all entities, which are read with all properties. A request is repeated if the server
// is busy.
async function rowKeys(server: Server): Promise<string[]> {
  const keys: string[] = [];
  for (let next = ''; ;) {
    const { status, headers, text } = await page(server, next);
    expect(status).toBe(200);
    keys.push(...[...text.matchAll(/"RowKey":"([^"]+)"/g)].map(([, key]) => key!));
    const partition = headers.get('x-ms-continuation-NextPartitionKey');
    const row = headers.get('x-ms-continuation-NextRowKey');
    if (partition === null) return keys.sort();
    next = `?NextPartitionKey=${partition}&NextRowKey=${row}`;
  }
}

async function page(server: Server, next: string) {
  for (let attempt = 0; ; attempt++) {
    const response = await fetch(`${server.url.href}/Large()${next}`, {
      headers: { Accept: 'application/json;odata=nometadata' },
    });
    const { status, headers } = response;
    const text = await response.text();
    if (status !== 503 || attempt === ATTEMPTS) return { status, headers, text };
    await delay(50);
  }
}

const PLACES = {
  memory: () => ['--in-memory'],
  'a folder': () => ['--data', newFolder(), '--relaxed'],
};

describe('large batches one after another', () => {
  it.each([
    ['a folder', 100] as const,
    ...(isWhole()
      ? ([
          ['memory', 8],
          ['memory', 100],
          ['a folder', 8],
        ] as const)
      : []),
  ])(
    'in %s of %i entities are stored, or refused with ServerBusy, and can be read',
    async (place, entities) => {
      const words = [...PLACES[place](), '--loose', '--quiet', '--max-memory', `${MEMORY}`];
      let server = await serve(...words);
      await ask(
        server,
        request('POST', `${ACCOUNT}/Tables`, JSON.stringify({ TableName: 'Large' })),
      );

      const stored: number[] = [];
      for (let number = 0; number < BATCHES; number++) {
        const { status, text } = await ask(server, batchOf(number, entities));
        const isStored = status === 202 && !/^HTTP\/1\.1 [345]/m.test(text);
        if (isStored) stored.push(number);
        else expect(text).toContain('ServerBusy');
      }

      expect(stored.length).toBeGreaterThan(BATCHES / 2);
      const expected = stored.flatMap((number) =>
        Array.from({ length: entities }, (_, i) => rowKey(number, i)),
      );
      expect(await rowKeys(server)).toEqual(expected.sort());
      // The module has not aborted.
      expect(server.lines).toEqual([]);
      if (words[0] === '--data') {
        expect(await server.stop()).toBe(0);
        server = await serve(...words);
        expect(await rowKeys(server)).toEqual(expected);
        expect((await ask(server, batchOf(BATCHES, entities))).text).toContain('204 No Content');
      }
      expect(await server.stop()).toBe(0);
    },
    120_000,
  );
});

// The module needs several times the memory of a list to make it.
it('lists for many clients at once take turns', async () => {
  const server = await serve('--in-memory', '--loose', '--quiet', '--max-memory', `${MEMORY}`);
  const table = JSON.stringify({ TableName: 'Large' });
  await ask(server, request('POST', `${ACCOUNT}/Tables`, table));
  await inParallel(8, 300, async (i) => {
    const insert = request('POST', `${ACCOUNT}/Large`, entity(rowKey(0, i), 60_000));
    expect((await ask(server, insert)).status).toBe(201);
  });

  await inParallel(8, 8 * LISTS, async () => {
    const { status } = await page(server, '');
    expect(status).toBe(200);
  });

  // The module has not aborted.
  expect(server.lines).toEqual([]);
  expect(await server.stop()).toBe(0);
}, 120_000);

// Without compactions, each of these entities is a sorted run of its own.
it('a folder of long entities can be read by a module with little memory', async () => {
  const words = ['--data', newFolder(), '--relaxed', '--loose', '--quiet', '--max-memory'];
  let server = await serve(...words, `${4 * MEMORY}`);
  const table = JSON.stringify({ TableName: 'Large' });
  await ask(server, request('POST', `${ACCOUNT}/Tables`, table));
  await inParallel(4, LONG_ENTITIES, async (i) => {
    const insert = request('POST', `${ACCOUNT}/Large`, entity(rowKey(i % 8, i), 500_000));
    expect((await ask(server, insert)).status).toBe(201);
  });
  expect(await server.stop()).toBe(0);

  server = await serve(...words, `${MEMORY}`);
  expect(await rowKeys(server)).toHaveLength(LONG_ENTITIES);

  expect(server.lines).toEqual([]);
  expect(await server.stop()).toBe(0);
}, 120_000);

describe('a server whose module aborts', () => {
  const preload = 'tests/server/support/aborting-module.mjs';

  it('ends with a message if the next module aborts, too', async () => {
    const server = await serveBehind([preload], '--in-memory', '--loose');
    expect((await ask(server, request('GET', `${ACCOUNT}/Tables`))).status).toBe(200);

    process.kill(server.pid, 'SIGUSR2');
    await ask(server, request('GET', `${ACCOUNT}/Tables`));

    expect(await server.exitCode).toBe(1);
    expect(server.said()).toMatch(/^error: The account cannot be opened again .*--max-memory/m);
  });
});
