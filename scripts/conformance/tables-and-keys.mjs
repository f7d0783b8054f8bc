// tables-and-keys.mjs - sections 7.1 and 7.2: the requests of each row, and its expectations beyond
// the status, the code and the message in the row.

import {
  ANY,
  LEVEL,
  TABLE,
  capturing,
  createTable,
  encode,
  entities,
  entityAt,
  forEach,
  get,
  insert,
  put,
  post,
  remove,
} from './steps.mjs';

// 'CT `"abc"`' as the JSON of a body; `63 × a` is a text of 63 characters.
function createBody(request) {
  const literal = /^CT `(".*?")`/.exec(request)?.[1];
  const repeated = /^CT (\d+) × `(.)`/.exec(request);
  return `{"TableName":${literal ?? `"{{${repeated[1]}*${repeated[2]}}}"`}}`;
}

const create = (row, expect) =>
  post('/Tables', createBody(row.request), { ...row.outcome, ...expect });
const with1 = (name) => [createTable(name)];
const location = (name) => `{{base}}/Tables('${name}')`;
const names = (...tables) => ({ status: 200, tables });
const feed = (rows) => ({ status: 200, rows });

export const TABLES = {
  1: (row) => [
    create(row, { members: { TableName: 'abc' }, headers: { Location: location('abc') } }),
  ],
  7: (row) => [create(row, { members: { TableName: 'A1b2C3' } })],
  18: (row) => [...with1('abc'), create(row)],
  19: (row) => [...with1('abc'), create(row)],
  20: (row) => [
    ...with1('Abc'),
    get("/Tables('aBC')", { ...row.outcome, members: { TableName: 'Abc' } }),
  ],
  21: () => [...with1('Abc'), get('/ABC()', feed([]))],
  22: () => [
    ...with1('Abc'),
    insert('p', 'r', '', { status: 201 }, {}, 'abc'),
    get('/ABC()', feed(['r'])),
  ],
  23: (row) => [get("/Tables('nope')", row.outcome)],
  24: () => [
    ...with1('abc'),
    remove("/Tables('abc')", { status: 204, body: '' }),
    get("/Tables('abc')", { status: 404, code: 'ResourceNotFound' }),
  ],
  25: (row) => [remove("/Tables('nope')", row.outcome)],
  26: (row) => [remove("/Tables('a-b')", row.outcome)],
  27: (row) => [remove("/Tables('tables')", row.outcome)],
  28: () => [
    ...['abc', 'abcd'].flatMap((table) => [
      createTable(table),
      insert('p', '1', '', { status: 201 }, {}, table),
      insert('p', '2', '', { status: 201 }, {}, table),
    ]),
    remove("/Tables('abc')", { status: 204 }),
    get('/abcd()', feed(['1', '2'])),
  ],
  29: () => [
    createTable('abc'),
    insert('p', 'r', '', { status: 201 }, {}, 'abc'),
    remove("/Tables('abc')", { status: 204 }),
    post('/Tables', '{"TableName":"abc"}', { status: 201 }),
    get('/abc()', feed([])),
  ],
  30: () => [
    post(
      '/Tables',
      '{"TableName":"abc"}',
      {
        status: 204,
        body: '',
        headers: {
          Location: location('abc'),
          DataServiceId: location('abc'),
          'Preference-Applied': 'return-no-content',
        },
      },
      { Prefer: 'return-no-content' },
    ),
  ],
  31: () => [
    post(
      '/Tables',
      '{"TableName":"abc"}',
      {
        status: 201,
        members: { TableName: 'abc' },
        headers: { 'Preference-Applied': 'return-content' },
      },
      { Prefer: 'return-content' },
    ),
  ],
  32: () => [
    post('/Tables', '{"TableName":"abc"}', {
      status: 201,
      headers: { 'Preference-Applied': null },
    }),
  ],
  33: (row) => [post('/Tables', '{}', row.outcome)],
  34: (row) => [post('/Tables', '{"TableName":5}', row.outcome)],
  35: (row) => [post('/Tables', '{"TableName":', row.outcome)],
  36: () => [get('/Tables', { status: 200, body: '{"value":[]}' }, LEVEL.none)],
  37: () => [
    ...['bbb', 'aaa', 'Ccc'].map((name) => createTable(name)),
    get('/Tables', names('aaa', 'bbb', 'Ccc')),
  ],
  38: () => [
    ...['tab1', 'tab2', 'xyz'].map((name) => createTable(name)),
    get(
      `/Tables?$filter=${encode("TableName ge 'tab' and TableName lt 'tac'")}`,
      names('tab1', 'tab2'),
    ),
  ],
  39: () => [
    ...['tab1', 'tab2'].map((name) => createTable(name)),
    get(`/Tables?$filter=${encode("TableName eq 'tab2'")}`, names('tab2')),
  ],
  40: (row) => [
    createTable('tab1'),
    get(`/Tables?$filter=${encode("startswith(TableName,'tab')")}`, row.outcome),
  ],
  41: () => [
    ...['tab1', 'tab2', 'tab3'].map((name) => createTable(name)),
    capturing(
      { token: 'header:x-ms-continuation-NextTableName' },
      get('/Tables?$top=2', {
        ...names('tab1', 'tab2'),
        headers: { 'x-ms-continuation-NextTableName': true },
      }),
    ),
    get('/Tables?$top=2&NextTableName={{token|encode}}', {
      ...names('tab3'),
      headers: { 'x-ms-continuation-NextTableName': null },
    }),
  ],
  42: () => [
    forEach({ i: [1, 1001] }, post('/Tables', '{"TableName":"t{{i|4}}"}')),
    get('/Tables', {
      status: 200,
      count: 1000,
      headers: { 'x-ms-continuation-NextTableName': true },
    }),
  ],
  43: (row) => [put("/Tables('abc')", '{}', row.outcome)],
};

/** All other rows: only `CT "…"`. */
export const createOnly = (row) => [create(row)];

// ---------------------------------------------------------------------- keys

const T = [createTable()];
const p_r = [...T, insert('p', 'r')];
const at = (arguments_) => `/${TABLE}(${arguments_})`;

// A RowKey as JSON; the PartitionKey is p.
const insertRow = (rowKey, expect) => insert('p', rowKey, '', expect);

// Inserts the row key, and expects the address in the header.
const located = (rowKey, part) =>
  insertRow(rowKey, { status: 201, headersHave: { Location: part } });

const codePoint = (hex) => `\\u${hex.padStart(4, '0').toLowerCase()}`;

export const KEYS = {
  44: () => [
    ...T,
    insert('', '', '', { status: 201 }),
    get(at("PartitionKey='',RowKey=''"), { status: 200 }),
  ],
  45: () => [...T, insert('', 'r', '', { status: 201 })],
  46: () => [...T, insertRow('', { status: 201 })],
  47: (row) => [...T, post(`/${TABLE}`, '{"PartitionKey":"p"}', row.outcome)],
  48: (row) => [...T, post(`/${TABLE}`, '{"RowKey":"r"}', row.outcome)],
  49: (row) => [...T, post(`/${TABLE}`, '{"PartitionKey":"p","RowKey":null}', row.outcome)],
  50: (row) => [...T, post(`/${TABLE}`, '{"PartitionKey":"p","RowKey":5}', row.outcome)],
  51: (row) => [...T, post(`/${TABLE}`, '{"PartitionKey":true,"RowKey":"r"}', row.outcome)],
  52: () => [
    ...T,
    post(`/${TABLE}`, '{"PartitionKey@odata.type":"Edm.String","PartitionKey":"p","RowKey":"r"}', {
      status: 201,
      absent: ['PartitionKey@odata.type'],
    }),
  ],
  53: (row) => [...T, insertRow('{{1024*k}}', row.outcome)],
  54: (row) => [...T, insertRow('{{1025*k}}', row.outcome)],
  55: (row) => [...T, insertRow('{{2048*k}}', row.outcome)],
  56: (row) => [...T, insertRow('{{512*\u{1f600}}}', row.outcome)],
  57: (row) => [...T, put(at("PartitionKey='p',RowKey='{{2048*k}}'"), '{}', row.outcome)],
  58: (row) => [...T, get(at("PartitionKey='p',RowKey='{{2048*k}}'"), row.outcome)],
  59: (row) => [...T, remove(at("PartitionKey='p',RowKey='{{2048*k}}'"), row.outcome, ANY)],
  60: (row) => [...T, insert('a/b', 'r', '', row.outcome)],
  61: (row) => [...T, insert('a\\\\b', 'r', '', row.outcome)],
  62: (row) => [...T, insert('a#b', 'r', '', row.outcome)],
  63: (row) => [...T, insert('a?b', 'r', '', row.outcome)],
  64: (row) => [...T, insertRow('a#b', { ...row.outcome, messageHas: ["'RowKey'"] })],
  65: (row) => [...T, insertRow('a\\tb', row.outcome)],
  66: (row) => [...T, insertRow('a\\nb', row.outcome)],
  ...Object.fromEntries(
    [67, 68, 69, 70, 71].map((number) => [
      number,
      (row) => [...T, insertRow(codePoint(/U\+([0-9A-F]+)/.exec(row.request)[1]), row.outcome)],
    ]),
  ),
  72: () => [...T, insertRow(codePoint('A0'), { status: 201 })],
  73: () => [...T, insertRow(' ', { status: 201 }), insertRow('', { status: 201 })],
  74: () => [
    ...T,
    insertRow("a'b", { status: 201 }),
    get(at("PartitionKey='p',RowKey='a''b'"), { status: 200, members: { RowKey: "a'b" } }),
  ],
  75: () => [
    ...T,
    insertRow("a'b"),
    get(at("PartitionKey='p',RowKey='a%27%27b'"), { status: 200 }),
  ],
  76: (row) => [...T, insertRow("a'b"), get(at("PartitionKey='p',RowKey='a'b'"), row.outcome)],
  77: () => [
    ...T,
    located('100%', '100%25'),
    get(at("PartitionKey='p',RowKey='100%25'"), { status: 200, members: { RowKey: '100%' } }),
  ],
  78: () => [
    ...T,
    located('a+b', 'a%2Bb'),
    get(at("PartitionKey='p',RowKey='a+b'"), { status: 200, members: { RowKey: 'a+b' } }),
    get(at("PartitionKey='p',RowKey='a%2Bb'"), { status: 200, members: { RowKey: 'a+b' } }),
  ],
  79: () => [...T, located('a,b=c&d', 'a%2Cb%3Dc%26d')],
  80: () => [...T, located('x y', 'x%20y')],
  81: () => [
    ...T,
    located('\\u00f4', '%C3%B4'),
    get(at("PartitionKey='p',RowKey='%C3%B4'"), { status: 200, has: ['"RowKey":"\\u00f4"'] }),
  ],
  82: () => [
    ...T,
    insertRow('\u{1f600}', { status: 201 }),
    get(at("PartitionKey='p',RowKey='%F0%9F%98%80'"), {
      status: 200,
      has: ['"RowKey":"\\ud83d\\ude00"'],
    }),
  ],
  83: (row) => [...T, get(at("PartitionKey='p',RowKey='a%2Fb'"), row.outcome)],
  84: (row) => [
    ...T,
    get(at("PartitionKey='p',RowKey='a%5Cb'"), {
      ...row.outcome,
      message: 'Bad Request - Error in query syntax.',
    }),
  ],
  85: (row) => [...T, get(at("PartitionKey='p',RowKey='a%23b'"), row.outcome)],
  86: (row) => [...T, put(at("PartitionKey='p',RowKey='a%23b'"), '{}', row.outcome)],
  87: (row) => [...T, remove(at("PartitionKey='p',RowKey='a%3Fb'"), row.outcome, ANY)],
  88: (row) => [
    ...p_r,
    get(at("RowKey='r',PartitionKey='p'"), { ...row.outcome, members: { RowKey: 'r' } }),
  ],
  89: (row) => [...p_r, get(at("PartitionKey='p', RowKey='r'"), row.outcome)],
  90: (row) => [...p_r, get(at("partitionkey='p',RowKey='r'"), row.outcome)],
  91: (row) => [...p_r, get(at("PartitionKey='p'"), row.outcome)],
  92: (row) => [...p_r, get(entityAt('P', 'r'), row.outcome)],
  93: () => [
    ...T,
    ...['10', '2', '1', 'a', 'A', '_', '', 'é', '~'].map((rowKey) => insertRow(rowKey)),
    get(entities(), feed(['', '1', '10', '2', 'A', '_', 'a', '~', 'é'])),
  ],
  94: () => [
    ...T,
    ...['\u{ff21}', '\u{1f600}'].map((rowKey) => insertRow(rowKey)),
    get(entities(), feed(['\u{1f600}', '\u{ff21}'])),
  ],
  95: () => [
    ...T,
    ...['\u00e9', 'e\u0301'].map((rowKey) => insertRow(rowKey)),
    get(entities(), feed(['e\u0301', '\u00e9'])),
  ],
  96: () => [
    ...T,
    ...[
      ['b', '1'],
      ['a', '2'],
      ['a', '1'],
      ['B', '1'],
    ].map(([pk, rk]) => insert(pk, rk)),
    get(entities(), {
      status: 200,
      keys: [
        ['B', '1'],
        ['a', '1'],
        ['a', '2'],
        ['b', '1'],
      ],
    }),
  ],
  97: (row) => [...T, insertRow('\\ud800', row.outcome)],
};
