// A server with little memory under more than it can do: it refuses or lets wait, recovers, and
// loses nothing.

import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { newFolder, serve, type Server } from '../package/support/serve.js';
import { batch, entity, pipeline, request, type Reply } from './support/flood.js';

const MEMORY = 64 * 2 ** 20;
// How often everything comes; the long tests send all of it, several times.
const ROUNDS = Number(process.env['ENTITABLE_FLOOD_ROUNDS'] ?? '0');
const COUNTS =
  ROUNDS > 0
    ? { pipelined: 300, connections: 150, batches: 96, inserts: 200, filters: 40 }
    : { pipelined: 30, connections: 30, batches: 12, inserts: 24, filters: 2 };

const ACCOUNT = '/devstoreaccount1';
const TABLE = `${ACCOUNT}/Flood`;
const LIST = request('GET', `${TABLE}()`);

const rowOf = (key: string) =>
  request('GET', `${TABLE}(PartitionKey='p',RowKey='${key}')?$select=RowKey`);
const many = <T>(count: number, make: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));

// Sends each request on a connection of its own.
const atOnce = async (server: Server, requests: readonly Buffer[]): Promise<Reply[]> =>
  (await Promise.all(requests.map((one) => pipeline(server.url, [one])))).flat();

const statuses = (replies: readonly Reply[]) => [...new Set(replies.map(({ status }) => status))];

// The status of an insert, or of a batch of inserts.
function outcomeOf({ status, text }: Reply): number {
  const inner = [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, code]) => Number(code));
  return inner.find((code) => code >= 300) ?? (inner.length > 0 ? 201 : status);
}

async function isThere(server: Server, key: string): Promise<boolean> {
  const [reply] = await pipeline(server.url, [rowOf(key)]);
  expect([200, 404]).toContain(reply!.status);
  return reply!.status === 200;
}

describe.each([
  { place: 'memory', options: () => ['--in-memory'] },
  { place: 'a folder', options: () => ['--data', newFolder(), '--relaxed'] },
])('a flooded server with little memory, in $place', ({ options }) => {
  it(
    'refuses or lets wait, recovers, and loses nothing',
    async () => {
      const words = [...options(), '--loose', '--max-memory', `${MEMORY}`];
      let server = await serve(...words);
      await pipeline(server.url, [
        request('POST', `${ACCOUNT}/Tables`, JSON.stringify({ TableName: 'Flood' })),
      ]);
      // The keys of stored and of refused entities.
      const stored = new Set<string>();
      const refused = new Set<string>();
      const note = (reply: Reply, keys: readonly string[]) => {
        const outcome = outcomeOf(reply);
        expect([201, 204, 500, 503]).toContain(outcome);
        if (outcome === 500) return expect(reply.text).toContain('StorageOutcomeUnknown');
        for (const key of keys) (outcome === 503 ? refused : stored).add(key);
      };
      const inserts = (round: number, count: number) => many(count, (i) => `insert-${round}-${i}`);

      for (const key of many(24, (i) => `row-${i}`)) {
        const [reply] = await pipeline(server.url, [request('POST', TABLE, entity(key))]);
        expect(reply!.status).toBe(201);
        stored.add(key);
      }

      for (let round = 0; round < Math.max(ROUNDS, 1); round++) {
        const pipelined = await pipeline(
          server.url,
          many(COUNTS.pipelined, () => LIST),
        );
        expect(pipelined).toHaveLength(COUNTS.pipelined);
        expect([200, 503]).toEqual(expect.arrayContaining(statuses(pipelined)));
        expect(await isThere(server, 'row-0')).toBe(true);

        const lists = await atOnce(
          server,
          many(COUNTS.connections, () => LIST),
        );
        expect(lists).toHaveLength(COUNTS.connections);
        expect([200, 503]).toEqual(expect.arrayContaining(statuses(lists)));
        expect(await isThere(server, 'row-1')).toBe(true);

        const batches = many(COUNTS.batches, (i) => many(8, (j) => `batch-${round}-${i}-${j}`));
        const batched = await Promise.all(
          batches.map((keys) => {
            const entities = keys.map((key) => entity(key));
            return pipeline(server.url, [batch(ACCOUNT, 'Flood', entities)]);
          }),
        );
        for (const [i, keys] of batches.entries()) note(batched[i]![0]!, keys);
        expect(await isThere(server, 'row-2')).toBe(true);

        const keys = inserts(round, COUNTS.inserts);
        const inserted = await Promise.all(
          keys.map((key) => pipeline(server.url, [request('POST', TABLE, entity(key))])),
        );
        for (const [i, key] of keys.entries()) note(inserted[i]![0]!, [key]);
        expect(await isThere(server, 'row-3')).toBe(true);

        const filter = many(1600, (i) => `RowKey eq '${i}'`).join(' or ');
        const hostile = request('GET', `${TABLE}()?$filter=${encodeURIComponent(filter)}`);
        const filtered = await atOnce(
          server,
          many(COUNTS.filters, () => hostile),
        );
        expect([200, 503]).toEqual(expect.arrayContaining(statuses(filtered)));
        expect(await isThere(server, 'row-4')).toBe(true);
      }

      // No module was lost on the way.
      expect(server.lines.filter((line) => line.includes('opened again'))).toEqual([]);
      if (process.env['ENTITABLE_FLOOD_FIGURES']) {
        const status = readFileSync(`/proc/${server.pid}/status`, 'latin1');
        console.log(/^VmHWM:.*$/m.exec(status)?.[0], stored.size, refused.size);
      }
      if (words[0] === '--data') {
        expect(await server.stop()).toBe(0);
        server = await serve(...words);
      }
      for (const key of stored) expect(await isThere(server, key), key).toBe(true);
      for (const key of refused) expect(await isThere(server, key), key).toBe(false);
      expect(await server.stop()).toBe(0);
    },
    60_000 * Math.max(ROUNDS * 5, 1),
  );
});
