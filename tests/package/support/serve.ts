// serve.ts - the command of the built package, as another process.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { onTestFinished } from 'vitest';

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
  /** Its exit code after a signal. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts the command; the process does not outlive the test. */
export function run(...words: string[]): ChildProcess {
  const child = spawn(process.execPath, ['dist/cli.js', ...words]);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Starts a server at any free port. */
export async function serve(...options: string[]): Promise<Server> {
  const child = run('serve', '--port', '0', ...options);
  const exited = once(child, 'exit');
  let said = '';
  child.stderr!.on('data', (piece) => (said += piece));
  const lines: string[] = [];
  const input = createInterface(child.stdout!);
  await new Promise<void>((resolve, reject) => {
    input.on(
      'line',
      (line) => lines.push(line) && line.startsWith('DefaultEndpointsProtocol=') && resolve(),
    );
    exited.then(() => reject(new Error(`the server has stopped: ${said}`)), reject);
  });
  const all = lines.splice(0);
  const connectionString = all.at(-1)!;
  const greeting = all.find((line) => line.startsWith('Entitable serves'))!;
  return {
    url: new URL(greeting.split(' ').at(-1)!),
    connectionString,
    lines,
    pid: child.pid!,
    said: () => said,
    stopReading: () => child.stdout!.destroy(),
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
}

/** A folder that goes when the test has finished. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'entitable-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
