// checks.js - checks the answers. An engine that fails here gets no figures.

import {
  Extremes,
  Groups,
  PARTITIONS,
  eachEntity,
  firstInOrder,
  isMatch,
  makeEntity,
  rowKeyOf,
} from '../dataset.js';
import { randomFrom } from '../random.js';

function check(claim, what) {
  if (!claim) throw new Error(`wrong: ${what}`);
}

// An engine may add members to an entity.
const ADDED = ['etag', 'timestamp'];

function isSame(found, expected) {
  if (!found) return false;
  const names = Object.keys(found).filter((name) => !ADDED.includes(name));
  return (
    names.length === Object.keys(expected).length &&
    names.every((name) => isSameValue(found[name], expected[name]))
  );
}

const isSameValue = (a, b) =>
  a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b;

export async function checkReads(adapter, { count, values }) {
  const samples = new Set([0, 1, 777, count - 1]);
  const first = Math.max(0, count / PARTITIONS - 100);
  let matches = 0;
  const someMatches = new Map();
  const groups = new Groups();
  const extremes = new Extremes();
  let inOrder = [];
  let i = 0;
  for (const entity of eachEntity(count, values)) {
    if (samples.has(i++)) {
      const found = await adapter.get(entity.partitionKey, entity.rowKey);
      check(isSame(found, adapter.toOwn(entity)), 'a point');
    }
    groups.add(entity);
    extremes.add(entity);
    inOrder.push(entity);
    if (inOrder.length > 2000) inOrder = firstInOrder(inOrder);
    if (!isMatch(entity)) continue;
    if (matches++ % 97 === 0) someMatches.set(entity.partitionKey + entity.rowKey, entity);
  }
  const none = await adapter.get('p000', 'nothing').catch(() => undefined);
  check(!none, 'a point where nothing is');

  const range = await adapter.range('p007', rowKeyOf(first), rowKeyOf(first + 99));
  check(range.length === Math.min(100, count / PARTITIONS), 'the length of a range');
  check(
    range.every(({ rowKey }, at) => rowKey === rowKeyOf(first + at)),
    'the order of a range',
  );

  await checkFilter(adapter, matches, someMatches);
  await checkOrder(adapter, firstInOrder(inOrder));
  await checkGroups(adapter, groups.list());
  await checkTotals(adapter, extremes, groups.list());
  await checkAll(adapter, extremes);
}

// A missing, repeated or wrong entity would most likely change one of these.
async function checkAll(adapter, expected) {
  const found = new Extremes();
  const keys = new Set();
  await adapter.each((entity) => {
    found.add(entity);
    keys.add(entity.partitionKey + entity.rowKey);
  });
  check(keys.size === expected.number, 'the keys of all entities');
  const names = Object.keys(expected);
  check(
    names.every((name) => found[name] === expected[name]),
    'the read of all entities',
  );
}

async function checkFilter(adapter, matches, someMatches) {
  const found = await adapter.filter();
  check(found.length === matches && found.every(isMatch), 'the matches of the filter');
  for (const entity of found) {
    const expected = someMatches.get(entity.partitionKey + entity.rowKey);
    if (expected) check(isSame(entity, adapter.toOwn(expected)), 'a match of the filter');
  }
  check((await adapter.count()) === matches, 'the count');
}

async function checkOrder(adapter, expected) {
  const found = await adapter.order();
  const isRight = expected.every((entity, at) => isSame(found[at], adapter.toOwn(entity)));
  check(isRight, 'the order of properties');
}

async function checkGroups(adapter, expected) {
  const found = await adapter.groups();
  const isSameGroup = ({ age, number, total }, at) =>
    found[at].age === age && found[at].number === number && isSameSum(found[at].total, total);
  check(found.length === expected.length && expected.every(isSameGroup), 'the groups');
}

async function checkTotals(adapter, { number, least, greatest }, groups) {
  const found = await adapter.extremes();
  const isRight = found.number === number && found.least === least && found.greatest === greatest;
  check(isRight, 'the number, the least and the greatest value');
  const total = groups.reduce((sum, group) => sum + group.total, 0);
  check(isSameSum(await adapter.total(), total), 'the sum');
}

// Sums of doubles depend on the order of the additions.
const isSameSum = (found, expected) => Math.abs(found / expected - 1) < 1e-9;

export async function checkWrites(adapter) {
  const entity = adapter.toOwn({ ...makeEntity(5, randomFrom(42)), rowKey: 'check' });
  const { partitionKey, rowKey } = entity;
  const fails = (work) =>
    work.then(
      () => false,
      () => true,
    );
  await adapter.insert(entity);
  check(await fails(adapter.insert(entity)), 'a second insert of a key');

  await adapter.merge([{ partitionKey, rowKey, age: 99, name: 'merged' }]);
  const merged = await adapter.get(partitionKey, rowKey);
  check(isSame(merged, { ...entity, age: 99, name: 'merged' }), 'a merge');

  // The second entity exists already, so the first must not be stored.
  const half = [{ ...entity, rowKey: 'check-half' }, entity];
  check(await fails(adapter.batch(half)), 'a batch with a key that is taken');
  const left = await adapter.get(partitionKey, 'check-half').catch(() => undefined);
  check(!left, 'half a batch');
}
