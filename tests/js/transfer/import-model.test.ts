// Random imports, and exports of what they made, against a Map of what ought to be there.

import { describe, expect, it } from 'vitest';

import type { TableClient } from '../../../js/src/client/table-client.js';
import type { ImportMode, ImportSource } from '../../../js/src/transfer/models.js';
import { collect, openForTest } from '../support/accounts.js';
import { testSeed } from '../support/random-numbers.js';
import { rejection } from '../support/rejection.js';
import { STORAGES } from '../support/storages.js';

type Model = Map<string, Record<string, unknown>>;
type Entity = { partitionKey: string; rowKey: string } & Record<string, unknown>;

const ROUNDS = 12;
const MODES: readonly ImportMode[] = ['Insert', 'Replace', 'Merge'];
const KEYS = ['', 'a', 'A', 'b', 'é', '\uffee', '\u{1F600}', "o'clock", 'x y', '100%'];

const custom = ({ etag: _e, timestamp: _t, ...rest }: Record<string, unknown>) => rest;
const contents = async (table: TableClient) => (await collect(table.listEntities())).map(custom);

class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  // mulberry32
  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  // As a read gives it back, except for Doubles. Long texts make a store of more than one page, and
  // many.
  value(): unknown {
    return this.of([
      () => this.of(KEYS).repeat(this.below(200)),
      () => this.below(2 ** 32) - 2 ** 31,
      () => this.below(2 ** 32) + 0.5,
      () => this.of([NaN, Infinity, -Infinity, 5e-324, 2 ** 53]),
      () => BigInt(this.below(2 ** 32)) * -0x7fff_ffffn,
      () => this.below(2) === 1,
      () => new Date(this.below(2 ** 41)),
      () => Uint8Array.from({ length: this.below(50) }, () => this.below(256)),
      () => ({ type: 'Guid', value: '7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001' }),
      () => ({ type: 'Double', value: this.below(1000) }),
      () => ({ type: 'DateTime', value: '2020-01-01T00:00:00.1234567Z' }),
    ])();
  }

  // In any order, and some of them twice.
  entities(count: number, rows: number): Entity[] {
    return Array.from({ length: count }, () => {
      const entity: Entity = { partitionKey: this.of(KEYS), rowKey: String(this.below(rows)) };
      for (let left = this.below(6); left > 0; left--) {
        entity[`P${this.below(20)}`] = this.value();
      }
      return entity;
    });
  }
}

const keyOf = ({ partitionKey, rowKey }: Entity) => JSON.stringify([partitionKey, rowKey]);

function asRead(entity: Entity): Entity {
  const members = Object.entries(entity).map(([name, value]) => {
    const { type, value: number } = Object(value) as { type?: unknown; value?: unknown };
    return [name, type === 'Double' ? number : value];
  });
  return Object.fromEntries(members) as Entity;
}

// How many of the entities are stored: all, unless one exists already.
function importInto(model: Model, entities: readonly Entity[], mode: ImportMode): number {
  for (const [index, entity] of entities.entries()) {
    const old = model.get(keyOf(entity));
    if (old && mode === 'Insert') return index;
    const read = asRead(entity);
    model.set(keyOf(entity), mode === 'Merge' ? { ...old, ...read } : read);
  }
  return entities.length;
}

// JavaScript compares text as the service orders keys: by UTF-16 units.
function inOrder(model: Model): Record<string, unknown>[] {
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return ([...model.values()] as Entity[]).sort(
    (a, b) => compare(a.partitionKey, b.partitionKey) || compare(a.rowKey, b.rowKey),
  );
}

async function* later(entities: readonly Entity[]): AsyncGenerator<Entity> {
  yield* entities;
}

describe.each(STORAGES)('imports and exports in $adapter storage', ({ open }) => {
  it('agree with a map', { timeout: 60_000 }, async () => {
    const seed = testSeed();
    const dice = new Dice(seed);
    const account = await openForTest({ storage: open(), cacheBytes: 256 * 1024 });
    const table = account.tableClient('Mixed');
    await table.createTable();
    const model: Model = new Map();

    for (let round = 0; round < ROUNDS; round++) {
      const hint = `seed ${seed}, round ${round}`;
      const mode = dice.of(MODES);
      const entities = dice.entities(dice.below(600), dice.of([5, 500, 1_000_000]));
      const source = (): ImportSource => dice.of([entities, later(entities)]);
      const stored = importInto(model, entities, mode);
      const ended = table.importEntities(source(), { mode });
      if (stored === entities.length) {
        expect(await ended, hint).toEqual({ read: stored, stored });
      } else {
        const details = { entityIndex: stored, stored };
        const expected = { code: 'EntityAlreadyExists', details };
        expect(await rejection(ended), hint).toMatchObject(expected);
      }
      // An export also has the changes of single writes.
      const [one] = dice.entities(1, 5);
      await table.upsertEntity(one!, 'Replace');
      model.set(keyOf(one!), asRead(one!));
      expect(await contents(table), hint).toEqual(inOrder(model));

      const copy = account.tableClient(`Copy${round}`);
      await copy.createTable();
      const format = dice.of(['array', 'lines'] as const);
      const { size } = model;
      const copied = await copy.importEntities(table.exportEntities({ format }));
      expect(copied, hint).toEqual({ read: size, stored: size });
      expect(await contents(copy), hint).toEqual(inOrder(model));
    }
  });
});
