// writes.mjs - sections 7.5 and 7.6.

import {
  ANY,
  TABLE,
  capturing,
  createTable,
  entities,
  entityAt,
  get,
  insert,
  merge,
  patch,
  post,
  put,
  remove,
} from './steps.mjs';

const T = [createTable()];
const row_p_r = (expect, headers) => insert('p', 'r', '"A":1', expect, headers);
const LOCATION = `{{base}}${entityAt()}`;
const read = (expect, headers) => get(entityAt(), { status: 200, ...expect }, headers);
const missing = () => get(entityAt(), { status: 404, code: 'ResourceNotFound' });

export const INSERTS = {
  219: () => [
    ...T,
    row_p_r({
      status: 201,
      members: { PartitionKey: 'p', RowKey: 'r', A: 1 },
      headers: { ETag: true, Location: LOCATION, 'Preference-Applied': null, DataServiceId: null },
    }),
  ],
  220: () => [
    ...T,
    row_p_r(
      { status: 201, members: { A: 1 }, headers: { 'Preference-Applied': 'return-content' } },
      { Prefer: 'return-content' },
    ),
  ],
  221: () => [
    ...T,
    row_p_r(
      {
        status: 204,
        body: '',
        headers: {
          ETag: true,
          Location: LOCATION,
          DataServiceId: LOCATION,
          'Preference-Applied': 'return-no-content',
        },
      },
      { Prefer: 'return-no-content' },
    ),
  ],
  222: () => [
    ...T,
    row_p_r({ status: 201, headers: { 'Preference-Applied': null } }, { Prefer: 'nonsense' }),
  ],
  223: (row) => [
    ...T,
    row_p_r(),
    insert('p', 'r', '"A":2', row.outcome),
    read({ custom: { A: 1 } }),
  ],
  224: (row) => [insert('p', 'r', '', row.outcome, {}, 'Nope')],
  225: (row) => [
    ...T,
    post(`/${TABLE}()`, '{"PartitionKey":"p","RowKey":"r"}', row.outcome),
    read({}),
  ],
  226: (row) => [...T, post(`/${TABLE}`, '[]', row.outcome)],
  227: (row) => [...T, post(`/${TABLE}`, '', row.outcome)],
  228: (row) => [...T, post(`/${TABLE}`, '{"PartitionKey":"p"', row.outcome)],
  229: (row) => [...T, row_p_r(row.outcome, { 'Content-Type': 'application/atom+xml' })],
  230: (row) => [...T, row_p_r(row.outcome, { 'Content-Type': 'text/plain' })],
  231: () => [...T, insert('p', 'r', '', { status: 201 }), read({ custom: {} })],
  232: () => [
    ...T,
    capturing({ first: 'member:Timestamp' }, insert('p', '1', '', { status: 201 })),
    capturing({ second: 'member:Timestamp' }, insert('p', '2', '', { status: 201 })),
    { check: { ascending: ['first', 'second'] } },
  ],
  233: () => [
    ...T,
    capturing(
      { time: 'member:Timestamp' },
      row_p_r({
        status: 201,
        headers: { ETag: `W/"datetime'{{time|colon}}'"` },
        members: { 'odata.etag': `W/"datetime'{{time|colon}}'"` },
      }),
    ),
  ],
};

// ----------------------------------------------------------- update and merge

const AB = [...T, insert('p', 'r', '"A":1,"B":2')];
const A1 = [...T, row_p_r()];

// An entity with the old etag {{tag}}, which has changed since.
const TAGGED = [...T, capturing({ tag: 'header:ETag' }, row_p_r({ status: 201 }))];
const CHANGED = [...TAGGED, put(entityAt(), '{"A":2}', { status: 204 })];
const IF_TAG = { 'If-Match': '{{tag}}' };
const ifMatch = (value) => ({ 'If-Match': value });

export const UPDATES = {
  234: () => [
    ...AB,
    put(
      entityAt(),
      '{"A":9}',
      { status: 204, body: '', headers: { ETag: true, Location: null } },
      ANY,
    ),
    read({ custom: { A: 9 } }),
  ],
  235: () => [
    ...AB,
    merge(entityAt(), '{"A":9}', { status: 204 }, ANY),
    read({ custom: { A: 9, B: 2 } }),
  ],
  236: () => [
    ...AB,
    patch(entityAt(), '{"A":9}', { status: 204 }, ANY),
    read({ custom: { A: 9, B: 2 } }),
  ],
  237: () => [
    ...AB,
    post(entityAt(), '{"A":9}', { status: 204 }, { ...ANY, 'X-HTTP-Method': 'MERGE' }),
    read({ custom: { A: 9, B: 2 } }),
  ],
  238: () => [...AB, put(entityAt(), '{"C":3}', { status: 204 }), read({ custom: { C: 3 } })],
  239: () => [
    ...AB,
    merge(entityAt(), '{"C":3}', { status: 204 }),
    read({ custom: { A: 1, B: 2, C: 3 } }),
  ],
  240: () => [...T, put(entityAt(), '{"C":3}', { status: 204 }), read({ custom: { C: 3 } })],
  241: () => [...T, merge(entityAt(), '{"C":3}', { status: 204 }), read({ custom: { C: 3 } })],
  242: (row) => [...T, put(entityAt(), '{}', row.outcome, ANY)],
  243: (row) => [...T, merge(entityAt(), '{}', row.outcome, ANY)],
  244: (row) => [...T, put(entityAt(), '{}', row.outcome, ifMatch('W/"x"'))],
  245: () => [
    ...TAGGED,
    capturing({ later: 'header:ETag' }, put(entityAt(), '{"A":2}', { status: 204 }, IF_TAG)),
    { check: { differ: ['tag', 'later'] } },
  ],
  246: (row) => [...CHANGED, put(entityAt(), '{}', row.outcome, IF_TAG)],
  247: (row) => [...CHANGED, merge(entityAt(), '{}', row.outcome, IF_TAG)],
  248: (row) => [...CHANGED, remove(entityAt(), row.outcome, IF_TAG)],
  249: (row) => [...A1, put(entityAt(), '{}', row.outcome, ifMatch('W/"nonsense"'))],
  250: (row) => [...A1, put(entityAt(), '{}', row.outcome, ifMatch('w/"nonsense"'))],
  251: (row) => [...A1, put(entityAt(), '{}', row.outcome, ifMatch('"nonsense"'))],
  252: (row) => [...A1, put(entityAt(), '{}', row.outcome, ifMatch('nonsense'))],
  253: (row) => [...A1, put(entityAt(), '{}', row.outcome, ifMatch('W/"a", W/"b"'))],
  254: (row) => [...A1, put(entityAt(), '{}', row.outcome, { ...ANY, 'If-None-Match': '*' })],
  255: (row) => [...A1, put(entityAt(), '{}', row.outcome, { 'If-None-Match': '*' })],
  256: () => [
    ...TAGGED,
    remove(entityAt(), { status: 204, body: '', headers: { ETag: null } }, IF_TAG),
    missing(),
  ],
  257: (row) => [...A1, remove(entityAt(), row.outcome, ANY), missing()],
  258: () => [...A1, remove(entityAt(), { status: 400 })],
  259: (row) => [...T, remove(entityAt(), row.outcome, ANY)],
  260: (row) => [remove(entityAt(), row.outcome, ANY)],
  261: (row) => [put(entityAt(), '{}', row.outcome)],
  262: (row) => [merge(entityAt(), '{}', row.outcome, ANY)],
  263: () => [
    ...AB,
    merge(entityAt(), '{"A":null}', { status: 204 }),
    read({ custom: { A: 1, B: 2 } }),
  ],
  264: () => [
    ...AB,
    put(entityAt(), '{"A":null,"B":5}', { status: 204 }),
    read({ custom: { B: 5 } }),
  ],
  265: () => [
    ...T,
    capturing({ first: 'member:Timestamp' }, row_p_r({ status: 201 })),
    merge(entityAt(), '{}', { status: 204 }),
    capturing({ second: 'member:Timestamp' }, read({ custom: { A: 1 } })),
    { check: { ascending: ['first', 'second'] } },
  ],
  266: () => [...A1, put(entityAt(), '{}', { status: 204 }), read({ custom: {} })],
  267: () => [
    ...A1,
    put(entityAt(), '{"PartitionKey":"p","RowKey":"other","A":2}', { status: 204 }),
    read({ custom: { A: 2 } }),
    get(entityAt('p', 'other'), { status: 404 }),
  ],
  268: (row) => [...A1, put(entityAt(), '{"A":2}', row.outcome)],
  269: () => [
    ...A1,
    put(entityAt(), '{"Timestamp":"1999-01-01T00:00:00Z"}', { status: 204 }),
    read({ hasNot: ['1999-01-01'] }),
  ],
  270: () => [
    ...A1,
    put(
      entityAt(),
      '{}',
      { status: 204, body: '', headers: { 'Preference-Applied': null } },
      { Prefer: 'return-content' },
    ),
  ],
  271: () => [...CHANGED, read({ custom: { A: 2 } }, { 'If-None-Match': '{{tag}}' })],
  272: () => [
    ...TAGGED,
    get(entityAt(), { status: 304, body: '' }, { 'If-None-Match': '{{tag}}' }),
  ],
  // The clock of the tests does not move, so both are in the same millisecond.
  273: () => [
    ...A1,
    capturing({ first: 'header:ETag' }, put(entityAt(), '{}', { status: 204 })),
    capturing({ second: 'header:ETag' }, put(entityAt(), '{}', { status: 204 })),
    { check: { differ: ['first', 'second'] } },
    put(entityAt(), '{}', { status: 412 }, ifMatch('{{first}}')),
  ],
  274: (row) => [...T, get(entities(), row.outcome, { 'X-HTTP-Method': 'MERGE' })],
  275: (row) => [...T, post(`/${TABLE}`, '{}', row.outcome, { 'X-HTTP-Method': 'FOO' })],
  276: (row) => [...T, post(`/${TABLE}`, '{}', row.outcome, { 'X-HTTP-Method': ['MERGE', 'PUT'] })],
  277: (row) => [...A1, put(`/${TABLE}`, '{}', row.outcome)],
  278: () => [
    ...TAGGED,
    remove(entityAt(), { status: 204 }, ANY),
    row_p_r({ status: 201 }),
    put(entityAt(), '{}', { status: 412 }, IF_TAG),
  ],
};
