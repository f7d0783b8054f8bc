// random-writes.ts - draws writes and imports.

import { keyOf, type Action, type Given, type GivenValue, type Keys, type Model } from './model.js';
import type { Write } from './model.js';
import { NAMES, randomValue, type Below, type Value } from './values.js';

// In the order of UTF-16, which is not that of code points.
export const PARTITIONS = ['', 'a', 'ab', "it's", 'é', '\u{1f600}', '\uffee'];
const ROWS = Array.from({ length: 12 }, (_, at) => `${at}`);
const LONG_TEXT = 9000;

const from = <T>(list: readonly T[], below: Below): T => list[below(list.length)]!;

/** Draws writes of one table, for one of several writers at a time: each has its partitions. */
export class WriteMaker {
  readonly #below: Below;
  readonly #model: Model;
  readonly #table: string;
  readonly #partitions: readonly string[];
  readonly #stored: readonly Keys[];
  // Of entities as they were.
  readonly #oldEtags: readonly string[];

  constructor(
    below: Below,
    model: Model,
    table: string,
    { partitions = PARTITIONS, oldEtags = [] as readonly string[] } = {},
  ) {
    this.#below = below;
    this.#model = model;
    this.#table = table;
    this.#partitions = partitions;
    this.#stored = model
      .entities(table)
      .filter(({ partitionKey }) => partitions.includes(partitionKey));
    this.#oldEtags = oldEtags;
  }

  write(): Write {
    return this.#below(5) === 0 ? this.#transaction() : this.#action(this.keys());
  }

  #transaction(): Write {
    const { partitionKey } = this.keys();
    const actions = new Map<string, Action>();
    for (let left = 1 + this.#below(8); left > 0; left--) {
      const keys = { ...this.keys(), partitionKey };
      actions.set(keys.rowKey, this.#action(keys));
    }
    return { kind: 'transaction', actions: [...actions.values()] };
  }

  // Mostly of an entity that is there.
  keys(): Keys {
    if (this.#stored.length > 0 && this.#below(5) < 3) {
      const { partitionKey, rowKey } = from(this.#stored, this.#below);
      return { partitionKey, rowKey };
    }
    return {
      partitionKey: from(this.#partitions, this.#below),
      rowKey: from(ROWS, this.#below),
    };
  }

  #action(keys: Keys): Action {
    const kind = this.#below(9);
    if (kind === 0) return { kind: 'delete', ...keys, etag: this.#etagOf(keys) };
    if (kind < 3) return { kind: 'create', ...this.#given(keys) };
    const mode = this.#below(2) === 0 ? 'Merge' : 'Replace';
    if (kind < 6) return { kind: 'upsert', mode, ...this.#given(keys) };
    return { kind: 'update', mode, ...this.#given(keys), etag: this.#etagOf(keys) };
  }

  // None, the right one, or that of an older version.
  #etagOf(keys: Keys): string | undefined {
    const known = this.#model.tables.get(this.#table)?.get(keyOf(keys))?.etag;
    if (this.#below(3) > 0 || known === undefined) return undefined;
    const isOld = this.#below(2) === 0 && this.#oldEtags.length > 0;
    return isOld ? from(this.#oldEtags, this.#below) : known;
  }

  #given(keys: Keys): Given {
    const properties = new Map<string, GivenValue>();
    for (const name of NAMES) {
      if (this.#below(2) === 0) properties.set(name, this.#value(name));
    }
    if (this.#below(40) === 0) properties.set('long', this.#longText());
    return { ...keys, properties };
  }

  #value(name: string): GivenValue {
    const value = randomValue(name, this.#below);
    return { value, isPlain: this.#below(2) === 0 && canBePlain(value) };
  }

  #longText(): GivenValue {
    const value = from(PARTITIONS, this.#below).padEnd(1 + this.#below(LONG_TEXT), 'xyz');
    return { value: { type: 'String', value }, isPlain: true };
  }

  /** Entities to import. The last one that is stored shows how many were. */
  entities(count: number, name: string): Given[] {
    const isNew = this.#below(2) === 0;
    return Array.from({ length: count }, (_, at) => {
      const keys = isNew ? { ...this.keys(), rowKey: `n${1000 + this.#below(1000)}` } : this.keys();
      const { properties } = this.#given(keys);
      const place: GivenValue = { value: { type: 'Int32', value: at }, isPlain: false };
      return { ...keys, properties: new Map([...properties, [name, place]]) };
    });
  }
}

// A whole number without its type is an Int32.
function canBePlain({ type, value }: Value): boolean {
  if (type === 'Double') return !Number.isInteger(value) || Math.abs(value) > 2 ** 31;
  return type !== 'Guid' && !(type === 'DateTime' && typeof value === 'string');
}

/** An entity in the form in which it is written. */
export function bodyOf({ partitionKey, rowKey, properties }: Given) {
  const members = Array.from(properties, ([name, { value, isPlain }]) => [
    name,
    isPlain ? value.value : value,
  ]);
  return { partitionKey, rowKey, ...(Object.fromEntries(members) as Record<string, unknown>) };
}
