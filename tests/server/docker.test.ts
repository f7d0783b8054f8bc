// The Dockerfile of templates/docker. No container runs here: its commands do.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { newFolder, serve } from '../package/support/serve.js';

const dockerfile = readFileSync('templates/docker/Dockerfile', 'utf8').replace(/\\\n/g, '');
const instructions = dockerfile.split('\n').filter((line) => /^[A-Z]/.test(line));
const rest = (name: string) =>
  instructions.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1);
const wordsOf = (name: string) => JSON.parse(rest(name)!.replace(/^[^[]*/, '')) as string[];

it('installs the version of this package, and runs it without root', () => {
  const { version, engines } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    version: string;
    engines: { node: string };
  };
  const [, node] = /^node:(\d+)-slim$/.exec(rest('FROM')!)!;

  expect(rest('ARG')).toBe(`ENTITABLE_VERSION=${version}`);
  expect(Number(node)).toBeGreaterThanOrEqual(parseInt(engines.node.replace(/\D+/, '')));
  expect(rest('USER')).toBe('node');
  // What comes behind it runs without root.
  const names = instructions.map((line) => line.split(' ', 1)[0]);
  expect(names).toEqual([
    ...['FROM', 'ARG', 'RUN', 'USER', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD'],
  ]);
});

it('starts a server that its health check finds healthy until it ends', async () => {
  const [, command, ...words] = [...wordsOf('ENTRYPOINT'), ...wordsOf('CMD')];
  const folder = newFolder();
  const server = await serve(...words.map((word) => (word === rest('VOLUME') ? folder : word)));
  const check = wordsOf('HEALTHCHECK').map((word) =>
    word.replace(`:${rest('EXPOSE')}/`, `:${server.url.port}/`),
  );
  const codeOf = async () => {
    const child = spawn(check[0]!, check.slice(1), { stdio: 'inherit' });
    return ((await once(child, 'exit')) as [number])[0];
  };

  expect(command).toBe('serve');
  expect(words).toContain('/data');
  expect(check.join(' ')).toContain(`:${server.url.port}/-/health`);
  expect(await codeOf()).toBe(0);
  await server.stop();
  expect(await codeOf()).toBe(1);
});
