// live-steps.ts - live results that must come to what the model has, whoever writes.

import { expect } from 'vitest';

import { isTableError } from '../../../../js/src/base/errors.js';
import type { LiveEntities } from '../../../../js/src/live/live.js';
import type { Entity } from './model.js';
import type { Opener } from './openers.js';
import { listed, shown, type OrderedQuery } from './queries.js';
import { given, randomOrder, randomQuery, typedOf } from './read-steps.js';
import { plainOf, type Value } from './values.js';
import { entityOf, TABLES, type TypedRow, type World } from './world.js';

const MOST = 3;
const PATIENCE_MS = 20_000;

interface Followed {
  readonly opener: Opener;
  readonly table: string;
  readonly query: OrderedQuery;
  readonly live: LiveEntities<object>;
  end: () => void;
  onResult: () => void;
  failure: unknown;
  // A live result of a table that was deleted ends, unless it was created again before it knew.
  mayEnd: boolean;
}

// Numbers of live results have no types.
const plainly = (entity: Entity): Entity => {
  const members = Array.from(entity.properties, ([name, value]) => [name, typedOf(value)] as const);
  return { ...entity, properties: new Map(members) as ReadonlyMap<string, Value> };
};

function rowsOf({ live }: Followed): string[] {
  const rows = live.getSnapshot() as unknown as TypedRow[];
  return rows.map((row) => shown(plainly(entityOf(row))));
}

function expectedOf(world: World, { table, query }: Followed): string[] {
  return listed(world.model, table, query).map((entity) => {
    const members = Array.from(
      entity.properties,
      ([name, value]) => [name, plainOf(value)] as const,
    );
    return shown(plainly({ ...entity, properties: new Map(members) as never }));
  });
}

/** The live results of a world. */
export class LiveViews {
  #followed: Followed[] = [];

  /** Begins one of a table that exists, on an account without faults. */
  follow(world: World): void {
    const opener = world.openers.find(({ mortal }) => !mortal);
    const table = world.of(TABLES);
    if (!opener || !world.model.tables.has(table) || this.#followed.length === MOST) return;
    const { skip: _, ...order } = randomOrder(world);
    const query = { ...randomQuery(world, table), ...order };
    const followed: Followed = {
      ...{ opener, table, query, mayEnd: false, failure: undefined },
      onResult: () => {},
      live: opener.account.tableClient(table).liveEntities({
        ...given(query),
        onError: (error) => {
          followed.failure = error;
          followed.onResult();
        },
      }),
      end: () => {},
    };
    followed.end = followed.live.subscribe(() => followed.onResult());
    this.#followed.push(followed);
  }

  /** To be called when a table was deleted. */
  deleted(table: string): void {
    for (const one of this.#followed) one.mayEnd ||= one.table === table;
  }

  /** Ends those of an account, or all. */
  end(opener?: Opener): void {
    for (const one of this.#followed) if (!opener || one.opener === opener) one.end();
    this.#followed = this.#followed.filter((one) => opener && one.opener !== opener);
  }

  /** Waits until each has come to what the model has. */
  async settle(world: World): Promise<void> {
    for (const one of [...this.#followed]) {
      if (one.mayEnd || !world.model.tables.has(one.table)) {
        one.end();
        this.#followed = this.#followed.filter((other) => other !== one);
      } else await settled(world, one);
    }
  }
}

async function settled(world: World, one: Followed): Promise<void> {
  const expected = expectedOf(world, one);
  const isThere = () => one.live.isLoaded && rowsOf(one).join('\n') === expected.join('\n');
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    one.onResult();
  }, PATIENCE_MS);
  while (!one.failure && !isThere() && !isOver) {
    await new Promise<void>((resolve) => (one.onResult = resolve));
  }
  clearTimeout(timer);
  if (one.failure) throw isTableError(one.failure) ? one.failure : new Error(`${one.failure}`);
  expect(rowsOf(one), `live: ${JSON.stringify(given(one.query))}`).toEqual(expected);
}
