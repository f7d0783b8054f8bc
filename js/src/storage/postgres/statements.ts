/**
 * The statements of a store, and what their rows mean.
 *
 * All stores of a database are in one table. A row is a value under its key: `area` is `log` or
 * `pages`, and `number` is the number in it. `log/base` and `pages/root` have a number that no
 * other key has. Numbers and names are parts of the text, because {@link placeOf} and the checks of
 * the options let nothing else through. Values are parameters, in binary form.
 *
 * @module
 */

import { fnv1a } from '../../base/fnv.js';
import type { Batch, ReadRequest, Snapshot, StorageKey } from '../page-storage.js';
import type { PostgresResult } from './pool.js';

/** The table, and the name of the store in it. */
export interface Place {
  readonly table: string;
  readonly store: string;
}

type Area = 'log' | 'pages';

// The number of `log/base` and `pages/root`, below those of all parts.
const NAMED = -(2 ** 53);

// Advisory locks have two numbers. The first is "enti" in ASCII, so that no app has the same.
const LOCKS = 0x656e7469;

// A process that stops in the middle of a transaction holds up the others for so long at most.
const IDLE_SECONDS = 10;

// Changes when the server starts, and differs between servers.
const SERVER = 'extract(epoch FROM pg_postmaster_start_time())::text';

/** Whether there is the table, and whether {@link tuneTable} is still to be done by this role. */
export const findTable = ({ table }: Place) =>
  `SELECT to_regclass('${table}') AS found, (SELECT reloptions IS NULL AND pg_has_role(relowner, 'USAGE')
  FROM pg_class WHERE oid = to_regclass('${table}')) AS untuned`;

/**
 * Creates the table. Several processes may do so at the same time.
 *
 * Values are not compressed, because pages are dense already.
 */
export const createTable = ({ table }: Place) =>
  `SELECT pg_advisory_xact_lock(${LOCKS}, ${fnv1a(table)});
CREATE TABLE IF NOT EXISTS ${table} (
  store text, area text, number bigint, value bytea NOT NULL, PRIMARY KEY (store, area, number));
ALTER TABLE ${table} ALTER COLUMN value SET STORAGE EXTERNAL`;

// In rows, and as a part of all rows.
const VACUUM = { autovacuum_vacuum_threshold: 1000, autovacuum_vacuum_scale_factor: 0.02 };

/**
 * Has the table vacuumed soon. Each commit adds a row of the log, and a flush deletes them all, so
 * most rows are dead sooner or later. By default, a fifth of the table may be dead, and nothing
 * uses its room. Long values are rows of a table of their own, which `toast` means. While the table
 * is vacuumed or gets an index, this fails after a second instead of waiting.
 */
export const tuneTable = ({ table }: Place) =>
  `SET LOCAL lock_timeout = '1s';
ALTER TABLE ${table} SET (${['', 'toast.']
    .flatMap((of) => Object.entries(VACUUM).map(([name, value]) => `${of}${name} = ${value}`))
    .join(', ')})`;

/** Reads at one moment, because it is one statement. No row comes twice. */
export function select({ table, store }: Place, { keys, recordsAfter }: ReadRequest): string {
  const isRecord = ([area, number]: [Area, number]) =>
    recordsAfter !== undefined && area === 'log' && number > recordsAfter;
  const places = keys.map(placeOf).filter((place) => !isRecord(place));
  const conditions = numbersByArea(places).map(([area, numbers]) => among(area, numbers));
  if (recordsAfter !== undefined) {
    conditions.push(`area = 'log' AND number > ${integer(recordsAfter)}`);
  }
  const parts = conditions.map(
    (condition) =>
      `SELECT area, number, value, NULL FROM ${table} WHERE store = '${store}' AND ${condition}`,
  );
  return [`SELECT NULL AS area, NULL AS number, NULL AS value, ${SERVER} AS server`, ...parts].join(
    ' UNION ALL ',
  );
}

/**
 * Begins a transaction that no other commit of the store runs beside, and reads. Each statement of
 * it sees all that was committed before the statement began. So the read sees every commit before
 * the lock was free, whatever the default isolation of the database is.
 */
export const lockAndSelect = (place: Place, request: ReadRequest) =>
  `BEGIN ISOLATION LEVEL READ COMMITTED;
SET LOCAL idle_in_transaction_session_timeout = '${IDLE_SECONDS}s';
SELECT ${lockOf(place)};
${select(place, request)}`;

/** A record to store under a number that must be free, if a value is the expected one. */
export interface Append {
  readonly expected: readonly [StorageKey, Uint8Array];
  readonly record: readonly [StorageKey, Uint8Array];
}

/** The batch as an {@link Append}; undefined: it is another one. */
export function appendIn({ expect, puts, deletes }: Batch): Append | undefined {
  const [record] = puts;
  const expected = expect.find(([, value]) => value);
  const absent = expect.find(([, value]) => !value);
  const isAppend =
    puts.length === 1 && expect.length === 2 && deletes.length === 0 && absent?.[0] === record![0];
  return isAppend && expected
    ? { expected: expected as Append['expected'], record: record! }
    : undefined;
}

/**
 * A commit in one statement, which is a transaction of its own. The parameters are the expected
 * value, the record, and the server; on another server, nothing is stored.
 *
 * The snapshot of a statement is older than the lock that the statement has waited for. That does
 * no harm here:
 *
 * - FOR SHARE reads the newest committed version of the row, and compares that with the expected
 *   value. This commit has the lock by then, so no other commit can change the row. `held` needs
 *   the row of `lock`, so the row is locked after the store is.
 * - ON CONFLICT asks the unique index, which knows the rows of all snapshots. If the number is
 *   taken, nothing is stored.
 *
 * If the default isolation of the database is stricter, both fail with 40001 instead, and the
 * statement is repeated.
 */
export function append(place: Place, { expected, record }: Append): string {
  const { table, store } = place;
  const [area, number] = placeOf(record[0]);
  const [expectedArea, expectedNumber] = placeOf(expected[0]);
  return `WITH lock AS MATERIALIZED (SELECT ${lockOf(place)}),
held AS MATERIALIZED (SELECT 1 FROM lock, ${table} AS t WHERE store = '${store}'
  AND area = '${expectedArea}' AND number = ${expectedNumber} AND value = $1::bytea FOR SHARE OF t),
stored AS (INSERT INTO ${table} (store, area, number, value)
  SELECT '${store}', '${area}', ${number}, $2::bytea
  WHERE ${SERVER} = $3 AND EXISTS (SELECT FROM held) ON CONFLICT DO NOTHING RETURNING 1)
SELECT (SELECT count(*) FROM stored)::int AS stored, ${SERVER} AS server`;
}

/**
 * Writes the puts and deletes of a batch, in the transaction of {@link lockAndSelect}.
 *
 * @returns undefined: there is nothing to write.
 */
export function write(
  { table, store }: Place,
  { puts, deletes }: Pick<Batch, 'puts' | 'deletes'>,
): { text: string; values: Uint8Array[] } | undefined {
  // Deletes come first, but one statement can change a row only once.
  const values = new Map(puts);
  const gone = numbersByArea(deletes.filter((key) => !values.has(key)).map(placeOf));
  const removals = gone.map(
    ([area, numbers]) =>
      `DELETE FROM ${table} WHERE store = '${store}' AND ${among(area, numbers)}`,
  );
  const rows = [...values.keys()].map((key, at) => {
    const [area, number] = placeOf(key);
    return `('${store}', '${area}', ${number}, $${at + 1}::bytea)`;
  });
  if (rows.length > 0) {
    removals.push(`INSERT INTO ${table} (store, area, number, value) VALUES ${rows.join(', ')}
ON CONFLICT (store, area, number) DO UPDATE SET value = excluded.value`);
  }
  const last = removals.pop();
  if (last === undefined) return undefined;
  const first = removals.map((text, at) => `part${at} AS (${text})`);
  const text = first.length > 0 ? `WITH ${first.join(', ')} ${last}` : last;
  return { text, values: [...values.values()] };
}

/** The keys of all values. */
export const list = ({ table, store }: Place) =>
  `SELECT area, number FROM ${table} WHERE store = '${store}'`;

/** Removes all values. */
export const deleteAll = ({ table, store }: Place) =>
  `DELETE FROM ${table} WHERE store = '${store}'`;

/** What {@link select} has found. */
export function snapshotIn(
  { rows }: PostgresResult,
  { keys, recordsAfter = Infinity }: ReadRequest,
): Snapshot & { server: string } {
  const found = new Map<StorageKey, Uint8Array>();
  const records: [number, Uint8Array][] = [];
  let server = '';
  for (const row of rows) {
    if (row['area'] === null) {
      server = String(row['server']);
      continue;
    }
    const key = keyIn(row);
    const value = bytesIn(row['value']);
    found.set(key, value);
    const number = Number(row['number']);
    if (row['area'] === 'log' && number > recordsAfter) records.push([number, value]);
  }
  records.sort(([one], [other]) => one - other);
  return {
    // A record may have been read as a value, too.
    values: keys.map((key) => found.get(key)?.slice()),
    records,
    server,
  };
}

/** The key of a row. */
export function keyIn(row: Record<string, unknown>): StorageKey {
  const number = Number(row['number']);
  if (row['area'] === 'log') return number === NAMED ? 'log/base' : `log/${number}`;
  return number === NAMED ? 'pages/root' : `pages/${number}`;
}

// Two stores with the same number would only wait for each other.
const lockOf = ({ table, store }: Place) =>
  `pg_advisory_xact_lock(${LOCKS}, ${fnv1a(`${table}/${store}`)})`;

function placeOf(key: StorageKey): [area: Area, number: number] {
  const [area, name = ''] = key.split('/');
  const number = name === 'base' || name === 'root' ? NAMED : integer(Number(name));
  return [area === 'log' ? 'log' : 'pages', number];
}

function integer(number: number): number {
  if (Number.isSafeInteger(number)) return number;
  throw new TypeError(`The number of a value must be an integer, not ${number}.`);
}

const among = (area: Area, numbers: readonly number[]) =>
  `area = '${area}' AND number = ANY ('{${numbers.join()}}'::bigint[])`;

function numbersByArea(places: readonly [Area, number][]): [Area, number[]][] {
  return (['log', 'pages'] as const)
    .map((area): [Area, number[]] => [
      area,
      places.filter(([other]) => other === area).map(([, number]) => number),
    ])
    .filter(([, numbers]) => numbers.length > 0);
}

// `pg` parses the form of the server, unless the app has changed its parsers. The copy has a buffer
// of its own, and is a plain array.
function bytesIn(value: unknown): Uint8Array {
  if (typeof value !== 'string') return new Uint8Array(value as Uint8Array);
  const bytes = new Uint8Array((value.length - 2) / 2);
  for (let at = 0; at < bytes.length; at++) {
    bytes[at] = Number.parseInt(value.slice(2 * at + 2, 2 * at + 4), 16);
  }
  return bytes;
}
