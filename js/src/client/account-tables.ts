/**
 * The tables of an app: what `openAccount({ tables })` gives.
 *
 * Missing tables are made while the account is opened, and beside its first requests, which wait
 * for them. Where all are there, that is one read of their names. Then indexes are built, and
 * definitions enforced; nothing waits for that.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import { loaded } from '../base/loaded.js';
import { shown } from '../base/shown.js';
import type { AccountSession } from '../core/account-session.js';
import { odata } from '../entity/odata.js';
import { liveAggregateOf, liveCountOf, liveEntitiesOf } from '../live/live-entities.js';
import { subscribeTo } from '../live/subscribe.js';
import type { TableParts } from '../tables/parts.js';
import type { Table } from '../tables/table.js';
import type { Validator } from '../validation/validator.js';
import { updateIndexes } from './indexes.js';
import type { DeclaredTables, OpenedTables } from './opened-account.js';
import { aboutTable, checkedDefinition } from './table-arguments.js';
import { createTable } from './table-operations.js';
import { TableRequests } from './table-requests.js';
import type { DeclaredTable } from './typed-table.js';

const PARTS: TableParts = {
  ...{ liveEntitiesOf, liveCountOf, liveAggregateOf, subscribeTo },
  loadChanges: () => loaded(import('../tables/changes.js')),
  loadGroups: () => loaded(import('../tables/groups.js')),
};

// A transaction is over before a live view could change.
const refuseToFollow = () => {
  throw invalidInput('A transaction has no live views, and follows no table.');
};
const PARTS_WITHIN: TableParts = {
  ...PARTS,
  liveEntitiesOf: refuseToFollow,
  liveCountOf: refuseToFollow,
  liveAggregateOf: refuseToFollow,
  subscribeTo: refuseToFollow,
};

/**
 * Opens tables.
 *
 * @throws {@link TableError} `InvalidInput`, if they are not declared tables.
 */
export function openedTables(
  session: AccountSession,
  validator: Validator,
  given: unknown,
): OpenedTables {
  const declared = checkedTables(given);
  const definitions = Object.values(declared);
  const making = new Making(() => makeTables(session, validator, definitions));
  const over = (own: AccountSession, parts: TableParts) =>
    Object.entries(declared).map(([name, { tableName, typed }]) => {
      const Requests = typed.requestsOf(TableRequests);
      const requests = new Requests(own, validator, tableName, typed.form);
      return { name, requests, table: typed.tableOf(requests as never, parts) };
    });
  const tables = over(waitingFor(session, making), PARTS);
  const ready = making.done().then(async () => {
    // Later requests do not ask whether to wait.
    for (const { requests } of tables) Object.assign(requests, { session });
    await completeTables(session, definitions);
  });
  // The app may never ask for it.
  ready.catch(() => undefined);
  return {
    tables: byName(tables),
    ready,
    async transaction(run, signal) {
      const { runInTransaction } = await loaded(import('../transactions/run-transaction.js'));
      await making.done();
      // Requests ask nothing else of a session.
      const tablesOver = (own: unknown) => byName(over(own as AccountSession, PARTS_WITHIN));
      return await runInTransaction(session, (own) => run(tablesOver(own)), signal);
    },
  };
}

const byName = (tables: readonly { name: string; table: Table }[]) =>
  Object.fromEntries(tables.map(({ name, table }) => [name, table]));

/** Work that is done once. If it fails, the next call tries again. */
class Making {
  readonly #make: () => Promise<void>;
  #attempt: Promise<void> | undefined;
  isDone = false;

  constructor(make: () => Promise<void>) {
    this.#make = make;
  }

  done(): Promise<void> {
    return (this.#attempt ??= this.#make().then(
      () => void (this.isDone = true),
      (error: unknown) => {
        this.#attempt = undefined;
        throw error;
      },
    ));
  }
}

/** The session, whose requests wait until the tables are there. */
function waitingFor(session: AccountSession, making: Making): AccountSession {
  const after = <T>(work: () => T): T | Promise<Awaited<T>> =>
    making.isDone ? work() : (making.done().then(work) as Promise<Awaited<T>>);
  const own: Partial<AccountSession> = {
    request: async (...given) => await after(() => session.request(...given)),
    answer: (...given) => after(() => session.answer(...given)),
  };
  return new Proxy(session, {
    get(target, name: keyof AccountSession) {
      if (Object.hasOwn(own, name)) return (own as Record<string, unknown>)[name];
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function checkedTables(given: unknown): DeclaredTables {
  if (!isObject(given) || Array.isArray(given)) {
    throw invalidInput(
      `The option tables of openAccount must be an object of tables from defineTable(), not ${shown(given)}.`,
    );
  }
  const tables = given as DeclaredTables;
  const named = new Map<string, string>();
  for (const [name, definition] of Object.entries(tables)) {
    const { tableName } = checkedDefinition(definition);
    const other = named.get(tableName.toLowerCase());
    if (other !== undefined) {
      throw invalidInput(
        `The tables ${other} and ${name} of openAccount have one name: ${tableName}.`,
      );
    }
    named.set(tableName.toLowerCase(), name);
  }
  return tables;
}

type Definition = DeclaredTable<unknown, unknown>;

/** Makes the tables that are missing. */
async function makeTables(
  session: AccountSession,
  validator: Validator,
  definitions: readonly Definition[],
): Promise<void> {
  const names = definitions.map(({ tableName }) => tableName);
  const filter = names.map((name) => odata`TableName eq ${name}`).join(' or ');
  const { body } = await session.request({ kind: 'queryTables', filter });
  const { value } = JSON.parse(body!) as { value: { TableName: string }[] };
  const known = new Set(value.map(({ TableName }) => TableName));
  const missing = names.filter((name) => !known.has(name));
  await Promise.all(missing.map((name) => createTable(session, validator, name)));
}

/** Builds indexes, and enforces definitions that say so. What is as declared stays as it is. */
async function completeTables(
  session: AccountSession,
  definitions: readonly Definition[],
): Promise<void> {
  await Promise.all(definitions.map((definition) => complete(session, definition)));
}

async function complete(
  session: AccountSession,
  { tableName: table, typed }: Definition,
): Promise<void> {
  const { indexes, isEnforced, form } = typed;
  if (isEnforced) await enforce(session, table, form.schema);
  await updateIndexes(session, { tableName: table, indexes }, {});
}

function enforce(session: AccountSession, table: string, schema: Uint8Array): Promise<void> {
  return aboutTable(table, async () => {
    let isSame = false;
    const compare = (stored: Uint8Array) => {
      isSame = stored.length === schema.length && stored.every((byte, at) => byte === schema[at]);
    };
    await session.request({ kind: 'getTableSchema', table }, undefined, compare);
    if (!isSame) await session.request({ kind: 'setTableSchema', table, schema });
  });
}
