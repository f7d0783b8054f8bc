// double.ts - a Deno KV in memory, with the limits of the real one, and with faults. Source of the
// limits: "Key-Value Database, limits" of the documentation of Deno Deploy.

import type {
  DenoKvAtomic,
  DenoKvEntry,
  DenoKvKey,
  DenoKvLike,
} from '../../../../js/src/storage/deno-kv.js';

const MOST_VALUE_BYTES = 65_536;
const MOST_ATOMIC_BYTES = 819_200;
const MOST_ATOMIC_KEY_BYTES = 81_920;
const MOST_KEY_BYTES = 2048;
const MOST_CHECKS = 100;
const MOST_MUTATIONS = 1000;
const MOST_KEYS = 10;
const LONGEST_LIST = 500;

interface Check {
  readonly key: DenoKvKey;
  readonly versionstamp: string | null;
}

interface Mutation {
  readonly key: DenoKvKey;
  /** Undefined: it deletes. */
  readonly value?: unknown;
  readonly expireIn?: number | undefined;
}

export type KvCommitResult = Awaited<ReturnType<DenoKvAtomic['commit']>>;

/** One commit, as a test sees it. */
export interface AtomicCall {
  readonly checks: readonly Check[];
  readonly mutations: readonly Mutation[];
  /** Does it, or nothing if a check fails. */
  apply(): KvCommitResult;
}

/** Whether it stores the first number of a writer, which has no batch yet. */
export const isFirstNumber = ({ mutations }: AtomicCall): boolean =>
  mutations.length === 1 && mutations[0]!.value === 0;

type Stored = { key: DenoKvKey; value: unknown; versionstamp: string; expires: number };

export class KvDouble implements DenoKvLike {
  /** Called in place of each commit. */
  onCommit: ((call: AtomicCall) => KvCommitResult | Promise<KvCommitResult>) | undefined;
  /** Called before each call reads or writes, and after it. */
  pause: () => Promise<void> = async () => {};
  calls = { getMany: 0, list: 0, commit: 0 };
  now = Date.now();

  readonly #entries = new Map<string, Stored>();
  // In the order of the keys; missing after a commit.
  #sorted: Stored[] | undefined;
  #version = 0;

  get keys(): DenoKvKey[] {
    return this.#live().map(({ key }) => key);
  }

  async getMany(keys: readonly DenoKvKey[]): Promise<DenoKvEntry[]> {
    this.calls.getMany++;
    if (keys.length > MOST_KEYS) throw new TypeError(`Too many ranges (max ${MOST_KEYS})`);
    for (const key of keys) checkKey(key);
    await this.pause();
    const found = keys.map((key) => this.#get(key) ?? { key, value: null, versionstamp: null });
    await this.pause();
    return found.map(copyOf);
  }

  async *list(
    { start, end }: { start: DenoKvKey; end: DenoKvKey },
    { limit = Infinity, reverse = false } = {},
  ): AsyncIterable<DenoKvEntry> {
    if (order(start, end) > 0) throw new TypeError('Start key is greater than end key');
    const batchSize = limit === Infinity ? 100 : Math.min(limit, LONGEST_LIST);
    let [from, to, left] = [start, end, limit];
    for (;;) {
      this.calls.list++;
      await this.pause();
      const range = this.#live().filter(({ key }) => order(key, from) >= 0 && order(key, to) < 0);
      const batch = (reverse ? range.reverse() : range).slice(0, Math.min(batchSize, left));
      await this.pause();
      yield* batch.map(copyOf);
      left -= batch.length;
      if (batch.length < batchSize || left <= 0) return;
      const { key } = batch.at(-1)!;
      if (reverse) to = key;
      else from = [...key, ''];
    }
  }

  atomic(): DenoKvAtomic {
    const checks: Check[] = [];
    const mutations: Mutation[] = [];
    const made: DenoKvAtomic = {
      check: (...more) => (more.forEach(({ key }) => checkKey(key)), checks.push(...more), made),
      set: (key, value, { expireIn } = {}) => {
        checkKey(key);
        if (bytesOf(value) > MOST_VALUE_BYTES) {
          throw new TypeError(`Value too large (max ${MOST_VALUE_BYTES} bytes)`);
        }
        mutations.push({ key, value: structuredClone(value), expireIn });
        return made;
      },
      delete: (key) => (checkKey(key), mutations.push({ key }), made),
      commit: async () => {
        this.calls.commit++;
        checkSizes(checks, mutations);
        await this.pause();
        const call = { checks, mutations, apply: () => this.#apply(checks, mutations) };
        const result = await (this.onCommit ?? (({ apply }: AtomicCall) => apply()))(call);
        await this.pause();
        return result;
      },
    };
    return made;
  }

  #apply(checks: readonly Check[], mutations: readonly Mutation[]): KvCommitResult {
    const holds = checks.every(
      ({ key, versionstamp }) => (this.#get(key)?.versionstamp ?? null) === versionstamp,
    );
    if (!holds) return { ok: false };
    this.#version += 1 + (this.#version % 3);
    const versionstamp = `${this.#version.toString(16).padStart(16, '0')}0000`;
    for (const { key, value, expireIn = Infinity } of mutations) {
      const name = JSON.stringify(key);
      if (value === undefined) this.#entries.delete(name);
      else this.#entries.set(name, { key, value, versionstamp, expires: this.now + expireIn });
    }
    this.#sorted = undefined;
    return { ok: true, versionstamp };
  }

  #get(key: DenoKvKey): Stored | undefined {
    const entry = this.#entries.get(JSON.stringify(key));
    return entry && entry.expires > this.now ? entry : undefined;
  }

  #live(): Stored[] {
    this.#sorted ??= [...this.#entries.values()].sort((one, other) => order(one.key, other.key));
    return this.#sorted.filter(({ expires }) => expires > this.now);
  }
}

const copyOf = ({ key, value, versionstamp }: DenoKvEntry): DenoKvEntry => ({
  key: [...key],
  value: structuredClone(value),
  versionstamp,
});

// Part by part; texts before numbers, and a key before those that it begins.
function order(one: DenoKvKey, other: DenoKvKey): number {
  for (let at = 0; at < Math.min(one.length, other.length); at++) {
    const [a, b] = [one[at]!, other[at]!];
    if (a === b) continue;
    if (typeof a !== typeof b) return typeof a === 'string' ? -1 : 1;
    return a < b ? -1 : 1;
  }
  return one.length - other.length;
}

const lengthOf = (key: DenoKvKey) =>
  key.reduce<number>(
    (sum, part) => sum + (typeof part === 'number' ? 9 : 2 + new TextEncoder().encode(part).length),
    0,
  );

function bytesOf(value: unknown): number {
  if (value instanceof Uint8Array) return value.length;
  return value === undefined ? 0 : 2 * JSON.stringify(value).length;
}

function checkKey(key: DenoKvKey): void {
  if (lengthOf(key) > MOST_KEY_BYTES) throw new TypeError('Key too large');
}

function checkSizes(checks: readonly Check[], mutations: readonly Mutation[]): void {
  if (checks.length > MOST_CHECKS) throw new TypeError(`Too many checks (max ${MOST_CHECKS})`);
  if (mutations.length > MOST_MUTATIONS) {
    throw new TypeError(`Too many mutations (max ${MOST_MUTATIONS})`);
  }
  const keyBytes = [...checks, ...mutations].reduce((sum, { key }) => sum + lengthOf(key), 0);
  if (keyBytes > MOST_ATOMIC_KEY_BYTES) throw new TypeError('Total key size too large');
  const bytes = mutations.reduce((sum, { value }) => sum + bytesOf(value), keyBytes);
  if (bytes > MOST_ATOMIC_BYTES) throw new TypeError('Total mutation size too large');
}
