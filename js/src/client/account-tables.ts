/**
 * The tables of an app: what `openAccount({ tables })` and `openTables()` give. It is loaded when
 * an account first opens tables.
 *
 * The first requests of an app go before everything else here, however long they take. Then the
 * names of the tables are read once and missing tables are made, before indexes are built and
 * definitions enforced. Only imports and requests that need a missing table wait until it is made.
 *
 * @module
 */

import { loaded } from '../base/loaded.js';
import type { AbortSignalLike } from '../base/platform.js';
import { invalidInput, isTableError } from '../base/errors.js';
import type { AccountSession } from '../core/account-session.js';
import { odata } from '../entity/odata.js';
import type { TableDefinition } from '../schema/table-definition.js';
import type { TableProperties } from '../schema/rows.js';
import type { TableTypes } from '../tables/models.js';
import type { DeclaredRequests } from '../tables/requests.js';
import { rowFormOf } from '../tables/row-form.js';
import { Table, type DeclaredTables, type NamedTables } from '../tables/table.js';
import type { Validator } from '../validation/validator.js';
import type { Calls } from '../transactions/calls.js';
import { updateIndexes } from './indexes.js';
import { rowRequests } from './row-requests.js';
import { aboutTable } from './table-arguments.js';
import { createTable } from './table-operations.js';
import { TableRequests } from './table-requests.js';

// By then, an app has sent the requests of its first screen.
const FIRST_REQUESTS_MS = 50;

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
    const underWay = new Set<Promise<unknown>>();
    const making = makingFirst(session, this.#making, underWay);
    const opened = definitions.map((definition) => {
      const form = rowFormOf(definition as TableDefinition<TableProperties>, validator);
      const Requests = rowRequests(TableRequests, definition);
      return new Table(asDeclared(new Requests(making, validator, definition.tableName, form)));
    });
    this.tables = this.#byName(opened);
    this.#completing = new Once(async () => {
      await this.#making.done();
      // Later requests do not ask whether the table is missing.
      for (const { requests } of opened) Object.assign(requests, { session });
      await Promise.all(definitions.map((definition) => complete(session, definition)));
    });
    // Whatever fails here is reported by `ready`, which tries again when the app asks for it.
    setTimeout(() => {
      const first = Promise.allSettled(underWay);
      void first.then(() => this.ready()).catch(() => undefined);
    }, FIRST_REQUESTS_MS);
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
  async within(transaction: RequestsOfTransaction, calls: Calls): Promise<NamedTables> {
    await this.#making.done();
    const opened = this.#names.map((name) =>
      calls.of(tableWithin(transaction, this.tables[name]!)),
    );
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
  return Object.assign(new Table<T>(asDeclared(over)), NOT_WITHIN);
}

// It is over before a live view could change, and the core tries out the writes of single rows.
const NOT_WITHIN = Object.fromEntries(
  [
    ...['live', 'liveCount', 'liveAggregate', 'subscribe', 'count', 'explain', 'aggregate'],
    ...['search', 'insertMany', 'deleteMany', 'updateMany', 'import', 'export'],
  ].map((name) => [
    name,
    () => {
      throw invalidInput(`A transaction has no ${name}().`);
    },
  ]),
);

/** See `TableServiceClient.transaction()`. */
export async function transactionOver<T>(
  session: AccountSession,
  opened: readonly OpenedTables[],
  run: (tables: NamedTables) => T | Promise<T>,
  signal: AbortSignalLike | undefined,
): Promise<T> {
  const { Calls, runInTransaction } = await loaded(import('../transactions/run-transaction.js'));
  const runOver = async (own: RequestsOfTransaction) => {
    const calls = new Calls();
    // eslint-disable-next-line entitable/arguments-before-await -- a copy of the account's list
    const within = opened.map((one) => one.within(own, calls));
    const result = await run(Object.assign({}, ...(await Promise.all(within))) as NamedTables);
    await calls.end();
    return result;
  };
  return await runInTransaction(session, runOver, signal);
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

/**
 * The session. Nearly always the tables are there, so requests do not wait to learn it: one that
 * finds none is sent again when they are made, and those after it wait, too. An import cannot go on
 * after a failure, so its parts wait.
 *
 * @param underWay - has the requests that have no answer yet.
 */
function makingFirst(
  session: AccountSession,
  making: Once,
  underWay: Set<Promise<unknown>>,
): AccountSession {
  let isMissing = false;
  const request: AccountSession['request'] = async (...given) => {
    if (!isMissing && given[0].kind !== 'importEntities') {
      try {
        return await session.request(...given);
      } catch (error) {
        if (!isTableError(error) || error.code !== 'TableNotFound') throw error;
      }
      isMissing = true;
    }
    await making.done();
    return await session.request(...given);
  };
  const noted: typeof request = (...given) => {
    const answer = request(...given);
    // A live list asks for changes until there are some.
    if (given[0].kind === 'awaitChanges') return answer;
    underWay.add(answer);
    const end = () => void underWay.delete(answer);
    answer.then(end, end);
    return answer;
  };
  const own: Partial<AccountSession> = {
    request: (...given) => (making.isDone ? session.request(...given) : noted(...given)),
    answer: (...given) => (making.isDone ? session.answer(...given) : noted(...given)),
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
