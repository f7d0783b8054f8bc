/**
 * The rows that one query of TanStack DB needs.
 *
 * @module
 */

import {
  and,
  compileSingleRowExpression,
  getLoadSubsetDemandKey,
  or,
  toBooleanPredicate,
  walkExpression,
  type LoadSubsetOptions,
  type SyncAppliedReceipt,
} from '@tanstack/db';

import type { TableEntityResult } from '../entity/entities.js';
import { filterOf, propertyName, type Expression } from './conditions.js';
import { keyNames, storedKeyOf, type Form } from './row-keys.js';

/** A row as it is stored. */
export type StoredRow = TableEntityResult<Record<string, unknown>>;

/** The first rows in the order of their keys. */
interface Prefix {
  /** The property that orders the rows: a key. Of the rows with one, the prefix has all or none. */
  readonly key: string;
  /** The least number of rows, if so many match. */
  readonly limit: number;
  /** Whether a row counts towards the limit. Rows that an earlier page ended with do not. */
  readonly counts: Test;
}

type Test = (row: StoredRow) => boolean;

// The most rows that the service returns at once.
const MAX_PAGE = 1000;

/** The rows that one or more queries asked for. */
export class Subset {
  /** Queries whose subsets have equal ids share one subset. */
  readonly id: unknown;
  /** Selects all rows of the subset, and perhaps more. */
  readonly filter: string | undefined;
  /** The keys of its rows that the collection has. */
  readonly keys = new Set<string>();
  /** How many queries use it. */
  users = 0;
  /** The keys of rows that commits changed since the read began; undefined while no read runs. */
  changed: Set<string> | undefined;
  /** The newest read. */
  reading: Promise<void> | undefined;
  /** Fulfilled when TanStack DB shows the rows of the newest read. */
  receipts: SyncAppliedReceipt[] = [];
  /** Fulfilled when the first read has ended. */
  ready: Promise<void> | undefined;
  isReady = false;

  readonly #fits: Test;
  readonly #prefix: Prefix | undefined;
  #count = 0;
  // The key of the last row of a prefix, after a read has found that row.
  #last: string | undefined;

  constructor(options: LoadSubsetOptions, form?: Form) {
    const { where, cursor } = options;
    const stored = isOfStoredRows(where) ? where : undefined;
    this.#prefix = stored === where ? prefixOf(options, form) : undefined;
    const condition = this.#prefix && cursor ? within(stored, cursor) : stored;
    this.#fits = testOf(condition);
    this.filter = filterOf(condition, form);
    this.id = this.#prefix ? this : idOf(options);
  }

  /** Whether it has only the first ones of the matching rows. */
  get isPrefix(): boolean {
    return this.#prefix !== undefined;
  }

  /** How many rows to read at a time. */
  get pageSize(): number {
    return Math.max(1, Math.min(this.#prefix?.limit ?? MAX_PAGE, MAX_PAGE));
  }

  /** Whether a row belongs to it. */
  has(row: StoredRow): boolean {
    return this.#fits(row) && !this.#isAfterLast(row);
  }

  /**
   * Begins a read, which replaces the read before. Returns the new set `changed`: the read is the
   * newest one as long as the subset has this set.
   */
  beginRead(): Set<string> {
    this.#count = 0;
    this.#last = undefined;
    this.receipts = [];
    return (this.changed = new Set());
  }

  /**
   * Counts a row of the read, in the order of the keys.
   *
   * @returns false for a row after the last one of the subset: no later row belongs to it.
   */
  reaches(row: StoredRow): boolean {
    if (this.#isAfterLast(row)) return false;
    const prefix = this.#prefix;
    if (prefix && this.#last === undefined && this.#fits(row) && prefix.counts(row)) {
      if (++this.#count >= prefix.limit) this.#last = textIn(row, prefix.key);
    }
    return true;
  }

  #isAfterLast(row: StoredRow): boolean {
    return this.#last !== undefined && textIn(row, this.#prefix!.key) > this.#last;
  }
}

const textIn = (row: StoredRow, name: string) => (row as Record<string, unknown>)[name] as string;

function testOf(where: Expression | undefined): Test {
  if (!where) return () => true;
  const evaluate = compileSingleRowExpression(where);
  return (row) => toBooleanPredicate(evaluate(row) as boolean | null);
}

// TanStack DB gives rows properties of its own, like `$synced`, which stored rows do not have.
function isOfStoredRows(where: Expression | undefined): boolean {
  let isStored = true;
  walkExpression(where, (part) => {
    if (propertyName(part)?.startsWith('$')) isStored = false;
  });
  return isStored;
}

// Selects the rows that follow the cursor, and those that the last page ended with.
function within(
  where: Expression | undefined,
  { whereFrom, whereCurrent }: NonNullable<LoadSubsetOptions['cursor']>,
): Expression {
  const page = or(whereFrom, whereCurrent);
  return where ? and(where, page) : page;
}

// Undefined for another order than that of the stored keys. Then the subset has all matching rows,
// and TanStack DB sorts them.
function prefixOf(options: LoadSubsetOptions, form: Form): Prefix | undefined {
  const { where, orderBy, limit, offset = 0, cursor } = options;
  const first = orderBy?.[0];
  if (!first || limit === undefined) return undefined;
  const { direction, stringSort } = first.compareOptions;
  if (direction !== 'asc' || stringSort !== 'lexical') return undefined;
  const key = propertyName(first.expression);
  const stored = storedKeyOf(form, key);
  const isOrdered =
    stored === 'partitionKey' || (stored === 'rowKey' && isInOnePartition(where, form));
  if (key === undefined || !isOrdered) return undefined;
  return { key, limit: cursor ? limit : limit + offset, counts: testOf(cursor?.whereFrom) };
}

function isInOnePartition(where: Expression | undefined, form: Form): boolean {
  // All rows of the table are.
  if (keyNames(form).length === 1) return true;
  if (where?.type !== 'func') return false;
  if (where.name === 'and') return where.args.some((part) => isInOnePartition(part, form));
  const isKey = (side: Expression) => storedKeyOf(form, propertyName(side)) === 'partitionKey';
  const isValue = ({ type }: Expression) => type === 'val';
  return where.name === 'eq' && where.args.some(isKey) && where.args.some(isValue);
}

// Queries share a subset only if TanStack DB can write their condition as a text.
function idOf(options: LoadSubsetOptions): unknown {
  try {
    return getLoadSubsetDemandKey(options.where ? { where: options.where } : {});
  } catch {
    return options;
  }
}
