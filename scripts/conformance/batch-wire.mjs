// batch-wire.mjs - multipart bodies of batches and of their answers, byte for byte, and common
// steps.

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

// ------------------------------------------------------------------ requests

const HTTP_PART = ['Content-Type: application/http', 'Content-Transfer-Encoding: binary', ''];
export const JSON_TYPE = { 'Content-Type': 'application/json' };
const NO_CONTENT = { Prefer: 'return-no-content' };

const crlf = (lines) => lines.map((line) => `${line}\r\n`).join('');

const requestLines = ({ method, target, headers = {}, body }) => [
  ...HTTP_PART,
  `${method} ${target} HTTP/1.1`,
  ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  '',
  ...(body === undefined ? [''] : [body]),
];

export const changeSet = (requests) => [
  '--batch_b1',
  'Content-Type: multipart/mixed; boundary=changeset_c1',
  '',
  ...requests.flatMap((request) => ['--changeset_c1', ...requestLines(request)]),
  '--changeset_c1--',
];
export const batchText = (...pieces) => crlf([...pieces.flat(), '--batch_b1--']);

const BATCH = { 'Content-Type': 'multipart/mixed; boundary=batch_b1' };
export const sendText = (text, expect, headers = BATCH) => post('/$batch', text, expect, headers);
export const send = (requests, expect) => sendText(batchText(changeSet(requests)), expect);
export const query = (request) => ['--batch_b1', ...requestLines(request)];

const BASE = '{{base}}';
const at = (rowKey, partitionKey = 'p') => `${BASE}${entityAt(partitionKey, rowKey)}`;
export const inserting = (
  rowKey,
  { partitionKey = 'p', members = '', table = TABLE, headers } = {},
) => ({
  method: 'POST',
  target: `${BASE}/${table}`,
  headers: { ...JSON_TYPE, ...NO_CONTENT, ...headers },
  body: entityBody(partitionKey, rowKey, members),
});
export const writing = (method, rowKey, headers = {}, body = '{"A":2}') => ({
  method,
  target: at(rowKey),
  headers: { ...JSON_TYPE, ...headers },
  body,
});
export const merging = (rowKey, headers) => writing('MERGE', rowKey, headers);
export const replacing = (rowKey, headers) => writing('PUT', rowKey, headers);
export const deleting = (rowKey) => ({ method: 'DELETE', target: at(rowKey), headers: ANY });
export const reading = (rowKey) => ({ method: 'GET', target: at(rowKey) });

// ------------------------------------------------------------------- answers

const TAG = `W/"datetime'{{any}}'"`;
export const OPTIONS = ['X-Content-Type-Options: nosniff', 'Cache-Control: no-cache'];
export const CONTENT =
  'Content-Type: application/json;odata=minimalmetadata;streaming=true;charset=utf-8';
const located = (rowKey) => `${BASE}/${TABLE}(PartitionKey='p',RowKey='${rowKey}')`;
const named = (id) => (id === undefined ? [] : [`Content-ID: ${id}`]);

// The parts in payloads of the spec, 4.8.2: lines of headers, an empty line, and the body.
export const inserted = (rowKey, id) => [
  'HTTP/1.1 204 No Content',
  ...[...named(id), ...OPTIONS, 'Preference-Applied: return-no-content'],
  'DataServiceVersion: 3.0;',
  `Location: ${located(rowKey)}`,
  `DataServiceId: ${located(rowKey)}`,
  `ETag: ${TAG}`,
  ...['', ''],
];
export const created = (rowKey, json) => [
  'HTTP/1.1 201 Created',
  ...['DataServiceVersion: 3.0;', CONTENT, ...OPTIONS],
  `Location: ${located(rowKey)}`,
  `ETag: ${TAG}`,
  ...['', json],
];
export const updated = (id) => [
  'HTTP/1.1 204 No Content',
  ...[...named(id), ...OPTIONS, 'DataServiceVersion: 1.0;', `ETag: ${TAG}`],
  ...['', ''],
];
export const deleted = (id) => [
  'HTTP/1.1 204 No Content',
  ...[...named(id), ...OPTIONS, 'DataServiceVersion: 1.0;'],
  ...['', ''],
];
export const found = (json) => [
  'HTTP/1.1 200 OK',
  ...['DataServiceVersion: 3.0;', CONTENT, ...OPTIONS, `ETag: ${TAG}`],
  ...['', json],
];

export const entityJson = (rowKey, members) =>
  `{"odata.metadata":"${BASE}/$metadata#${TABLE}/@Element",` +
  String.raw`"odata.etag":"W/\"datetime'{{any}}'\"",` +
  `"PartitionKey":"p","RowKey":"${rowKey}","Timestamp":"{{any}}",${members}}`;

export const changeSetAnswer = (parts) =>
  crlf([
    '--batchresponse_{{any}}',
    'Content-Type: multipart/mixed; boundary=changesetresponse_{{any}}',
    '',
    ...parts.flatMap((part) => ['--changesetresponse_{{any}}', ...HTTP_PART, ...part]),
    '--changesetresponse_{{any}}--',
    '--batchresponse_{{any}}--',
  ]);
export const queryAnswer = (part) =>
  crlf(['--batchresponse_{{any}}', ...HTTP_PART, ...part, '--batchresponse_{{any}}--']);

const statusOf = ([line]) => Number(line.split(' ')[1]);
export const succeeds = (...parts) => ({
  status: 202,
  parts: parts.map(statusOf),
  body: changeSetAnswer(parts),
});

// 202; part 409 EntityAlreadyExists, message starts `1:The specified entity …`
export function fails(row, { message, ...more } = {}) {
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
export const unreadable = { status: 400, code: 'InvalidInput', message: '0:' };

// --------------------------------------------------------------------- steps

export const T = [createTable()];
export const R1 = [...T, insert('p', 'r1', '"A":1')];
export const CHANGED = [
  ...T,
  capturing({ tag: 'header:ETag' }, insert('p', 'r1', '"A":1', { status: 201 })),
  put(entityAt('p', 'r1'), '{"A":3}', { status: 204 }),
];
export const feed = (...names) => get(entities(), { status: 200, rows: names });
