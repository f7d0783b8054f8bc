// The command of the built package, as another process, and what clients see of it.

import { once } from 'node:events';
import { connect } from 'node:net';

import { AzureNamedKeyCredential, TableClient, TableServiceClient } from '@azure/data-tables';
import { describe, expect, it, vi } from 'vitest';

import { newFolder, run, serve, type Server } from './support/serve.js';

const options = { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } };
const tableOf = ({ connectionString }: Server, name = 'Pets') =>
  TableClient.fromConnectionString(connectionString, name, options);

/** Sends bytes as they are, and returns all that comes back until the server ends it. */
async function sendRaw({ url }: Server, ...pieces: (string | Buffer)[]): Promise<string> {
  const socket = connect(Number(url.port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('latin1').on('data', (text) => (answer += text));
  // The server may have ended what is still being sent.
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.on('close', resolve));
  await once(socket, 'connect');
  for (const piece of pieces) socket.write(piece);
  await closed;
  return answer;
}

describe('entitable serve', () => {
  it('prints a connection string that clients take', async () => {
    const server = await serve('--in-memory');
    const pets = tableOf(server);
    await pets.createTable();
    await pets.createEntity({ partitionKey: 'a b', rowKey: "O'Neil \u00e9", age: 7 });
    await pets.submitTransaction([
      ['create', { partitionKey: 'p', rowKey: '1' }],
      ['create', { partitionKey: 'p', rowKey: '2' }],
    ]);

    expect(await pets.getEntity('a b', "O'Neil \u00e9")).toMatchObject({ age: 7 });
    expect(server.connectionString).toContain('AccountName=devstoreaccount1;AccountKey=Eby8vdM0');
    expect(server.url.hostname).toBe('127.0.0.1');
    expect(await server.stop('SIGINT')).toBe(0);
  });

  it('sends what is beyond ASCII as it is', async () => {
    const pets = tableOf(await serve('--in-memory'));
    await pets.createTable();
    await pets.setAccessPolicy([{ id: '\u00e9\u20ac' }]);

    expect(await pets.getAccessPolicy()).toMatchObject([{ id: '\u00e9\u20ac' }]);
  });

  it('keeps what was acknowledged, whenever it is told to stop', async () => {
    const data = newFolder();
    const first = await serve('--data', data);
    const pets = tableOf(first);
    await pets.createTable();
    let stored = 0;
    const writing = (async () => {
      for (; ; stored++) await pets.createEntity({ partitionKey: 'p', rowKey: `${stored}` });
    })().catch(() => {});
    await new Promise<void>((resolve) => {
      const look = () => (stored >= 20 ? resolve() : setImmediate(look));
      look();
    });
    expect(await first.stop()).toBe(0);
    await writing;

    const second = await serve('--data', data);
    const again = tableOf(second);
    for (let i = 0; i < stored; i++) {
      expect((await again.getEntity('p', `${i}`)).rowKey).toBe(`${i}`);
    }
    expect(await second.stop()).toBe(0);
  });

  it('lets in who has the key, and with --loose everybody', async () => {
    const strict = await serve('--in-memory', '--account', 'acct', '--key', 'a2V5');
    const wrong = new AzureNamedKeyCredential('acct', 'b3RoZXI=');
    const right = new AzureNamedKeyCredential('acct', 'a2V5');
    expect(strict.url.pathname).toBe('/acct');
    await expect(
      new TableServiceClient(strict.url.href, wrong, options).createTable('Pets'),
    ).rejects.toMatchObject({ statusCode: 403 });
    await new TableServiceClient(strict.url.href, right, options).createTable('Pets');

    const loose = await serve('--in-memory', '--loose');
    await new TableServiceClient(loose.url.href, options).createTable('Pets');
  });

  it('prints a line for each request, unless it is to be quiet', async () => {
    const loud = await serve('--in-memory', '--loose');
    await fetch(`${loud.url.href}/Tables`);
    const quiet = await serve('--in-memory', '--loose', '--quiet');
    await fetch(`${quiet.url.href}/Tables`);
    await Promise.all([loud.stop(), quiet.stop()]);

    expect(loud.lines).toEqual([
      expect.stringMatching(/^GET \/devstoreaccount1\/Tables 200 [\d.]+ ms$/),
    ]);
    expect(quiet.lines).toEqual([]);
  });

  it('goes on after requests that are none, too long or cut off', async () => {
    const server = await serve('--in-memory', '--loose');
    await new TableServiceClient(server.url.href, options).createTable('Pets');
    const post = (body: BodyInit) =>
      fetch(`${server.url.href}/Pets`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
        duplex: 'half',
      } as RequestInit);
    const tooLong = 5 * 2 ** 20;

    for (const body of [' '.repeat(tooLong), new Blob([' '.repeat(tooLong)]).stream()]) {
      const refused = await post(body);
      expect(refused.status).toBe(413);
      expect(await refused.text()).toContain('RequestBodyTooLarge');
    }
    expect(await sendRaw(server, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await sendRaw(server, `GET /${'a'.repeat(200_000)} HTTP/1.1\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    );
    const socket = connect(Number(server.url.port), '127.0.0.1');
    await once(socket, 'connect');
    socket.end('POST /devstoreaccount1/Pets HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{');
    await new Promise((resolve) =>
      socket
        .on('error', () => {})
        .on('close', resolve)
        .resume(),
    );
    await vi.waitFor(() => expect(server.lines).toContain('POST /devstoreaccount1/Pets aborted'));

    const answer = await fetch(`${server.url.href}/Pets()`);
    expect(await answer.json()).toMatchObject({ value: [] });
  });

  it('takes filters that are longer than other servers do', async () => {
    const server = await serve('--in-memory', '--loose');
    await new TableServiceClient(server.url.href, options).createTable('Pets');
    const filter = Array.from({ length: 1000 }, (_, i) => `RowKey eq '${i}'`).join(' or ');

    const answer = await fetch(`${server.url.href}/Pets()?$filter=${encodeURIComponent(filter)}`);

    expect(answer.status).toBe(200);
  });

  it('says what is wrong with its command line, and where it cannot listen', async () => {
    const outcome = async (...words: string[]) => {
      const child = run(...words);
      let text = '';
      child.stderr!.on('data', (piece) => (text += piece));
      const [code] = (await once(child, 'close')) as [number];
      return { code, text };
    };
    const server = await serve('--in-memory');

    expect(await outcome('serve')).toEqual({
      code: 1,
      text: expect.stringMatching(/^error: say either [^]*--in-memory [^]*$/),
    });
    expect(await outcome('serve', '--in-memory', '--port', server.url.port)).toEqual({
      code: 1,
      text: expect.stringContaining('EADDRINUSE'),
    });
  });

  it('does not share a folder with another server', async () => {
    const data = newFolder();
    await serve('--data', data);

    await expect(serve('--data', data)).rejects.toThrow('has stopped');
  });
});
