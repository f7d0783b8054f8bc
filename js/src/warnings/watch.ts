/**
 * Watches the calls of an account, and warns of those that probably do not do what their author
 * wants. This script is only loaded in development.
 *
 * @module
 */

import { SYSTEM_NAMES, wireName } from '../base/system-names.js';
import type { AccountSession } from '../core/account-session.js';
import type { Operation } from '../core/frames.js';
import type { QueryPlan } from '../entity/models.js';
import type { AppNames } from '../entity/row-form.js';
import {
  constantComparisons,
  declaredAdvice,
  filterForm,
  longList,
  lostConditions,
  mixedTypes,
  partitionAdvice,
  tableScan,
  unknownIn,
  unknownProperty,
  type Bounds,
  type Finding,
  type Naming,
} from './findings.js';
import type { Definition, DevelopmentWarning, TypesAnswer } from './models.js';

/** The members of an account that are watched. */
export interface WatchedAccount {
  readonly session: AccountSession;

  /** The definitions of its tables. */
  readonly definitions: readonly Definition[];

  enforcedSchema(table: string): Promise<WithProperties | undefined>;

  /** Those that are open. */
  readonly tables: object;
  openTables(tables: never): Promise<object>;
}

/** Tables that are open. */
type Tables = Readonly<Record<string, Table>>;

interface Table {
  readonly name: string;
  readonly requests: { readonly rows: { readonly names: AppNames } };
}

/** A definition or a schema, with properties by their names in the API. */
type WithProperties = Pick<Partial<Definition>, 'stored'> & { readonly properties: object };

/**
 * Watches the later calls of an account.
 *
 * @param given - the option `developmentWarnings`.
 */
export function watch(
  account: WatchedAccount,
  given: boolean | ((warning: DevelopmentWarning) => void) | undefined,
): void {
  const { session } = account;
  const request = session.request.bind(session);
  const report = typeof given === 'function' ? given : warnOnConsole;
  const watcher = new Watcher(request, account, report);
  const watched: AccountSession['request'] = (operation, signal, readBody) => {
    const answer = request(operation, signal, readBody);
    // A failed call needs no warning: its caller gets the error.
    answer.then(
      () => watcher.noteSuccess(operation),
      () => undefined,
    );
    return answer;
  };
  session.request = watched;
  // In development it always returns a promise.
  session.answer = watched;
  session.noteList = (name, count) => watcher.noteList(name, count);
  watchFilters(account, (name, where) => watcher.noteWhere(name, where));
}

// Of the tables that are open, and of those that are opened later.
function watchFilters(
  account: WatchedAccount,
  note: (table: string, where: unknown) => void,
): void {
  const watchThose = (tables: Tables) => {
    for (const { name, requests } of Object.values(tables)) {
      const { names } = requests.rows;
      const filterOf = names.filterOf.bind(names);
      names.filterOf = (where, dialect) => {
        note(name, where);
        return filterOf(where, dialect);
      };
    }
  };
  watchThose(account.tables as Tables);
  const openTables = account.openTables.bind(account);
  account.openTables = async (tables) => {
    const opened = await openTables(tables);
    watchThose(opened as Tables);
    return opened;
  };
}

function warnOnConsole({ code, message }: DevelopmentWarning): void {
  console.warn(`Entitable: ${message} [${code}]`);
}

// The names as they are written in a filter.
const namesIn = ({ properties, stored = properties }: WithProperties): string[] =>
  Object.keys(stored).map(wireName);

// How many filters the watcher remembers. It checks a filter that it has forgotten as a new one.
const MAX_FILTERS = 1000;

// The operations that have a filter.
const FILTERED = [
  ...['queryEntities', 'queryOrdered', 'countEntities', 'awaitChanges'],
  ...['deleteMatching', 'mergeMatching'],
];

interface Filter extends Pick<Operation, 'dialect'> {
  readonly filter: string;
  readonly bounds?: Bounds;
  /** The order whose names it compares. */
  readonly orderBy?: string;
}

const knownOf = ({ properties, rowKeys }: Definition) => ({ properties, rowKeys });

const WHOLE: Bounds = { skip: 0, limit: Infinity, isOrdered: false };

/** Checks the calls of one account. */
class Watcher {
  readonly #request: AccountSession['request'];
  readonly #account: WatchedAccount;
  readonly #report: (warning: DevelopmentWarning) => void;

  // How often each call was seen: a table with a filter, or an import into a table.
  readonly #calls = new Map<string, number>();
  readonly #places = new Set<string>();
  #checks: Promise<void> = Promise.resolve();

  constructor(
    request: AccountSession['request'],
    account: WatchedAccount,
    report: (warning: DevelopmentWarning) => void,
  ) {
    this.#request = request;
    this.#account = account;
    this.#report = report;
  }

  /** Notes that a call without a limit has returned so many rows. */
  noteList(table: string, count: number): void {
    this.#add('', longList(table, count));
  }

  /** Notes that a filter was given. */
  noteWhere(table: string, where: unknown): void {
    if (typeof where !== 'function') return;
    const source = Function.prototype.toString.call(where);
    const names = this.#declaredAs(table).flatMap(({ properties }) => Object.keys(properties));
    this.#add(source, lostConditions(table, source, [...names, 'timestamp']));
  }

  /** Notes that an operation has succeeded. */
  noteSuccess(operation: Operation): void {
    const { kind, table, filter, orderBy, dialect, importPart, nextPartitionKey } = operation;
    const { skip = 0, most = Infinity } = operation;
    const bounds = { skip: Number(skip), limit: Number(most), isOrdered: orderBy !== undefined };
    if (table === undefined) return;
    // The pages of a list are one call.
    const isFirst = FILTERED.includes(kind) && nextPartitionKey === undefined;
    if (isFirst && filter) this.#checkAtTimes(table, { filter, dialect, bounds });
    if (isFirst && orderBy) this.#checkOrder(table, orderBy);
    if (importPart?.ends && !importPart.restores) this.#checkAtTimes(table);
  }

  // To look for a name reads the whole table, so only one that nobody has declared is looked for.
  #checkOrder(table: string, orderBy: string): void {
    const names = orderBy.split(',').map((term) => term.trim().split(' ')[0]!);
    const known = [...Object.values(SYSTEM_NAMES), ...this.#declaredAs(table).flatMap(namesIn)];
    if (names.every((name) => known.includes(name))) return;
    // The core knows the stored types of what a filter names.
    const filter = names.map((name) => `${name} ge ''`).join(' or ');
    this.#checkAtTimes(table, { filter, orderBy });
  }

  // The first call is checked, the second, the fourth, and so on: the data may change later.
  #checkAtTimes(table: string, filter?: Filter): void {
    const { dialect, filter: text, bounds } = filter ?? {};
    const call = [table, dialect, text, bounds?.limit].join('\n');
    const times = (this.#calls.get(call) ?? 0) + 1;
    this.#calls.delete(call);
    this.#calls.set(call, times);
    if (this.#calls.size > MAX_FILTERS) this.#calls.delete(this.#calls.keys().next().value!);
    if ((times & (times - 1)) !== 0) return;
    const check = () => (filter ? this.#checkFilter(table, filter) : this.#checkTypes(table));
    // The checks run one after another, so that most of the time is left to the app. A check fails
    // if the table was deleted or the account was closed. Then it has nothing to report.
    this.#checks = this.#checks.then(check).catch(() => undefined);
  }

  async #checkFilter(table: string, given: Filter): Promise<void> {
    const { filter, dialect, orderBy, bounds = WHOLE } = given;
    const query = { table, filter, dialect };
    const types = await this.#ask<TypesAnswer>({ ...query, kind: 'queryTypes' });
    const form = filterForm(types);
    const naming = orderBy === undefined ? { filter } : { orderBy };
    const unknown = unknownIn(types);
    const misspelt = unknown.length ? await this.#unknownIn(table, naming, types, unknown) : [];
    this.#add(form, misspelt);
    if (orderBy !== undefined || misspelt.length) return;
    this.#add(form, constantComparisons(table, filter, types));
    const declared = this.#declaredAs(table);
    const [definition] = declared;
    if (types.access !== 'table scan' && !(definition && /^partition/.test(types.access))) return;
    const plan = await this.#ask<QueryPlan>({ ...query, kind: 'countEntities' });
    const indexes = declared.flatMap((one) => one.indexes);
    const advice = definition
      ? declaredAdvice({ ...knownOf(definition), indexes }, filter, types, plan)
      : partitionAdvice(plan);
    if (advice !== undefined) this.#add(form, tableScan(table, filter, plan, bounds, advice));
  }

  // A property that is declared may be stored later.
  async #unknownIn(
    table: string,
    naming: Naming,
    { properties }: TypesAnswer,
    unknown: readonly string[],
  ): Promise<Finding[]> {
    const enforced = await this.#account.enforcedSchema(table);
    const declared = this.#declaredAs(table);
    const known = new Set([...declared, ...(enforced ? [enforced] : [])].flatMap(namesIn));
    for (const { name } of properties) if (!unknown.includes(name)) known.add(name);
    return unknown
      .filter((name) => !known.has(name))
      .map((name) => unknownProperty(table, naming, name, [...known]));
  }

  #declaredAs(table: string): Definition[] {
    const name = table.toLowerCase();
    return this.#account.definitions.filter(({ tableName }) => tableName.toLowerCase() === name);
  }

  async #checkTypes(table: string): Promise<void> {
    const types = await this.#ask<TypesAnswer>({ kind: 'queryTypes', table });
    this.#add('', mixedTypes(table, types));
  }

  async #ask<T>(operation: Operation): Promise<T> {
    return JSON.parse((await this.#request(operation)).body!) as T;
  }

  // Each place is reported once.
  #add(form: string, findings: readonly Finding[]): void {
    for (const { warning, place } of findings) {
      const { code, table } = warning;
      const key = [code, table.toLowerCase(), place, form].join('\n');
      if (this.#places.has(key)) continue;
      this.#places.add(key);
      queueMicrotask(() => this.#report(warning));
    }
  }
}
