// shards.ts - accounts that are spread over several, in one process, with faults between them.

import { createTableHandler, type TableHandler } from '../../../js/src/http.js';
import { ShardCatalogue } from '../../../js/src/edge/shards/catalogue.js';
import { ShardGate } from '../../../js/src/edge/shards/gate.js';
import { openShards } from '../../../js/src/edge/shards/open.js';
import { CATALOGUE_HEADER, headerOf } from '../../../js/src/edge/shards/protocol.js';
import type { RecordStore } from '../../../js/src/edge/shards/records.js';
import { loadRouteReader } from '../../../js/src/edge/shards/route.js';
import { routed } from '../../../js/src/edge/shards/router.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from './accounts.js';
import { wasmBytes } from './wasm.js';

export const ACCOUNT = 'devstoreaccount1';
export const BASE_URL = `http://127.0.0.1:10002/${ACCOUNT}`;

/** Records that outlive a catalogue. */
export function textRecords(): RecordStore {
  let stored: string | undefined;
  return {
    read: () => Promise.resolve(stored),
    write: (text) => {
      stored = text;
      return Promise.resolve();
    },
  };
}

/**
 * What happens to a step: nothing special; it is not done, and its caller gets an error; it is
 * done, and its caller gets an error all the same, or an answer whose body breaks off; or the
 * catalogue ends, before or after the step.
 */
export type Fate = 'fine' | 'lost' | 'unanswered' | 'cut' | 'killed before' | 'killed after';

/**
 * A step, for its fate: `router → shard 2: POST /Pets`, say. The catalogue's steps are those in
 * which a state changes or another account is asked.
 */
export type FateOf = (step: string) => Fate;

/** An account over several. */
export interface Sharded {
  /** Takes requests below the address of the account. */
  readonly send: (method: string, path: string, init?: RequestInit) => Promise<Response>;
  readonly router: TableHandler;
  /** The first set, without faults and gates. */
  readonly shards: readonly TableHandler[];
  /** A set of so many shards, without faults and gates. */
  readonly shardsOf: (count: number) => readonly TableHandler[];
  /** Asks the catalogue, with faults, for the number of shards or for a change of it. */
  readonly reshard: (method: string, to?: number) => Promise<Response>;
  /** The catalogue's own account, without faults. */
  readonly tables: TableHandler;
  /** The steps so far. */
  readonly steps: string[];
  /** A catalogue that has ended begins anew with its next request. */
  readonly starts: () => number;
}

/**
 * Opens an account over so many, for the length of the test. Requests need no signature. A router
 * has begun before the first fault.
 */
export async function openSharded(count: number, fateOf: FateOf = () => 'fine'): Promise<Sharded> {
  const open = async () => {
    const storage = memoryStorage();
    const account = await openForTest({ storage, name: ACCOUNT, baseUrl: BASE_URL });
    return createTableHandler(account, { authentication: 'anonymous' });
  };
  const tables = await open();
  const steps: string[] = [];
  const stored = textRecords();
  let starts = 0;
  let isOpen = false;
  let current: { catalogue: ShardCatalogue; end: () => void } | undefined;

  async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
    steps.push(name);
    const fate = isOpen ? fateOf(name) : 'fine';
    if (fate === 'lost') throw new Error(`lost: ${name}`);
    if (fate === 'killed before') kill(name);
    const result = await work();
    if (fate === 'unanswered') throw new Error(`unanswered: ${name}`);
    if (fate === 'cut' && result instanceof Response && result.body) return cut(result) as T;
    if (fate === 'killed after') kill(name);
    return result;
  }

  function kill(name: string): never {
    current?.end();
    current = undefined;
    throw new Error(`the catalogue has ended: ${name}`);
  }

  // Shards are opened when they are needed.
  const sets = new Map<number, Shard[]>();
  const setOf = (size: number): Shard[] => {
    const set = sets.get(size) ?? Array.from({ length: size }, () => newShard(open));
    sets.set(size, set);
    return set;
  };

  const nameOf = ({ method, url }: Request) => `${method} ${url.slice(BASE_URL.length)}`;

  // What a dead catalogue still wants does not happen.
  function startCatalogue(): typeof current {
    starts++;
    let isDead = false;
    const alive =
      <A extends unknown[], R>(work: (...given: A) => Promise<R>) =>
      async (...given: A): Promise<R> => {
        if (isDead) throw new Error('dead');
        const result = await work(...given);
        if (isDead) throw new Error('dead');
        return result;
      };
    const catalogue = new ShardCatalogue({
      clients: alive((request) => step(`catalogue: ${nameOf(request)}`, () => tables(request))),
      own: alive(tables),
      shardsOf: (size) =>
        setOf(size).map(({ gated }, at) =>
          alive((request: Request) =>
            step(`catalogue → shard ${at} of ${size}: ${nameOf(request)}`, () => gated(request)),
          ),
        ),
      canReshard: true,
      records: {
        read: alive(() => stored.read()),
        write: alive((text: string) => step(`record ${text}`, () => stored.write(text))),
      },
      baseUrl: BASE_URL,
    });
    return { catalogue, end: () => (isDead = true) };
  }

  const toCatalogue = (request: Request) =>
    step(`router → catalogue: ${nameOf(request)}`, () =>
      (current ??= startCatalogue())!.catalogue.answer(request),
    );

  const readRoute = await loadRouteReader(await wasmBytes());
  let known: number | undefined;
  const find = async (isAgain: boolean) => {
    if (isAgain) known = undefined;
    const size = (known ??= await openShards(toCatalogue, BASE_URL, count));
    const shard = (at: number) => (request: Request) =>
      step(`router → shard ${at}: ${nameOf(request)}`, () => setOf(size)[at]!.gated(request));
    return { catalogue: toCatalogue, shards: size, shard };
  };
  await find(false);
  isOpen = true;
  steps.length = 0;
  const router = (request: Request) => routed(request, find, readRoute, `/${ACCOUNT}`);
  const send = (method: string, path: string, init: RequestInit = {}) =>
    router(new Request(BASE_URL + path, { method, ...init }));
  const shardsOf = (size: number) => setOf(size).map(({ plain }) => plain);
  const reshard = (method: string, to?: number) => {
    const address = `${BASE_URL}/?comp=shards${to === undefined ? '' : `&to=${to}`}`;
    const headers = { [CATALOGUE_HEADER]: headerOf({ kind: 'reshard' }) };
    return toCatalogue(new Request(address, { method, headers }));
  };
  return {
    ...{ send, router, shards: shardsOf(count), shardsOf, reshard, tables, steps },
    starts: () => starts,
  };
}

// The first byte, and then an error.
function cut({ status, headers }: Response): Response {
  let isBegun = false;
  const body = new ReadableStream({
    pull(controller) {
      if (isBegun) return controller.error(new Error('the body breaks off'));
      isBegun = true;
      controller.enqueue(new Uint8Array(1));
    },
  });
  return new Response(body, { status, headers });
}

interface Shard {
  readonly plain: TableHandler;
  readonly gated: TableHandler;
}

function newShard(open: () => Promise<TableHandler>): Shard {
  let opened: Promise<TableHandler> | undefined;
  const plain = async (request: Request) => (await (opened ??= open()))(request);
  const gate = new ShardGate(textRecords(), () => {
    opened = undefined;
    return Promise.resolve();
  });
  return { plain, gated: (request) => gate.answer(request, plain) };
}

export const JSON_HEADERS = {
  Accept: 'application/json;odata=nometadata',
  'Content-Type': 'application/json',
};

/** The names of the tables of an account, in order. */
export async function tablesOf(handler: TableHandler): Promise<string[]> {
  const request = new Request(`${BASE_URL}/Tables`, { headers: JSON_HEADERS });
  const { value } = (await (await handler(request)).json()) as { value: { TableName: string }[] };
  return value.map(({ TableName }) => TableName);
}
