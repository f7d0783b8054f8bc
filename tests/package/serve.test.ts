// The command of the built package, as another process, and what clients see of it.

import { once } from 'node:events';
import { appendFileSync, cpSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

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

  it('sends characters beyond ASCII unchanged', async () => {
    const pets = tableOf(await serve('--in-memory'));
    await pets.createTable();
    await pets.setAccessPolicy([{ id: '\u00e9\u20ac' }]);

    expect(await pets.getAccessPolicy()).toMatchObject([{ id: '\u00e9\u20ac' }]);
  });

  it('keeps acknowledged writes, whenever it is stopped', async () => {
    const data = newFolder();
    const first = await serve('--data', data);
    const pets = tableOf(first);
    await pets.createTable();
    let stored = 0;
    const writing = (async () => {
      for (; ; stored++) await pets.createEntity({ partitionKey: 'p', rowKey: `${stored}` });
    })().catch(() => {});
    await new Promise<void>((resolve) => {
      const check = () => (stored >= 20 ? resolve() : setImmediate(check));
      check();
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

  it('accepts requests with the key, and with --loose all', async () => {
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

  it('prints a line for each request, but not with --quiet', async () => {
    const loud = await serve('--in-memory', '--loose');
    await fetch(`${loud.url.href}/Tables`);
    const quiet = await serve('--in-memory', '--loose', '--quiet');
    await fetch(`${quiet.url.href}/Tables`);
    await Promise.all([loud.stop(), quiet.stop()]);

    expect(loud.lines).toEqual([
      expect.stringMatching(
        /^\d{4}-\d\d-\d\dT[\d:.]+Z GET \/devstoreaccount1\/Tables 200 [\d.]+ ms$/,
      ),
    ]);
    expect(quiet.lines).toEqual([]);
  });

  it('warns of a write that a crash has interrupted, also with --quiet', async () => {
    const [data, copy] = [newFolder(), newFolder()];
    const server = await serve('--data', data);
    await tableOf(server).createTable();
    const file = join(copy, 'entitable.store');
    // As a crash of this moment leaves it.
    cpSync(join(data, 'entitable.store'), file);
    appendFileSync(file, 'a part of a write');
    const next = await serve('--data', copy, '--quiet');
    await Promise.all([server.stop(), next.stop()]);

    expect(server.said()).toBe('');
    expect(next.said()).toBe(
      `warning: A write into ${file} was interrupted. Its 17 bytes are kept in ${file}.cut-1.\n`,
    );
  });

  it('reports damage once', async () => {
    const data = newFolder();
    const server = await serve('--data', data);
    await tableOf(server).createTable();
    await server.stop();
    appendFileSync(join(data, 'entitable.store'), 'more');
    const child = run('serve', '--port', '0', '--data', data);
    let text = '';
    child.stderr!.on('data', (piece) => (text += piece));

    expect(await once(child, 'close')).toEqual([1, null]);
    expect(text).toMatch(
      /^error: .* when it was closed, at byte \d+\. verify\(\) .* repair\(\) .*\n$/,
    );
    expect(text.match(/when it was closed/g)).toHaveLength(1);
  });

  it('continues after requests that are invalid, too long or incomplete', async () => {
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
    socket.end(
      'POST /devstoreaccount1/Pets HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{',
    );
    await new Promise((resolve) =>
      socket
        .on('error', () => {})
        .on('close', resolve)
        .resume(),
    );
    await vi.waitFor(() =>
      expect(server.lines).toContainEqual(
        expect.stringMatching(/Z POST \/devstoreaccount1\/Pets aborted$/),
      ),
    );

    const answer = await fetch(`${server.url.href}/Pets()`);
    expect(await answer.json()).toMatchObject({ value: [] });
  });

  it('accepts longer filters than other servers', async () => {
    const server = await serve('--in-memory', '--loose');
    await new TableServiceClient(server.url.href, options).createTable('Pets');
    const filter = Array.from({ length: 1000 }, (_, i) => `RowKey eq '${i}'`).join(' or ');

    const answer = await fetch(`${server.url.href}/Pets()?$filter=${encodeURIComponent(filter)}`);

    expect(answer.status).toBe(200);
  });

  it('shows no key and no signature', async () => {
    const key = 'c2VjcmV0IGtleSBvZiBtaW5l';
    const server = await serve('--in-memory', '--account', 'acct', '--key', key);
    await fetch(`${server.url.href}/Tables?sv=2019-02-02&sig=c2VjcmV0&ss=t`);
    await server.stop();

    expect(server.connectionString).toContain('AccountKey=***;');
    expect(server.lines).toEqual([expect.stringContaining('?sv=2019-02-02&sig=***&ss=t 403 ')]);
    expect(server.said()).not.toContain('c2VjcmV0');
  });

  it('warns when others can reach it with the public key, or without one', async () => {
    const here = await serve('--in-memory');
    const open = await serve('--in-memory', '--host', '0.0.0.0');
    const loose = await serve('--in-memory', '--host', '0.0.0.0', '--loose');
    const closed = await serve(
      '--in-memory',
      '--host',
      '0.0.0.0',
      '--account',
      'acct',
      '--key',
      'a2V5',
    );
    await Promise.all([here, open, loose, closed].map((server) => server.stop()));

    expect(open.said()).toMatch(
      /^warning: every client that reaches 0\.0\.0\.0 .*public key; give the account another key$/m,
    );
    expect(loose.said()).toMatch(
      /^warning: every client that reaches 0\.0\.0\.0 .*: requests need no signature$/m,
    );
    expect(here.said()).not.toContain('warning');
    expect(closed.said()).not.toContain('warning');
  });

  it('answers to names of this machine, and to names of the option', async () => {
    const server = await serve('--in-memory', '--loose', '--allow-host', 'tables.example');
    const ask = (host: string, target = '/devstoreaccount1/Tables') =>
      sendRaw(server, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

    expect(await ask('evil.example')).toMatch(/^HTTP\/1\.1 421 [^]*--allow-host/);
    expect(await ask('localhost', 'http://evil.example/devstoreaccount1/Tables')).toMatch(
      /^HTTP\/1\.1 421 /,
    );
    expect(await ask('localhost:1')).toMatch(/^HTTP\/1\.1 200 /);
    const proxied = await ask('tables.example:9999');
    expect(proxied).toMatch(/^HTTP\/1\.1 200 /);
    expect(proxied).toContain('http://tables.example:9999/devstoreaccount1/$metadata#Tables');
  });

  it('continues after the end of the program that reads its output', async () => {
    const server = await serve('--in-memory', '--loose');
    server.stopReading();
    for (let i = 0; i < 5; i++) {
      expect((await fetch(`${server.url.href}/Tables`)).status).toBe(200);
    }

    expect(await server.stop()).toBe(0);
  });

  it('answers a request before it refuses the bytes behind it', async () => {
    const server = await serve('--in-memory', '--loose');
    await new TableServiceClient(server.url.href, options).createTable('Pets');
    const body = '{"PartitionKey":"p","RowKey":"r"}';
    const insert =
      'POST /devstoreaccount1/Pets HTTP/1.1\r\nHost: localhost\r\n' +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

    const answer = await sendRaw(server, `${insert}}\r\n\r\nnonsense`);

    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 400']);
    expect(answer).toContain('Location: ');
  });

  it.each([
    ['--help', /^entitable COMMAND [^]*serve[^]*push[^]*--version/],
    ['serve --help', /^entitable serve --data DIR[^]*--quiet/],
    ['--version', /^\d+\.\d+\.\d+\n$/],
    ['serve --version', /^\d+\.\d+\.\d+\n$/],
  ])('understands %s', async (line, text) => {
    const child = run(...line.split(' '));
    let said = '';
    child.stdout!.on('data', (piece) => (said += piece));

    expect(await once(child, 'close')).toEqual([0, null]);
    expect(said).toMatch(text);
  });

  it('reports errors of its command line, and of its port', async () => {
    const outcome = async (...words: string[]) => {
      const child = run(...words);
      let text = '';
      child.stderr!.on('data', (piece) => (text += piece));
      const [code] = (await once(child, 'close')) as [number];
      return { code, text };
    };
    const server = await serve('--in-memory');

    expect(await outcome('serve')).toEqual({
      code: 2,
      text: expect.stringMatching(
        /^error: give one of .*--in-memory\nSee entitable serve --help\n$/,
      ),
    });
    expect(await outcome('start', '--in-memory')).toEqual({
      code: 2,
      text: expect.stringMatching(/^error: the first word must be one of serve, tables, create, /),
    });
    expect(await outcome('serve', '--in-memory', '--port', server.url.port)).toEqual({
      code: 1,
      text: expect.stringMatching(/choose another port \(listen EADDRINUSE: /),
    });
  });

  it('does not share a folder with another server', async () => {
    const data = newFolder();
    await serve('--data', data);

    await expect(serve('--data', data)).rejects.toThrow('has stopped');
  });
});
