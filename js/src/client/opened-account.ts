/**
 * What an account is, whatever its requests are.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { checkedOptions } from '../base/options.js';
import type { MaybeAsyncDisposable } from '../base/platform.js';
import { loaded } from '../base/loaded.js';
import { shown } from '../base/shown.js';
import type { AccountSession } from '../core/account-session.js';
import type { TableDefinition } from '../schema/table-definition.js';
import type { StatusListener } from '../storage/page-storage.js';
import type { CallOptions } from '../tables/models.js';
import type { DeclaredTables, TableOf } from '../tables/table.js';
import type { Validator } from '../validation/validator.js';
import type { OpenedTables } from './account-tables.js';
import { explained } from './failures.js';
import { checkedDefinition, checkedTables } from './table-arguments.js';

/** The tables of an account, under these names. */
export type AccountTables<Tables> = { readonly [Name in keyof Tables]: TableOf<Tables[Name]> };

type OfRows = 'name' | 'get' | 'getMany' | 'first' | 'list' | 'rows';
type OfWrites = 'insert' | 'put' | 'upsert' | 'update' | 'delete';

/** The tables of an account within a transaction: those of their methods that a transaction has. */
export type TransactionTables<Tables> = {
  readonly [Name in keyof Tables]: Pick<TableOf<Tables[Name]>, OfRows | OfWrites>;
};

// Node and Bun call a method of this name to print an object.
const INSPECT = /* @__PURE__ */ Symbol.for('nodejs.util.inspect.custom');

function inspected(
  this: OpenedAccount,
  _depth: number,
  options: object,
  inspect: (value: object, options: object) => string,
): string {
  const { account: name, storageKind: storage, isOpen } = this.session;
  return `TableServiceClient ${inspect({ name, storage, isOpen }, options)}`;
}

/** `await using` calls {@link OpenedAccount.close}. */
export interface OpenedAccount<Tables = Record<never, never>> extends MaybeAsyncDisposable {}

/** An opened account: its tables, its state and its end. */
export class OpenedAccount<Tables = Record<never, never>> {
  /** @internal For scripts that are loaded on their own, and for the HTTP front end. */
  readonly session: AccountSession;

  /** Checks entities, names and keys with the profile of the account, and stores nothing. */
  readonly validator: Validator;

  /** The declared tables that `openAccount` got, under the same names. */
  readonly tables: AccountTables<Tables>;

  readonly #opened: OpenedTables[] = [];

  /** @internal Vue makes no proxy of it, which could not read private members of its parts. */
  get __v_skip(): boolean {
    return true;
  }

  /** @internal */
  constructor(session: AccountSession, validator: Validator, opened?: OpenedTables) {
    this.session = session;
    this.validator = validator;
    this.tables = (opened?.tables ?? {}) as unknown as AccountTables<Tables>;
    if (opened) this.#opened.push(opened);
    // Some runtimes do not have the symbol, or only after a polyfill.
    const { asyncDispose } = Symbol as { asyncDispose?: symbol };
    if (asyncDispose) Object.defineProperty(this, asyncDispose, { value: () => this.close() });
    // Not a member of the class: with a computed name, no bundler would leave the class out.
    Object.defineProperty(this, INSPECT, { value: inspected });
  }

  /**
   * Resolves when the opened tables are there and their indexes are complete. Rejects with the
   * error that prevents it; asked again, it tries again. Nothing needs to wait for it: requests
   * wait for their tables themselves, and queries scan while an index is being built.
   */
  get ready(): Promise<void> {
    return Promise.all(this.#opened.map((opened) => opened.ready())).then(() => undefined);
  }

  /** @internal What development warnings know of its tables. */
  get definitions(): readonly TableDefinition[] {
    return this.#opened.flatMap(({ definitions }) => definitions);
  }

  /**
   * Opens further declared tables: those of a part of the app that is loaded later, say. They
   * behave as those that `openAccount` got.
   *
   * @example
   * ```ts
   * const { notes } = await account.openTables({ notes: defineTable('Notes', …) });
   * ```
   * @returns the tables, under the same names.
   * @throws {@link TableError} `InvalidInput`, if they are not from `defineTable`;
   * `ScriptNotLoaded`.
   */
  async openTables<const More extends DeclaredTables>(tables: More): Promise<AccountTables<More>> {
    const declared = checkedTables('openTables', tables);
    const { OpenedTables } = await loaded(import('./account-tables.js'));
    const opened = new OpenedTables(this.session, this.validator, declared);
    this.#opened.push(opened);
    return opened.tables as unknown as AccountTables<More>;
  }

  /**
   * Returns the table of a definition that `openAccount` or `openTables` got.
   *
   * @throws {@link TableError} `InvalidInput`, if none of them got it.
   */
  table<Definition extends TableDefinition>(definition: Definition): TableOf<Definition> {
    const { tableName } = checkedDefinition(definition);
    for (const opened of this.#opened) {
      const table = opened.tableOf(definition);
      if (table) return table as unknown as TableOf<Definition>;
    }
    throw invalidInput(
      `The table ${tableName} is not open. Give it to openAccount({ storage, tables: { … } }), or ` +
        'await account.openTables({ … }).',
    );
  }

  /**
   * The name of a table, which the app may have another name for.
   *
   * @internal
   */
  tableNameOf(name: string): string {
    const opened = this.#opened.find(({ tables }) => Object.hasOwn(tables, name));
    return opened?.tables[name]!.name ?? name;
  }

  /**
   * Resolves when the declared tables are there.
   *
   * @internal
   */
  async made(): Promise<void> {
    await Promise.all(this.#opened.map((opened) => opened.made()));
  }

  /** Whether the account runs in a worker, as the option `worker` of `openAccount` asks for. */
  get isInWorker(): boolean {
    return this.session.isInWorker;
  }

  /**
   * Runs a function as a transaction. Its reads see the account at one moment, and its own writes.
   * When it is over, all that it has written is stored, in any tables and partitions, or nothing.
   * If somebody has changed what it has read, in another tab, say, it runs again: up to 20 times.
   * So it should have no other effects. It may await anything, and it must await all its calls.
   *
   * A row that the transaction has written gets its final etag at the end.
   *
   * @returns what the function returns.
   * @throws {@link TableError} `TransactionConflict`, if all repetitions were in vain;
   * `RequestBodyTooLarge`, if the changes take more than 8 MiB; `InvalidInput`, if the account was
   * opened without tables; and what the function throws: nothing is stored then.
   * @example
   * ```ts
   * await account.transaction(async (tx) => {
   *   const from = await tx.accounts.get('ann');
   *   await tx.accounts.update('ann', { balance: from!.balance - 10 });
   *   await tx.moves.insert({ from: 'ann', to: 'bob', amount: 10 });
   * });
   * ```
   */
  async transaction<T>(
    run: (tables: TransactionTables<Tables>) => T | Promise<T>,
    options: CallOptions = {},
  ): Promise<T> {
    const { signal } = checkedOptions<CallOptions, { signal: 'signal' }>('transaction', options, {
      signal: 'signal',
    });
    if (typeof run !== 'function') {
      throw invalidInput(`A transaction is a function, not ${shown(run)}.`);
    }
    if (!this.#opened.length) {
      throw invalidInput('A transaction needs the option tables of openAccount().');
    }
    const { transactionOver } = await loaded(import('./account-tables.js'));
    return await transactionOver(this.session, [...this.#opened], run as never, signal);
  }

  /**
   * Reports events that no call caused. Each call of the listener is a microtask.
   *
   * @returns a function that removes the listener.
   * @throws {@link TableError} `InvalidInput`, if it is not a function.
   */
  onStatus(listener: StatusListener): () => void {
    if (typeof listener !== 'function') {
      throw invalidInput(`The listener of onStatus must be a function, not ${shown(listener)}.`);
    }
    return this.session.onStatus(listener);
  }

  /**
   * Waits for requests that were begun, and frees the memory of the account. All other calls, and
   * all later ones, are rejected with `AccountClosed`. May be called again.
   *
   * @throws {@link TableError} `StorageUnavailable`, with the cause, if the storage cannot be
   * closed; the account is closed all the same.
   */
  async close(): Promise<void> {
    try {
      await this.session.close();
    } catch (error) {
      throw explained(error, {});
    }
  }
}
