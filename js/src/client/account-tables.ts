/**
 * The tables of an app: what `openAccount({ tables })` and `openTables()` give. It is loaded when
 * an account first opens tables.
 *
 * Missing tables are made beside the first requests, which wait for them. Where all are there, that
 * is one read of their names. Then indexes are built, and definitions enforced; nothing waits for
 * that.
 *
 * @module
 */

import { loaded } from '../base/loaded.js';
import type { AbortSignalLike } from '../base/platform.js';
import { invalidInput } from '../base/errors.js';
import type { AccountSession } from '../core/account-session.js';
import { odata } from '../entity/odata.js';
import type { TableDefinition } from '../schema/table-definition.js';
import type { TableProperties } from '../schema/rows.js';
import type { TableTypes } from '../tables/models.js';
import type { DeclaredRequests } from '../tables/requests.js';
import { rowFormOf } from '../tables/row-form.js';
import { Table, type DeclaredTables, type NamedTables } from '../tables/table.js';
import type { Validator } from '../validation/validator.js';
import { updateIndexes } from './indexes.js';
import { rowRequests } from './row-requests.js';
import { aboutTable } from './table-arguments.js';
import { createTable } from './table-operations.js';
import { TableRequests } from './table-requests.js';

/** Tables that were opened together. */
export class OpenedTables {
  readonly tables: NamedTables;
  readonly definitions: readonly TableDefinition[];
  readonly #names: readonly string[];
  readonly #making: Once;
  readonly #completing: Once;

  constructor(session: AccountSession, validator: Validator, declared: DeclaredTables) {
    const definitions = Object.values(declared);
    this.definitions = definitions;
    this.#names = Object.keys(declared);
    this.#making = new Once(() => makeTables(session, validator, definitions));
    const waiting = waitingFor(session, this.#making);
    const opened = definitions.map((definition) => {
      const form = rowFormOf(definition as TableDefinition<TableProperties>, validator);
      const Requests = rowRequests(TableRequests, definition);
      return new Table(asDeclared(new Requests(waiting, validator, definition.tableName, form)));
    });
    this.tables = this.#byName(opened);
    this.#completing = new Once(async () => {
      await this.#making.done();
      // Later requests do not ask whether to wait.
      for (const { requests } of opened) Object.assign(requests, { session });
      await Promise.all(definitions.map((definition) => complete(session, definition)));
    });
    // Whoever asks for `ready` tries again.
    this.#completing.done().catch(() => undefined);
  }

  /** Resolves when the tables are there. */
  made(): Promise<void> {
    return this.#making.done();
  }

  /** Resolves when the tables are there and their indexes are complete. */
  ready(): Promise<void> {
    return this.#completing.done();
  }

  /** The table of a definition; undefined, if it was not opened here. */
  tableOf(definition: TableDefinition): Table | undefined {
    return this.tables[this.#names[this.definitions.indexOf(definition)]!];
  }

  /** The tables, over the session of a transaction. */
  async within(transaction: RequestsOfTransaction): Promise<NamedTables> {
    await this.#making.done();
    const opened = this.#names.map((name) => tableWithin(transaction, this.tables[name]!));
    return this.#byName(opened);
  }

  #byName(opened: readonly Table[]): NamedTables {
    return Object.fromEntries(this.#names.map((name, at) => [name, opened[at]!]));
  }
}

// They have the methods, but they take and return rows.
const asDeclared = (requests: TableRequests) => requests as unknown as DeclaredRequests;

// Requests ask nothing else of a session.
type RequestsOfTransaction = Pick<AccountSession, 'answer' | 'request'>;

/** A table over the session of a transaction. The table must be there. */
export function tableWithin<T extends TableTypes>(
  transaction: RequestsOfTransaction,
  { requests }: Table<T>,
): Table<T> {
  const own = requests as unknown as TableRequests;
  const over = own.over(transaction as AccountSession);
  return Object.assign(new Table<T>(asDeclared(over)), FOLLOWING_NOTHING);
}

// A transaction is over before a live view could change.
const refuseToFollow = () => {
  throw invalidInput('A transaction has no live views, and follows no table.');
};
const FOLLOWING_NOTHING = {
  live: refuseToFollow,
  liveCount: refuseToFollow,
  liveAggregate: refuseToFollow,
  subscribe: refuseToFollow,
};

/** See `TableServiceClient.transaction()`. */
export async function transactionOver<T>(
  session: AccountSession,
  opened: readonly OpenedTables[],
  run: (tables: NamedTables) => T | Promise<T>,
  signal: AbortSignalLike | undefined,
): Promise<T> {
  const { runInTransaction } = await loaded(import('../transactions/run-transaction.js'));
  return await runInTransaction(
    session,
    async (own) => {
      // eslint-disable-next-line entitable/arguments-before-await -- a copy of the account's list
      const within = opened.map((one) => one.within(own));
      return await run(Object.assign({}, ...(await Promise.all(within))) as NamedTables);
    },
    signal,
  );
}

/** Work that is done once. If it fails, the next call tries again. */
class Once {
  readonly #work: () => Promise<void>;
  #attempt: Promise<void> | undefined;
  isDone = false;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  done(): Promise<void> {
    return (this.#attempt ??= this.#work().then(
      () => void (this.isDone = true),
      (error: unknown) => {
        this.#attempt = undefined;
        throw error;
      },
    ));
  }
}

/** The session, whose requests wait until the tables are there. */
function waitingFor(session: AccountSession, making: Once): AccountSession {
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

/** Makes the tables that are missing. */
async function makeTables(
  session: AccountSession,
  validator: Validator,
  definitions: readonly TableDefinition[],
): Promise<void> {
  const names = definitions.map(({ tableName }) => tableName);
  const filter = names.map((name) => odata`TableName eq ${name}`).join(' or ');
  const { body } = await session.request({ kind: 'queryTables', filter });
  const { value } = JSON.parse(body!) as { value: { TableName: string }[] };
  const known = new Set(value.map(({ TableName }) => TableName));
  const missing = names.filter((name) => !known.has(name));
  await Promise.all(missing.map((name) => createTable(session, validator, name)));
}

/** Builds indexes, and enforces a definition that says so. What is as declared stays as it is. */
async function complete(session: AccountSession, definition: TableDefinition): Promise<void> {
  const { tableName, options, enforced } = definition;
  if (options.enforce === true) await enforce(session, tableName, enforced);
  await updateIndexes(session, definition, {});
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
