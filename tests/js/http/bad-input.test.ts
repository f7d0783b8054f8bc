// Requests that are damaged in a few places. Each gets an answer with a status of the service, and
// a request that fails changes nothing.

import { beforeEach, expect, it } from 'vitest';

import type { TableServiceClient } from '../../../js/src/client/table-service-client.js';
import { createRawTableHandler, type RawTableHandler } from '../../../js/src/http.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { randomSource } from '../../../scripts/conformance/random.mjs';
import { collect, openForTest } from '../support/accounts.js';
import { testSeed } from '../support/random-numbers.js';
import { wasmBytes } from '../support/wasm.js';

const REQUESTS = 3000;
const BASE = '/devstoreaccount1';
const JSON_TYPE: [string, string] = ['Content-Type', 'application/json'];

interface Sent {
  method: string;
  target: string;
  headers: [string, string][];
  body: string;
}

const part = (request: string) =>
  `--c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n${request}\r\n`;
const BATCH =
  '--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n' +
  part(
    'POST /Pets HTTP/1.1\r\nContent-ID: 1\r\nContent-Type: application/json\r\n\r\n{"PartitionKey":"p","RowKey":"b1"}',
  ) +
  part(
    `MERGE /Pets(PartitionKey='p',RowKey='r') HTTP/1.1\r\nContent-Type: application/json\r\nIf-Match: *\r\n\r\n{"B":2}`,
  ) +
  '--c--\r\n--b--\r\n';

const GOOD: Sent[] = [
  { method: 'GET', target: '/Tables', headers: [], body: '' },
  { method: 'POST', target: '/Tables', headers: [JSON_TYPE], body: '{"TableName":"Birds"}' },
  { method: 'DELETE', target: "/Tables('Birds')", headers: [], body: '' },
  {
    method: 'POST',
    target: '/Pets',
    headers: [JSON_TYPE, ['Prefer', 'return-no-content']],
    body: '{"PartitionKey":"p","RowKey":"s","A":1,"L@odata.type":"Edm.Int64","L":"5","D":1.5,"S":"\u00e9"}',
  },
  {
    method: 'GET',
    target: "/Pets()?$filter=PartitionKey%20eq%20'p'%20and%20A%20ge%201&$select=A,RowKey&$top=5",
    headers: [['Accept', 'application/json;odata=fullmetadata']],
    body: '',
  },
  { method: 'GET', target: "/Pets(PartitionKey='p',RowKey='r')", headers: [], body: '' },
  {
    method: 'PUT',
    target: "/Pets(PartitionKey='p',RowKey='r')",
    headers: [JSON_TYPE, ['If-Match', '*']],
    body: '{"A":2}',
  },
  {
    method: 'POST',
    target: "/Pets(PartitionKey='p',RowKey='r')",
    headers: [JSON_TYPE, ['X-HTTP-Method', 'MERGE']],
    body: '{"B":true}',
  },
  {
    method: 'DELETE',
    target: "/Pets(PartitionKey='p',RowKey='s')",
    headers: [['If-Match', `W/"datetime'2024-01-02T03%3A04%3A05.6789Z'"`]],
    body: '',
  },
  {
    method: 'POST',
    target: '/$batch',
    headers: [['Content-Type', 'multipart/mixed; boundary=b']],
    body: BATCH,
  },
];

const PIECES = [
  ...["'", "''", '(', ')', ',', '%', '%2', '%27', '%zz', '%00', '%ff', '%C3%A9', '/', '//', '?'],
  ...['&', '=', '$filter=', '$top=-1', '$top=1001', 'comp=acl', 'restype=service', 'timeout=x'],
  ...[
    '"',
    '{',
    '}',
    '[',
    ']',
    ':',
    '\\',
    '\\u0000',
    '\\ud800',
    '\0',
    '\t',
    '\n',
    '\r\n',
    '\r\n\r\n',
  ],
  ...[
    '\u00e9',
    '\u{1f600}',
    '--b',
    '--b--',
    '--c',
    '--c--\r\n',
    'HTTP/1.1',
    'GET ',
    'null',
    '1e999',
  ],
  ...['odata=', ';', '*', 'W/"x"', '-', '3.0', 'application/json', 'multipart/mixed', 'Edm.Guid'],
  ...['a'.repeat(300), '{"a":'.repeat(50), '9'.repeat(40), ' '.repeat(20)],
];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'MERGE', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', ''];
const HEADERS = [
  ...['Accept', 'Content-Type', 'If-Match', 'If-None-Match', 'Prefer', 'X-HTTP-Method', 'Origin'],
  ...['x-ms-version', 'DataServiceVersion', 'x-ms-client-request-id', 'Content-ID', 'x'],
];

let account: TableServiceClient;
let handler: RawTableHandler;

beforeEach(async () => {
  const wasm = await WebAssembly.compile(await wasmBytes());
  account = await openForTest({ storage: memoryStorage(), wasm });
  handler = createRawTableHandler(account, { authentication: 'anonymous' });
  await account.createTable('Pets');
  await account.tableClient('Pets').createEntity({ partitionKey: 'p', rowKey: 'r', A: 1 });
});

async function contents(): Promise<string> {
  const tables = await collect(account.listTables());
  const entities = await Promise.all(
    tables.map(({ name }) => collect(account.tableClient(name!).listEntities())),
  );
  return JSON.stringify([tables, entities], (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
}

const seed = testSeed();

it(`answers damaged requests, and keeps what they would spoil (seed ${seed})`, async () => {
  const random = randomSource(seed);
  const oneOf = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const spoilt = (text: string): string => {
    const at = random.below(text.length + 1);
    const kind = random.below(4);
    if (kind === 0) return text.slice(0, at);
    const length = kind === 1 ? 0 : random.below(12);
    return text.slice(0, at) + (kind === 3 ? '' : oneOf(PIECES)) + text.slice(at + length);
  };
  const damage = (sent: Sent): Sent => {
    switch (random.below(6)) {
      case 0:
        return { ...sent, method: oneOf(METHODS) };
      case 1:
        return { ...sent, target: spoilt(sent.target) };
      case 2:
        return { ...sent, headers: [...sent.headers, [oneOf(HEADERS), oneOf(PIECES)]] };
      case 3:
        return {
          ...sent,
          headers: sent.headers.map(([name, value]) => [name, spoilt(value)]),
        };
      default:
        return { ...sent, body: spoilt(sent.body) };
    }
  };
  const encoder = new TextEncoder();
  const statuses = new Set<number>();

  let before = await contents();
  for (let i = 0; i < REQUESTS; i++) {
    let sent = oneOf(GOOD);
    for (let times = 1 + random.below(3); times > 0; times--) sent = damage(sent);
    const { method, target, body } = sent;
    const headers = {
      get: (name: string) =>
        sent.headers.find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1] ?? null,
      [Symbol.iterator]: () => sent.headers[Symbol.iterator](),
    };
    const bytes = encoder.encode(body);
    const readBody = (limit: number) => Promise.resolve(bytes.subarray(0, limit));

    const answer = await handler({
      ...{ method, target: BASE + target, headers, readBody },
      origin: { isSecure: false },
    });

    const text = new TextDecoder().decode(answer.body);
    const shown = JSON.stringify({ sent, status: answer.status, text }).slice(0, 3000);
    statuses.add(answer.status);
    expect(answer.status < 500 || answer.status === 501, shown).toBe(true);
    expect(
      answer.headers.every(([, value]) => !/[\0-\x08\n-\x1f\x7f]/.test(value)),
      shown,
    ).toBe(true);
    const after = await contents();
    const hasFailed = answer.status >= 400 || /^HTTP\/1\.1 [45]/m.test(text);
    if (hasFailed || method === 'GET') expect(after, shown).toBe(before);
    before = after;
  }
  // Otherwise only the first check of each request has run.
  expect([...statuses].sort()).toEqual(
    expect.arrayContaining([200, 201, 202, 204, 400, 404, 405, 415, 501]),
  );
}, 60_000);
