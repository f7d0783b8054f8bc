// The log of `entitable serve`: as JSON, and for a reader that is slow.

import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { describe, expect, it } from 'vitest';

import { run, serve } from './support/serve.js';

interface LogObject {
  readonly event: string;
  readonly [name: string]: unknown;
}

/** Starts a server with a JSON log, and waits until it is ready. */
async function serveWithJson(...options: string[]) {
  const child = run('serve', '--port', '0', '--log', 'json', ...options);
  const objects: LogObject[] = [];
  const lines = createInterface(child.stdout!);
  const errors = text(child.stderr!);
  const ready = new Promise<LogObject>((resolve, reject) => {
    lines.on('line', (line) => {
      const object = JSON.parse(line) as LogObject;
      objects.push(object);
      if (object.event === 'ready') resolve(object);
    });
    child.on('exit', () => reject(new Error('the server has stopped')));
  });
  const { url } = await ready;
  const stop = async () => {
    child.kill('SIGTERM');
    const [code] = (await once(child, 'close')) as [number];
    return { code, errors: await errors };
  };
  return { url: url as string, objects, stop };
}

describe('the log as JSON', () => {
  it('has an object on each line, for requests and for all else', async () => {
    const { url, objects, stop } = await serveWithJson('--in-memory', '--loose');
    const account = `${url}/devstoreaccount1`;
    const answer = await fetch(`${account}/Tables?$top=1&sv=2019-02-02&sig=secret`, {
      headers: { 'x-ms-client-request-id': 'c1' },
    });
    const body = await answer.text();
    expect(await stop()).toEqual({ code: 0, errors: '' });

    expect(objects).toEqual([
      {
        ...{ time: expect.any(String), level: 'info', event: 'ready', url, kept: 'in memory' },
        accounts: [{ name: 'devstoreaccount1', url: account }],
      },
      {
        ...{ time: expect.any(String), level: 'info', event: 'request', method: 'GET' },
        ...{ path: '/devstoreaccount1/Tables', query: '$top=1&sv=2019-02-02&sig=***' },
        ...{ status: 200, ms: expect.any(Number), bytesIn: 0, bytesOut: body.length },
        ...{ requestId: answer.headers.get('x-ms-request-id'), clientRequestId: 'c1' },
      },
    ]);
    expect(JSON.stringify(objects)).not.toContain('secret');
    expect(new Date(objects[1]!['time'] as string).toISOString()).toBe(objects[1]!['time']);
  });

  it('has no requests with --quiet, and warnings and failures on the error output', async () => {
    const quiet = await serveWithJson('--in-memory', '--loose', '--quiet', '--host', '0.0.0.0');
    await (await fetch(`${quiet.url}/devstoreaccount1/Tables`)).text();
    const { code, errors } = await quiet.stop();
    expect([code, quiet.objects.map(({ event }) => event)]).toEqual([0, ['ready']]);
    expect(JSON.parse(errors)).toMatchObject({
      ...{ level: 'warning', event: 'warning' },
      message: expect.stringContaining('requests need no signature') as unknown,
    });

    const held = await serve('--in-memory');
    const failing = run('serve', '--in-memory', '--port', held.url.port, '--log', 'json');
    const [said, [exitCode]] = await Promise.all([text(failing.stderr!), once(failing, 'close')]);
    expect(exitCode).toBe(1);
    expect(JSON.parse(said)).toMatchObject({
      ...{ level: 'error', event: 'failure' },
      message: expect.stringMatching(/^the server cannot listen on port \d+/) as unknown,
    });
  });
});

/** The lines up to one with a text. Then nothing more is read. */
async function linesUntil(output: Readable, end: string): Promise<string[]> {
  let read = '';
  for await (const piece of output.iterator({ destroyOnReturn: false })) {
    read += String(piece);
    if (read.includes(end)) break;
  }
  output.pause();
  return read.split('\n');
}

describe('a reader that is slow', () => {
  it('costs no request and little memory, and learns what it has missed', async () => {
    const server = run('serve', '--in-memory', '--loose', '--port', '0');
    const lines = await linesUntil(server.stdout!, 'Entitable is ready at ');
    const origin = lines
      .find((line) => line.startsWith('Entitable is ready'))!
      .split(' ')
      .at(-1)!;

    // Each line of the log has this target: 6 MB in all.
    const requests = 60;
    const target = `/devstoreaccount1/Tables?x=${'a'.repeat(100_000)}`;
    for (let i = 0; i < requests; i++) {
      expect((await fetch(`${origin}${target}`)).status).toBe(200);
    }

    let log = '';
    server.stdout!.on('data', (piece) => (log += String(piece)));
    const gap = () => / ?(\d+) lines were left out: their reader was slow/.exec(log);
    while (!gap()) await once(server.stdout!, 'data');
    const seen = log.split('\n').filter((line) => line.includes(' GET /devstore')).length;
    expect(seen + Number(gap()![1])).toBe(requests);
    expect(log.length).toBeLessThan(2_500_000);
    expect((await fetch(`${origin}/devstoreaccount1/Tables`)).status).toBe(200);
    while (!log.includes('GET /devstoreaccount1/Tables 200')) await once(server.stdout!, 'data');
  });

  it('does not keep the server from ending', async () => {
    const server = run('serve', '--in-memory', '--loose', '--port', '0');
    const lines = await linesUntil(server.stdout!, 'Entitable is ready at ');
    const port = Number(lines.find((line) => line.startsWith('Entitable is ready'))!.split(':')[2]);
    const socket = connect(port, '127.0.0.1');
    const request = `GET /devstoreaccount1/Tables?x=${'a'.repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n`;
    socket.write(`${request}\r\n`.repeat(9) + `${request}Connection: close\r\n\r\n`);
    socket.resume();
    await once(socket, 'close');

    server.kill('SIGTERM');
    const [code] = (await once(server, 'exit')) as [number];
    expect(code).toBe(0);
  });
});
