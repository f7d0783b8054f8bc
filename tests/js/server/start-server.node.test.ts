// Servers in this process, and what clients see of them.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { AzureNamedKeyCredential, TableClient, TableServiceClient } from '@azure/data-tables';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { startServer, type ServerOptions } from '../../../js/src/server.js';
import { newCertificate } from '../support/certificate.js';
import { claimsAt, tokenOf } from '../support/tokens.js';

const OPTIONS = { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } };
const KEYS = ['Zmlyc3Q=', 'c2Vjb25k', 'dGhpcmQ='] as const;

async function start(options?: ServerOptions) {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return server;
}

const tableOf = (connectionString: string) =>
  TableClient.fromConnectionString(connectionString, 'Pets', OPTIONS);

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'entitable-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const REX = { partitionKey: 'dogs', rowKey: 'rex' };

describe('startServer', () => {
  it('serves the account of the emulator in memory, at any free port, in silence', async () => {
    const written = [process.stdout, process.stderr].map((output) => vi.spyOn(output, 'write'));
    const [one, other] = [await start(), await start({ port: 0 })];
    await tableOf(one.connectionString).createTable();
    await tableOf(one.connectionString).createEntity(REX);

    expect(one.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/devstoreaccount1$/);
    expect(other.url).not.toBe(one.url);
    expect(one.connectionString).toMatch(/;AccountName=devstoreaccount1;AccountKey=Eby8vdM0/);
    expect(one.accounts).toEqual([
      { name: 'devstoreaccount1', url: one.url, connectionString: one.connectionString },
    ]);
    await expect(tableOf(other.connectionString).getEntity('dogs', 'rex')).rejects.toMatchObject({
      statusCode: 404,
    });
    await Promise.all([one.close(), other.close()]);
    for (const write of written) {
      expect(write).not.toHaveBeenCalled();
      write.mockRestore();
    }
  });

  it('closes once, and then accepts no connection', async () => {
    const server = await start();
    const closing = server.close();

    expect(server.close()).toBe(closing);
    await closing;
    await expect(fetch(server.url)).rejects.toThrow();
  });

  it('closes at the end of a block with await using', async () => {
    let url: string;
    {
      // eslint-disable-next-line @typescript-eslint/await-thenable -- the type is the platform's
      await using server = await startServer();
      url = server.url;
      expect((await fetch(url)).status).toBe(403);
    }

    await expect(fetch(url)).rejects.toThrow();
  });

  it('keeps an account in a folder', async () => {
    const data = newFolder();
    const first = await start({ data });
    await tableOf(first.connectionString).createTable();
    await first.close();
    const second = await start({ data, durability: 'relaxed' });
    await tableOf(second.connectionString).createEntity(REX);

    expect(existsSync(join(data, 'entitable.store'))).toBe(true);
  });

  it('gives each of several accounts a path, keys, and a folder', async () => {
    const data = newFolder();
    const accounts = [
      { name: 'first', keys: [KEYS[0], KEYS[1]] },
      { name: 'second', keys: [KEYS[2]] },
    ];
    const server = await start({ data, accounts });
    const [first, second] = server.accounts.map((account) => tableOf(account.connectionString));
    await first!.createTable();
    await first!.createEntity(REX);
    await second!.createTable();
    const origin = new URL(server.url).origin;
    const clientOf = (path: string, name: string, key: string) =>
      new TableServiceClient(origin + path, new AzureNamedKeyCredential(name, key), OPTIONS);
    const create = (client: TableServiceClient) => client.createTable('Birds');

    expect(server.accounts.map(({ url }) => url)).toEqual([`${origin}/first`, `${origin}/second`]);
    await expect(second!.getEntity('dogs', 'rex')).rejects.toMatchObject({ statusCode: 404 });
    await create(clientOf('/first', 'first', KEYS[1]));
    await expect(create(clientOf('/second', 'second', KEYS[0]))).rejects.toMatchObject({
      statusCode: 403,
    });
    await expect(create(clientOf('/third', 'third', KEYS[0]))).rejects.toMatchObject({
      statusCode: 403,
    });
    // The secondary address of the second account reads what is there.
    const secondary = clientOf('/second-secondary', 'second', KEYS[2]);
    expect(await secondary.listTables().next()).toMatchObject({ value: { name: 'Pets' } });
    expect(existsSync(join(data, 'second', 'entitable.store'))).toBe(true);
    expect(existsSync(join(data, 'entitable.store'))).toBe(false);
  });

  it('does not show an empty account where the folder has other accounts', async () => {
    const [one, several] = [newFolder(), newFolder()];
    const accounts = ['first', 'second'].map((name) => ({ name, keys: [KEYS[0]] }));
    await (await start({ data: one })).close();
    await (await start({ data: several, accounts })).close();

    await expect(startServer({ data: one, accounts })).rejects.toThrow(/move the files to .*NAME/);
    await expect(startServer({ data: several, accounts: [accounts[0]!] })).rejects.toThrow(
      `name the folder ${join(several, 'first')}`,
    );
    mkdirSync(join(one, 'third'));
    await start({ data: one, accounts: [{ name: 'third', keys: [KEYS[0]] }] });
  });

  it('releases the accounts that it has opened when a later one cannot be opened', async () => {
    const data = newFolder();
    const accounts = ['first', 'second'].map((name) => ({ name, keys: [KEYS[0]] }));
    // In place of the folder of the second.
    writeFileSync(join(data, 'second'), '');

    await expect(startServer({ data, accounts })).rejects.toThrow();
    // An open account has a file there that keeps other processes out.
    expect(readdirSync(join(data, 'first'))).toEqual(['entitable.store']);
  });

  it('releases an account whose tables of the emulator cannot be imported', async () => {
    const data = newFolder();
    const azuriteFile = join(data, 'missing.json');

    await expect(startServer({ data, azuriteFile })).rejects.toThrow('missing.json');
    expect(readdirSync(data)).toEqual(['entitable.store']);
  });

  it('prints an address that works when it listens everywhere, and warns', async () => {
    const onWarning = vi.fn();
    const server = await start({ host: '0.0.0.0', onWarning });
    const key = { name: 'acct', keys: [KEYS[0]] };
    const silent = vi.fn();
    await start({ host: '0.0.0.0', accounts: [key], onWarning: silent });

    expect(new URL(server.url).hostname).toBe('127.0.0.1');
    await tableOf(server.connectionString).createTable();
    expect(onWarning.mock.calls).toEqual([
      [expect.stringContaining("with the emulator's public key")],
    ]);
    expect(silent).not.toHaveBeenCalled();
  });

  it('answers questions about its health', async () => {
    const server = await start();
    const health = await fetch(`${new URL(server.url).origin}/-/health`);

    expect([health.status, await health.text()]).toEqual([200, 'healthy\n']);
  });

  it('is not healthy when its folder is removed, and shows its path to no client', async () => {
    const data = newFolder();
    const onWarning = vi.fn();
    const server = await start({ data, authentication: 'anonymous', onWarning });
    const health = async () => (await fetch(`${new URL(server.url).origin}/-/health`)).status;
    await tableOf(server.connectionString).createTable();
    await tableOf(server.connectionString).createEntity(REX);
    expect(await health()).toBe(200);
    rmSync(data, { recursive: true });

    expect(await health()).toBe(503);
    const headers = { 'Content-Type': 'application/json' };
    const entity = JSON.stringify({ PartitionKey: 'dogs', RowKey: 'max' });
    const write = await fetch(`${server.url}/Pets`, { method: 'POST', headers, body: entity });
    const text = await write.text();
    expect([write.status, text]).toEqual([410, expect.stringContaining('The store was deleted')]);
    expect(text).not.toContain(data);
    expect(onWarning.mock.calls).toEqual([[expect.stringContaining(data)]]);
  });

  it('hands over each request, as a line and with its parts', async () => {
    const onRequest = vi.fn();
    const server = await start({ authentication: 'anonymous', onRequest });
    const headers = { 'x-ms-client-request-id': 'mine', 'content-type': 'application/json' };
    const url = `${server.url}/None(PartitionKey='p',RowKey='r')?sig=a&x=1`;
    const answer = await fetch(url, { method: 'MERGE', headers, body: '{"a":1}' });
    const text = await answer.text();

    const target = "/devstoreaccount1/None(PartitionKey='p',RowKey='r')?sig=***&x=1";
    expect(onRequest.mock.calls).toEqual([
      [
        expect.stringMatching(/ MERGE \/devstoreaccount1\/None.* 404 [\d.]+ ms$/),
        {
          ...{ time: expect.any(Date), ms: expect.any(Number) },
          ...{ method: 'MERGE', target, status: 404, errorCode: 'TableNotFound' },
          ...{ bytesIn: 7, bytesOut: text.length, clientRequestId: 'mine' },
          requestId: answer.headers.get('x-ms-request-id'),
        },
      ],
    ]);
    expect(answer.headers.get('x-ms-request-id')).toBeTruthy();

    // The status of a transaction does not show that it has failed.
    const transaction = tableOf(server.connectionString).submitTransaction([['create', REX]]);
    await expect(transaction).rejects.toMatchObject({ code: 'TableNotFound' });
    expect(onRequest.mock.calls[1]![1]).toMatchObject({ status: 202, errorCode: 'TableNotFound' });
  });

  const acct = { name: 'acct', keys: [KEYS[0]] };
  const certificate = newCertificate();
  it.each<[string, ServerOptions]>([
    ['startServer has no option prot', { prot: 1 } as ServerOptions],
    [
      'The option port of startServer must be an integer from 0 to 65535, not 65536.',
      { port: 65536 },
    ],
    ['The option port of startServer must be a number', { port: '1' as unknown as number }],
    ['The option host of startServer must not be empty.', { host: '' }],
    [
      'The option postgresConnections of startServer goes with postgres.',
      { postgresConnections: 1 },
    ],
    [
      'The option postgresConnections of startServer must be an integer from 1 to 1000.',
      { postgres: 'postgres://h/d', postgresConnections: 0 },
    ],
    ['not both', { data: 'd', postgres: 'postgres://h/d' }],
    ['The option postgres of startServer must be an address', { postgres: 'mysql://u:secret@h/d' }],
    ['The option durability of startServer goes with data.', { durability: 'strict' }],
    ['The option maxBytes of startServer is for accounts in memory', { data: 'd', maxBytes: 1 }],
    ['The option accounts of startServer must not be empty.', { accounts: [] }],
    ['3 to 24 lower-case letters and digits, not "A-b"', { accounts: [{ ...acct, name: 'A-b' }] }],
    ['The option accounts of startServer names acct twice.', { accounts: [acct, acct] }],
    [
      'The option accounts of startServer needs one or two keys of acct.',
      { accounts: [{ ...acct, keys: [] }] },
    ],
    [
      'The option accounts of startServer needs one or two keys of acct.',
      { accounts: [{ ...acct, keys: [...KEYS] }] },
    ],
    [
      'The option accounts of startServer has a key that is not Base64.',
      { accounts: [{ ...acct, keys: ['no!'] }] },
    ],
    ['The option oauth of startServer needs a certificate', { oauth: 'basic' }],
    [
      "where authentication is 'anonymous'",
      { oauth: 'basic', certificate, authentication: 'anonymous' },
    ],
    [
      'The option certificate of startServer must have the texts',
      { certificate: { cert: 'c' } as never },
    ],
    [
      'The option certificate of startServer must have the texts',
      { certificate: { pfx: 'text' } as never },
    ],
    [
      'The option certificate of startServer must have the texts',
      { certificate: 'cert.pem' as never },
    ],
    [
      'The option certificate of startServer must have the texts',
      { certificate: { ...certificate, passphrase: 'p' } as never },
    ],
  ])('refuses wrong options: %s', async (message, options) => {
    const starting = startServer(options);

    await expect(starting).rejects.toThrow(TypeError);
    await expect(starting).rejects.toThrow(message);
    await expect(starting).rejects.not.toThrow('secret');
  });

  it('rejects if the port is in use, or the certificate is none', async () => {
    const { port } = new URL((await start()).url);

    await expect(startServer({ port: Number(port) })).rejects.toMatchObject({
      message: expect.stringContaining('another program uses it'),
      cause: { code: 'EADDRINUSE' },
    });
    const broken = { cert: 'broken', key: 'broken' };
    await expect(startServer({ certificate: broken })).rejects.toThrow(
      'the certificate cannot be used',
    );
  });
});

describe('a server with a certificate', () => {
  const certificate = newCertificate();
  const tlsOptions = { ca: certificate.cert };
  const clientOf = (url: string, claims: object) => {
    const getToken = vi.fn(async () => ({ token: tokenOf(claims), expiresOnTimestamp: Infinity }));
    const client = new TableClient(url, 'Pets', { getToken }, { ...OPTIONS, tlsOptions });
    return { client, getToken };
  };

  it('accepts the tokens of the official client with oauth', async () => {
    const server = await start({ certificate, oauth: 'basic' });
    const { client, getToken } = clientOf(server.url, claimsAt(Date.now()));
    await client.createTable();
    await client.createEntity({ ...REX, age: 7 });

    expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:/);
    expect(await client.getEntity('dogs', 'rex')).toMatchObject({ age: 7 });
    // For the whole service, as the audience of the token says.
    expect(getToken.mock.calls[0]).toMatchObject([['https://storage.azure.com/.default'], {}]);
    expect(server.connectionString).toMatch(/^DefaultEndpointsProtocol=https;/);
  });

  it('refuses wrong tokens, and all tokens without oauth', async () => {
    const strict = await start({ certificate });
    const basic = await start({ certificate, oauth: 'basic' });
    const claims = claimsAt(Date.now());
    const expired = { ...claims, exp: claims.nbf + 1 };

    for (const { client } of [clientOf(strict.url, claims), clientOf(basic.url, expired)]) {
      await expect(client.createTable()).rejects.toMatchObject({
        statusCode: 401,
        message: expect.stringContaining('InvalidAuthenticationInfo'),
      });
    }
  });

  it('accepts keys, too, and addresses in its answers have HTTPS', async () => {
    const server = await start({ certificate });
    const table = TableClient.fromConnectionString(server.connectionString, 'Pets', { tlsOptions });
    await table.createTable();
    await table.createEntity(REX);

    const { 'odata.metadata': metadata } = await table.getEntity('dogs', 'rex');
    expect(metadata).toBe(`${server.url}/$metadata#Pets/@Element`);
  });
});
