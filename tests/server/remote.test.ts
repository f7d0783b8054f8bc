// Remote accounts over HTTP: at our own server, at the emulator, and through a network that cuts.

import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { AzureNamedKeyCredential, TableClient as OfficialTableClient } from '@azure/data-tables';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { DEVELOPMENT_ACCOUNT, generateTableSas } from '../../js/src/http.js';
import { remoteAccount, type RemoteAccount } from '../../js/src/remote.js';
import { defineTable, t } from '../../js/src/schema.js';
import { collect } from '../js/support/accounts.js';
import { errorCode, tableError } from '../js/support/rejection.js';
import { emulatorAccount, nameAt, ownAccount } from './support/remotes.js';

const { key: KEY } = DEVELOPMENT_ACCOUNT;
const INSECURE = { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } };

let tables = 0;
const freshName = () => `Pets${++tables}`;

const EXACT = {
  partitionKey: 'dogs',
  rowKey: "O'Rex 1 é",
  chip: 9_007_199_254_740_993n,
  born: { type: 'DateTime', value: '2017-03-05T00:00:00.1234567Z' },
  weight: { type: 'Double', value: 3 },
  height: 0.1,
  age: 7,
  tag: { type: 'Guid', value: '7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001' },
  photo: Uint8Array.of(0, 127, 255),
  isGood: true,
  text: '3.0 "quoted" \u{1f600}',
} as const;

describe.each([
  ['our own server', ownAccount, true],
  ['the emulator', emulatorAccount, false],
])('at %s', (_, start, isOurs) => {
  let url: string;
  let remote: RemoteAccount;
  let name: string;
  beforeEach(async () => {
    url = await start();
    remote = remoteAccount({ url, key: KEY });
    name = freshName();
    await remote.createTable(name);
  });

  it('what the official client wrote and what it wrote itself have exact types', async () => {
    const pets = remote.tableClient(name);
    const official = new OfficialTableClient(
      url,
      name,
      new AzureNamedKeyCredential(nameAt(url), KEY),
      INSECURE,
    );
    const { chip, weight, ...others } = EXACT;
    await official.createEntity({
      ...others,
      rowKey: 'theirs',
      chip: { type: 'Int64', value: `${chip}` },
      weight: { type: 'Double', value: '3.0' },
    });
    await pets.createEntity({ ...EXACT, rowKey: 'ours' });

    const typed = await collect(pets.listEntities({ typed: true }));

    // The emulator gives the text of a Double as it came: 3.
    const found = typed.map(({ weight, ...rest }) => ({ ...rest, weight }));
    expect(found.map(({ rowKey }) => rowKey)).toEqual(['ours', 'theirs']);
    for (const one of found) {
      expect(one).toMatchObject({
        chip: { type: 'Int64', value: chip },
        born: EXACT.born,
        height: { type: 'Double', value: 0.1 },
        age: { type: 'Int32', value: 7 },
        tag: EXACT.tag,
        photo: { type: 'Binary', value: EXACT.photo },
        isGood: { type: 'Boolean', value: true },
        text: { type: 'String', value: EXACT.text },
        weight,
      });
    }
    const theirs = await official.getEntity('dogs', 'ours', { disableTypeConversion: true });
    expect(theirs).toMatchObject({ chip: { type: 'Int64', value: `${chip}` }, born: EXACT.born });
  });

  it('entities are written under conditions, by every method', async () => {
    const pets = remote.tableClient(name);
    await remote.createTable(name);
    const rex = { partitionKey: EXACT.partitionKey, rowKey: EXACT.rowKey };
    const { etag } = await pets.createEntity({ ...rex, age: 7 });
    expect(await tableError(pets.createEntity(rex))).toMatchObject({
      code: 'EntityAlreadyExists',
      statusCode: 409,
      details: { requestId: expect.stringMatching(/^[\da-f-]{36}$/) as string },
    });

    const merged = await pets.updateEntity({ ...rex, b: 2 }, 'Merge', { etag: etag! });
    expect(await pets.getEntity(rex.partitionKey, rex.rowKey)).toMatchObject({
      age: 7,
      b: 2,
      ...merged,
    });
    expect(await errorCode(pets.updateEntity(rex, 'Replace', { etag: etag! }))).toBe(
      'UpdateConditionNotSatisfied',
    );
    await pets.upsertEntity({ ...rex, c: 3 }, 'Replace');
    const options = { select: ['c', 'age'] };
    expect(await pets.getEntity(rex.partitionKey, rex.rowKey, options)).toMatchObject({
      age: null,
      c: 3,
    });
    await pets.deleteEntity(rex.partitionKey, rex.rowKey);
    expect(await errorCode(pets.getEntity(rex.partitionKey, rex.rowKey))).toBe('ResourceNotFound');
    await remote.deleteTable(name);
    await remote.deleteTable(name);
    expect(await errorCode(pets.createEntity(rex))).toBe('TableNotFound');
  });

  it('transactions are stored as a whole, and an etag can be the condition of a deletion', async () => {
    const pets = remote.tableClient(name);
    const entity = (rowKey: string) => ({ partitionKey: "p'é", rowKey, a: 1.5 });
    const { subResponses } = await pets.submitTransaction(
      Array.from({ length: 100 }, (__, i) => ['create', entity(`${i}`)] as ['create', never]),
    );
    expect(subResponses.map(({ status }) => status)).toEqual(Array(100).fill(204));
    const { etag } = await pets.getEntity("p'é", '7');
    expect(subResponses[7]).toMatchObject({ etag, rowKey: '7' });

    await pets.submitTransaction([
      ['update', { ...entity('0'), b: 2 }],
      ['update', entity('1'), 'Replace', { etag: subResponses[1]!.etag! }],
      ['upsert', entity('x')],
      ['upsert', entity('y'), 'Replace'],
      ['delete', entity('2')],
    ]);
    expect(await pets.getEntity("p'é", '0')).toMatchObject({ a: 1.5, b: 2 });
    const pages = await collect(pets.listEntities().byPage({ maxPageSize: 60 }));
    expect(pages.map(({ length }) => length)).toEqual([60, 41]);

    const failed = await tableError(
      pets.submitTransaction([
        ['create', entity('new')],
        ['create', entity('0')],
      ]),
    );
    expect(failed).toMatchObject({ code: 'EntityAlreadyExists', statusCode: 409 });
    if (isOurs) expect(failed.details).toMatchObject({ operationIndex: 1, rowKey: '0' });
    expect(await errorCode(pets.getEntity("p'é", 'new'))).toBe('ResourceNotFound');
  });

  it('a signature lets a page in, and a declared table has its types', async () => {
    const expiresOn = new Date(Date.now() + 3_600_000);
    const given = { account: nameAt(url), key: KEY, table: name, permissions: 'raud', expiresOn };
    const definition = defineTable(name, {
      partitionKey: t.string(),
      rowKey: t.string(),
      weight: t.double(),
      visits: t.int32().default(0),
    });
    const account = remoteAccount({ url, sas: () => generateTableSas(given) });
    const { pets: table } = await account.openTables({ pets: definition });
    const rex = { partitionKey: 'dogs', rowKey: 'rex' };

    await table.insert({ ...rex, weight: 31 });
    await table.update(rex, { visits: 4 });

    expect(await table.get(rex)).toMatchObject({ weight: 31, visits: 4 });
    const untyped = await remote.tableClient(name).getEntity('dogs', 'rex', { typed: true });
    expect(untyped).toMatchObject({ weight: { type: 'Double', value: 31 } });
  });

  it('many rows of a declared table are written together', async () => {
    const definition = defineTable(
      name,
      { list: t.string(), id: t.string(), weight: t.double(), tags: t.array(t.string()) },
      { key: ['list', 'id'] },
    );
    const { pets } = await remote.openTables({ pets: definition });
    const row = (n: number) => ({ list: `${n % 2}`, id: `${n}`, weight: n, tags: ['a'] });

    await pets.insertMany(Array.from({ length: 220 }, (_, n) => row(n)));
    expect(await pets.count({ where: ({ weight }) => weight.lt(100) })).toBe(100);
    await pets.updateMany({ where: ({ list }) => list.eq('1'), set: { weight: 1.5 } });
    await pets.deleteMany({ where: ({ weight }) => weight.ne(1.5) });
    expect(await pets.count()).toBe(110);
    const key = { list: '1', id: '1' };
    await pets.update(key, ({ tags }) => ({ tags: [...tags, 'b'] }));
    expect(await pets.get(key)).toMatchObject({ ...row(1), weight: 1.5, tags: ['a', 'b'] });
    expect((await pets.list({ where: ({ list }) => list.eq('1'), limit: 3 })).length).toBe(3);
    await pets.deleteMany({ where: 'true' });
    expect(await pets.first()).toBeUndefined();
  });

  it('a wrong key is refused', async () => {
    const other = remoteAccount({ url, key: btoa('another key') });

    expect(await tableError(other.createTable('Cats'))).toMatchObject({ statusCode: 403 });
  });
});

describe('through a network with faults', () => {
  // What happens to an answer: it is cut after so many bytes, compressed or cut when compressed, or
  // the client is sent elsewhere.
  type Fault = number | 'gzip' | 'cut gzip' | 'redirect';

  // Forwards requests. Each of the next answers has one of the faults.
  async function faultyProxy(target: string, faults: Fault[]): Promise<string> {
    const { port } = new URL(target);
    const elsewhere = { Location: `${target}/Tables`, 'Content-Length': '0' };
    const proxy = createServer((incoming, outgoing) => {
      const { method, headers, url: path } = incoming;
      const onward = forward({ port, host: '127.0.0.1', method, headers, path }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const fault = faults.shift();
          if (fault === 'redirect') return outgoing.writeHead(307, elsewhere).end();
          const plain = Buffer.concat(chunks);
          const isZipped = fault === 'gzip' || fault === 'cut gzip';
          const body = isZipped ? gzipSync(plain) : plain;
          outgoing.writeHead(answer.statusCode!, {
            ...answer.headers,
            ...(isZipped && { 'content-encoding': 'gzip' }),
            // Also a whole answer ends at the length that is promised.
            'content-length': `${fault === 'cut gzip' ? 40 : body.length}`,
          });
          if (fault === 'cut gzip') return outgoing.end(body.subarray(0, 40));
          if (typeof fault !== 'number') return outgoing.end(body);
          return outgoing.write(body.subarray(0, fault), () => outgoing.destroy());
        });
      });
      incoming.pipe(onward);
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    onTestFinished(() => {
      proxy.closeAllConnections();
      proxy.close();
    });
    return target.replace(port, `${(proxy.address() as AddressInfo).port}`);
  }

  it('a list is read again, and a transaction has an unknown outcome', async () => {
    const cuts: Fault[] = [];
    const url = await faultyProxy(await ownAccount(), cuts);
    const pets = remoteAccount({ url, key: KEY }).tableClient('Pets');
    await pets.createTable();
    const actions = ['a', 'b'].map(
      (rowKey) => ['create', { partitionKey: 'p', rowKey }] as ['create', never],
    );

    cuts.push(200);
    const error = await tableError(pets.submitTransaction(actions));
    expect(error).toMatchObject({
      code: 'StorageOutcomeUnknown',
      cause: { code: 'EntityAlreadyExists' },
    });
    cuts.push(100);
    const found = await collect(pets.listEntities());
    expect(found.map(({ rowKey }) => rowKey)).toEqual(['a', 'b']);
  });

  it('compressed answers are read, also after one that was cut', async () => {
    const faults: Fault[] = [];
    const url = await faultyProxy(await ownAccount(), faults);
    const pets = remoteAccount({ url, key: KEY }).tableClient('Pets');
    await pets.createTable();
    await pets.createEntity({ partitionKey: 'p', rowKey: 'a', text: 'é'.repeat(1000) });

    faults.push('cut gzip', 'gzip');
    const [found] = await collect(pets.listEntities());

    expect(found!['text']).toBe('é'.repeat(1000));
    expect(faults).toEqual([]);
  });

  it('a redirect is not followed, so no other address gets the request', async () => {
    const faults: Fault[] = [];
    const url = await faultyProxy(await ownAccount(), faults);
    const remote = remoteAccount({ url, key: KEY });

    faults.push('redirect');
    const error = await tableError(remote.createTable('Pets'));

    expect(error).toMatchObject({ code: 'StorageUnavailable', statusCode: 503 });
    expect(error.message).toContain('sends the client to another address');
  });
});
