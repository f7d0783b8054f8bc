// A server whose disk is really full: a small file system in memory, where the system lets us mount
// one.

import { spawnSync } from 'node:child_process';

import { expect, it, onTestFinished, vi } from 'vitest';

import { newFolder, serve } from './support/serve.js';

const mount = (folder: string) =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', folder]).status === 0;
const unmount = (folder: string) => spawnSync('umount', [folder]).status === 0;

const probe = spawnSync('mktemp', ['-d'], { encoding: 'utf8' }).stdout.trim();
const canMount = mount(probe) && unmount(probe);

it.skipIf(!canMount)(
  'a server on a full disk says so everywhere, and loses nothing that it has acknowledged',
  async () => {
    const data = newFolder();
    mount(data);
    onTestFinished(() => void unmount(data));
    const server = await serve('--data', data, '--loose', '--quiet');
    const textAt = async (path: string) => (await fetch(new URL(path, server.url))).text();
    const send = async (method: string, path: string, body?: unknown) => {
      const headers = { 'Content-Type': 'application/json', 'If-Match': '*' };
      const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
      return (await fetch(`${server.url.href}${path}`, init)).status;
    };
    const row = (n: number) => ({ PartitionKey: 'p', RowKey: `${n}` });
    const at = (n: number) => `/Pets(PartitionKey='p',RowKey='${n}')`;
    const texts = Object.fromEntries(
      Array.from({ length: 16 }, (_, i) => [`T${i}`, String(i).repeat(15_000)]),
    );
    await send('POST', '/Tables', { TableName: 'Pets' });

    let stored = 0;
    let status: number;
    while ((status = await send('POST', '/Pets', { ...row(stored), ...texts })) === 201) stored++;
    expect(status).toBe(507);
    expect(await textAt('/-/health')).toBe('writes fail\n');
    expect(await textAt('/-/metrics')).toMatch(/commits_total\{outcome="quota"\} [1-9]/);
    expect(server.said()).toMatch(/writes fail: The storage has no room\. \(ENOSPC/);
    for (let n = 0; n < stored; n++) expect(await send('GET', at(n))).toBe(200);

    for (let n = 0; n < stored / 2; n++) expect(await send('DELETE', at(n))).toBe(204);
    await vi.waitFor(
      async () => expect(await send('POST', '/Pets', row(stored))).toBe(201),
      20_000,
    );
    expect(await textAt('/-/health')).toBe('healthy\n');
    expect(await server.stop()).toBe(0);
    const again = await serve('--data', data, '--loose', '--quiet');
    for (let n = 0; n <= stored; n++) {
      const { status: found } = await fetch(`${again.url.href}${at(n)}`);
      expect([n, found]).toEqual([n, n < stored / 2 ? 404 : 200]);
    }
    expect(await again.stop()).toBe(0);
  },
  120_000,
);
