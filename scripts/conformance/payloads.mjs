// payloads.mjs - section 7.7.

import { LEVEL, capturing, createTable, entityAt, get, insert, post, put } from './steps.mjs';

const PETS = 'Pets';
const REX = entityAt('dogs', 'rex', PETS);

// The entity in payloads of the spec, 4.4. Nickname is null, so it is not stored.
const MEMBERS = [
  '"Name":"Rex"',
  '"Age":7',
  '"Chip@odata.type":"Edm.Int64","Chip":"276098102345678"',
  '"WeightKg":31.0',
  '"Vaccinated":true',
  '"Born@odata.type":"Edm.DateTime","Born":"2017-03-05T00:00:00Z"',
  '"Tag@odata.type":"Edm.Guid","Tag":"7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001"',
  '"Photo@odata.type":"Edm.Binary","Photo":"iVBORw=="',
  '"Ratio@odata.type":"Edm.Double","Ratio":"NaN"',
];
const KEYS = '"PartitionKey":"dogs","RowKey":"rex"';
const TIME = '"Timestamp":"{{any}}"';
const ETAG = String.raw`"odata.etag":"W/\"datetime'{{any}}'\""`;
const METADATA = '"odata.metadata":"{{base}}/$metadata#Pets/@Element"';
const LINK = "Pets(PartitionKey='dogs',RowKey='rex')";
const TYPE_AND_ID = `"odata.type":"{{account}}.Pets","odata.id":"{{base}}/${LINK}"`;

// The three examples in payloads of the spec, 4.4, on one line each, with any time.
const NONE = `{${KEYS},${TIME},${MEMBERS.join(',').replace(/"\w+@odata\.type":"[^"]*",/g, '')}}`;
const MINIMAL = `{${METADATA},${ETAG},${KEYS},${TIME},${MEMBERS.join(',')}}`;
const FULL =
  `{${METADATA},${TYPE_AND_ID},${ETAG},"odata.editLink":"${LINK}",${KEYS},` +
  `"Timestamp@odata.type":"Edm.DateTime",${TIME},${MEMBERS.join(',')}}`;

const CUSTOM = JSON.parse(`{${MEMBERS.join(',')}}`);
const rex = [
  createTable(PETS),
  insert('dogs', 'rex', `${MEMBERS.join(',')},"Nickname":null`, { status: 201 }, {}, PETS),
];
const atLevel = (accept, expect) => [...rex, get(REX, expect, { Accept: accept })];
const feed = (level, expect) => [...rex, get('/Pets()', { status: 200, ...expect }, LEVEL[level])];

const ELEMENT = ['odata.type', 'odata.id', 'odata.etag', 'odata.editLink'];
const contentType = (level) =>
  `application/json;odata=${level}metadata;streaming=true;charset=utf-8`;

const NOT_FOUND =
  '{"odata.error":{"code":"ResourceNotFound","message":{"lang":"en-US",' +
  String.raw`"value":"The specified resource does not exist.\nRequestId:{{id}}\nTime:{{any}}.{{digit}}{{digit}}{{digit}}{{digit}}{{digit}}{{digit}}{{digit}}Z"}}}`;
const missing = (level) => [
  createTable(PETS),
  capturing(
    { id: 'header:x-ms-request-id' },
    get(REX, { status: 404, code: 'ResourceNotFound', body: NOT_FOUND }, LEVEL[level]),
  ),
];

const TABLES = ['Pets', 'Shops'];
const tableFeed = (level, metadata, elementOf) =>
  get(
    '/Tables',
    { status: 200, body: `{${metadata}"value":[${TABLES.map(elementOf).join(',')}]}` },
    LEVEL[level],
  );
const TABLES_METADATA = '"odata.metadata":"{{base}}/$metadata#Tables",';

export const PAYLOADS = {
  279: () => [...rex, get(REX, { status: 200, body: NONE, headers: { ETag: true } }, LEVEL.none)],
  280: () => [
    ...rex,
    get(
      REX,
      {
        status: 200,
        custom: CUSTOM,
        has: ['"Age":7,', '"WeightKg":31.0'],
        members: { 'odata.metadata': '{{base}}/$metadata#Pets/@Element' },
        soft: { body: MINIMAL },
      },
      LEVEL.minimal,
    ),
  ],
  281: () => [...rex, get(REX, { status: 200, body: FULL }, LEVEL.full)],
  282: () => atLevel('application/json', { status: 200, body: MINIMAL }),
  283: () => atLevel('*/*', { status: 200, body: MINIMAL }),
  284: (row) => atLevel('application/atom+xml', { ...row.outcome, form: 'xml' }),
  285: (row) => atLevel('text/plain', { ...row.outcome, form: 'xml' }),
  286: () => [
    ...rex,
    get(
      `${REX}?$format=application/json%3Bodata%3Dnometadata`,
      { status: 200, body: NONE },
      LEVEL.full,
    ),
  ],
  287: () =>
    feed('minimal', {
      memberEnds: { 'odata.metadata': '$metadata#Pets' },
      elements: [{ present: ['odata.etag'], absent: ['odata.metadata'] }],
    }),
  288: () => feed('none', { only: ['value'] }),
  289: () => feed('full', { elements: [{ order: ELEMENT }] }),
  290: () => [
    ...rex,
    get(REX, { status: 200, memberEnds: { 'odata.metadata': '$metadata#Pets/@Element' } }),
  ],
  291: () => [
    ...rex,
    get(REX, { status: 200, headers: { 'Content-Type': contentType('no') } }, LEVEL.none),
    get(
      '/Pets()',
      { status: 200, headers: { 'Content-Type': contentType('minimal') } },
      LEVEL.minimal,
    ),
    get('/Tables', { status: 200, headers: { 'Content-Type': contentType('full') } }, LEVEL.full),
  ],
  292: () => missing('minimal'),
  293: () => missing('none'),
  294: () => [
    createTable(PETS),
    insert('dogs', "O'Neil", '', { status: 201 }, {}, PETS),
    get(
      entityAt('dogs', "O'Neil", PETS),
      { status: 200, members: { 'odata.editLink': "Pets(PartitionKey='dogs',RowKey='O''Neil')" } },
      LEVEL.full,
    ),
  ],
  295: () => [
    createTable(PETS),
    insert('dogs', 'a b', '', { status: 201 }, {}, PETS),
    get(
      entityAt('dogs', 'a b', PETS),
      { status: 200, members: { 'odata.editLink': "Pets(PartitionKey='dogs',RowKey='a%20b')" } },
      LEVEL.full,
    ),
  ],
  296: () => [
    createTable(PETS),
    insert('dogs', 'rex', '"I":7,"D":7.0,"S":"7"', { status: 201 }, {}, PETS),
    get(REX, {
      status: 200,
      has: ['"I":7,', '"D":7.0,', '"S":"7"'],
      custom: { I: 7, D: 7, S: '7' },
    }),
  ],
  297: () => [
    createTable(PETS),
    insert('dogs', 'rex', '"L@odata.type":"Edm.Int64","L":"7"', { status: 201 }, {}, PETS),
    get(REX, { status: 200, custom: { 'L@odata.type': 'Edm.Int64', L: '7' } }, LEVEL.minimal),
    get(REX, { status: 200, custom: { L: '7' } }, LEVEL.none),
  ],
  298: () => [
    ...TABLES.map((name) => createTable(name)),
    tableFeed('none', '', (name) => `{"TableName":"${name}"}`),
    tableFeed('minimal', TABLES_METADATA, (name) => `{"TableName":"${name}"}`),
    tableFeed(
      'full',
      TABLES_METADATA,
      (name) =>
        `{"odata.type":"{{account}}.Tables","odata.id":"{{base}}/Tables('${name}')",` +
        `"odata.editLink":"Tables('${name}')","TableName":"${name}"}`,
    ),
    get("/Tables('Pets')", {
      status: 200,
      body: '{"odata.metadata":"{{base}}/$metadata#Tables/@Element","TableName":"Pets"}',
    }),
  ],
  299: () => [
    get(
      '/Tables',
      { status: 200, headers: { 'x-ms-client-request-id': 'abc' } },
      { 'x-ms-client-request-id': 'abc' },
    ),
    get(
      "/Tables('nope')",
      { status: 404, headers: { 'x-ms-client-request-id': 'abc' } },
      { 'x-ms-client-request-id': 'abc' },
    ),
  ],
  300: () => [
    get(
      '/Tables',
      { status: 200, headers: { 'x-ms-version': '2019-02-02' } },
      { 'x-ms-version': '2019-02-02' },
    ),
  ],
  301: () => [
    ...rex,
    capturing({ json: 'body' }, get(REX, { status: 200 }, LEVEL.minimal)),
    put(REX, '{{json}}', { status: 204 }),
    get(REX, { status: 200, custom: CUSTOM, has: ['"Age":7,', '"WeightKg":31.0'] }, LEVEL.minimal),
  ],
};
