/**
 * What `entitable bench` measures: calls of one kind, one after another, each with its time.
 *
 * @module
 */

import type { TransactionAction } from '../entity/models.js';
import type { RemoteTableClient } from '../remote/models.js';

/** The calls that a table of each kind of account has. */
export type BenchTable = Pick<
  RemoteTableClient,
  'createEntity' | 'getEntity' | 'listEntities' | 'submitTransaction'
> & { countEntities?(options: { filter: string }): Promise<number> };

/** How long, and over how many entities. */
export interface BenchLimits {
  readonly entities: number;
  /** Of each measurement. */
  readonly seconds: number;
  readonly signal: AbortSignal;
}

/** The result of one measurement. */
export interface Measurement {
  readonly name: string;
  /** Calls that were made, each awaited before the next one. */
  readonly calls: number;
  /** Entities that these have written, returned or counted. */
  readonly entities: number;
  readonly seconds: number;
  readonly callsPerSecond: number;
  readonly entitiesPerSecond: number;
  /** Milliseconds of a call: half, 95 % and 99 % of the calls took at most so long. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** A kind of call. It returns how many entities it was about; undefined: there is nothing to do. */
type Call = (index: number) => Promise<number> | undefined;

// As many as the service takes in one transaction.
const BATCH = 100;
const RANGE = 100;
const PARTITION = 'loaded';
const INSERTED = 'inserted';

/** Makes all measurements. The table is empty before. */
export function measurements(table: BenchTable, limits: BenchLimits): AsyncIterable<Measurement> {
  return measure(table, { ...limits });
}

async function* measure(table: BenchTable, limits: BenchLimits): AsyncGenerator<Measurement> {
  const batches = await measured('insert 100 in a batch', limits, batchOf(table, limits));
  yield batches;
  const { entities } = batches;
  yield await measured('insert one', limits, async (index) => {
    await table.createEntity(entityAt(INSERTED, index));
    return 1;
  });
  yield await measured('get one by its keys', limits, async (index) => {
    await table.getEntity(PARTITION, rowKey(scattered(index, entities)));
    return 1;
  });
  yield await measured(`list a range of ${RANGE} keys`, limits, (index) => {
    const first = scattered(index, Math.max(1, entities - RANGE));
    const keys = `RowKey ge '${rowKey(first)}' and RowKey lt '${rowKey(first + RANGE)}'`;
    return listed(table, `PartitionKey eq '${PARTITION}' and ${keys}`);
  });
  yield await measured('filter the table: 1 in 100 fits', limits, (index) =>
    listed(table, `PartitionKey eq '${PARTITION}' and share eq ${index % SHARES}`),
  );
  if (!table.countEntities) return;
  yield await measured('count 1 in 100 of the table', limits, (index) =>
    table.countEntities!({
      filter: `PartitionKey eq '${PARTITION}' and share eq ${index % SHARES}`,
    }),
  );
}

function batchOf(table: BenchTable, { entities }: BenchLimits): Call {
  return (index) => {
    const first = index * BATCH;
    const length = Math.min(BATCH, entities - first);
    if (length <= 0) return undefined;
    const actions = Array.from({ length }, (_, at): TransactionAction => [
      'create',
      entityAt(PARTITION, first + at),
    ]);
    return table.submitTransaction(actions).then(() => length);
  };
}

async function listed(table: BenchTable, filter: string): Promise<number> {
  let count = 0;
  for await (const _ of table.listEntities({ queryOptions: { filter } })) count++;
  return count;
}

async function measured(
  name: string,
  { seconds, signal }: BenchLimits,
  call: Call,
): Promise<Measurement> {
  const times: number[] = [];
  let entities = 0;
  const start = performance.now();
  let now = start;
  while (now - start < seconds * 1000) {
    signal.throwIfAborted();
    const called = call(times.length);
    if (!called) break;
    entities += await called;
    const end = performance.now();
    times.push(end - now);
    now = end;
  }
  const spent = (now - start) / 1000;
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((fraction) => quantileOf(times, fraction));
  return {
    name,
    calls: times.length,
    entities,
    seconds: rounded(spent),
    callsPerSecond: rounded(times.length / spent),
    entitiesPerSecond: rounded(entities / spent),
    ...{ p50: p50!, p95: p95!, p99: p99! },
  };
}

function quantileOf(times: number[], fraction: number): number {
  times.sort((a, b) => a - b);
  return rounded(times[Math.max(0, Math.ceil(times.length * fraction) - 1)] ?? 0);
}

// Three digits say what a measurement can say.
const rounded = (value: number) => Number(value.toPrecision(3));

const SHARES = 100;

const rowKey = (index: number) => String(index).padStart(10, '0');

// About 120 bytes of values, of common types.
const entityAt = (partitionKey: string, index: number) => ({
  partitionKey,
  rowKey: rowKey(index),
  share: index % SHARES,
  price: index / 7,
  sold: BigInt(index) * 1_000_003n,
  isOpen: index % 3 === 0,
  created: new Date(1_700_000_000_000 + index * 60_000),
  text: `entity ${index} of a table of measurements, with a text of about fifty characters`,
});

// Not in order, and each of them after so many calls.
const scattered = (index: number, among: number) => (index * 7919) % among;
