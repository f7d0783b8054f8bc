// reading.js - points, ranges, scans.

import {
  AGES,
  ORDER_TOP,
  PARTITIONS,
  eachEntity,
  isMatch,
  partitionKeyOf,
  rowKeyOf,
} from '../dataset.js';
import { below, randomFrom } from '../random.js';
import { meanMicroseconds, medianMs, timed, warmUp } from './timing.js';

const POINTS = 10_000;
const RANGES = 500;
const RANGE_ENTITIES = 100;
const LOOKUPS = 1000;
const LOOKUPS_BEFORE = 500;
const FIRST_RANGES = 100;

const rowsOf = (count) => count / PARTITIONS;

function randomKeys(howMany, { count, round }) {
  const random = randomFrom(100 + round);
  return Array.from({ length: howMany }, () => [
    partitionKeyOf(below(PARTITIONS, random)),
    rowKeyOf(below(rowsOf(count), random)),
  ]);
}

// Random points, and how to read one.
function pointsOf(adapter, command) {
  const all = randomKeys(2 * POINTS, command);
  const get = async ([partitionKey, rowKey]) => {
    if (!(await adapter.get(partitionKey, rowKey))) throw new Error('an entity is not there');
  };
  return { keys: all.slice(0, POINTS), others: all.slice(POINTS), get };
}

/** Warm: everything was read once before, and the engine may have cached it. */
export async function points(adapter, command) {
  const { keys, others, get } = pointsOf(adapter, command);
  await adapter.filter();
  await warmUp(others, get, command);
  const pointUs = await meanMicroseconds(keys, get);
  const hundreds = [];
  for (let from = 0; from < keys.length; from += 100) hundreds.push(keys.slice(from, from + 100));
  const hundredUs = await meanMicroseconds(hundreds, (some) => Promise.all(some.map(get)));
  return { pointUs, pointAtOnceUs: hundredUs / 100 };
}

/**
 * One by one, with code that is not compiled yet. With a small cache, no filter goes before,
 * because it would fill the cache.
 */
export async function coldPoints(adapter, command) {
  const { keys, get } = pointsOf(adapter, command);
  if (!command.cacheBytes) await adapter.filter();
  return { pointUs: await meanMicroseconds(keys, get) };
}

// Random ranges, and how to read one.
function rangesOf(howMany, adapter, { count, round }) {
  const random = randomFrom(200 + round);
  const expected = Math.min(RANGE_ENTITIES, rowsOf(count));
  const begins = Array.from({ length: howMany }, () => [
    partitionKeyOf(below(PARTITIONS, random)),
    below(rowsOf(count) - expected + 1, random),
  ]);
  const read = async ([partitionKey, first]) => {
    const last = rowKeyOf(first + RANGE_ENTITIES - 1);
    const entities = await adapter.range(partitionKey, rowKeyOf(first), last);
    if (entities.length !== expected) throw new Error(`a range has ${entities.length} entities`);
  };
  return { begins, read };
}

export async function ranges(adapter, command) {
  const { begins, read } = rangesOf(2 * RANGES, adapter, command);
  await warmUp(begins.slice(RANGES), read, command);
  return { rangeUs: await meanMicroseconds(begins.slice(0, RANGES), read) };
}

/** The first reads of a web page, before the browser has compiled much of the code. */
export async function newPage(adapter, command) {
  const { begins, read } = rangesOf(FIRST_RANGES, adapter, command);
  const firstRangesUs = await meanMicroseconds(begins, read);
  return { firstRangesUs, firstCountMs: await timed(() => adapter.count()) };
}

/** A whole partition, the first time. */
export async function partition(adapter, { count }) {
  let entities;
  const read = async () => (entities = await adapter.range('p011', 'r', 's'));
  const partitionMs = await timed(read);
  if (entities.length !== rowsOf(count)) throw new Error('entities of the partition are missing');
  return { partitionMs };
}

export async function scans(adapter, command) {
  const filterMs = await medianMs(async () => {
    if (!(await adapter.filter()).every(isMatch)) throw new Error('an entity does not match');
  }, command);
  const countMs = await medianMs(() => adapter.count(), command);
  const orderMs = await medianMs(async () => {
    const { length } = await adapter.order();
    if (length !== ORDER_TOP) throw new Error(`the order has ${length} entities`);
  }, command);
  const groupsMs = await medianMs(async () => {
    const { length } = await adapter.groups();
    if (length !== AGES) throw new Error(`there are ${length} groups`);
  }, command);
  return { filterMs, countMs, orderMs, groupsMs };
}

/** Each scan once, so that the memory holds what scans leave there. */
export async function scanOnce(adapter) {
  await adapter.filter();
  await adapter.count();
  await adapter.order();
  await adapter.groups();
}

/** Builds two indexes, if the engine has any. */
export async function index(adapter) {
  if (!adapter.index) return {};
  return { indexMs: await timed(() => adapter.index()) };
}

/** With the two indexes, which are removed at the end. */
export async function lookups(adapter, command) {
  if (!adapter.index) return {};
  const { count, values, round } = command;
  const random = randomFrom(300 + round);
  const emails = [];
  for (const { email } of eachEntity(count, values)) {
    if (random() < (2 * LOOKUPS) / count) emails.push(email);
  }
  const read = async (email) => {
    const found = await adapter.byEmail(email);
    if (!found.some((entity) => entity.email === email)) throw new Error('an email is not there');
  };
  await warmUp(emails.slice(-LOOKUPS_BEFORE), read, command);
  const lookupUs = await meanMicroseconds(emails.slice(0, LOOKUPS), read);
  const newestMs = await medianMs(() => adapter.newest(), command);
  await adapter.unindex();
  return { lookupUs, newestMs };
}
