// transactions.mjs - section 7.11, as transactions of operations. batches.mjs has its bytes.

import {
  ANY,
  TABLE,
  capturing,
  createTable,
  entities,
  entityAt,
  entityBody,
  get,
  insert,
  put,
} from './steps.mjs';

const T = [createTable()];
const feed = (...names) => get(entities(), { status: 200, rows: names });

const inserting = (rowKey, { partitionKey = 'p', members = '', table = TABLE } = {}) => ({
  kind: 'insertEntity',
  table,
  body: entityBody(partitionKey, rowKey, members),
});
const keyed = (kind, rowKey, more) => ({ kind, table: TABLE, partitionKey: 'p', rowKey, ...more });
const merging = (rowKey, more) => keyed('mergeEntity', rowKey, { body: '{"A":2}', ...more });
const replacing = (rowKey, more) => keyed('replaceEntity', rowKey, { body: '{"A":2}', ...more });
const deleting = (rowKey, ifMatch = '*') => keyed('deleteEntity', rowKey, { ifMatch });

const transaction = (parts, expect, capture) => ({
  transaction: parts,
  expect,
  ...(capture && { capture }),
});
const during = (read, step) => ({ ...step, meanwhile: read });
const succeeds = (...parts) => ({ status: 202, parts });

// 202; part 409 EntityAlreadyExists, message starts `1:The specified entity …`
function failure(row, more) {
  const [, status, code] =
    /(\d{3})(?: ([A-Z][A-Za-z]+))?/.exec(row.expected.replace(/^202; /, '')) ?? [];
  const [, index, text] = /`(\d+):([^`]*)`/.exec(row.expected) ?? [];
  return {
    status: Number(status),
    ...(code && { code }),
    ...(index !== undefined && { operation: Number(index) }),
    ...(text && { message: text }),
    ...more,
  };
}

const R1 = [...T, insert('p', 'r1', '"A":1')];
const CHANGED = [
  ...T,
  capturing({ tag: 'header:ETag' }, insert('p', 'r1', '"A":1', { status: 201 })),
  put(entityAt('p', 'r1'), '{"A":3}', { status: 204 }),
];

export const TRANSACTIONS = {
  436: () => [
    ...T,
    transaction([inserting('r1')], { status: 202, parts: [204], etags: [true] }),
    feed('r1'),
  ],
  437: () => [
    ...T,
    transaction(
      [{ ...inserting('r1', { members: '"A":1' }), echo: true }],
      { status: 202, parts: [201], etags: [true] },
      { entity: 'partBody:0' },
    ),
    get(entityAt('p', 'r1'), { status: 200, body: '{{entity}}', members: { A: 1 } }),
  ],
  438: () => [
    ...T,
    transaction(
      [inserting('r1'), inserting('r2'), merging('r3'), replacing('r4')],
      succeeds(204, 204, 204, 204),
    ),
    feed('r1', 'r2', 'r3', 'r4'),
  ],
  439: () => [
    ...R1,
    transaction([deleting('r1'), inserting('r2')], succeeds(204, 204)),
    feed('r2'),
  ],
  440: (row) => [...R1, transaction([inserting('r2'), inserting('r1')], failure(row)), feed('r1')],
  441: (row) => [
    ...R1,
    transaction(
      [inserting('r1')],
      failure(row, { message: 'The specified entity already exists.' }),
    ),
  ],
  442: () => [
    ...T,
    transaction(
      [{ for: { i: [1, 100] }, ...inserting('r{{i|3}}') }],
      succeeds(...Array(100).fill(204)),
    ),
    get(entities(), { status: 200, count: 100 }),
  ],
  443: (row) => [
    ...T,
    transaction([{ for: { i: [1, 101] }, ...inserting('r{{i|3}}') }], {
      ...failure(row),
      message: 'The batch request operation exceeds the maximum 100 changes per change set.',
    }),
  ],
  444: (row) => [
    ...T,
    transaction(
      [inserting('r1', { partitionKey: 'p1' }), inserting('r1', { partitionKey: 'p2' })],
      failure(row),
    ),
  ],
  445: (row) => [...T, transaction([inserting('r1'), merging('r1')], failure(row))],
  446: () => [
    ...T,
    createTable('Uab'),
    transaction([inserting('r1'), inserting('r2', { table: 'Uab' })], { status: 400 }),
    feed(),
  ],
  447: (row) => [...T, transaction([deleting('r1')], failure(row))],
  448: (row) => [
    ...T,
    transaction([inserting('r1'), deleting('r2')], failure(row, { operation: 1 })),
    feed(),
  ],
  449: (row) => [
    ...T,
    transaction([inserting('r2'), inserting('r3'), merging('r1', { ifMatch: '*' })], {
      ...failure(row),
      status: 404,
      code: 'ResourceNotFound',
      operation: 2,
    }),
    feed(),
  ],
  450: (row) => [...CHANGED, transaction([replacing('r1', { ifMatch: '{{tag}}' })], failure(row))],
  451: () => [
    ...CHANGED,
    transaction([inserting('r2'), replacing('r1', { ifMatch: '{{tag}}' })], {
      status: 412,
      code: 'UpdateConditionNotSatisfied',
      operation: 1,
    }),
    feed('r1'),
  ],
  452: (row) => [transaction([inserting('r1')], failure(row, { operation: 0 }))],
  453: (row) => [
    ...T,
    transaction(
      [{ kind: 'insertEntity', table: TABLE, body: '{"PartitionKey":"p"}' }],
      failure(row, { operation: 0 }),
    ),
  ],
  454: (row) => [...T, transaction([inserting('a#b')], failure(row, { operation: 0 }))],
  455: (row) => [
    ...T,
    transaction([inserting('r1', { members: '"X":"{{65536*s}}"' })], failure(row)),
  ],
  456: (row) => [...T, transaction([merging('a/b')], failure(row))],
  459: () => [
    ...T,
    transaction([keyed('getEntity', 'r1'), inserting('r2')], { status: 400, code: 'InvalidInput' }),
    feed(),
  ],
  462: () => [...T, transaction([], succeeds())],
  463: (row) => [
    ...T,
    transaction(
      [{ for: { i: [1, 5] }, ...inserting('r{{i}}', { members: '"X":{{900000* }}1' }) }],
      {
        ...failure(row),
      },
    ),
    feed(),
  ],
  476: () => [
    ...R1,
    during(
      get(entities(), { status: 200, rowsOneOf: [['r1'], ['r2', 'r3']] }),
      transaction([deleting('r1'), inserting('r2'), inserting('r3')], succeeds(204, 204, 204)),
    ),
    feed('r2', 'r3'),
  ],
  477: () => [
    ...R1,
    insert('p', 'r2', ''),
    transaction(
      [inserting('r3'), merging('r1'), replacing('r2')],
      { status: 202, parts: [204, 204, 204], etags: [true, true, true] },
      { tag0: 'part:0', tag1: 'part:1', tag2: 'part:2' },
    ),
    ...[
      ['r3', 'tag0'],
      ['r1', 'tag1'],
      ['r2', 'tag2'],
    ].map(([rowKey, tag]) =>
      get(entityAt('p', rowKey), { status: 200, headers: { ETag: `{{${tag}}}` } }),
    ),
  ],
  475: (row) => [get('/$batch', row.outcome)],
};
