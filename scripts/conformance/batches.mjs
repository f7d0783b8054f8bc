// batches.mjs - section 7.11 on the wire: multipart bodies, and every byte of the answers as
// recorded in payloads of the spec, 4.8.

import { randomSource } from './random.mjs';
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
  post,
  put,
} from './steps.mjs';

const T = [createTable()];
const R1 = [...T, insert('p', 'r1', '"A":1')];
const CHANGED = [
  ...T,
  capturing({ tag: 'header:ETag' }, insert('p', 'r1', '"A":1', { status: 201 })),
  put(entityAt('p', 'r1'), '{"A":3}', { status: 204 }),
];
const feed = (...names) => get(entities(), { status: 200, rows: names });

// ------------------------------------------------------------------ requests

const HTTP_PART = ['Content-Type: application/http', 'Content-Transfer-Encoding: binary', ''];
const JSON_TYPE = { 'Content-Type': 'application/json' };
const NO_CONTENT = { Prefer: 'return-no-content' };

const crlf = (lines) => lines.map((line) => `${line}\r\n`).join('');

const requestLines = ({ method, target, headers = {}, body }) => [
  ...HTTP_PART,
  `${method} ${target} HTTP/1.1`,
  ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  '',
  ...(body === undefined ? [''] : [body]),
];

const changeSet = (requests) => [
  '--batch_b1',
  'Content-Type: multipart/mixed; boundary=changeset_c1',
  '',
  ...requests.flatMap((request) => ['--changeset_c1', ...requestLines(request)]),
  '--changeset_c1--',
];
const batchText = (...pieces) => crlf([...pieces.flat(), '--batch_b1--']);

const BATCH = { 'Content-Type': 'multipart/mixed; boundary=batch_b1' };
const sendText = (text, expect, headers = BATCH) => post('/$batch', text, expect, headers);
const send = (requests, expect) => sendText(batchText(changeSet(requests)), expect);
const query = (request) => ['--batch_b1', ...requestLines(request)];

const BASE = '{{base}}';
const at = (rowKey, partitionKey = 'p') => `${BASE}${entityAt(partitionKey, rowKey)}`;
const inserting = (rowKey, { partitionKey = 'p', members = '', table = TABLE, headers } = {}) => ({
  method: 'POST',
  target: `${BASE}/${table}`,
  headers: { ...JSON_TYPE, ...NO_CONTENT, ...headers },
  body: entityBody(partitionKey, rowKey, members),
});
const writing = (method, rowKey, headers = {}, body = '{"A":2}') => ({
  method,
  target: at(rowKey),
  headers: { ...JSON_TYPE, ...headers },
  body,
});
const merging = (rowKey, headers) => writing('MERGE', rowKey, headers);
const replacing = (rowKey, headers) => writing('PUT', rowKey, headers);
const deleting = (rowKey) => ({ method: 'DELETE', target: at(rowKey), headers: ANY });
const reading = (rowKey) => ({ method: 'GET', target: at(rowKey) });

// ------------------------------------------------------------------- answers

const TAG = `W/"datetime'{{any}}'"`;
const OPTIONS = ['X-Content-Type-Options: nosniff', 'Cache-Control: no-cache'];
const CONTENT = 'Content-Type: application/json;odata=minimalmetadata;streaming=true;charset=utf-8';
const located = (rowKey) => `${BASE}/${TABLE}(PartitionKey='p',RowKey='${rowKey}')`;
const named = (id) => (id === undefined ? [] : [`Content-ID: ${id}`]);

// The parts in payloads of the spec, 4.8.2: lines of headers, an empty line, and the body.
const inserted = (rowKey, id) => [
  'HTTP/1.1 204 No Content',
  ...[...named(id), ...OPTIONS, 'Preference-Applied: return-no-content'],
  'DataServiceVersion: 3.0;',
  `Location: ${located(rowKey)}`,
  `DataServiceId: ${located(rowKey)}`,
  `ETag: ${TAG}`,
  ...['', ''],
];
const created = (rowKey, json) => [
  'HTTP/1.1 201 Created',
  ...['DataServiceVersion: 3.0;', CONTENT, ...OPTIONS],
  `Location: ${located(rowKey)}`,
  `ETag: ${TAG}`,
  ...['', json],
];
const updated = (id) => [
  'HTTP/1.1 204 No Content',
  ...[...named(id), ...OPTIONS, 'DataServiceVersion: 1.0;', `ETag: ${TAG}`],
  ...['', ''],
];
const deleted = (id) => [
  'HTTP/1.1 204 No Content',
  ...[...named(id), ...OPTIONS, 'DataServiceVersion: 1.0;'],
  ...['', ''],
];
const found = (json) => [
  'HTTP/1.1 200 OK',
  ...['DataServiceVersion: 3.0;', CONTENT, ...OPTIONS, `ETag: ${TAG}`],
  ...['', json],
];

const entityJson = (rowKey, members) =>
  `{"odata.metadata":"${BASE}/$metadata#${TABLE}/@Element",` +
  String.raw`"odata.etag":"W/\"datetime'{{any}}'\"",` +
  `"PartitionKey":"p","RowKey":"${rowKey}","Timestamp":"{{any}}",${members}}`;

const changeSetAnswer = (parts) =>
  crlf([
    '--batchresponse_{{any}}',
    'Content-Type: multipart/mixed; boundary=changesetresponse_{{any}}',
    '',
    ...parts.flatMap((part) => ['--changesetresponse_{{any}}', ...HTTP_PART, ...part]),
    '--changesetresponse_{{any}}--',
    '--batchresponse_{{any}}--',
  ]);
const queryAnswer = (part) =>
  crlf(['--batchresponse_{{any}}', ...HTTP_PART, ...part, '--batchresponse_{{any}}--']);

const statusOf = ([line]) => Number(line.split(' ')[1]);
const succeeds = (...parts) => ({
  status: 202,
  parts: parts.map(statusOf),
  body: changeSetAnswer(parts),
});

// 202; part 409 EntityAlreadyExists, message starts `1:The specified entity …`
function fails(row, { message, ...more } = {}) {
  const [, status, code] =
    /(\d{3})(?: ([A-Z][A-Za-z]+))?/.exec(row.expected.replace(/^202; /, '')) ?? [];
  const [, quoted] = /`(\d+:[^`]*)`/.exec(row.expected) ?? [];
  return {
    status: 202,
    parts: [Number(status)],
    ...(code && { code }),
    ...((message ?? quoted) && { message: message ?? quoted }),
    ...more,
  };
}
const unreadable = { status: 400, code: 'InvalidInput', message: '0:' };

// -------------------------------------------------------------------- random

const PIECES = [
  ...['\r\n', '\n', '--', '--batch_b1', '--changeset_c1', '--batch_b1--\r\n', '"', ';', ' ', ':'],
  ...['--changeset_c1--\r\n', 'HTTP/1.1', 'Content-Type: multipart/mixed; boundary=changeset_c1'],
  ...[
    'Content-Type: application/http\r\n\r\n',
    'GET /Tab HTTP/1.1\r\n\r\n',
    '\u00e9',
    'If-Match: *',
  ],
];

function mutated(random, text) {
  let changed = text;
  for (let i = random.below(4); i >= 0; i--) {
    const place = random.below(changed.length);
    const length = random.chance(0.5) ? 0 : random.below(30);
    const piece = random.chance(0.7) ? random.one(PIECES) : '';
    changed = changed.slice(0, place) + piece + changed.slice(place + length);
  }
  return changed.replaceAll('{{', '{ {');
}

function randomRequests(random) {
  return Array.from({ length: random.below(5) }, (_, i) => {
    const rowKey = `${random.below(8)}`;
    return random.one([
      inserting(rowKey),
      inserting(`${i}x`),
      merging(rowKey),
      replacing(rowKey, random.chance(0.3) ? ANY : {}),
      deleting(rowKey),
    ]);
  });
}

/** Batches, some of them whole, most of them damaged in a few places. */
function randomBatches(count = 300) {
  const random = randomSource(5490);
  return Array.from({ length: count }, () => {
    const text = batchText(changeSet(randomRequests(random))).replaceAll('{{base}}', '');
    return random.chance(0.2) ? text : mutated(random, text);
  });
}

// --------------------------------------------------------------------- cases

const numbered = (count) =>
  Array.from({ length: count }, (_, i) => `r${`${i + 1}`.padStart(3, '0')}`);

export const BATCHES = {
  436: () => [...T, send([inserting('r1')], succeeds(inserted('r1'))), feed('r1')],
  437: () => [
    ...T,
    send(
      [{ ...inserting('r1', { members: '"A":1' }), headers: JSON_TYPE }],
      succeeds(created('r1', entityJson('r1', '"A":1'))),
    ),
    feed('r1'),
  ],
  438: () => [
    ...T,
    send(
      [inserting('r1'), inserting('r2'), merging('r3'), replacing('r4')],
      succeeds(inserted('r1'), inserted('r2'), updated(), updated()),
    ),
    feed('r1', 'r2', 'r3', 'r4'),
  ],
  439: () => [
    ...R1,
    send([deleting('r1'), inserting('r2')], succeeds(deleted(), inserted('r2'))),
    feed('r2'),
  ],
  440: (row) => [
    ...R1,
    send([inserting('r2'), inserting('r1', { headers: { 'Content-ID': '2' } })], {
      ...fails(row),
      body: changeSetAnswer([
        [
          'HTTP/1.1 409 Conflict',
          'Content-ID: 2',
          ...OPTIONS,
          'Preference-Applied: return-no-content',
          ...['DataServiceVersion: 3.0;', CONTENT, ''],
          '{"odata.error":{"code":"EntityAlreadyExists","message":{"lang":"en-US",' +
            String.raw`"value":"1:The specified entity already exists.\nRequestId:{{any}}\nTime:{{any}}Z"}}}`,
        ],
      ]),
    }),
    feed('r1'),
  ],
  441: (row) => [
    ...R1,
    send([inserting('r1')], fails(row, { message: 'The specified entity already exists.' })),
  ],
  442: () => [
    ...T,
    send(
      numbered(100).map((name) => inserting(name)),
      succeeds(...numbered(100).map((name) => inserted(name))),
    ),
    get(entities(), { status: 200, count: 100 }),
  ],
  443: (row) => [
    ...T,
    send(
      numbered(101).map((name) => inserting(name)),
      fails(row, {
        message: '99:The batch request operation exceeds the maximum 100 changes per change set.',
      }),
    ),
    feed(),
  ],
  444: (row) => [
    ...T,
    send(
      [inserting('r1', { partitionKey: 'p1' }), inserting('r1', { partitionKey: 'p2' })],
      fails(row),
    ),
    feed(),
  ],
  445: (row) => [...T, send([inserting('r1'), merging('r1')], fails(row)), feed()],
  446: () => [
    ...T,
    createTable('Uab'),
    send([inserting('r1'), inserting('r2', { table: 'Uab' })], {
      status: 202,
      parts: [400],
      code: 'CommandsInBatchActOnDifferentPartitions',
      message: '1:',
    }),
    feed(),
  ],
  447: (row) => [
    ...T,
    send([deleting('r1')], fails(row, { message: 'The specified resource does not exist.' })),
  ],
  448: (row) => [...T, send([inserting('r1'), deleting('r2')], fails(row)), feed()],
  449: () => [
    ...T,
    send([inserting('r2'), inserting('r3'), merging('r1', ANY)], {
      status: 202,
      parts: [404],
      code: 'ResourceNotFound',
      message: '2:',
    }),
    feed(),
  ],
  450: (row) => [
    ...CHANGED,
    send(
      [replacing('r1', { 'If-Match': '{{tag}}' })],
      fails(row, {
        message: 'The update condition specified in the request was not satisfied.',
      }),
    ),
  ],
  451: () => [
    ...CHANGED,
    send([inserting('r2'), replacing('r1', { 'If-Match': '{{tag}}' })], {
      status: 202,
      parts: [412],
      code: 'UpdateConditionNotSatisfied',
      message: '1:',
    }),
    feed('r1'),
  ],
  452: (row) => [send([inserting('r1')], fails(row))],
  453: (row) => [...T, send([{ ...inserting('r1'), body: '{"PartitionKey":"p"}' }], fails(row))],
  454: (row) => [...T, send([inserting('a#b')], fails(row))],
  455: (row) => [
    ...T,
    send(
      [inserting('r1', { members: '"X":"{{65536*s}}"' })],
      fails(row, { message: 'The property value exceeds the maximum allowed size (64KB).' }),
    ),
  ],
  456: (row) => [...T, send([merging('a/b')], fails(row))],
  457: () => [
    ...R1,
    sendText(batchText(query(reading('r1'))), {
      status: 202,
      parts: [200],
      body: queryAnswer(found(entityJson('r1', '"A":1'))),
    }),
  ],
  458: (row) => [...T, sendText(batchText(query(reading('r1'))), fails(row))],
  459: () => [
    ...R1,
    send([reading('r1'), inserting('r2')], unreadable),
    send([inserting('r2'), reading('r1')], unreadable),
    sendText(batchText(changeSet([inserting('r2')]), query(reading('r1'))), unreadable),
    feed('r1'),
  ],
  460: () => [
    ...T,
    sendText(batchText(changeSet([inserting('r1')]), changeSet([inserting('r2')])), unreadable),
    feed(),
  ],
  461: () => [...R1, sendText(batchText(query(reading('r1')), query(reading('r1'))), unreadable)],
  462: () => [...T, send([], succeeds())],
  463: (row) => [
    ...T,
    send([inserting('r1', { members: '"X":{{4194304* }}1' })], row.outcome),
    feed(),
  ],
  464: () => [
    ...T,
    sendText(
      batchText(changeSet([inserting('r1')]))
        .replaceAll('Content-T', 'content-t')
        .replaceAll('Prefer', 'prefer'),
      succeeds(inserted('r1')),
    ),
    feed('r1'),
  ],
  465: () => [
    ...T,
    send(
      [inserting('r1', { headers: { 'Content-ID': '1' } }), merging('r2', { 'Content-ID': '2' })],
      succeeds(inserted('r1', '1'), updated('2')),
    ),
  ],
  466: () => [
    ...T,
    send([inserting('r1', { headers: { 'Content-ID': '0' } })], succeeds(inserted('r1'))),
  ],
  467: () => [
    ...T,
    send(
      [
        { ...merging('r1'), target: entityAt('p', 'r1') },
        { ...merging('r2'), target: entityAt('p', 'r2').slice(1) },
        { ...merging('r3'), target: `http://elsewhere${entityAt('p', 'r3')}` },
        { ...merging('r4'), target: `${entityAt('p', 'r4')}?timeout=30` },
        { ...merging('r5'), target: `/${TABLE}(PartitionKey='p', RowKey='r5')` },
      ],
      succeeds(...Array(5).fill(updated())),
    ),
    feed('r1', 'r2', 'r3', 'r4', 'r5'),
  ],
  468: () => [
    ...T,
    sendText(
      batchText(changeSet([{ ...inserting('r1'), body: `\r\n${entityBody('p', 'r1')}` }]))
        .replace('boundary=changeset_c1\r\n\r\n', '$&\r\n')
        .replace('POST', '\r\nPOST'),
      succeeds(inserted('r1')),
    ),
    feed('r1'),
  ],
  469: () => [
    ...T,
    sendText(batchText(changeSet([inserting('r1')])), succeeds(inserted('r1')), {
      'Content-Type': 'Multipart/Mixed; charset=utf-8; Boundary="batch_b1"',
    }),
  ],
  470: () => [
    ...T,
    sendText(
      batchText(changeSet([inserting('r1')])).replace(/\r\n$/, ''),
      succeeds(inserted('r1')),
    ),
    sendText(
      batchText(changeSet([inserting('r2')]))
        .replace('batch_b1--', 'batch_b1')
        .replace('changeset_c1--', 'changeset_c1'),
      succeeds(inserted('r2')),
    ),
    sendText(
      `This is no part.\r\n${batchText(changeSet([inserting('r3')]))}Nor is this.`.replaceAll(
        '\r\n',
        '\n',
      ),
      succeeds(inserted('r3')),
    ),
    feed('r1', 'r2', 'r3'),
  ],
  471: () => [
    ...R1,
    send([writing('PATCH', 'r1', ANY, '{"B":2}')], succeeds(updated())),
    send(
      [writing('POST', 'r1', { ...ANY, 'X-HTTP-Method': 'MERGE' }, '{"C":3}')],
      succeeds(updated()),
    ),
    get(entityAt('p', 'r1'), { status: 200, custom: { A: 1, B: 2, C: 3 } }),
  ],
  472: () => [
    ...T,
    send([inserting('r2'), inserting('r1', { headers: { 'Content-Type': 'text/plain' } })], {
      status: 202,
      parts: [400],
      code: 'InvalidInput',
      message: '1:',
    }),
    feed(),
  ],
  473: () => [
    ...T,
    send(
      [inserting('r1', { members: '"A":"x --changeset_c1 --changeset_c1--"' })],
      succeeds(inserted('r1')),
    ),
    get(entityAt('p', 'r1'), {
      status: 200,
      custom: { A: 'x --changeset_c1 --changeset_c1--' },
    }),
  ],
  474: () => [
    ...T,
    sendText(batchText(changeSet([inserting('r1')])), unreadable, {
      'Content-Type': 'multipart/mixed',
    }),
    sendText(batchText(changeSet([inserting('r1')])), unreadable, JSON_TYPE),
    feed(),
  ],
  477: () => [
    ...R1,
    insert('p', 'r2', ''),
    capturing(
      { batch: 'body' },
      send(
        [inserting('r3'), merging('r1'), replacing('r2')],
        succeeds(inserted('r3'), updated(), updated()),
      ),
    ),
    ...['r1', 'r2', 'r3'].flatMap((name) => [
      capturing({ [name]: 'header:ETag' }, get(entityAt('p', name), { status: 200 })),
      { check: { contains: ['batch', name] } },
    ]),
  ],
  478: () => [
    ...T,
    capturing(
      { type: 'header:Content-Type', batch: 'body' },
      send([inserting('r1')], {
        ...succeeds(inserted('r1')),
        headersHave: { 'Content-Type': 'multipart/mixed; boundary=batchresponse_' },
        headers: {
          'Cache-Control': 'no-cache',
          'X-Content-Type-Options': 'nosniff',
          'x-ms-version': '2019-02-02',
          'x-ms-request-id': true,
          Date: true,
        },
      }),
    ),
  ],
  549: () => [...T, ...randomBatches().map((text) => sendText(text, { status: [202, 400] }))],
};
