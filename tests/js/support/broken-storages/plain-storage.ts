// plain-storage.ts - a storage in memory that keeps the contract, to be broken part by part.

import { sameBytes } from '../../../../js/src/storage/bytes.js';
import type {
  Batch,
  CommitOptions,
  CommitResult,
  PageStorage,
  ReadRequest,
  Snapshot,
  StorageKey,
} from '../../../../js/src/storage/page-storage.js';

/** A plain storage with a rule to break in each of its parts. */
export class PlainStorage implements PageStorage {
  values = new Map<StorageKey, Uint8Array>();
  isHeld = false;

  async read({ keys, recordsAfter }: ReadRequest): Promise<Snapshot> {
    return {
      values: keys.map((key) => this.valueOf(key)),
      records: recordsAfter === undefined ? [] : this.recordsAfter(recordsAfter),
    };
  }

  async commit(batch: Batch, _options?: CommitOptions): Promise<CommitResult> {
    if (this.isHeld) await turn();
    if (!this.holds(batch)) return { outcome: 'moved' };
    this.apply(batch);
    return { outcome: 'ok' };
  }

  async exclusively(
    request: ReadRequest,
    decide: (snapshot: Snapshot) => Batch | undefined,
  ): Promise<CommitResult | undefined> {
    this.isHeld = true;
    const batch = decide({
      values: request.keys.map((key) => this.valueOf(key)),
      records: this.recordsAfter(request.recordsAfter!),
    });
    this.isHeld = false;
    if (!batch) return undefined;
    this.apply(batch);
    return { outcome: 'ok' };
  }

  async close(): Promise<void> {}

  async destroy(): Promise<void> {
    this.values.clear();
  }

  valueOf(key: StorageKey): Uint8Array | undefined {
    return this.values.get(key)?.slice();
  }

  recordsAfter(after: number): [number, Uint8Array][] {
    return this.numbers()
      .filter((number) => number > after)
      .map((number) => [number, this.valueOf(`log/${number}`)!]);
  }

  numbers(): number[] {
    return [...this.values.keys()]
      .filter((key) => /^log\/\d/.test(key))
      .map((key) => Number(key.slice(4)))
      .sort((one, other) => one - other);
  }

  holds({ expect }: Batch): boolean {
    return expect.every(([key, value]) => sameBytes(this.values.get(key), value));
  }

  apply({ puts, deletes }: Batch): void {
    for (const key of deletes) this.values.delete(key);
    for (const [key, value] of puts) this.values.set(key, this.kept(value));
  }

  kept(value: Uint8Array): Uint8Array {
    return value.slice();
  }
}

export type Decide = (snapshot: Snapshot) => Batch | undefined;

export const turn = () => new Promise<void>((resolve) => setTimeout(resolve));

/** A storage that breaks a rule, and the checks that must catch it. */
export interface BrokenStorage {
  readonly fault: string;
  readonly caughtBy: string[];
  readonly open: () => PageStorage;
}

/** A plain storage with other parts. */
export const broken = (fault: string, parts: object, ...caughtBy: string[]): BrokenStorage => ({
  fault,
  caughtBy,
  open: (): PageStorage => Object.assign(new PlainStorage(), parts),
});
