// properties.mjs - sections 7.3 and 7.4.

import {
  ANY,
  LEVEL,
  TABLE,
  createTable,
  entityAt,
  get,
  insert,
  merge,
  post,
  put,
} from './steps.mjs';

const T = [createTable()];
const read = (expect, headers) => get(entityAt(), { status: 200, ...expect }, headers);
const insertMembers = (members, expect) => [...T, insert('p', 'r', members, expect)];
const backticked = (text) => /`(.*)`/.exec(text)[1];

// -------------------------------------------------------- names and counts

// 'insert with property `"class":1`'
export function propertyInsert(row) {
  const members = backticked(row.request);
  const steps = insertMembers(members, row.outcome);
  return row.outcome.status === 201
    ? [...steps, read({ custom: JSON.parse(`{${members}}`) })]
    : steps;
}

// `count` properties P1, P2, ... of the value 1.
const many = (count) => `{{${count},"P#":1}}`;
const with252 = [...T, insert('p', 'r', many(252))];

export const NAMES = {
  118: () =>
    insertMembers('"@class":1', { status: 400, code: ['InvalidInput', 'PropertyNameInvalid'] }),
  129: (row) => insertMembers('"{{255*n}}":1', row.outcome),
  130: (row) => insertMembers('"{{256*n}}":1', row.outcome),
  131: () => [
    ...insertMembers('"Birthday":1,"birthday":2', { status: 201 }),
    read({ custom: { Birthday: 1, birthday: 2 } }),
  ],
  132: (row) => insertMembers('"A":1,"A":2', row.outcome),
  133: (row) => [...insertMembers(many(252), row.outcome), read({ customCount: 252 })],
  134: (row) => insertMembers(many(253), row.outcome),
  135: () => [
    ...insertMembers(`${many(252)},"X":null`, { status: 201 }),
    read({ customCount: 252 }),
  ],
  136: (row) => [...with252, merge(entityAt(), '{"New":1}', row.outcome, ANY)],
  137: () => [
    ...with252,
    merge(entityAt(), '{"P7":2}', { status: 204 }, ANY),
    read({ members: { P7: 2 } }),
  ],
  138: () => [
    ...insertMembers('"Timestamp":"2001-01-01T00:00:00Z"', { status: 201 }),
    read({ hasNot: ['2001-01-01'] }),
  ],
  139: () => [
    ...insertMembers('"odata.etag":"W/\\"x\\""', { status: 201 }),
    read({ custom: {}, hasNot: ['W/\\"x'] }),
  ],
  140: () => [...insertMembers('"X":null', { status: 201 }), read({ custom: {} })],
  141: () => [
    ...insertMembers('"X@odata.type":"Edm.Int64","X":null', { status: 201 }),
    read({ custom: {} }),
  ],
  142: (row) => insertMembers('"X":{"a":1}', row.outcome),
  143: (row) => insertMembers('"X":[1]', row.outcome),
  144: () => [
    ...insertMembers('"b":1,"a":2', { status: 201 }),
    read({ soft: { order: ['PartitionKey', 'RowKey', 'Timestamp', 'b', 'a'] } }, LEVEL.none),
  ],
  145: () => [
    ...insertMembers('"b":1,"a":2', { status: 201 }),
    put(entityAt(), '{"b":1,"a":2}', { status: 204 }),
    read({ soft: { order: ['PartitionKey', 'RowKey', 'Timestamp', 'a', 'b'] } }, LEVEL.none),
  ],
};

// -------------------------------------------------------------------- values

const annotated = (type, value) => `"X@odata.type":"Edm.${type}","X":${value}`;

// A value that is returned as the same JSON, with or without an annotation before it.
const plain = (json) => ({ has: [`"X":${json}`], hasNot: ['X@odata.type'] });
const typed = (type, json) => ({ has: [annotated(type, json)] });
const number = (value) => ({ members: { X: value }, hasNot: ['X@odata.type'] });

// The entity of a row as it is read, by the last words of the row.
const READ = {
  146: plain('"abc"'),
  147: plain('""'),
  148: plain('"  a  "'),
  149: plain('"2020-01-01T00:00:00Z"'),
  154: plain(String.raw`"<&>'/\"\\"`),
  155: plain(String.raw`"\u00e9\u4e2d"`),
  156: plain('1'),
  157: plain('2147483647'),
  158: plain('-2147483648'),
  159: plain('2147483648.0'),
  160: plain('0'),
  161: plain('1.0'),
  162: plain('1000.0'),
  163: plain('0.1'),
  164: number(1e15),
  165: number(0.00001),
  166: plain('1.7976931348623157E+308'),
  167: number(5e-324),
  170: {},
  171: typed('Double', '"NaN"'),
  172: typed('Double', '"Infinity"'),
  173: typed('Double', '"-Infinity"'),
  174: plain('3.0'),
  175: plain('0.0'),
  176: plain('"NaN"'),
  177: plain('-31'),
  180: typed('Int64', '"9223372036854775807"'),
  181: typed('Int64', '"-9223372036854775808"'),
  184: typed('Int64', '"5"'),
  187: plain('true'),
  188: plain('true'),
  189: plain('false'),
  191: typed('DateTime', '"2020-02-29T12:34:56.1234567Z"'),
  192: typed('DateTime', '"2020-02-29T12:34:56.12Z"'),
  193: typed('DateTime', '"2020-02-29T12:34:56Z"'),
  194: typed('DateTime', '"2020-02-29T12:34:56Z"'),
  195: typed('DateTime', '"2020-02-29T10:34:56Z"'),
  197: typed('DateTime', '"1601-01-01T00:00:00Z"'),
  200: typed('DateTime', '"9999-12-31T23:59:59.9999999Z"'),
  202: typed('Guid', '"7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001"'),
  203: typed('Guid', '"7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001"'),
  205: typed('Binary', '"AQIDBA=="'),
  206: typed('Binary', '""'),
  212: typed('Int64', '"5"'),
};

// `"X":1`, with the annotation of the row, if there is one.
export function valueInsert(row) {
  const members = /`("X.*?)`(?: |$|\))/.exec(row.request)[1];
  if (row.outcome.status >= 400) return insertMembers(members, row.outcome);
  return [...insertMembers(members, { status: 201 }), read(READ[row.number])];
}

// Base64 of this number of zero bytes.
function zeros(bytes) {
  const tail = ['', 'AA==', 'AAA='][bytes % 3];
  return `{{${Math.floor(bytes / 3)}*AAAA}}${tail}`;
}
const binary = (name, bytes) => `"${name}@odata.type":"Edm.Binary","${name}":"${zeros(bytes)}"`;
const binaries = (count, bytes) =>
  Array.from({ length: count }, (_, i) => binary(`b${String(i + 1).padStart(2, '0')}`, bytes)).join(
    ',',
  );

export const VALUES = {
  150: (row) => [
    ...insertMembers('"X":"{{32768*s}}"', row.outcome),
    read({ has: ['"X":"{{32768*s}}"'] }),
  ],
  151: (row) => insertMembers('"X":"{{32769*s}}"', row.outcome),
  152: (row) => insertMembers('"X":"{{65536*s}}"', { ...row.outcome, messageHas: ['(64KB)'] }),
  153: (row) => insertMembers('"X":"{{16384*\u{1f600}}}"', row.outcome),
  // The other form of the same row: raw UTF-8.
  155: (row) => [
    ...valueInsert(row),
    insert('p', 'raw', '"X":"\u00e9\u4e2d"', { status: 201 }),
    get(entityAt('p', 'raw'), { status: 200, ...plain(String.raw`"\u00e9\u4e2d"`) }),
  ],
  198: (row) => insertMembers(annotated('DateTime', '"1600-12-31T23:59:59.9999999Z"'), row.outcome),
  199: (row) =>
    insertMembers(annotated('DateTime', '"0001-01-01T00:00:00Z"'), {
      ...row.outcome,
      messageHas: ['01/01/0001 00:00:00'],
    }),
  208: (row) => [
    ...insertMembers(binary('X', 65536), row.outcome),
    read({ has: [`"X":"${zeros(65536)}"`] }),
  ],
  209: (row) => insertMembers(binary('X', 65537), row.outcome),
  213: () => [
    ...insertMembers('"X":1'),
    merge(entityAt(), '{"X":"text"}', { status: 204 }),
    read(plain('"text"')),
  ],
  214: (row) => insertMembers(`${binaries(15, 65536)},${binary('b16', 65240)}`, row.outcome),
  215: (row) => insertMembers(`${binaries(15, 65536)},${binary('b16', 65241)}`, row.outcome),
  216: (row) => insertMembers('{{40,"s#":"{{32768*x}}"}}', row.outcome),
  217: (row) => [...T, post(`/${TABLE}`, '{{4194305* }}', row.outcome)],
  218: (row) => [
    ...insertMembers(`${binaries(14, 65536)},${binary('b15', 4096)}`, { status: 201 }),
    merge(
      entityAt(),
      `{${['x', 'y', 'z'].map((name) => binary(name, 65536)).join(',')}}`,
      row.outcome,
    ),
  ],
};
