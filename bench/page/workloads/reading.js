// reading.js - points, ranges, scans.

import { PARTITIONS, isMatch, partitionKeyOf, rowKeyOf } from '../dataset.js';
import { below, randomFrom } from '../random.js';
import { meanMicroseconds, quantile, timed, timesOf } from './timing.js';

const POINTS = 10_000;
const RANGES = 500;
const RANGE_ENTITIES = 100;
const SCANS = 5;

const rowsOf = (count) => count / PARTITIONS;

function randomKeys(howMany, { count, round }) {
  const random = randomFrom(100 + round);
  return Array.from({ length: howMany }, () => [
    partitionKeyOf(below(PARTITIONS, random)),
    rowKeyOf(below(rowsOf(count), random)),
  ]);
}

/** Warm: everything was read once before, and the engine may have cached it. */
export async function points(adapter, command) {
  const keys = randomKeys(POINTS, command);
  const get = async ([partitionKey, rowKey]) => {
    if (!(await adapter.get(partitionKey, rowKey))) throw new Error('an entity is not there');
  };
  if (!command.cacheBytes) await adapter.filter();
  for (const key of keys.slice(0, 500)) await get(key);
  const pointUs = await meanMicroseconds(keys, get);
  const hundreds = [];
  for (let from = 0; from < keys.length; from += 100) hundreds.push(keys.slice(from, from + 100));
  const hundredUs = await meanMicroseconds(hundreds, (some) => Promise.all(some.map(get)));
  return { pointUs, pointAtOnceUs: hundredUs / 100 };
}

export async function ranges(adapter, command) {
  const random = randomFrom(200 + command.round);
  const expected = Math.min(RANGE_ENTITIES, rowsOf(command.count));
  const begins = Array.from({ length: RANGES }, () => [
    partitionKeyOf(below(PARTITIONS, random)),
    below(rowsOf(command.count) - expected + 1, random),
  ]);
  const rangeUs = await meanMicroseconds(begins, async ([partitionKey, first]) => {
    const last = rowKeyOf(first + RANGE_ENTITIES - 1);
    const entities = await adapter.range(partitionKey, rowKeyOf(first), last);
    if (entities.length !== expected) throw new Error(`a range has ${entities.length} entities`);
  });
  return { rangeUs };
}

/** A whole partition, the first time. */
export async function partition(adapter, { count }) {
  let entities;
  const read = async () => (entities = await adapter.range('p011', 'r', 's'));
  const partitionMs = await timed(read);
  if (entities.length !== rowsOf(count)) throw new Error('entities of the partition are missing');
  return { partitionMs };
}

export async function scans(adapter) {
  const filterMs = await medianMs(async () => {
    if (!(await adapter.filter()).every(isMatch)) throw new Error('an entity does not match');
  });
  const countMs = await medianMs(() => adapter.count());
  return { filterMs, countMs };
}

const medianMs = async (work) => quantile(await timesOf(Array(SCANS).fill(0), work), 0.5);
