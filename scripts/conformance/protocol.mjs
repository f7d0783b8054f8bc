// protocol.mjs - section 7.14.

import { randomBodies, randomFilters, randomQueries, randomTransactions } from './fuzz.mjs';
import {
  LEVEL,
  TABLE,
  capturing,
  createTable,
  entities,
  entityAt,
  entityBody,
  filtered,
  get,
  insert,
  post,
} from './steps.mjs';

const T = [createTable()];
const A1 = [...T, insert('p', 'r', '"A":1')];
const READ = get(entityAt(), { status: 200, custom: { A: 1 } });

const NO_CONTENT = { Prefer: 'return-no-content' };
const APPLIED = { 'Preference-Applied': 'return-no-content', 'Cache-Control': 'no-cache' };

// The headers of a proxy for the address of its client.
const HOST = { Host: 'tables.example:9999' };
const CALLED = 'https://tables.example:9999';
const CALLED_HOST = {
  entity: {
    headers: { Location: `${CALLED}${entityAt().replaceAll('%27', "'")}` },
    members: { 'odata.metadata': `${CALLED}/$metadata#${TABLE}/@Element` },
  },
  links: { members: { 'odata.id': `${CALLED}${entityAt().replaceAll('%27', "'")}` } },
  table: {
    headers: { Location: `${CALLED}/Tables('Uab')` },
    members: { 'odata.metadata': `${CALLED}/$metadata#Tables/@Element` },
  },
};

// 100 partitions p1 to p100 of 100 entities each.
const TEN_THOUSAND = [
  ...T,
  {
    for: { p: [1, 100] },
    transaction: [
      {
        for: { r: [1, 100] },
        kind: 'insertEntity',
        table: TABLE,
        body: entityBody('p{{p}}', '{{r}}', '"A":{{r}}'),
      },
    ],
    expect: { status: 202 },
  },
];

export const PROTOCOL = {
  535: () => [
    ...T,
    post(`/${TABLE}`, `\ufeff${entityBody('p', 'r', '"A":1')}`, { status: 201 }),
    READ,
  ],
  536: () => [...A1, get(`${entities()}?timeout=90`, { status: 200, rows: ['r'] })],
  537: (row) => [...A1, get(`${entities()}?timeout=abc`, row.outcome)],
  538: () => [...A1, get(`${entities()}?foo=bar`, { status: 200, rows: ['r'] })],
  539: (row) => [...A1, get(entities(), row.outcome, { 'x-ms-version': 'nonsense' })],
  540: () => [...A1, get(entities(), { status: 200 }, { DataServiceVersion: '3.0;NetFx' })],
  541: () => [
    ...A1,
    capturing({ answer: 'body' }, get(`/${TABLE}`, { status: 200, rows: ['r'] })),
    get(`/${TABLE}()`, { status: 200, body: '{{answer}}' }),
  ],
  542: () => [
    ...TEN_THOUSAND,
    get(entityAt('p50', '70'), { status: 200, examined: 14 }),
    get(filtered("PartitionKey eq 'p50' and RowKey eq '70'"), {
      status: 200,
      rows: ['70'],
      examined: 14,
    }),
  ],
  543: () => [
    ...TEN_THOUSAND,
    get(filtered("PartitionKey eq 'p50'"), { status: 200, count: 100, examined: 100 }),
  ],
  544: () => [
    ...TEN_THOUSAND,
    get(filtered("PartitionKey eq 'p50' and RowKey ge '5' and RowKey lt '6'"), {
      status: 200,
      count: 11,
      examined: 11,
    }),
  ],
  545: () => [
    ...T,
    capturing(
      { tag: 'header:ETag', time: 'member:Timestamp' },
      insert('p', 'r', '"A":1,"D":1.0', { status: 201 }),
    ),
    { restart: true },
    get(entityAt(), {
      status: 200,
      headers: { ETag: '{{tag}}' },
      members: { Timestamp: '{{time}}', A: 1 },
      has: ['"D":1.0'],
    }),
  ],
  546: () => [
    ...T,
    capturing({ first: 'member:Timestamp' }, insert('p', '1', '', { status: 201 })),
    { clock: -3_600_000 },
    capturing({ second: 'member:Timestamp' }, insert('p', '2', '', { status: 201 })),
    { check: { ascending: ['first', 'second'] } },
  ],
  547: () => [
    ...T,
    ...randomBodies().map((body) => post(`/${TABLE}`, body, { status: [201, '4xx'] })),
  ],
  548: () => [
    ...A1,
    ...randomFilters().map((filter) => get(filtered(filter), { status: [200, 400, 501] })),
  ],
  549: () => [
    ...T,
    ...randomTransactions(TABLE).map((parts) => ({
      transaction: parts,
      expect: { status: [202, '4xx'] },
    })),
  ],
  550: () => randomQueries(),
  553: () => [
    ...T,
    insert('p', 'r', '"b":true'),
    insert('p', 's', '"b":false'),
    ...['True', 'TRUE', 'tRuE'].map((word) =>
      get(filtered(`b eq ${word}`), { status: 200, rows: ['r'] }),
    ),
  ],
  555: (row) => {
    const refused = { ...row.outcome, headers: APPLIED };
    return [
      post('/Tables', '{"TableName":"ab"}', { ...refused, code: 'OutOfRangeInput' }, NO_CONTENT),
      post(
        '/Tables',
        '{"TableName":"caf\u00e9s"}',
        { ...refused, code: 'InvalidResourceName' },
        NO_CONTENT,
      ),
    ];
  },
  556: () => [
    ...A1,
    get(entityAt(), { status: 200 }, { DataServiceVersion: '3', MaxDataServiceVersion: '3' }),
  ],
  558: () => [
    ...T,
    insert('p', 'r', '"b@odata.type":"Edm.Boolean","b":"True"', { status: 201 }),
    get(entityAt(), { status: 200, custom: { b: true } }),
  ],
  559: () => [
    ...T,
    insert('p', 'r', '', { status: 201, ...CALLED_HOST.entity }, HOST),
    get(entityAt(), { status: 200, ...CALLED_HOST.links }, { ...HOST, ...LEVEL.full }),
    post('/Tables', '{"TableName":"Uab"}', { status: 201, ...CALLED_HOST.table }, HOST),
  ],
};
