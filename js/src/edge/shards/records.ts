/**
 * What a catalogue keeps beside its tables.
 *
 * @module
 */

import type { Key } from './token.js';

/** Keeps one short text. A write has ended when the text is durable. */
export interface RecordStore {
  /** The text of the last write; undefined, if there was none. */
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

/** A place in the entities of an account: a shard, and a table of it. */
export interface CopyPlace {
  readonly table: string;
  readonly shard: number;
  /** The next entity to copy; undefined at the beginning. */
  readonly from?: Key | undefined;
}

/**
 * What is under way with the number of shards. `docs/internals/shards.md` has the order of the
 * states. Until `closing` has ended, clients use the `from` shards; then the `to` shards.
 *
 * In `preparing` and in `clearing`, the shard with the number `shard` is emptied: one of the `to`
 * shards, or one of the `from` shards. After `cancelling`, both numbers have changed their places.
 */
export type Resharding = {
  readonly from: number;
  readonly to: number;
  /** How many entities were copied. */
  readonly copied: number;
} & (
  | { readonly state: 'stopping' | 'closing' | 'opening' | 'cancelling' }
  | { readonly state: 'preparing'; readonly shard: number }
  | { readonly state: 'defining'; readonly table: string }
  | { readonly state: 'copying'; readonly at: CopyPlace }
  | { readonly state: 'clearing'; readonly shard: number; readonly isCancelled?: boolean }
);

interface Records {
  /** How many there are; undefined in a new account. */
  readonly shards?: number | undefined;
  readonly resharding?: Resharding | undefined;
  /** Tables that a change has begun with; an empty name means the properties of the account. */
  readonly unsettled: readonly string[];
}

type Change = (records: Records) => Records;

/** The records of one catalogue. */
export class ShardRecords {
  readonly #store: RecordStore;
  #records: Records | undefined;
  // Changes for the next write, that write, and the end of the last one.
  #waiting: Change[] = [];
  #next: Promise<void> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: RecordStore) {
    this.#store = store;
  }

  async shards(): Promise<number | undefined> {
    return (await this.#current()).shards;
  }

  setShards(shards: number, resharding?: Resharding): Promise<void> {
    return this.#change((records) => ({ ...records, shards, resharding }));
  }

  async resharding(): Promise<Resharding | undefined> {
    return (await this.#current()).resharding;
  }

  setResharding(resharding: Resharding | undefined): Promise<void> {
    return this.#change((records) => ({ ...records, resharding }));
  }

  async unsettled(): Promise<readonly string[]> {
    return (await this.#current()).unsettled;
  }

  /** Notes that a change of the table begins. */
  begin(table: string): Promise<void> {
    return this.#change((records) =>
      records.unsettled.includes(table)
        ? records
        : { ...records, unsettled: [...records.unsettled, table] },
    );
  }

  /** Notes that every shard has followed. */
  end(table: string): Promise<void> {
    return this.#change((records) => ({
      ...records,
      unsettled: records.unsettled.filter((one) => one !== table),
    }));
  }

  async #current(): Promise<Records> {
    if (this.#records) return this.#records;
    const text = await this.#store.read();
    return (this.#records ??=
      text === undefined ? { unsettled: [] } : (JSON.parse(text) as Records));
  }

  // One write after another, because each writes all records. Changes that come meanwhile share the
  // next one.
  #change(change: Change): Promise<void> {
    this.#waiting.push(change);
    if (!this.#next) {
      const next = this.#last.then(() => this.#write());
      this.#next = next;
      this.#last = next.catch(() => {});
    }
    return this.#next;
  }

  async #write(): Promise<void> {
    const changes = this.#waiting;
    this.#waiting = [];
    this.#next = undefined;
    const records = await this.#current();
    const changed = changes.reduce((before, change) => change(before), records);
    if (changed === records) return;
    // After a failure, what is stored is not known.
    this.#records = undefined;
    await this.#store.write(JSON.stringify(changed));
    this.#records = changed;
  }
}
