// runtimes.ts - programs of ours in Deno and Bun, which are packages of npm.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

import { build, type Plugin } from 'esbuild';

import { freshFolder } from './file-storages.js';

/** The command that runs a script, with what comes before its path. */
export type Runtime = readonly string[];

// The script of the package would start another process, which would survive a kill.
const { runInstall } = createRequire(import.meta.url)('deno/install_api.cjs') as {
  runInstall: () => string;
};

export const DENO: Runtime = [runInstall(), 'run', '-A', '--unstable-kv'];
export const BUN: Runtime = [resolve('node_modules/bun/bin/bun.exe'), 'run'];

export const RUNTIMES = [
  { name: 'Deno', command: DENO },
  { name: 'Bun', command: BUN },
];

const scripts = new Map<string, Promise<string>>();

/** One script for all runtimes, made of a source of this project. */
export function bundledProgram(source: string): Promise<string> {
  const made = scripts.get(source) ?? bundle(source);
  scripts.set(source, made);
  return made;
}

// Tests find other files beside their sources.
const ownAddresses: Plugin = {
  name: 'own addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\/tests\/.*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(path)),
      ),
      loader: 'ts',
    }));
  },
};

async function bundle(source: string): Promise<string> {
  const outfile = join(freshFolder(), basename(source).replace(/\.ts$/, '.mjs'));
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'es2022',
    tsconfig: 'tsconfig.json',
    external: ['node:*'],
    plugins: [ownAddresses],
    logLevel: 'error',
  });
  return outfile;
}

/** Starts a program. It inherits no input. */
export async function startProgram(
  [command, ...options]: Runtime,
  source: string,
  args: readonly string[],
): Promise<ChildProcess> {
  const parameters = [...options, await bundledProgram(source), ...args];
  return spawn(command!, parameters, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' },
  });
}

/** How a program ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. */
export async function runProgram(
  runtime: Runtime,
  source: string,
  args: readonly string[] = [],
): Promise<Ended> {
  const child = await startProgram(runtime, source, args);
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  return { code, signal, stdout, stderr };
}

/** The JSON that a program prints. Rejects with its errors, if it fails. */
export async function answerOf(
  runtime: Runtime,
  source: string,
  args: readonly string[] = [],
): Promise<unknown> {
  const { code, stdout, stderr } = await runProgram(runtime, source, args);
  if (code !== 0) throw new Error(stderr || `It ended with ${code}.`);
  return JSON.parse(stdout);
}
