// The files of templates/docker. No container runs here: their commands do.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';

import { freePort } from '../../scripts/lib/free-port.mjs';
import { newFolder, serve } from '../package/support/serve.js';

const AZURITE = 'tests/server/node_modules/azurite';

/** A service of the compose file. */
interface Service {
  image?: string;
  command?: string[];
  ports: string[];
  volumes: string[];
}

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

describe('the services side by side', () => {
  const { services, volumes } = parse(readFileSync('templates/docker/compose.yml', 'utf8')) as {
    services: Record<string, Service>;
    volumes: object;
  };

  it('have the ports of the emulator, on this machine alone, and keep their data', () => {
    expect(Object.entries(services).map(([name, { ports }]) => [name, ...ports])).toEqual([
      ['tables', '127.0.0.1:10002:10002'],
      ['blobs', '127.0.0.1:10000:10000'],
      ['queues', '127.0.0.1:10001:10001'],
    ]);
    const mounts = Object.values(services).flatMap((service) => service.volumes);
    expect(mounts).toEqual(Object.keys(volumes).map((name) => `${name}:/data`));
  });

  it('have tables by the image of this folder, as it starts', () => {
    expect(services['tables']).toMatchObject({ build: '.' });
    expect(services['tables']!.command).toBeUndefined();
  });

  it.each(['blobs', 'queues'])('start %s with the command of the emulator', async (name) => {
    const { image, command, ports } = services[name]!;
    const { version, bin } = JSON.parse(readFileSync(`${AZURITE}/package.json`, 'utf8')) as {
      version: string;
      bin: Record<string, string>;
    };
    const [program, ...words] = command!.map((word) => (word === '/data' ? newFolder() : word));
    const port = await freePort();
    // The present one of the machine may be taken.
    const portOption = words[0]!.replace('Host', 'Port');
    const script = `${AZURITE}/${bin[program!]!}`;
    const child = spawn(process.execPath, [script, ...words, portOption, `${port}`]);
    onTestFinished(() => void child.kill());
    let said = '';
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (piece: Buffer) => {
        if ((said += piece).includes('successfully')) resolve();
      });
      child.once('exit', () => reject(new Error(`the emulator has stopped: ${said}`)));
    });

    expect(image).toBe(`mcr.microsoft.com/azure-storage/azurite:${version}`);
    expect(said).toContain(`http://0.0.0.0:${port}`);
    expect(ports[0]).toMatch(/:(\d+):\1$/);
  });
});
