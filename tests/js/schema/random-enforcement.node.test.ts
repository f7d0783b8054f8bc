// Random writes on every way to a table whose schema is enforced: no entity that breaks it is ever
// stored, and every other one is.

import { describe, expect, it } from 'vitest';

import type { TableClient } from '../../../js/src/client/table-client.js';
import { createTableHandler, DEVELOPMENT_ACCOUNT } from '../../../js/src/http.js';
import { remoteAccount } from '../../../js/src/remote.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { roundsOf } from '../../../scripts/test/tier.mjs';
import { collect, openForTest } from '../support/accounts.js';
import { keyOf, Model, type Action, type Given, type GivenValue } from '../support/model/model.js';
import { shown } from '../support/model/queries.js';
import { bodyOf } from '../support/model/random-writes.js';
import type { Value } from '../support/model/values.js';
import { entityOf, type TypedRow } from '../support/model/world.js';
import { send } from '../support/model/write-steps.js';
import { randomNumbers, testSeed } from '../support/random-numbers.js';
import { openCloud, openReplica } from '../sync/support.js';

const seed = testSeed();
const WRITES = roundsOf('ENTITABLE_ENFORCED_WRITES', { usual: 300, whole: 3000 });

const rules = {
  ...{ partitionKey: t.string({ maxLength: 2 }), rowKey: t.string() },
  name: t.string({ minLength: 1, maxLength: 3 }),
  kind: t.string({ enum: ['a', 'b'] }).optional(),
  count: t.int32({ minimum: 0, maximum: 10 }).optional(),
  size: t.double({ exclusiveMinimum: 0 }).optional(),
  total: t.int64({ multipleOf: 3n }).optional(),
};
const definition = defineTable('Rules', rules, { unknownProperties: 'reject' });
const synced = defineTable('Todos', rules, { unknownProperties: 'reject' });

const FITS: Record<string, (value: Value) => boolean> = {
  name: ({ type, value }) => type === 'String' && value.length >= 1 && value.length <= 3,
  kind: ({ type, value }) => type === 'String' && ['a', 'b'].includes(value),
  count: ({ type, value }) => type === 'Int32' && value >= 0 && value <= 10,
  size: ({ type, value }) => type === 'Double' && value > 0,
  total: ({ type, value }) => type === 'Int64' && value % 3n === 0n,
};

type Checked = { partitionKey: string; properties: ReadonlyMap<string, Value> };

const isValid = ({ partitionKey, properties }: Checked) =>
  partitionKey.length <= 2 &&
  properties.has('name') &&
  [...properties].every(([name, value]) => FITS[name]?.(value) ?? false);

/** Entities, about half of which keep the rules. */
class Draw {
  readonly below = randomNumbers(seed);

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  entity(partitionKey = this.of(['p', 'p', 'p', 'pq', 'long'])): Given {
    const text = (value: string): Value => ({ type: 'String', value });
    const properties = new Map<string, GivenValue>();
    const put = (name: string, value: Value, chance: number) => {
      if (this.below(100) < chance) properties.set(name, { value, isPlain: false });
    };
    put('name', text(this.of(['x', 'xy', 'xyz', 'é', '', 'long'].slice(0, this.of([4, 6])))), 80);
    put('kind', text(this.of(['a', 'b', 'a', 'b', 'c', 'A'])), 30);
    put('count', { type: 'Int32', value: this.of([0, 5, 10, 11, -1]) }, 30);
    put('size', { type: 'Double', value: this.of([0.5, 5, 1e300, 0, -1]) }, 20);
    put('total', { type: 'Int64', value: this.of([0n, 3n, -9n, 2n ** 62n]) }, 20);
    // Another type, or a name that is not declared.
    put(this.of(['count', 'size', 'kind', 'Name', 'more']), text('a'), 8);
    return { partitionKey, rowKey: `${this.below(6)}`, properties };
  }

  action(partitionKey?: string): Action {
    const given = this.entity(partitionKey);
    const mode = this.of(['Merge', 'Replace'] as const);
    const { partitionKey: key, rowKey } = given;
    return this.of<() => Action>([
      () => ({ kind: 'create', ...given }),
      () => ({ kind: 'update', mode, ...given }),
      () => ({ kind: 'upsert', mode, ...given }),
      () => ({ kind: 'upsert', mode, ...given }),
      () => ({ kind: 'delete', partitionKey: key, rowKey }),
    ])();
  }
}

const codeOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (error: { code: string }) => error.code,
  );

async function textOf(table: TableClient): Promise<string[]> {
  const rows = await collect(table.listEntities({ typed: true, fresh: true }));
  return (rows as unknown as TypedRow[]).map((row) => shown(entityOf(row)));
}

/** Carries out actions in the model, up to the first one that is refused: its code. */
function happen(model: Model, actions: readonly Action[]): { code?: string; done: number } {
  for (const [done, action] of actions.entries()) {
    const copy = model.copy();
    const refusal = copy.write('Rules', action);
    if (refusal) return { code: refusal.code, done };
    const entity = copy.tables.get('Rules')!.get(keyOf(action));
    if (entity && !isValid(entity)) return { code: 'SchemaViolation', done };
    model.write('Rules', action);
  }
  return { done: actions.length };
}

describe(`an enforced schema (seed ${seed})`, { timeout: 120_000 }, () => {
  it(`holds all writers, ${WRITES} times`, async () => {
    const draw = new Draw();
    const storage = memoryStorage();
    const [here, there] = [await openForTest({ storage }), await openForTest({ storage })];
    await here.createTable('Rules');
    await here.enforce(definition);
    const handler = createTableHandler(there, { authentication: 'anonymous' });
    const cloud = remoteAccount({
      url: DEVELOPMENT_ACCOUNT.baseUrl,
      fetch: (url, { signal: _, ...init }) => handler(new Request(url, init as RequestInit)),
    });
    const [table, other] = [here.tableClient('Rules'), there.tableClient('Rules')];
    const ways = [table, other, cloud.tableClient('Rules') as unknown as TableClient];
    let model = new Model();
    model.createTable('Rules');

    for (let write = 0; write < WRITES; write++) {
      const kind = draw.below(4);
      const way = draw.of(ways);
      const hint = `write ${write}`;
      if (kind < 2) {
        const action = draw.action();
        const { code } = happen(model, [action]);
        expect(await codeOf(send(way, action)), hint).toBe(code);
      } else if (kind === 2) {
        const drawn = Array.from({ length: 3 }, () => draw.action('p'));
        const actions = [...new Map(drawn.map((action) => [action.rowKey, action])).values()];
        const after = model.copy();
        const { code } = happen(after, actions);
        expect(await codeOf(send(way, { kind: 'transaction', actions })), hint).toBe(code);
        if (code === undefined) model = after;
      } else {
        const mode = draw.of(['Merge', 'Replace'] as const);
        const given = Array.from({ length: 3 }, () => draw.entity());
        const actions = given.map((entity): Action => ({ kind: 'upsert', mode, ...entity }));
        const { code } = happen(model, actions);
        const local = draw.of([table, other]);
        expect(await codeOf(local.importEntities(given.map(bodyOf), { mode })), hint).toBe(code);
      }
    }
    expect(await textOf(table)).toEqual(model.entities('Rules').map((entity) => shown(entity)));
    expect(model.entities('Rules').length).toBeGreaterThan(0);
    expect(await collect(here.listIssues(definition))).toEqual([]);
  });

  it('holds sync', async () => {
    const draw = new Draw();
    const cloud = await openCloud();
    const { account, sync, todos } = await openReplica(cloud);
    await account.enforce(synced);
    const rows = Array.from({ length: 100 }, (_, at) => ({
      ...draw.entity(),
      rowKey: `${1000 + at}`,
    }));
    await cloud.todos.importEntities(rows.map(bodyOf));

    await sync.once();

    const model = new Model();
    model.createTable('Rules');
    for (const row of rows) happen(model, [{ kind: 'create', ...row }]);
    expect(await textOf(todos)).toEqual(model.entities('Rules').map((entity) => shown(entity)));
  });
});
