/**
 * The declared tables of an account within a transaction.
 *
 * @module
 */

import type { OperationOptions } from '../base/call-options.js';
import { invalidInput, isTableError } from '../base/errors.js';
import { shown } from '../base/shown.js';
import type { AccountSession } from '../core/account-session.js';
import { ANY_ETAG } from '../entity/any-etag.js';
import { keysOf, type EntityKeys, type GivenKeys } from '../entity/keys.js';
import type { ListTableEntitiesOptions, TableEntityOrderOptions } from '../entity/models.js';
import { runInTransaction } from '../transactions/run-transaction.js';
import type { TransactionSession } from '../transactions/transaction-session.js';
import type { Validator } from '../validation/validator.js';
import { checkedDefinition } from './table-arguments.js';
import { TableRequests } from './table-requests.js';
import type { DeclaredTable, ReadRow, RowPart, WrittenRow } from './typed-table.js';

/** A row as a transaction reads it. One that it has written itself has no etag yet. */
export type TransactionRow<Row> = Row & Partial<Pick<ReadRow<Row>, 'etag' | 'timestamp'>>;

/** Which rows to list. */
export interface TransactionListOptions extends Pick<TableEntityOrderOptions, 'dialect' | 'skip'> {
  /** The text of a filter. */
  readonly where?: string | undefined;
  readonly orderBy?: readonly string[] | undefined;
  readonly limit?: number | undefined;
}

/** A condition of a write. */
export interface TransactionWriteOptions {
  /** The row as it was read: the write fails if it has changed since. */
  readonly ifUnchanged?: { readonly etag?: string | undefined } | undefined;
}

type Requests = InstanceType<typeof TableRequests>;

/**
 * A declared table within a transaction. All rows are of one moment, but for what the transaction
 * has written itself.
 */
export class TransactionTable<Row extends object, Input extends object> {
  readonly #requests: Requests;
  readonly #transaction: TransactionSession;

  /** @internal */
  constructor(requests: Requests, transaction: TransactionSession) {
    this.#requests = requests;
    this.#transaction = transaction;
  }

  /** Returns a row; undefined, if there is none. */
  async get(key: EntityKeys): Promise<TransactionRow<Row> | undefined> {
    try {
      return await this.#existing(keysOf(key));
    } catch (error) {
      if (isTableError(error) && error.code === 'ResourceNotFound') return undefined;
      throw error;
    }
  }

  /** Returns rows, in the order of their keys. */
  async getMany(
    keys: readonly EntityKeys[],
  ): Promise<readonly (TransactionRow<Row> | undefined)[]> {
    return await Promise.all(keys.map((key) => this.get(key)));
  }

  /** Returns the rows that fit, all of them. */
  async list(options: TransactionListOptions = {}): Promise<TransactionRow<Row>[]> {
    const { where: filter, orderBy, limit: top, skip, dialect } = options;
    const query: ListTableEntitiesOptions & TableEntityOrderOptions = { filter, dialect };
    const rows: TransactionRow<Row>[] = [];
    for await (const row of this.#requests.list({ ...query, orderBy, top, skip })) {
      rows.push(this.#shown(row));
    }
    return rows;
  }

  /** Inserts a row, and returns it as it will be stored. */
  async insert(row: WrittenRow<Input>): Promise<TransactionRow<Row>> {
    const keys = keysOf(row as GivenKeys);
    await this.#requests.insert(row, undefined);
    return await this.#existing(keys);
  }

  /** Inserts a row, or replaces the one that is there. */
  async put(row: WrittenRow<Input>, options: TransactionWriteOptions = {}): Promise<void> {
    await this.#requests.update(row as GivenKeys, 'Replace', options.ifUnchanged?.etag, undefined);
  }

  /** Inserts a row, or merges it with the one that is there. */
  async upsert(row: RowPart<Input>): Promise<void> {
    await this.#requests.update(row, 'Merge', undefined, undefined);
  }

  /** Changes properties of a row; a function makes them of the row as it is. */
  async update(
    key: EntityKeys,
    changes: Partial<Input> | ((row: TransactionRow<Row>) => Partial<Input>),
    options: TransactionWriteOptions = {},
  ): Promise<void> {
    const keys = keysOf(key);
    const etag = options.ifUnchanged?.etag ?? ANY_ETAG;
    const given = typeof changes === 'function' ? changes : { ...changes };
    const part = typeof given === 'function' ? given(await this.#existing(keys)) : given;
    await this.#requests.update({ ...part, ...keys }, 'Merge', etag, undefined);
  }

  /** Deletes a row. */
  async delete(key: EntityKeys, options: TransactionWriteOptions = {}): Promise<void> {
    await this.#requests.delete(keysOf(key), options.ifUnchanged?.etag, undefined);
  }

  async #existing(keys: EntityKeys): Promise<TransactionRow<Row>> {
    return this.#shown(await this.#requests.get(keys, {}));
  }

  #shown(row: object): TransactionRow<Row> {
    const { partitionKey, rowKey } = row as EntityKeys;
    const address = { table: this.#requests.name, partitionKey, rowKey };
    if (this.#transaction.hasWritten(address)) {
      // Those of the trial.
      delete (row as { etag?: string }).etag;
      delete (row as { timestamp?: string }).timestamp;
    }
    return row as TransactionRow<Row>;
  }
}

/** Declared tables, by the names that an app gives them, within a transaction. */
export type TransactionTables<Tables> = {
  readonly [Name in keyof Tables]: Tables[Name] extends DeclaredTable<
    infer Row extends object,
    infer Input extends object
  >
    ? TransactionTable<Row, Input>
    : never;
};

/**
 * Runs a function as a transaction: its reads see the account at one moment, and its own writes. At
 * its end, all that it has written is stored, in any tables and partitions, or nothing. If somebody
 * else has changed what it has read, it runs again, so it should have no other effects.
 *
 * @throws {@link TableError} `TransactionConflict`, if that was in vain 20 times;
 * `RequestBodyTooLarge`, if it changes more than 8 MiB; and what the function throws.
 */
export async function runTransaction<const Tables extends object, T>(
  account: { readonly session: AccountSession; readonly validator: Validator },
  tables: Tables,
  run: (tables: TransactionTables<Tables>) => T | Promise<T>,
  options: OperationOptions = {},
): Promise<T> {
  if (typeof run !== 'function') {
    throw invalidInput(`A transaction is a function, not ${shown(run)}.`);
  }
  const { session, validator } = account;
  const definitions = Object.entries(tables).map(
    ([name, table]) => [name, checkedDefinition(table as DeclaredTable<unknown, unknown>)] as const,
  );
  const tablesOver = (transaction: TransactionSession) =>
    Object.fromEntries(
      definitions.map(([name, { tableName, typed }]) => {
        const Requests = typed.requestsOf(TableRequests);
        // Requests ask nothing else of a session.
        const within = transaction as unknown as AccountSession;
        const requests = new Requests(within, validator, tableName, typed.form);
        return [name, new TransactionTable(requests, transaction)];
      }),
    ) as unknown as TransactionTables<Tables>;
  return await runInTransaction(
    session,
    (transaction) => run(tablesOver(transaction)),
    options.abortSignal,
  );
}
