// serve.ts - the command of the built package, as another process.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { onTestFinished } from 'vitest';

import { WASM_FLAGS } from '../../../scripts/test/wasm-flags.mjs';

/** `entitable serve` of the built package. */
export interface Server {
  readonly url: URL;
  readonly connectionString: string;
  readonly lines: string[];
  readonly pid: number;
  /** All that it has printed as warnings and errors. */
  said(): string;
  /** Ends what reads its lines, as `serve | head` does. */
  stopReading(): void;
  /** Its exit code, once it has ended. */
  readonly exitCode: Promise<number | null>;
  /** The same after a signal. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts the command; the process does not outlive the test. */
export function run(...words: string[]): ChildProcess {
  return runBehind([], words);
}

function runBehind(scripts: readonly string[], words: readonly string[]): ChildProcess {
  const preloads = scripts.map((script) => `--import=./${script}`);
  const child = spawn(process.execPath, [...WASM_FLAGS, ...preloads, 'dist/cli.js', ...words]);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Starts a server at any free port. */
export function serve(...options: string[]): Promise<Server> {
  return serveBehind([], ...options);
}

/** The same; Node runs the scripts, whose paths are those in the project, before the command. */
export async function serveBehind(
  scripts: readonly string[],
  ...options: string[]
): Promise<Server> {
  return await listening(runBehind(scripts, ['serve', '--port', '0', ...options]));
}

/** Waits until the process, which is `entitable serve`, is ready. */
export async function listening(child: ChildProcess): Promise<Server> {
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const exitCode = exited.then(([code]) => code);
  let said = '';
  child.stderr!.on('data', (piece) => (said += piece));
  const lines: string[] = [];
  const input = createInterface(child.stdout!);
  await new Promise<void>((resolve, reject) => {
    input.on(
      'line',
      (line) => lines.push(line) && line.startsWith('Entitable is ready at http') && resolve(),
    );
    exited.then(() => reject(new Error(`the server has stopped: ${said}`)), reject);
  });
  const all = lines.splice(0);
  const connectionString = all.find((line) => line.startsWith('DefaultEndpointsProtocol='))!;
  const greeting = all.find((line) => line.startsWith('Entitable serves'))!;
  return {
    url: new URL(greeting.split(' ').at(-1)!),
    connectionString,
    lines,
    pid: child.pid!,
    said: () => said,
    stopReading: () => child.stdout!.destroy(),
    exitCode,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      return exitCode;
    },
  };
}

/** A folder that goes when the test has finished. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'entitable-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
