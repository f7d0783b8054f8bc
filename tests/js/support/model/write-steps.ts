// write-steps.ts - carries out random writes, and lets them happen to the models.

import { expect } from 'vitest';

import { isTableError } from '../../../../js/src/base/errors.js';
import type { TableClient } from '../../../../js/src/client/table-client.js';
import type { TransactionAction } from '../../../../js/src/entity/models.js';
import { textOf } from './filters.js';
import type { Action, Given, Keys, Model, Refusal, Write } from './model.js';
import { FATES, type Opener } from './openers.js';
import { found, type Query } from './queries.js';
import { bodyOf, PARTITIONS, WriteMaker } from './random-writes.js';
import { endingOf, TABLES, type Ending, type World } from './world.js';

// ------------------------------------------------------------------ single calls

/** Sends a write. Returns the new etags, of each action of a transaction. */
export async function send(
  table: Pick<
    TableClient,
    'createEntity' | 'updateEntity' | 'upsertEntity' | 'deleteEntity' | 'submitTransaction'
  >,
  write: Write,
): Promise<(string | undefined)[]> {
  switch (write.kind) {
    case 'create':
      return [(await table.createEntity(bodyOf(write))).etag];
    case 'upsert':
      return [(await table.upsertEntity(bodyOf(write), write.mode)).etag];
    case 'update': {
      const { mode, etag } = write;
      return [(await table.updateEntity(bodyOf(write), mode, { etag })).etag];
    }
    case 'delete':
      await table.deleteEntity(write.partitionKey, write.rowKey, { etag: write.etag });
      return [undefined];
    case 'transaction': {
      const { subResponses } = await table.submitTransaction(write.actions.map(actionOf));
      return subResponses.map(({ etag }) => etag);
    }
  }
}

// A deletion of a transaction has no etag.
function actionOf(action: Action): TransactionAction {
  if (action.kind === 'create') return ['create', bodyOf(action)];
  if (action.kind === 'delete') return ['delete', keys(action)];
  if (action.kind === 'upsert') return ['upsert', bodyOf(action), action.mode];
  return ['update', bodyOf(action), action.mode, { etag: action.etag }];
}

function withoutEtags(write: Write): Write {
  if (write.kind !== 'transaction') return write;
  const actions = write.actions.map((action) =>
    action.kind === 'delete' ? { ...action, etag: undefined } : action,
  );
  return { ...write, actions };
}

const endOf = (
  work: Promise<(string | undefined)[]>,
  opener: Opener,
  isMoving: boolean,
): Promise<Ending> =>
  work.then(
    (etags) => ({ kind: 'ok', etags }) as const,
    (error: unknown) => endingOf(error, opener, isMoving),
  );

// ------------------------------------------------------------------------ steps

/** Writes of one or all openers at the same time, each in partitions of its own. */
export async function write(world: World): Promise<void> {
  const { below, model, oldEtags } = world;
  const table = world.of(TABLES);
  const writers = below(2) === 0 ? [world.of(world.openers)] : [...world.openers];
  const fated = below(6) === 0 ? world.of(writers) : undefined;
  fated?.mortal?.meet(world.of(FATES), below(3));
  const begun = writers.map((opener, at) => {
    const partitions = PARTITIONS.filter((_, place) => place % writers.length === at);
    const maker = new WriteMaker(below, model, table, { partitions, oldEtags });
    const client = opener.account.tableClient(table);
    // Requests of HTTP come in no order.
    let before: Promise<unknown> = Promise.resolve();
    return Array.from({ length: 1 + below(6) }, () => {
      const one = withoutEtags(maker.write());
      const begin = () => endOf(send(client, one), opener, world.isMoving);
      const end = world.place.move ? before.then(begin) : begin();
      before = end.catch(() => undefined);
      return { one, end };
    });
  });
  for (const { one, end } of begun.flat()) {
    const actions = one.kind === 'transaction' ? one.actions : [one];
    const learn = (changed: Model, etags: readonly (string | undefined)[]) =>
      actions.forEach((action, at) => changed.learn(table, action, etags[at]));
    world.happen(table, await end, (changed) => changed.write(table, one), learn);
  }
  await ended(world, writers);
}

/** Others take over from the dead, and find out what they have stored. */
export async function ended(world: World, writers: readonly Opener[]): Promise<void> {
  world.lastWriter = writers.length === 1 ? writers[0] : undefined;
  for (const opener of writers) {
    opener.mortal?.meet(undefined);
    if (opener.mortal?.isDead) await world.close(opener);
  }
  if (world.openers.length === 0) await world.open();
  if (world.models.length > 1 || world.lastWriter?.mortal) await world.check();
}

/** An import, which stores the first entities of its source. */
export async function importSome(world: World): Promise<void> {
  const { below, model } = world;
  const table = world.of(TABLES);
  const opener = world.of(world.openers);
  const name = `import${++world.imports}`;
  const mode = world.of(['Insert', 'Merge', 'Replace'] as const);
  const entities = new WriteMaker(below, model, table).entities(below(300), name);
  if (below(6) === 0) opener.mortal?.meet(world.of(FATES), below(3));
  const stored = await storedOf(opener.account.tableClient(table), entities, mode, opener);

  const expected = model.copy();
  const refusal = importInto(expected, table, entities, mode);
  if (stored !== 'unknown') {
    const { kind, count, code } = stored;
    if (kind === 'ok') expect({ count, refusal }).toEqual({ count: entities.length });
    if (kind === 'refused') expect({ code, index: count }).toEqual(refusal);
    importInto(model, table, entities.slice(0, stored.count), mode);
  } else {
    const other =
      [...world.openers].find(({ mortal }) => !mortal?.isDead) ?? (await reopened(world));
    const { account } = other;
    const filter = `${name} ge 0`;
    const rows = account.tableClient(table).listEntities({ filter, fresh: true });
    let count = 0;
    for await (const row of rows) count = Math.max(count, Number(row[name]) + 1);
    importInto(model, table, entities.slice(0, count), mode);
  }
  await ended(world, [opener]);
}

async function reopened(world: World): Promise<Opener> {
  await world.open();
  return world.openers.at(-1)!;
}

async function storedOf(
  table: TableClient,
  entities: readonly Given[],
  mode: 'Insert' | 'Merge' | 'Replace',
  opener: Opener,
): Promise<{ kind: 'ok' | 'refused' | 'failed'; count: number; code?: string } | 'unknown'> {
  try {
    const { stored } = await table.importEntities(entities.map(bodyOf), { mode });
    return { kind: 'ok', count: stored };
  } catch (error) {
    const ending = endingOf(error, opener);
    if (ending.kind === 'unknown' || !isTableError(error)) return 'unknown';
    const count = error.details.stored ?? 0;
    if (ending.kind === 'refused') return { kind: 'refused', count, code: ending.refusal.code };
    return { kind: 'failed', count };
  }
}

function importInto(
  model: Model,
  table: string,
  entities: readonly Given[],
  mode: 'Insert' | 'Merge' | 'Replace',
): Refusal | undefined {
  if (!model.tables.has(table)) return { code: 'TableNotFound', index: 0 };
  for (const [index, entity] of entities.entries()) {
    const action: Action =
      mode === 'Insert' ? { kind: 'create', ...entity } : { kind: 'upsert', mode, ...entity };
    const refusal = model.write(table, action);
    if (refusal) return { ...refusal, index };
  }
  return undefined;
}

/** Deletes or changes all entities that fit a filter. */
export async function changeAll(world: World, query: Query): Promise<void> {
  const table = world.of(TABLES);
  const opener = world.openers.find(({ mortal }) => !mortal);
  if (!opener || !world.model.tables.has(table)) return;
  const client = opener.account.tableClient(table);
  const entities = found(world.model, table, query);
  const given = { filter: query.filter ? textOf(query.filter) : 'true', dialect: query.dialect };
  const count = { found: entities.length };
  if (world.below(3) === 0) {
    expect(await client.deleteEntities(given)).toEqual({ ...count, deleted: entities.length });
    for (const entity of entities) world.model.write(table, { kind: 'delete', ...keys(entity) });
  } else {
    const set = { flag: true };
    const changed = await client.updateEntities({ ...given, set });
    expect(changed).toMatchObject({ ...count, updated: entities.length });
    const flag = { value: { type: 'Boolean', value: true }, isPlain: true } as const;
    const properties = new Map([['flag', flag]]);
    for (const entity of entities) {
      world.model.write(table, { kind: 'upsert', mode: 'Merge', ...keys(entity), properties });
    }
  }
  world.lastWriter = opener;
}

const keys = ({ partitionKey, rowKey }: Keys) => ({ partitionKey, rowKey });

/** Creates a table that may exist; now and then deletes one. */
export async function changeTables(world: World): Promise<void> {
  const opener = world.openers.find(({ mortal }) => !mortal) ?? (await reopened(world));
  if (opener.mortal) return;
  const name = world.of(TABLES);
  if (world.below(4) === 0) {
    await opener.account.deleteTable(name);
    world.model.deleteTable(name);
  } else {
    await opener.account.createTable(name);
    world.model.createTable(name);
  }
  world.lastWriter = opener;
}
